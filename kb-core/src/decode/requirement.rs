//! Requirements and versions with labels: `torch==2.5.1+cu124`, `jax[cuda12]==0.4.30`, `2.6.1.post117`, `+cu124`.
//!
//! Source: PEP 440 and 508; the labels as in wheels' names.

use super::label;
use super::name::Name;
use super::wheel::{build_of, local_text, package_name, parse_version, say_label};
use super::{Decoded, text};
use crate::kb::Kb;

/// Reads one requirement, a line of `pip list`, a version that carries a label, or a label alone.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    if let Some(bare) = lower.strip_prefix('+') {
        return bare_label(bare);
    }
    pinned(kb, &lower).or_else(|| listed(kb, &lower)).or_else(|| version(&lower))
}

fn bare_label(bare: &str) -> Option<Decoded> {
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    {
        return None;
    }
    let label = label::local(bare);
    if !label.says_something() {
        return None;
    }
    let mut out = Decoded::new("version-label", "decode-version-label");
    out.say("local", bare);
    say_label(&mut out, &label);
    out.canonical = Some(format!("+{bare}"));
    Some(out)
}

fn pinned(kb: &Kb, lower: &str) -> Option<Decoded> {
    let (project, version) = lower.split_once("==")?;
    let version = version.trim_start_matches('=').split([';', '#']).next()?.trim();
    one(kb, project.trim(), version)
}

/// `torch 2.5.1+cu124`, as lists of packages print it; only for a package of the catalogue, or with a label.
fn listed(kb: &Kb, lower: &str) -> Option<Decoded> {
    let mut words = lower.split_whitespace();
    let (project, version) = (words.next()?, words.next()?);
    let known = package_name(project).is_some_and(|p| kb.package(&p).is_some());
    // System components have readers of their own.
    let system = matches!(
        project,
        "cuda" | "cudnn" | "nccl" | "tensorrt" | "driver" | "nvidia-driver" | "cuda-toolkit"
    );
    if words.next().is_some() || !version.contains('.') || system || !(known || version.contains('+')) {
        return None;
    }
    one(kb, project, version)
}

fn one(kb: &Kb, project: &str, version: &str) -> Option<Decoded> {
    let (project, extras) = match project.split_once('[') {
        Some((p, rest)) => (p.trim(), Some(rest.strip_suffix(']')?)),
        None => (project, None),
    };
    let package = package_name(project)?;
    let version = parse_version(version)?;
    let mut out = Decoded::new("requirement", "decode-requirement");
    out.say("package", package.as_str());
    out.say("version", version.to_string());
    let mut shown_extras = String::new();
    if let Some(extras) = extras {
        let list: Vec<String> = extras.split(',').map(|e| package_name(e.trim())).collect::<Option<_>>()?;
        shown_extras = format!("[{}]", list.join(","));
        for extra in &list {
            if let Some(cuda) =
                extra.strip_prefix("cuda").and_then(|n| text::cuda(n.split('-').next().unwrap_or(n)))
            {
                out.cuda(&cuda);
            }
        }
        out.mean("extras", list);
    }
    build_of(kb, &mut out, &package, &version, None);
    out.canonical = Some(format!("{package}{shown_extras}=={version}"));
    Some(out)
}

/// A bare version, if it has a local label or a post number that names a CUDA release.
fn version(lower: &str) -> Option<Decoded> {
    let version = parse_version(lower)?;
    let label = match (local_text(&version), version.post()) {
        (Some(local), _) => label::local(&local),
        // 2.6.1.post117; a plain second upload (1.0.post1) says nothing.
        (None, Some(n)) if n >= 90 && lower.contains("post") => label::post(n),
        _ => return None,
    };
    if !label.says_something() {
        return None;
    }
    let mut out = Decoded::new("version-label", "decode-version");
    out.say("version", version.to_string());
    if let Some(local) = local_text(&version) {
        out.mean("local", local);
    } else {
        out.notes.push(("decode-paddle-post", Vec::new()));
    }
    say_label(&mut out, &label);
    out.canonical = Some(version.to_string());
    Some(out)
}
