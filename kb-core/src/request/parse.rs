//! From what was typed to what is meant; all mistakes at once.

use super::resolve::{self, GpuMatch};
use super::unknown::{self, with_near};
use super::{GpuTarget, Hardware, Intent, Policy, RawRequest, Request, Want, merge, respelled};
use crate::diag::Diagnostic;
use crate::pep::{Requirement, Version};
use crate::platform::{Arch, Os};
use crate::version::{CudaVersion, CudnnVersion, Dotted, PythonVersion, VersionSet};
use crate::world::{View, World};
use std::collections::HashSet;
use std::str::FromStr;

impl Request {
    /// Understands a request.
    ///
    /// # Errors
    /// All mistakes at once: names that nothing answers to or that several things share, versions of another scheme,
    /// releases that do not exist, options that contradict each other.
    pub fn parse(world: &World<'_>, raw: &RawRequest) -> Result<Request, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let request = understand(world.view(), raw, &mut mistakes);
        if mistakes.is_empty() { Ok(request) } else { Err(mistakes) }
    }
}

fn understand(world: View<'_>, raw: &RawRequest, mistakes: &mut Vec<Diagnostic>) -> Request {
    let kb = world.kb;
    let intent = if raw.command == "check" { Intent::Check } else { Intent::Solve };
    let os = word(raw.os.as_deref(), "os", &Os::WORDS, mistakes).unwrap_or(Os::Linux);
    let arch = match raw.arch.as_deref() {
        Some(text) => match text.parse() {
            Ok(arch) => arch,
            Err(()) => {
                mistakes.push(
                    Diagnostic::error("unknown-arch", format!("`{text}` is no processor that kb knows"))
                        .help("use x86_64 or aarch64"),
                );
                Arch::X86_64
            }
        },
        // Apple's machines of today.
        None if os == Os::Macos => Arch::Aarch64,
        None => Arch::X86_64,
    };
    let mut request = Request {
        intent,
        wants: Vec::new(),
        hardware: Hardware::Unstated,
        os,
        arch,
        glibc: glibc(raw.glibc.as_deref(), mistakes),
        driver: version(raw.driver.as_deref(), "driver", mistakes),
        cuda: None,
        toolkit: None,
        cudnn: None,
        cudnn_text: None,
        python: raw.python.as_deref().and_then(|t| python(t, mistakes)),
        channels: Vec::new(),
        exact_extras: raw.exact_extras,
        policy: Policy::Tested,
        language: raw.lang.clone().unwrap_or_else(|| "en".to_owned()),
        assumed: raw.assumed.clone(),
    };
    if let Some(text) = &raw.policy {
        request.policy = match text.as_str() {
            "listed" => Policy::Listed,
            "tested" => Policy::Tested,
            other => {
                mistakes.push(Diagnostic::error("unknown-policy", format!("`{other}` is no policy")).help(
                    "use listed (only what vendors list) or tested (what was built or tested as well)",
                ));
                Policy::Tested
            }
        };
    }
    if let Some(text) = &raw.cuda {
        set_cuda(world, &mut request, text, mistakes);
    }
    if let Some(text) = &raw.cudnn {
        set_cudnn(world, &mut request, text, mistakes);
    }
    for text in &raw.channels {
        match resolve::channel(kb, text) {
            Ok(found) => request.channels.extend(found),
            Err(near) => mistakes.push(with_near(
                Diagnostic::error("unknown-channel", format!("no channel is called `{text}`"))
                    .help("`kb list channels` shows all"),
                &near,
            )),
        }
    }
    let gpus: Vec<GpuTarget> = hardware(world, raw, &mut request, mistakes);
    // A module's processor is that of the machine, whatever else is in it.
    let processor = gpus.iter().find_map(|g| kb.gpus[g.gpu?].processor);
    if let (None, Some(processor)) = (&raw.arch, processor) {
        request.arch = processor;
        request.assumed.push("arch".to_owned());
    }
    let all = match raw.gpus_mode.as_deref() {
        None | Some("all") => true,
        Some("any") => false,
        Some(other) => {
            mistakes.push(
                Diagnostic::error("unknown-mode", format!("`--gpus {other}` means nothing"))
                    .help("use all (one environment for every GPU) or any (for one of them)"),
            );
            true
        }
    };
    if !gpus.is_empty() {
        request.hardware = Hardware::Gpus { gpus, all };
    }
    let here = world.from(request.platform());
    let mut seen = HashSet::new();
    let mut wants = Vec::new();
    for text in raw.wants.iter().filter(|t| seen.insert(*t)) {
        wants.extend(want(here, text, &mut request, mistakes));
    }
    merge::all(here, wants, &mut request, mistakes);
    if let Some(driver) = request.driver.filter(|d| d.len() == 1)
        && let Ok(number) = u16::try_from(driver.major())
        && let Some(newest) = world.driver.newest_of_branch(crate::value::Branch(number), os)
    {
        // "Driver 535" names the branch: its newest driver stands for it, and the answer shows which that is.
        request.driver = Some(newest);
        request.assumed.push("driver".to_owned());
    }
    if request.os == Os::Macos && request.driver.is_some() {
        mistakes.push(
            Diagnostic::error("contradiction", "no NVIDIA driver for macOS is known to kb")
                .help("drop --driver"),
        );
    }
    if request.glibc.is_some() && matches!(request.os, Os::Windows | Os::Macos) {
        mistakes.push(
            Diagnostic::error("contradiction", format!("{} has no glibc", request.os.word()))
                .help("drop --glibc"),
        );
    }
    if let (Some(driver), Hardware::None) = (request.driver, &request.hardware) {
        mistakes.push(
            Diagnostic::error(
                "contradiction",
                format!("`--gpu none` and `--driver {driver}` contradict each other"),
            )
            .help("drop one of them"),
        );
    }
    if request.hardware == Hardware::None && (request.cuda.is_some() || request.cudnn.is_some()) {
        mistakes.push(
            Diagnostic::error("contradiction", "without a GPU there is no CUDA and no cuDNN to choose")
                .help("drop --gpu none, or drop --cuda and --cudnn"),
        );
    }
    driver_number(world, &request, mistakes);
    request
}

/// A driver number that cannot be one of this system's is worth a word before it is judged.
fn driver_number(world: View<'_>, request: &Request, mistakes: &mut Vec<Diagnostic>) {
    let Some(driver) = request.driver else { return };
    let looks_linux = driver.len() == 3;
    if looks_linux && request.os.driver_os() == "windows" {
        mistakes.push(
            Diagnostic::error(
                "driver-of-another-system",
                format!(
                    "`{driver}` is the number of a Linux driver; {} uses the Windows driver",
                    request.os.word()
                ),
            )
            .note("Windows numbers have two parts, such as 573.76")
            .help("give the number that nvidia-smi prints on Windows, or say --os linux"),
        );
    }
    let family = i64::from(driver.major());
    let windows = world.driver.branches.iter().find(|b| b.windows_families.contains(&family));
    if let Some(windows) = windows
        && request.os.driver_os() == "linux"
        && !world.driver.branches.iter().any(|b| i64::from(b.branch.0) == family)
    {
        mistakes.push(
            Diagnostic::error(
                "driver-of-another-system",
                format!("`{driver}` is the number of a Windows driver; linux uses the Linux driver"),
            )
            .note(format!("Windows drivers {family} are of the branch {}", windows.branch))
            .help("give the number that nvidia-smi prints on Linux, or say --os windows or --os wsl2"),
        );
    }
    let least = world.driver.branches.first().map(|b| u32::from(b.branch.0));
    if driver.major() < 100 || least.is_some_and(|l| driver.major() + 300 < l) {
        mistakes.push(
            Diagnostic::error("bad-version", format!("`{driver}` is no driver version"))
                .help("a driver version looks like 535.104.05 (Linux) or 537.13 (Windows); a CUDA version goes with --cuda"),
        );
    }
}

fn hardware(
    world: View<'_>,
    raw: &RawRequest,
    request: &mut Request,
    mistakes: &mut Vec<Diagnostic>,
) -> Vec<GpuTarget> {
    let kb = world.kb;
    let mut gpus = Vec::new();
    for text in &raw.gpus {
        match resolve::gpu(kb, text) {
            GpuMatch::Gpu(index) => match &world.gpus[index].capability {
                Some(capability) => gpus.push(GpuTarget {
                    gpu: Some(index),
                    capability: capability.value,
                    label: kb.gpus[index].id.to_string(),
                }),
                None => mistakes.push(Diagnostic::error(
                    "no-capability",
                    format!("nobody has recorded the compute capability of {}", kb.gpus[index].name),
                )),
            },
            GpuMatch::Capability(capability) => {
                let mut known = world.driver.capabilities();
                if !known.is_empty() {
                    known.extend(world.gpus.iter().filter_map(|g| g.capability.as_ref()).map(|c| c.value));
                    known.extend(world.gpus.iter().flat_map(|g| g.others.iter().copied()));
                    known.sort_unstable();
                    known.dedup();
                }
                if !known.is_empty() && !known.contains(&capability) {
                    // `sm_12` has lost its last digit: 12.0, not something near 1.2.
                    let whole = capability.major.saturating_mul(10).saturating_add(capability.minor);
                    let cut = !text.contains('.') && known.iter().any(|c| c.major == whole);
                    let near: Vec<String> = known
                        .iter()
                        .filter(|c| match cut {
                            true => c.major == whole,
                            false => c.major.abs_diff(capability.major) <= 1,
                        })
                        .map(ToString::to_string)
                        .collect();
                    mistakes.push(with_near(
                        Diagnostic::error(
                            "unknown-capability",
                            format!("there is no compute capability {capability} that kb knows"),
                        )
                        .help("write it like cc8.6 or sm_86"),
                        &near,
                    ));
                    continue;
                }
                let label = format!("sm_{}{}", capability.major, capability.minor);
                gpus.push(GpuTarget { gpu: None, capability, label });
            }
            GpuMatch::None => request.hardware = Hardware::None,
            GpuMatch::Ambiguous(several) => mistakes.push(ambiguous(world, text, &several)),
            GpuMatch::Accelerator(index) => mistakes.push(accelerator(world, text, index)),
            GpuMatch::Unknown => mistakes.push(unknown::gpu(world, text)),
        }
    }
    if !gpus.is_empty() && request.hardware == Hardware::None {
        mistakes.push(
            Diagnostic::error("contradiction", "`--gpu none` and a GPU contradict each other")
                .help("drop one of them"),
        );
    }
    gpus
}

fn ambiguous(world: View<'_>, text: &str, several: &[usize]) -> Diagnostic {
    let mut diagnostic = Diagnostic::error("ambiguous-gpu", format!("`{text}` names more than one GPU"));
    for index in several {
        let gpu = &world.kb.gpus[*index];
        let capability = world.gpus[*index]
            .capability
            .as_ref()
            .map_or_else(String::new, |c| format!(", compute capability {}", c.value));
        diagnostic = diagnostic.note(format!("{} ({}{capability})", gpu.id, gpu.name));
    }
    diagnostic.help("say which one; nvidia-smi prints the full name")
}

fn accelerator(world: View<'_>, text: &str, index: usize) -> Diagnostic {
    let accelerator = &world.kb.accelerators[index];
    let mut diagnostic = Diagnostic::error(
        "not-cuda",
        format!("`{text}` is {}, which does not run CUDA builds", accelerator.name),
    );
    for offer in &accelerator.offers {
        let needs = offer.needs.as_deref().map_or_else(String::new, |n| format!(", needs {n}"));
        let place = offer.place.as_deref().map_or_else(String::new, |p| format!(", from {p}"));
        diagnostic = diagnostic.note(format!("{}: {}{place}{needs}", offer.framework, offer.package));
    }
    if let Some(note) = &accelerator.note {
        diagnostic = diagnostic.note(note.to_string());
    }
    diagnostic.help(format!("`kb show {}` says what exists for it", accelerator.id))
}

fn word<T: FromStr>(
    text: Option<&str>,
    what: &str,
    known: &[&str],
    mistakes: &mut Vec<Diagnostic>,
) -> Option<T> {
    let text = text?;
    text.parse().ok().or_else(|| {
        mistakes.push(with_near(
            Diagnostic::error("unknown-os", format!("`{text}` is no {what} that kb knows"))
                .help(format!("use {}", known.join(", "))),
            &resolve::nearest(text, known.iter().copied()),
        ));
        None
    })
}

fn version<T: FromStr<Err = crate::version::VersionError>>(
    text: Option<&str>,
    option: &str,
    mistakes: &mut Vec<Diagnostic>,
) -> Option<T> {
    match text?.trim().trim_start_matches("==").trim_start_matches(['v', 'V']).parse() {
        Ok(version) => Some(version),
        Err(error) => {
            mistakes.push(Diagnostic::error("bad-version", format!("--{option}: {error}")));
            None
        }
    }
}

fn glibc(text: Option<&str>, mistakes: &mut Vec<Diagnostic>) -> Option<Dotted> {
    let text = text?.trim();
    let found = text.parse().ok();
    if found.is_none() {
        mistakes.push(
            Diagnostic::error("bad-version", format!("--glibc: `{text}` is not a version of the C library"))
                .help("write it like 2.35; `ldd --version` prints it"),
        );
    }
    found
}

fn python(text: &str, mistakes: &mut Vec<Diagnostic>) -> Option<PythonVersion> {
    let plain = text.trim().to_ascii_lowercase();
    let plain = plain.trim_start_matches("==").trim_start_matches("python").trim();
    // cp312 and 312 are how file names write 3.12.
    let digits = plain.strip_prefix("cp").or(plain.strip_prefix("py")).unwrap_or(plain);
    let spelled = if !digits.contains('.') && digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit())
    {
        format!("{}.{}", &digits[..1], &digits[1..])
    } else {
        digits.to_owned()
    };
    match spelled.parse::<PythonVersion>() {
        Ok(v) if v.len() >= 2 && (2..=4).contains(&v.major()) => Some(v),
        _ => {
            mistakes.push(
                Diagnostic::error("bad-version", format!("--python: `{text}` is not a Python version"))
                    .help("write it like 3.12"),
            );
            None
        }
    }
}

/// `12.4` means the release 12.4 with all its updates; with three parts it is that update.
pub(crate) fn cuda_set(text: &str) -> Result<VersionSet, crate::version::VersionError> {
    let lower = text.trim().to_ascii_lowercase();
    let plain =
        lower.trim_start_matches("cuda").trim_start_matches([' ', '-']).trim_start_matches("==").trim();
    let plain = match plain.strip_prefix('v') {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => number,
        _ => plain,
    };
    // cu126 is how channels write 12.6, cu12 how packages write any 12.
    if let Some(digits) = plain.strip_prefix("cu")
        && digits.len() >= 2
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        // No release before 4 has a name of this kind: cu92 is 9.2, cu12 is not 1.2.
        if digits.len() == 2 && digits < "40" {
            return Ok(VersionSet::starting_with(digits.parse()?));
        }
        let (major, minor) = digits.split_at(digits.len() - 1);
        return Ok(VersionSet::starting_with(format!("{major}.{minor}").parse()?));
    }
    let plain = plain.strip_suffix(".x").map_or_else(|| plain.to_owned(), |p| format!("{p}.*"));
    match plain.parse::<Dotted>() {
        Ok(version) if version.len() <= 2 => Ok(VersionSet::starting_with(version)),
        _ => plain.parse(),
    }
}

fn set_cuda(world: View<'_>, request: &mut Request, text: &str, mistakes: &mut Vec<Diagnostic>) {
    match cuda_set(text) {
        Ok(set) => {
            let known = &world.toolkit.releases;
            if !known.is_empty() && !known.iter().any(|(v, _)| set.contains(&v.0)) {
                let wanted: Option<CudaVersion> = super::exact(&set).map(CudaVersion);
                mistakes.push(no_release(
                    "CUDA toolkit",
                    text,
                    wanted.map(|w| near_versions(w.0, known.iter().map(|(v, _)| v.0))),
                ));
            }
            request.cuda = Some(set);
        }
        Err(error) => mistakes.push(
            Diagnostic::error("bad-version", format!("--cuda: `{}` is not a CUDA version", error.text))
                .help("write 12.4, 12.4.1, or a set such as '>=12.4, <13'"),
        ),
    }
}

/// `9` and `9.1` are all releases that start so, `9.1.0` is one with whichever build number.
pub(crate) fn cudnn_set(text: &str) -> Result<(VersionSet, String), crate::version::VersionError> {
    let plain = text.trim().trim_start_matches("==").trim_start_matches(['v', 'V']);
    let plain = plain.strip_suffix(".x").map_or_else(|| plain.to_owned(), |p| format!("{p}.*"));
    let set = match plain.parse::<CudnnVersion>() {
        Ok(version) if version.len() < 4 => VersionSet::starting_with(version.0),
        _ => plain.parse::<VersionSet>()?,
    };
    Ok((set, plain))
}

fn set_cudnn(world: View<'_>, request: &mut Request, text: &str, mistakes: &mut Vec<Diagnostic>) {
    match cudnn_set(text) {
        Ok((set, plain)) => {
            let known = &world.cudnn.releases;
            let exists = known.iter().any(|r| {
                set.contains(&r.version.0)
                    || r.full.is_some_and(|f| set.contains(&f.0))
                    || super::exact(&set).is_some_and(|v| {
                        r.full.is_none() && v.prefix(3).cmp_number(&r.version.prefix(3)).is_eq()
                    })
            });
            // A build number other than the recorded one is another build of a release that exists.
            let other_build = super::exact(&set).is_some_and(|v| {
                v.len() == 4 && known.iter().any(|r| r.version.prefix(3).cmp_number(&v.prefix(3)).is_eq())
            });
            if !known.is_empty() && !exists && !other_build {
                let near = super::exact(&set).map(|w| near_versions(w, known.iter().map(|r| r.version.0)));
                mistakes.push(no_release("cuDNN", text, near));
            }
            request.cudnn = Some(set);
            request.cudnn_text = Some(plain);
        }
        Err(_) => mistakes.push(
            Diagnostic::error("bad-version", format!("--cudnn: `{text}` is not a cuDNN version"))
                .help("write 8.9.7, 9.1.0.70, or a set such as '>=9.1, <10'"),
        ),
    }
}

fn no_release(what: &str, text: &str, near: Option<Vec<String>>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-release", format!("there is no {what} {text} that kb knows"));
    match near {
        Some(near) if !near.is_empty() => diagnostic.note(format!("near: {}", near.join(", "))),
        _ => diagnostic,
    }
    .help("`kb list releases` shows all")
}

/// The known versions around one that is not known.
fn near_versions(wanted: Dotted, known: impl Iterator<Item = Dotted>) -> Vec<String> {
    let mut all: Vec<Dotted> = known.collect();
    all.sort();
    all.dedup();
    let at = all.partition_point(|v| *v < wanted);
    all[at.saturating_sub(2)..all.len().min(at + 2)].iter().map(ToString::to_string).collect()
}

/// One package of the question; none for a part of the machine, which goes into the request.
fn want(world: View<'_>, text: &str, request: &mut Request, mistakes: &mut Vec<Diagnostic>) -> Option<Want> {
    let kb = world.kb;
    // The label is not part of what specifiers compare.
    let (plain, label) = match text.split_once('+') {
        Some((head, tail))
            if tail.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') && !tail.is_empty() =>
        {
            (head, Some(tail.to_ascii_lowercase()))
        }
        _ => (text, None),
    };
    let requirement: Requirement = match plain.parse() {
        Ok(requirement) => requirement,
        Err(why) => {
            mistakes.push(
                Diagnostic::error("bad-requirement", format!("`{text}` is not a requirement: {why}"))
                    .help("write torch, 'torch==2.9.1', 'torch>=2.6,<3', 'jax[cuda12]==0.9.0' or 'torch==2.9.1+cu126'"),
            );
            return None;
        }
    };
    let package = match resolve::package(kb, &requirement.name) {
        Ok(package) => package,
        Err(near) => {
            let mistake =
                Diagnostic::error("unknown-package", format!("no package is called `{}`", requirement.name));
            let gpu = resolve::gpu(kb, &text.replace("==", " "));
            mistakes.push(match gpu {
                GpuMatch::Gpu(_) | GpuMatch::Ambiguous(_) => mistake.help("a GPU is said with --gpu"),
                _ => with_near(
                    mistake.help("`kb list packages` shows all; to add one, see CONTRIBUTING"),
                    &near,
                ),
            });
            return None;
        }
    };
    let exact_text = requirement.specifier.trim_start_matches('=').trim().to_owned();
    match &*kb.packages[package].id {
        id @ ("cudnn" | "nvidia-driver" | "python") if exact_text.is_empty() => {
            mistakes.push(
                Diagnostic::error(
                    "no-version",
                    format!("`{text}` states no version, so nothing can be judged"),
                )
                .help(format!(
                    "write it like {id}=={}",
                    match id {
                        "cudnn" => "9.10.2",
                        "python" => "3.12",
                        _ => "535.104.05",
                    }
                )),
            );
            return None;
        }
        "cudnn" => {
            let mut own = Vec::new();
            set_cudnn(world, request, &exact_text, &mut own);
            mistakes.extend(own.into_iter().map(|m| of_want(m, "--cudnn", text)));
            return None;
        }
        "cuda-toolkit" | "cuda" => {
            match cuda_set(if exact_text.is_empty() { "*" } else { &exact_text }) {
                Ok(set) => {
                    if !world.toolkit.releases.iter().any(|(v, _)| set.contains(&v.0))
                        && !world.toolkit.releases.is_empty()
                    {
                        let near = super::exact(&set)
                            .map(|w| near_versions(w, world.toolkit.releases.iter().map(|(v, _)| v.0)));
                        mistakes.push(no_release("CUDA toolkit", &exact_text, near));
                    }
                    request.toolkit = Some((exact_text, set));
                }
                Err(error) => mistakes.push(Diagnostic::error("bad-version", error.to_string())),
            }
            return None;
        }
        "nvidia-driver" => {
            if exact_text.is_empty() {
                return None;
            }
            let mut own = Vec::new();
            request.driver = version(Some(&exact_text), "driver", &mut own).or(request.driver);
            mistakes.extend(own.into_iter().map(|m| of_want(m, "--driver", text)));
            return None;
        }
        "python" => {
            if exact_text.is_empty() {
                return None;
            }
            let mut own = Vec::new();
            request.python = python(&exact_text, &mut own).or(request.python);
            mistakes.extend(own.into_iter().map(|m| of_want(m, "--python", text)));
            return None;
        }
        _ => {}
    }
    let mut requirement = requirement;
    requirement.name = (&*kb.packages[package].id).into();
    let mut want = Want { text: text.to_owned(), package, requirement, label, channel: None };
    respelled::channel(world, &mut want);
    respelled::extras(world, &mut want);
    exists(world, &want, mistakes);
    extras(world, &want, mistakes);
    Some(want)
}

/// A mistake in a requirement is not one of the option that could have said the same.
fn of_want(mistake: Diagnostic, option: &str, text: &str) -> Diagnostic {
    match mistake.message.strip_prefix(option) {
        Some(rest) => Diagnostic { message: format!("`{text}`{rest}"), ..mistake },
        None => mistake,
    }
}

/// An extra that a package does not have, where its extras decide what is installed.
fn extras(world: View<'_>, want: &Want, mistakes: &mut Vec<Diagnostic>) {
    if want.requirement.extras.is_empty() {
        return;
    }
    let everywhere = world.everywhere();
    let mut known: Vec<&str> = Vec::new();
    for member in family(everywhere, want.package) {
        known.extend(everywhere.package(member).builds.iter().filter_map(|b| b.extra.as_deref()));
    }
    known.sort_unstable();
    known.dedup();
    for extra in want.requirement.extras.iter().filter(|e| !known.is_empty() && !known.contains(&&***e)) {
        let near = resolve::nearest(extra, known.iter().copied());
        mistakes.push(with_near(
            Diagnostic::error(
                "unknown-extra",
                format!("{} has no extra `{extra}` that kb knows", want.requirement.name),
            )
            .note(format!("known: {}", known.join(", ")))
            .help("drop it, or name one of these"),
            &near,
        ));
    }
}

/// A release or a label that does not exist is a mistake in the question, not a conflict.
fn exists(world: View<'_>, want: &Want, mistakes: &mut Vec<Diagnostic>) {
    let kb = world.kb;
    if want.requirement.versions().is_none() && want.label.is_none() {
        return;
    }
    let members: Vec<usize> = family(world, want.package);
    let mut known: Vec<Version> = Vec::new();
    let mut labels: Vec<&str> = Vec::new();
    for member in &members {
        let package = world.package(*member);
        for (index, release) in package.releases.iter().enumerate() {
            known.push(release.version().clone());
            if want.label.is_some() && want.requirement.accepts(release.version()) {
                for build in package.builds.iter().filter(|b| b.release as usize == index) {
                    labels.extend(build.label.as_deref());
                    labels.extend(crate::graph::beside(kb, build).filter_map(|c| c.local_label.as_deref()));
                }
            }
        }
    }
    if known.is_empty() {
        return;
    }
    known.sort();
    known.dedup();
    if !known.iter().any(|v| want.requirement.accepts(v)) {
        let near = want.requirement.exact().map(|wanted| {
            let at = known.partition_point(|v| v < wanted);
            known[at.saturating_sub(2)..known.len().min(at + 2)]
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        });
        let newest = known.last().map(ToString::to_string).unwrap_or_default();
        let mut diagnostic = Diagnostic::error(
            "unknown-release",
            format!(
                "{} has no release {}",
                kb.packages[want.package].id,
                want.requirement.specifier.trim_start_matches("==")
            ),
        );
        if let Some(near) = near.filter(|n| !n.is_empty()) {
            diagnostic = diagnostic.note(format!("near: {}", near.join(", ")));
        }
        mistakes.push(
            diagnostic
                .note(format!("newest known: {newest}"))
                .help(format!("`kb show {}` lists its releases", kb.packages[want.package].id)),
        );
        return;
    }
    if let Some(label) = &want.label
        && !labels.iter().any(|l| l.eq_ignore_ascii_case(label))
        && label != "cpu"
    {
        if world.platform.is_some() {
            // Perhaps another platform has it: then it is a conflict, not a mistake.
            return exists(world.everywhere(), want, mistakes);
        }
        labels.sort_unstable();
        labels.dedup();
        mistakes.push(
            Diagnostic::error(
                "unknown-release",
                format!(
                    "{} has no build with the label +{label}",
                    want.text.split('+').next().unwrap_or_default()
                ),
            )
            .note(if labels.is_empty() {
                "no build of it has a label".to_owned()
            } else {
                format!("its labels: {}", labels.join(", "))
            })
            .help("the label names the CUDA release: +cu126 is CUDA 12.6"),
        );
    }
}

/// The packages that a family name stands for; a package that is no family stands for itself.
pub(crate) fn family(world: View<'_>, package: usize) -> Vec<usize> {
    let members: Vec<usize> =
        world.kb.packages[package].members.iter().filter_map(|m| world.kb.package(m)).collect();
    if members.is_empty() { vec![package] } else { members }
}
