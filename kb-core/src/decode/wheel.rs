//! Wheels: `torch-2.5.1+cu124-cp312-cp312-win_amd64.whl`.
//!
//! Source: PEP 427 (the name), PEP 440 (the version), the channels' labels, relation `build-made-with`.

use super::label::{self, Label};
use super::name::Name;
use super::text::{self, Cuda};
use super::{Decoded, lookup, wheel_tags};
use crate::kb::Kb;
use pep440_rs::{LocalSegment, Version};
use std::str::FromStr;

/// Reads a wheel's name, with a build tag and compressed tag sets if it has them.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let stem = name.lower.strip_suffix(".whl")?;
    let parts: Vec<&str> = stem.splitn(7, '-').collect();
    let (project, version, build, python, abi, platform) = match parts[..] {
        [n, v, p, a, l] => (n, v, None, p, a, l),
        [n, v, b, p, a, l] if b.starts_with(|c: char| c.is_ascii_digit()) => (n, v, Some(b), p, a, l),
        _ => return None,
    };
    let package = package_name(project)?;
    let version = parse_version(version)?;
    let tags = wheel_tags::read(python, abi, platform)?;

    let mut out = Decoded::new("wheel", "decode-wheel");
    out.say("package", package.as_str());
    out.say("version", version.to_string());
    if let Some(build) = build {
        out.mean("build", build);
    }
    out.mean("python_tag", python);
    out.mean("abi", abi);
    out.mean("platform_tag", platform);
    let stable_abi = abi == "abi3";
    let shown: Vec<String> =
        tags.python.iter().map(|p| if stable_abi { format!(">={p}") } else { p.clone() }).collect();
    let any_python = abi == "none" && tags.python.iter().all(|p| !p.contains('.'));
    out.note(if any_python { "decode-any-python" } else { "decode-for-python" }, "python", shown.join(", "));
    out.mean("python", shown);
    if tags.os.is_empty() {
        out.mean("platform", "any");
    } else {
        let platforms: Vec<String> =
            tags.os.iter().flat_map(|os| tags.arch.iter().map(move |a| format!("{os}-{a}"))).collect();
        out.note("decode-for-platform", "platform", platforms.join(", "));
        out.mean("os", tags.os.clone());
        out.mean("arch", tags.arch);
        out.mean("platform", platforms);
    }
    if let Some((major, minor)) = tags.glibc {
        out.mean("glibc", format!("{major}.{minor}"));
        out.note("decode-glibc", "glibc", format!("{major}.{minor}"));
    }
    if tags.musl {
        out.notes.push(("decode-musl", Vec::new()));
    }
    let os = match tags.os.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    };
    build_of(kb, &mut out, &package, &version, os.as_deref());

    let build = build.map(|b| format!("-{b}")).unwrap_or_default();
    let canonical = format!("{}-{version}{build}-{python}-{abi}-{platform}.whl", package.replace('-', "_"));
    // Letters in another case and the other separators mean the same to installers: not worth a note.
    out.canonical = Some(canonical);
    Some(out)
}

/// The normalised name of a project; `None` when the text cannot be one.
pub(super) fn package_name(project: &str) -> Option<String> {
    let first = project.bytes().next()?;
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if !first.is_ascii_alphanumeric()
        || !project.bytes().all(allowed)
        || !project.ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        return None;
    }
    let mut out = String::with_capacity(project.len());
    for c in project.chars() {
        if matches!(c, '-' | '_' | '.') {
            if !out.ends_with('-') {
                out.push('-');
            }
        } else {
            out.push(c.to_ascii_lowercase());
        }
    }
    Some(out)
}

/// A version by PEP 440; a name of more than 128 bytes is not one.
pub(super) fn parse_version(text: &str) -> Option<Version> {
    if text.len() > 128 || !text.is_ascii() {
        return None;
    }
    // In a wheel's name a hyphen or plus of the version is written as an underscore.
    Version::from_str(text).or_else(|_| Version::from_str(&text.replacen('_', "+", 1))).ok()
}

/// The local label as text.
pub(super) fn local_text(version: &Version) -> Option<String> {
    let segments = version.local();
    if segments.is_empty() {
        return None;
    }
    let texts: Vec<String> = segments
        .iter()
        .map(|s| match s {
            LocalSegment::String(s) => s.clone(),
            LocalSegment::Number(n) => n.to_string(),
        })
        .collect();
    Some(texts.join("."))
}

/// What label and package name say of the build, and what facts know of it.
pub(super) fn build_of(kb: &Kb, out: &mut Decoded, package: &str, version: &Version, os: Option<&str>) {
    let local = local_text(version);
    let paddle = package.starts_with("paddle");
    let (label, channel) = match (&local, version.post()) {
        (Some(local), _) => {
            out.mean("local", local.as_str());
            (label::local(local), Some(local.clone()))
        }
        (None, Some(n)) if paddle && n >= 70 => (label::post(n), Some(format!("post{n}"))),
        _ => (Label::default(), None),
    };
    say_label(out, &label);
    if let Some(channel) = &channel {
        let known = lookup::channels_for(kb, channel);
        if !known.is_empty() {
            out.mean("channel", known);
        }
    }
    if !out.means.contains_key("cuda_major")
        && let Some(cuda) = in_package_name(kb, package, version)
    {
        out.cuda(&cuda);
    }
    if package.strip_prefix("nvidia-cudnn-cu").is_some_and(text::digits) {
        out.mean("component", "cudnn");
        out.mean("cudnn", version.to_string());
    }
    let made = lookup::made_with(kb, package, version, channel.as_deref(), os);
    if made.channels.is_empty() {
        return;
    }
    if channel.is_none() && made.cuda.len() > 1 {
        // The same name stands on several indexes, with different content.
        let values = vec![("channels", made.channels.join(", ")), ("cuda", made.cuda.join(", "))];
        out.notes.push(("decode-wheel-several-channels", values));
        return;
    }
    if !made.cuda.is_empty() || !made.cudnn.is_empty() {
        let values = vec![
            ("cuda", if made.cuda.is_empty() { "?".to_owned() } else { made.cuda.join(", ") }),
            ("cudnn", if made.cudnn.is_empty() { "?".to_owned() } else { made.cudnn.join(", ") }),
        ];
        let id = if made.cudnn.is_empty() { "decode-made-with-cuda" } else { "decode-made-with" };
        let id = if made.cuda.is_empty() { "decode-with-cudnn" } else { id };
        out.notes.push((id, values));
    }
    if !made.cuda.is_empty() {
        if let Some(major) = made.cuda[0].split('.').next().and_then(|m| m.parse::<u64>().ok()) {
            out.mean("cuda_major", major);
        }
        out.mean("cuda", made.cuda);
    }
    if !made.cudnn.is_empty() {
        out.mean("cudnn", made.cudnn);
    }
    if !out.means.contains_key("channel") {
        out.mean("channel", made.channels);
    }
}

/// Puts what a label says into a reading.
pub(super) fn say_label(out: &mut Decoded, label: &Label) {
    if let Some(cuda) = &label.cuda {
        out.cuda(cuda);
    }
    if let Some(cudnn) = &label.cudnn {
        out.mean("cudnn", cudnn.as_str());
        out.note("decode-with-cudnn", "cudnn", cudnn.as_str());
    }
    match label.device {
        Some("cpu") => out.notes.push(("decode-cpu-only", Vec::new())),
        Some("xpu") => out.notes.push(("decode-for-xpu", Vec::new())),
        _ => {}
    }
    if let Some(device) = label.device {
        out.mean("device", device);
    }
    if let Some(rocm) = &label.rocm {
        out.mean("rocm", rocm.as_str());
        out.note("decode-for-rocm", "rocm", rocm.as_str());
    }
    if let Some(torch) = &label.torch {
        out.mean("torch", torch.as_str());
        out.note("decode-for-torch", "torch", torch.as_str());
    }
    if let Some(month) = &label.nvidia {
        out.mean("nvidia_release", month.as_str());
        out.note("decode-nvidia-build", "month", month.as_str());
    }
}

/// The CUDA in a package's name (`nvidia-cudnn-cu12`, `cupy-cuda12x`, `jax-cuda12-plugin`); for NVIDIA's own wheels
/// without a number, what the relation `runtime-library` says of the package.
fn in_package_name(kb: &Kb, package: &str, version: &Version) -> Option<Cuda> {
    for part in package.split('-') {
        let number = part.strip_prefix("cuda").or_else(|| part.strip_prefix("cu"));
        if let Some(cuda) = number.and_then(|n| text::cuda(n.strip_suffix('x').unwrap_or(n))) {
            return Some(cuda);
        }
    }
    if matches!(package, "nvidia-cuda-runtime" | "nvidia-cuda-nvrtc" | "nvidia-nvjitlink") {
        // Their own version is the toolkit's.
        return version.release().first().copied().map(Cuda::Major);
    }
    kb.facts_of("runtime-library")
        .filter(|(id, _)| lookup::text(kb, *id, "package").as_deref() == Some(package))
        .find_map(|(id, _)| lookup::integer(kb, id, "cuda-major"))
        .map(Cuda::Major)
}
