//! The build that a step means: what the engine would install on the machine of the log.

use crate::case::Case;
use crate::check::python::wanted;
use kb_core::answer::{Answer, Verdict};
use kb_core::catalog::PackageKind;
use kb_core::pep::Version;
use kb_core::platform::Os;
use kb_core::record::Sought;
use kb_core::request::RawRequest;
use kb_core::version::CudaVersion;
use kb_core::world::{Build, Libraries, World};
use serde::Serialize;

/// What the engine would install on the machine of the log.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solved {
    /// The requirement: `torch==2.9.1`, with the extra that it takes.
    pub requirement: String,
    /// The channel that it comes from.
    pub channel: Option<String>,
    /// What fits, as a sentence.
    pub says: String,
    /// What another driver would allow, as a sentence.
    pub limit: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// The question that it answers: what was observed.
    pub question: RawRequest,
}

/// Asks the engine for a build of the package that the log is about, for the machine that it shows: of the release that
/// is installed, else near to it, else any; with the packages that are made for it, if they go together.
pub fn solve(world: &World<'_>, case: &Case<'_>, language: &str, sought: Sought) -> Option<Solved> {
    let kb = case.kb();
    // No CUDA there, or builds of a kind that no channel of the catalogue has.
    if case.system.os == Some(Os::Macos) || case.system.jetson {
        return None;
    }
    let package = &kb.packages[case.package?];
    // The form with GPU code is wanted.
    let want = package.gpu_package.as_deref().unwrap_or(&package.id);
    let mut request = understood(world, case, language, want)?;
    // A build that takes its libraries from the machine has to take those that are there.
    if sought == Sought::ForToolkit {
        let release = |toolkit: CudaVersion| toolkit.prefix(2).to_string();
        request.cuda = case.parsed::<CudaVersion>("cuda-toolkit").map(|at| release(at.value));
    }
    let mates = mates(case, want);
    let near: Vec<String> = nearest(case, sought).iter().map(|range| format!("{want}{range}")).collect();
    let mut tries: Vec<Vec<String>> = Vec::new();
    for wanted in near.iter().map(String::as_str).chain([want]) {
        if !mates.is_empty() {
            tries.push(std::iter::once(wanted.to_owned()).chain(mates.iter().cloned()).collect());
        }
        tries.push(vec![wanted.to_owned()]);
    }
    tries.into_iter().find_map(|wants| {
        request.wants = wants;
        let answer = fitting(world, &mut request)?;
        suits(case, sought, &answer, want).then(|| solved(case, answer, &request, want)).flatten()
    })
}

/// The question, without what of the machine cannot be understood: that is left out, one thing after the other, rather
/// than giving no answer at all.
fn understood(world: &World<'_>, case: &Case<'_>, language: &str, want: &str) -> Option<RawRequest> {
    let mut request = question(case, language);
    request.wants = vec![want.to_owned()];
    let relax: [fn(&mut RawRequest); 4] =
        [|r| r.glibc = None, |r| r.python = None, |r| r.arch = None, |r| r.driver = None];
    for drop in relax {
        if kb_core::ask(world, &request).is_ok() {
            break;
        }
        drop(&mut request);
    }
    kb_core::ask(world, &request).is_ok().then_some(request)
}

/// The answer, if something fits. Of this release there may be none for the interpreter: another one is easier to have
/// than another machine, but only where any release is wanted.
fn fitting(world: &World<'_>, request: &mut RawRequest) -> Option<Answer> {
    let fits = |request: &RawRequest| {
        kb_core::ask(world, request).ok().filter(|answer| answer.verdict == Verdict::Fits)
    };
    let any = !request.wants.iter().any(|w| w.contains("=="));
    fits(request).or_else(|| {
        let python = request.python.take_if(|_| any && request.wants.len() == 1)?;
        let found = fits(request);
        if found.is_none() {
            request.python = Some(python);
        }
        found
    })
}

/// Releases near to the one that is installed, or that an installer was asked for, as specifiers: that very build, the
/// release with all its builds, then those of its minor version.
fn nearest(case: &Case<'_>, sought: Sought) -> Vec<String> {
    let known = || {
        let package = &case.kb().packages[case.package?];
        let sibling = package.gpu_package.as_deref().unwrap_or(&package.id);
        let installed =
            || case.version_of(&package.id).or_else(|| case.version_of(sibling)).map(|at| at.value);
        let asked = || wanted(case).filter(|(r, _)| *r.name == *package.id || *r.name == *sibling);
        let asked = asked().and_then(|(r, _)| Some(r.exact()?.to_string()));
        let version: Version = asked.clone().or_else(installed)?.parse().ok()?;
        Some((version, asked.filter(|a| a.contains('+'))))
    };
    let Some((version, labelled)) = known().filter(|_| sought != Sought::Any) else { return Vec::new() };
    let numbers: Vec<String> = version.release().iter().map(ToString::to_string).collect();
    let near = [3, 2].into_iter().filter(|count| numbers.len() >= *count);
    let near = near.map(|count| format!("=={}.*", numbers[..count].join(".")));
    labelled.map(|version| format!("=={version}")).into_iter().chain(near).collect()
}

/// Installed packages that are made for one release of the wanted one, such as torchvision for torch.
fn mates(case: &Case<'_>, want: &str) -> Vec<String> {
    let kb = case.kb();
    let mut out: Vec<String> = Vec::new();
    for (name, _) in case.seen.packages() {
        let Some(index) = kb.package(name).filter(|p| kb.packages[*p].kind == PackageKind::Library) else {
            continue;
        };
        let id = kb.packages[index].id.to_string();
        let pins = |b: &Build| b.requires.iter().any(|(r, _)| &*r.name == want && r.exact().is_some());
        if !out.contains(&id) && case.builds(index).builds.iter().any(pins) {
            out.push(id);
        }
    }
    out
}

/// Is it what the step means?
fn suits(case: &Case<'_>, sought: Sought, answer: &Answer, want: &str) -> bool {
    let Some(chosen) = answer.answers.first().and_then(|a| a.stack.iter().find(|c| c.component == want))
    else {
        return false;
    };
    // To install again what is installed mends nothing, unless files of it are missing.
    let installed = case.version_of(want);
    if sought != Sought::Again && installed.is_some_and(|i| Some(&*i.value) == chosen.version.as_deref()) {
        return false;
    }
    let brings = chosen.libraries.as_deref().is_some_and(|l| l != Libraries::System.word());
    sought != Sought::Brings || brings
}

fn solved(case: &Case<'_>, answer: Answer, request: &RawRequest, want: &str) -> Option<Solved> {
    let item = answer.answers.into_iter().next()?;
    let shell = if case.system.os == Some(Os::Windows) { "powershell" } else { "bash" };
    let pip = |shell: &str| {
        let commands = item.install.iter().filter(|i| i.tool == "pip" && i.shell == shell);
        together(commands.map(|i| &*i.command))
    };
    let command = Some(pip(shell)).filter(|c| !c.is_empty());
    let chosen = item.stack.iter().find(|c| c.component == want)?;
    let extra = chosen.extra.as_ref().map(|e| format!("[{e}]")).unwrap_or_default();
    Some(Solved {
        requirement: format!("{want}{extra}=={}", chosen.version.as_deref()?),
        channel: chosen.channel.clone(),
        says: item.says,
        limit: limit(&item.limits),
        command: command.or_else(|| item.install.first().map(|i| i.command.clone())),
        question: request.clone(),
    })
}

/// The machine as a question to the engine, without what is wanted.
pub(crate) fn question(case: &Case<'_>, language: &str) -> RawRequest {
    let mut request =
        RawRequest { command: "solve".to_owned(), lang: Some(language.to_owned()), ..RawRequest::default() };
    request.os = case.system.os.map(|os| os.word().to_owned());
    request.arch = case.system.arch.map(|a| a.word().to_owned());
    // Where only the CUDA level of the driver is told: the newest driver that has it.
    let of_level = || Some(newest_of_level(case, case.level()?.value)?.to_string());
    request.driver = case.driver().map(|d| d.value.to_string()).or_else(of_level);
    request.python = case.seen.first("python").map(|o| {
        let number = o.value.split_whitespace().next().unwrap_or(&o.value);
        number.split('.').take(2).collect::<Vec<_>>().join(".")
    });
    request.glibc = case.seen.first("glibc").map(|o| o.value.clone());
    let mut gpus: Vec<String> = Vec::new();
    for o in case.seen.of("gpu") {
        if case.gpu(&o.value).is_some() && !gpus.contains(&o.value) {
            gpus.push(o.value.clone());
        }
    }
    if gpus.is_empty()
        && let Some(capability) = case.capability()
    {
        gpus.push(format!("cc{}", capability.value));
    }
    request.gpus = gpus;
    request
}

/// Commands that install one package each as one line, with one command for each index.
fn together<'c>(commands: impl Iterator<Item = &'c str>) -> String {
    // Packages, and the options behind them; a command of another form has none.
    let mut out: Vec<(String, Option<&str>)> = Vec::new();
    for command in commands {
        let rest = command.strip_prefix("pip install ").filter(|rest| !rest.starts_with('-'));
        let Some((package, options)) = rest.map(|rest| rest.split_once(' ').unwrap_or((rest, ""))) else {
            out.push((command.to_owned(), None));
            continue;
        };
        match out.iter_mut().find(|(_, of)| *of == Some(options)) {
            Some((packages, _)) => packages.extend([" ", package]),
            None => out.push((format!("pip install {package}"), Some(options))),
        }
    }
    let line = |(packages, options): &(String, Option<&str>)| match options {
        Some(options) if !options.is_empty() => format!("{packages} {options}"),
        _ => packages.clone(),
    };
    out.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// What the driver keeps away: of several the one that asks for least.
fn limit(limits: &[kb_core::answer::Limit]) -> Option<String> {
    let of_driver = limits.iter().rev().find(|l| l.by == "nvidia-driver")?;
    Some(of_driver.says.clone())
}

/// The newest recorded driver of the branches with a CUDA level.
pub(crate) fn newest_of_level(
    case: &Case<'_>,
    level: kb_core::version::CudaVersion,
) -> Option<kb_core::version::DriverVersion> {
    let (driver, os) = (&case.world.driver, case.os());
    let of_level = |b: &&kb_core::world::BranchFacts| {
        b.cuda.is_some_and(|c| c.prefix(2).cmp_number(&level.prefix(2)).is_eq())
    };
    let branches = driver.branches.iter().filter(of_level);
    branches.filter_map(|b| driver.newest_of_branch(b.branch, os)).max_by(|a, b| a.cmp_number(b))
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn packages_of_one_index_are_installed_by_one_command() {
        let all = [
            "pip install torch==2.6.0+cu118 --index-url U",
            "pip install torchvision==0.21.0 --index-url U",
            "pip install vllm==0.8.5",
        ];
        assert_eq!(
            together(all.into_iter()),
            "pip install torch==2.6.0+cu118 torchvision==0.21.0 --index-url U; pip install vllm==0.8.5"
        );
        assert_eq!(together(["pip install torch==2.9.1"].into_iter()), "pip install torch==2.9.1");
        assert_eq!(
            together(["pip install --pre a", "pip install b"].into_iter()),
            "pip install --pre a; pip install b"
        );
        assert_eq!(together(std::iter::empty()), "");
    }
}
