//! What conda users paste: `pytorch-cuda=11.8`, `nvidia/label/cuda-12.4.1`, build strings and package files.
//!
//! Source: the channels' pages; build strings as conda prints them (`py3.12_cuda12.4_cudnn9.1.0_0`).

use super::Decoded;
use super::name::Name;
use super::text::{self, Cuda};
use super::wheel::package_name;
use crate::kb::Kb;
use crate::version::Dotted;

/// Reads a requirement with one `=`, a label of NVIDIA's channel, a build string or a package file.
pub(super) fn read(_kb: &Kb, name: &Name) -> Option<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    label(&lower)
        .or_else(|| file(&name.lower, name))
        .or_else(|| requirement(&lower))
        .or_else(|| build(&lower))
}

fn label(lower: &str) -> Option<Decoded> {
    let at = lower.find("nvidia/label/cuda-")?;
    let version = lower[at + "nvidia/label/cuda-".len()..].trim_end_matches('/');
    let cuda = text::cuda(version).filter(|c| matches!(c, Cuda::Release(_)))?;
    let mut out = Decoded::new("conda-label", "decode-conda-label");
    out.say("version", version);
    out.cuda(&cuda);
    out.canonical = Some(format!("nvidia/label/cuda-{version}"));
    Some(out)
}

fn requirement(lower: &str) -> Option<Decoded> {
    let (project, rest) = lower.split_once('=')?;
    // Two signs are pip's; an underscore is a macro's name (`CUDART_VERSION=12060`).
    if rest.starts_with('=') || project.contains('_') || project.trim() == "driver" {
        return None;
    }
    let project = project.rsplit("::").next()?.trim();
    let package = package_name(project)?;
    let (version, build_string) = match rest.split_once('=') {
        Some((v, b)) => (v.trim(), Some(b.trim())),
        None => (rest.trim(), None),
    };
    version.trim_end_matches(".*").parse::<Dotted>().ok()?;
    let mut out = Decoded::new("conda-requirement", "decode-conda-requirement");
    out.say("package", package.as_str());
    out.say("version", version);
    let plain = version.trim_end_matches(".*");
    match package.as_str() {
        "pytorch-cuda" | "cudatoolkit" | "cuda-version" | "cuda-toolkit" | "cuda" | "paddlepaddle-cuda" => {
            if let Some(cuda) = text::cuda(plain) {
                out.cuda(&cuda);
            }
        }
        "cudnn" => {
            out.mean("cudnn", plain);
        }
        _ => {}
    }
    if let Some(b) = build_string {
        in_build(b, &mut out);
    }
    let tail = build_string.map(|b| format!("={b}")).unwrap_or_default();
    out.canonical = Some(format!("{package}={version}{tail}"));
    Some(out)
}

fn file(lower: &str, name: &Name) -> Option<Decoded> {
    let stem = lower.strip_suffix(".conda").or_else(|| lower.strip_suffix(".tar.bz2"))?;
    let mut parts = stem.rsplitn(3, '-');
    let (build_string, version, project) = (parts.next()?, parts.next()?, parts.next()?);
    let package = package_name(project)?;
    if !version.starts_with(|c: char| c.is_ascii_digit()) || build_string.is_empty() {
        return None;
    }
    let mut out = Decoded::new("conda-package", "decode-conda-package");
    out.say("package", package);
    out.say("version", version);
    out.mean("build", build_string);
    in_build(build_string, &mut out);
    out.spelled(lower.to_owned(), &name.file);
    Some(out)
}

fn build(lower: &str) -> Option<Decoded> {
    if !lower.contains("cuda") || lower.contains([' ', '/', ':', '.', '=']) && !lower.starts_with("py") {
        return None;
    }
    if lower.bytes().any(|b| !(b.is_ascii_alphanumeric() || b == b'_' || b == b'.')) {
        return None;
    }
    let mut out = Decoded::new("conda-build", "decode-conda-build");
    out.say("build", lower);
    in_build(lower, &mut out);
    let has = |key| out.means.contains_key(key);
    if !has("cuda_major") || !(has("python") || has("cudnn")) {
        return None;
    }
    out.canonical = Some(lower.to_owned());
    Some(out)
}

/// Python, CUDA and cuDNN of a build string; the first of each counts, since a hash may follow.
fn in_build(build: &str, out: &mut Decoded) {
    for (word, number) in text::word_numbers(build) {
        match word {
            "py" if number.len() >= 2 && !out.means.contains_key("python") => {
                let python = if number.contains('.') {
                    number.to_owned()
                } else {
                    format!("{}.{}", &number[..1], &number[1..])
                };
                out.note("decode-for-python", "python", python.clone());
                out.mean("python", python);
            }
            "cuda" if !out.means.contains_key("cuda_major") => {
                if let Some(cuda) = text::cuda(number) {
                    out.cuda(&cuda);
                }
            }
            "cudnn" if !out.means.contains_key("cudnn") => {
                if let Some(cudnn) = text::cudnn(number) {
                    out.note("decode-with-cudnn", "cudnn", cudnn.clone());
                    out.mean("cudnn", cudnn);
                }
            }
            "cpu" => {
                out.mean("device", "cpu");
            }
            _ => {}
        }
    }
}
