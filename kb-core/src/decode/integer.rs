//! Version numbers as the libraries return them: 8907, 90501, 12060, 21003.
//!
//! Source: the rule notes `get-version-int` (cuDNN) and `nccl-version-code` (NCCL); `CUDART_VERSION` is
//! major × 1000 + minor × 10.

use super::name::Name;
use super::{Decoded, lookup, text};
use crate::kb::Kb;
use crate::version::Dotted;

/// Words that may stand around the number, and what they make it.
const WORDS: [(&str, Option<Of>); 22] = [
    ("cudnn", Some(Of::Cudnn)),
    ("cudnngetversion", Some(Of::Cudnn)),
    ("nccl", Some(Of::Nccl)),
    ("ncclgetversion", Some(Of::Nccl)),
    ("cuda", Some(Of::Cuda)),
    ("cudart", Some(Of::Cuda)),
    ("cudaruntimegetversion", Some(Of::Cuda)),
    ("cudadrivergetversion", Some(Of::Cuda)),
    ("cudrivergetversion", Some(Of::Cuda)),
    ("cudnngetcudartversion", Some(Of::Cuda)),
    ("version", None),
    ("code", None),
    ("api", None),
    ("runtime", None),
    ("driver", None),
    ("is", None),
    ("the", None),
    ("torch", None),
    ("backends", None),
    ("get", None),
    ("getversion", None),
    ("int", None),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Cudnn,
    Cuda,
    Nccl,
}

/// All readings of the integer, in the order cuDNN, CUDA, NCCL; one kind only when a word says which.
pub(super) fn read(kb: &Kb, name: &Name) -> Vec<Decoded> {
    let Some((n, of)) = number(name.text) else { return Vec::new() };
    let wanted = |kind: Of| of.is_none_or(|of| of == kind);
    let mut out = Vec::new();
    if wanted(Of::Cudnn) {
        out.extend(cudnn(kb, n));
    }
    if wanted(Of::Cuda) {
        out.extend(cuda(kb, n));
    }
    if wanted(Of::Nccl) {
        out.extend(nccl(kb, n));
    }
    out
}

/// The one number of the text and what the words around it say of it.
fn number(given: &str) -> Option<(u64, Option<Of>)> {
    if given.len() > 80 {
        return None;
    }
    let (mut number, mut of) = (None, None);
    let tokens = given.split(|c: char| !c.is_alphanumeric()).filter(|t| !t.is_empty());
    for token in tokens {
        if text::digits(token) {
            if number.replace(text::number(token)?).is_some() {
                return None;
            }
            continue;
        }
        let lower = token.to_ascii_lowercase();
        let (_, says) = WORDS.iter().find(|(w, _)| *w == lower)?;
        // `cudnnGetCudartVersion` beside `cudnn` does not happen; the first word decides.
        of = of.or(*says);
    }
    // A dotted number is a version, not this.
    if given.contains('.') && !given.contains("getVersion") && of.is_none() {
        return None;
    }
    number.map(|n| (n, of))
}

fn reading(kind: &'static str, sentence: &'static str, n: u64, version: &str, known: bool) -> Decoded {
    let mut out = Decoded::new(kind, sentence);
    out.values.push(("number", n.to_string()));
    out.say("version", version);
    out.mean("known", known);
    out.canonical = Some(n.to_string());
    out
}

/// Up to 8: major × 1000 + minor × 100 + patch. From 9: major × 10000 + minor × 100 + patch.
fn cudnn(kb: &Kb, n: u64) -> Option<Decoded> {
    let (major, rest, formula) = match n {
        4000..9000 => (n / 1000, n % 1000, "major × 1000 + minor × 100 + patch"),
        90000..400_000 => (n / 10000, n % 10000, "major × 10000 + minor × 100 + patch"),
        _ => return None,
    };
    let version = Dotted::new(&[major as u32, (rest / 100) as u32, (rest % 100) as u32]);
    let release = lookup::cudnn_release(kb, &version);
    let mut out =
        reading("cudnn-integer", "decode-cudnn-integer", n, &version.to_string(), release.is_some());
    out.values.push(("formula", formula.to_owned()));
    out.mean("cudnn", version.to_string());
    out.mean("cudnn_major", major);
    match release {
        Some(release) => {
            if let Some(full) = release.full {
                out.note("decode-full-version", "full", full.clone());
                out.mean("full_version", full);
            }
        }
        None if lookup::has_any(kb, "cudnn-release") => {
            out.note("decode-cudnn-release-unknown", "version", version.to_string());
        }
        None => {}
    }
    Some(out)
}

/// major × 1000 + minor × 10, for both the runtime and the newest that a driver can run.
fn cuda(kb: &Kb, n: u64) -> Option<Decoded> {
    let (major, minor) = (n / 1000, n % 1000 / 10);
    if !n.is_multiple_of(10) || !(5..=39).contains(&major) || minor > 15 {
        return None;
    }
    let version = Dotted::new(&[major as u32, minor as u32]);
    let known = lookup::has_version(kb, "cuda-release", "toolkit", &version);
    let mut out = reading("cuda-integer", "decode-cuda-integer", n, &version.to_string(), known);
    out.values.push(("formula", "major × 1000 + minor × 10".to_owned()));
    out.mean("cuda", version.to_string());
    out.mean("cuda_major", major);
    if !known && lookup::has_any(kb, "cuda-release") {
        out.note("decode-toolkit-unknown", "version", version.to_string());
    }
    Some(out)
}

/// Up to 2.8: major × 1000 + minor × 100 + patch. From 2.9: major × 10000 + minor × 100 + patch.
fn nccl(kb: &Kb, n: u64) -> Option<Decoded> {
    let (version, formula) = match n {
        2000..2900 => (
            Dotted::new(&[2, (n % 1000 / 100) as u32, (n % 100) as u32]),
            "major × 1000 + minor × 100 + patch",
        ),
        20900..40000 => (
            Dotted::new(&[(n / 10000) as u32, (n % 10000 / 100) as u32, (n % 100) as u32]),
            "major × 10000 + minor × 100 + patch",
        ),
        _ => return None,
    };
    let known = lookup::has_version(kb, "nccl-release", "nccl", &version);
    let mut out = reading("nccl-integer", "decode-nccl-integer", n, &version.to_string(), known);
    out.values.push(("formula", formula.to_owned()));
    out.mean("nccl", version.to_string());
    Some(out)
}
