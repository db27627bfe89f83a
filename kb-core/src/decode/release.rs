//! Plain versions of CUDA, cuDNN, NCCL and TensorRT: `8.5.0.96`, `cuda 12.4.1`, `cuDNN v8.9.7`.
//!
//! Source: the release relations; without a word in front only releases that exist are named.

use super::name::Name;
use super::{Decoded, lookup, text};
use crate::kb::Kb;
use crate::version::Dotted;

/// Component, kind, relation, column.
const KINDS: [(&str, &str, &str, &str); 4] = [
    ("cudnn", "cudnn-version", "cudnn-release", "cudnn"),
    ("cuda", "cuda-version", "cuda-release", "toolkit"),
    ("nccl", "nccl-version", "nccl-release", "nccl"),
    ("tensorrt", "tensorrt-version", "tensorrt-release", "tensorrt"),
];

/// All readings of the version.
pub(super) fn read(kb: &Kb, name: &Name) -> Vec<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    let (word, rest) = match lower.find(|c: char| c.is_ascii_digit()) {
        Some(at) => lower.split_at(at),
        None => return Vec::new(),
    };
    let word = word.trim_matches(|c: char| c == ' ' || c == '-' || c == ':' || c == '=');
    let word = match word.strip_suffix('v') {
        Some(w) => w.trim_end(),
        None => word,
    };
    let word = word.strip_suffix("version").map_or(word, str::trim_end);
    let wanted = match word {
        "" => None,
        "cuda" | "cuda toolkit" | "cuda-toolkit" | "nvidia cuda" => Some("cuda"),
        "cudnn" | "nvidia cudnn" => Some("cudnn"),
        "nccl" => Some("nccl"),
        "tensorrt" | "trt" => Some("tensorrt"),
        _ => return Vec::new(),
    };
    let Ok(version) = rest.trim().parse::<Dotted>() else { return Vec::new() };
    // `12.4` alone may be anything; with a word it is clear, with three parts the facts decide.
    if version.len() < 2 || (wanted.is_none() && version.len() < 3) {
        return Vec::new();
    }
    KINDS
        .iter()
        .filter(|(component, ..)| wanted.is_none_or(|w| w == *component))
        .filter_map(|entry| one(kb, &version, entry, wanted.is_some()))
        .collect()
}

fn one(
    kb: &Kb,
    version: &Dotted,
    &(component, kind, relation, column): &(&'static str, &'static str, &'static str, &'static str),
    said: bool,
) -> Option<Decoded> {
    let short = version.prefix(3);
    let mut known = lookup::has_version(kb, relation, column, &short);
    if !known && !said {
        return None;
    }
    let shown = version.to_string();
    let sentence = match component {
        "cudnn" => "decode-release-cudnn",
        "cuda" => "decode-release-cuda",
        "nccl" => "decode-release-nccl",
        _ => "decode-release-tensorrt",
    };
    let mut out = Decoded::new(kind, sentence);
    out.say("version", shown.as_str());
    out.mean(component, shown.as_str());
    if component == "cuda"
        && let Some(cuda) = text::cuda(&shown)
    {
        out.mean("cuda_major", cuda.major());
    }
    if component == "cudnn"
        && let Some(full) = lookup::cudnn_release(kb, version).and_then(|r| r.full)
    {
        out.mean("known_version", full.as_str());
        if version.len() == 4 && full != shown {
            known = false;
            out.notes.push(("decode-cudnn-build-unknown", vec![("version", shown.clone()), ("known", full)]));
        } else if version.len() < 4 {
            out.note("decode-full-version", "full", full);
        }
    }
    if !known
        && !out.notes.iter().any(|(id, _)| *id == "decode-cudnn-build-unknown")
        && lookup::has_any(kb, relation)
    {
        out.note("decode-release-unknown", "version", shown.clone());
    }
    out.mean("known", known);
    out.canonical = Some(format!("{component} {shown}"));
    Some(out)
}
