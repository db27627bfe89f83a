//! Archives of cuDNN, in the three ways NVIDIA named them and in the ways people write them.
//!
//! Source: relation `cudnn-archive-pattern`; dispute K08 on the name of 8.5.0 for CUDA 11.

use super::Decoded;
use super::lookup::{self, CudnnRelease};
use super::name::Name;
use super::text::{self, Cuda};
use crate::kb::Kb;
use crate::version::Dotted;

#[derive(Default)]
struct Parts {
    version: Option<Dotted>,
    cuda: Option<Cuda>,
    os: Option<&'static str>,
    /// As in the newest naming: `x86_64`, `sbsa`, `aarch64`, `arm64`, `ppc64le`.
    arch: Option<&'static str>,
}

/// How archives of a release are named.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    /// To 8.3.0: `cudnn-11.4-windows-x64-v8.2.4.15.zip`.
    P1,
    /// 8.3.1 to 8.4.1: `…_cuda11.6-archive`.
    P2,
    /// From 8.5.0: `…_cuda11-archive`.
    P3,
}

impl Naming {
    fn of(version: &Dotted) -> Naming {
        if version.cmp_number(&Dotted::new(&[8, 3, 1])).is_lt() {
            Naming::P1
        } else if version.cmp_number(&Dotted::new(&[8, 5])).is_lt() {
            Naming::P2
        } else {
            Naming::P3
        }
    }
}

const ENDINGS: [&str; 8] = [".tar.xz", ".tar.gz", ".tgz", ".txz", ".zip", ".exe", ".solitairetheme8", ".tar"];

/// Reads an archive's name; a path in front, another separator, case or ending do no harm.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let stem = ENDINGS.iter().find_map(|e| name.lower.strip_suffix(e)).unwrap_or(&name.lower);
    let parts = parts(stem)?;
    let version = parts.version?;
    if parts.os.is_none() && parts.cuda.is_none() {
        return None;
    }
    let installer = name.lower.ends_with(".exe");
    let mut out = Decoded::new("cudnn-archive", "decode-cudnn-archive");
    out.say("version", version.to_string());
    if let Some(cuda) = &parts.cuda {
        out.cuda(cuda);
    }
    if let Some(os) = parts.os {
        out.mean("os", os);
    }
    if let Some(arch) = parts.arch {
        out.mean("arch", if matches!(arch, "sbsa" | "arm64") { "aarch64" } else { arch });
    }
    let platform = match (parts.os, parts.arch) {
        (Some(os), Some(arch)) => Some(format!("{os}-{arch}")),
        (Some(os), None) => Some(os.to_owned()),
        _ => None,
    };
    if let Some(platform) = platform {
        out.mean("platform", platform.as_str());
        out.note("decode-for-platform", "platform", platform);
    }

    let release = lookup::cudnn_release(kb, &version);
    let full = full_version(kb, &mut out, &version, release.as_ref());
    let listed = release
        .as_ref()
        .and_then(|r| r.archives.iter().find(|a| a.eq_ignore_ascii_case(&name.file)))
        .cloned();
    // The archives for Windows on ARM may name a release.
    if Naming::of(&version) == Naming::P3
        && listed.is_none()
        && parts.arch != Some("arm64")
        && let Some(Cuda::Release(cuda)) = &parts.cuda
    {
        out.notes.push((
            "decode-cudnn-cuda-major",
            vec![("cuda", cuda.clone()), ("version", version.to_string())],
        ));
    }
    if installer {
        if parts.os == Some("windows") && version.cmp_number(&Dotted::new(&[9])).is_ge() {
            out.spelled(format!("cudnn_{version}_windows.exe"), &name.file);
        }
    } else if let Some(listed) = listed {
        out.mean("folder", if Naming::of(&version) == Naming::P1 { "cuda" } else { strip_ending(&listed) });
        out.spelled(listed, &name.file);
    } else if let Some(full) = full
        && let Some(canonical) = canonical(&parts, full, release.as_ref())
    {
        let known = release.map(|r| r.archives).unwrap_or_default();
        let same_os: Vec<String> =
            known.iter().filter(|k| parts.os.is_none_or(|os| k.contains(os))).cloned().collect();
        if !same_os.is_empty() && !known.contains(&canonical) {
            out.note("decode-archive-unknown", "known", same_os.join(", "));
        }
        out.mean("folder", if Naming::of(&full) == Naming::P1 { "cuda" } else { strip_ending(&canonical) });
        out.spelled(canonical, &name.file);
    }
    Some(out)
}

fn strip_ending(name: &str) -> &str {
    ENDINGS.iter().find_map(|e| name.strip_suffix(e)).unwrap_or(name)
}

/// The version with its build number, the known one where the given one does not exist; says so.
fn full_version(
    kb: &Kb,
    out: &mut Decoded,
    version: &Dotted,
    release: Option<&CudnnRelease>,
) -> Option<Dotted> {
    let given = (version.len() == 4).then_some(*version);
    let Some(release) = release else {
        if lookup::has_any(kb, "cudnn-release") {
            out.mean("known", false);
            out.note("decode-cudnn-release-unknown", "version", version.to_string());
        }
        return given;
    };
    let known = release.full.as_deref().and_then(|f| f.parse::<Dotted>().ok()).filter(|k| k.len() == 4);
    match (given, known) {
        (Some(g), Some(k)) if g.cmp_number(&k).is_ne() => {
            out.mean("known", false);
            out.mean("known_version", k.to_string());
            out.notes.push((
                "decode-cudnn-build-unknown",
                vec![("version", g.to_string()), ("known", k.to_string())],
            ));
            Some(k)
        }
        _ => {
            out.mean("known", true);
            known.or(given)
        }
    }
}

/// The name as NVIDIA writes it; `None` where a part is missing that the name needs.
fn canonical(parts: &Parts, full: Dotted, release: Option<&CudnnRelease>) -> Option<String> {
    let (os, arch, cuda) = (parts.os?, parts.arch?, parts.cuda.as_ref()?);
    if (os, arch) == ("linux", "arm64") {
        // Two Linux builds for ARM exist (sbsa and aarch64); this word does not say which.
        return None;
    }
    let naming = Naming::of(&full);
    let ending = match (os, naming) {
        ("windows", _) => "zip",
        (_, Naming::P1) => "tgz",
        _ => "tar.xz",
    };
    let made = |cuda: &str| match naming {
        Naming::P1 => {
            let os = if os == "windows" && full.major() < 8 { "windows10" } else { os };
            let arch = match arch {
                "x86_64" => "x64",
                "sbsa" | "aarch64" => "aarch64sbsa",
                other => other,
            };
            format!("cudnn-{cuda}-{os}-{arch}-v{full}.{ending}")
        }
        Naming::P2 | Naming::P3 => format!("cudnn-{os}-{arch}-{full}_cuda{cuda}-archive.{ending}"),
    };
    match (naming, cuda) {
        (Naming::P3, Cuda::Release(cuda)) if arch == "arm64" => Some(made(cuda)),
        (Naming::P3, cuda) => Some(made(&cuda.major().to_string())),
        (_, Cuda::Release(cuda)) => {
            // These names have two parts: 11.4, not 11.4.2.
            let two = cuda.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
            Some(made(&two))
        }
        // Only the major version is said: the release's one archive of that major, if there is one.
        (_, Cuda::Major(major)) => {
            let (start, mark) = (made(&format!("{major}.")), format!("{major}."));
            let (head, tail) = start.split_once(&mark)?;
            let mut fit = release?.archives.iter().filter(|a| {
                a.strip_prefix(head).is_some_and(|rest| rest.starts_with(&mark)) && a.ends_with(tail)
            });
            match (fit.next(), fit.next()) {
                (Some(one), None) => Some(one.clone()),
                _ => None,
            }
        }
    }
}

fn put<T: PartialEq>(slot: &mut Option<T>, value: T) -> Option<()> {
    match slot {
        Some(old) if *old != value => None,
        _ => {
            *slot = Some(value);
            Some(())
        }
    }
}

/// Reads the parts between hyphens, underscores and blanks, in any order.
fn parts(stem: &str) -> Option<Parts> {
    let mut tokens = stem.split(['-', '_', ' ']).filter(|t| !t.is_empty()).peekable();
    if tokens.next()? != "cudnn" {
        return None;
    }
    let mut out = Parts::default();
    while let Some(token) = tokens.next() {
        match token {
            "archive" => {}
            "linux" => put(&mut out.os, "linux")?,
            "windows" | "windows10" | "windows11" | "win" | "win10" | "win11" => put(&mut out.os, "windows")?,
            "win64" => {
                put(&mut out.os, "windows")?;
                put(&mut out.arch, "x86_64")?;
            }
            "x86" if tokens.peek() == Some(&"64") => {
                tokens.next();
                put(&mut out.arch, "x86_64")?;
            }
            "x64" | "amd64" | "x8664" => put(&mut out.arch, "x86_64")?,
            "sbsa" | "aarch64sbsa" => put(&mut out.arch, "sbsa")?,
            "aarch64" => put(&mut out.arch, "aarch64")?,
            "arm64" => put(&mut out.arch, "arm64")?,
            "ppc64le" => put(&mut out.arch, "ppc64le")?,
            "cuda" => {
                let cuda = text::cuda(tokens.next()?)?;
                put(&mut out.cuda, cuda)?;
            }
            _ => {
                if let Some(n) = token.strip_prefix("cuda").or_else(|| token.strip_prefix("cu")) {
                    put(&mut out.cuda, text::cuda(n)?)?;
                    continue;
                }
                let bare = token.strip_prefix('v').unwrap_or(token);
                let version: Dotted = bare.parse().ok()?;
                let is_version = bare.len() < token.len() || version.len() >= 3 || out.cuda.is_some();
                if is_version {
                    if !(1..=99).contains(&version.major()) {
                        return None;
                    }
                    put(&mut out.version, version)?;
                } else {
                    put(&mut out.cuda, text::cuda(bare)?)?;
                }
            }
        }
    }
    // Windows on ARM has another word for it than Linux.
    if (out.os, out.arch) == (Some("windows"), Some("aarch64")) {
        out.arch = Some("arm64");
    }
    Some(out)
}
