//! Targets of device code: `sm_86`, `compute_90a`, `12.0f`, `8.6+PTX`.
//!
//! Source: the version type [`ComputeTarget`]; relations `gpu-compute-capability` and `arch-info`.

use super::name::Name;
use super::{Decoded, lookup};
use crate::kb::Kb;
use crate::value::Value;
use crate::version::{ComputeTarget, Suffix};

/// Reads a target; a bare `8.6` or `86` only when a GPU of that capability is known.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    let (body, with_ptx) = match lower.strip_suffix("+ptx") {
        Some(body) => (body, true),
        None => (&*lower, false),
    };
    if body.len() > 20 {
        return None;
    }
    let target: ComputeTarget = body.parse().ok()?;
    let prefixed = body.starts_with(|c: char| c.is_ascii_alphabetic());
    let gpus = gpus(kb, target);
    let plain = target.suffix == Suffix::None;
    if !prefixed && !with_ptx && gpus.is_empty() && (plain || !body.contains('.')) {
        return None;
    }
    let virtual_code = body.starts_with("compute");
    let (kind_word, sentence) = if virtual_code {
        ("ptx", "decode-compute-virtual")
    } else if body.starts_with("sm") {
        ("sass", "decode-compute-real")
    } else {
        ("capability", "decode-compute")
    };
    let mut out = Decoded::new("compute-target", sentence);
    out.say("target", target.to_string());
    out.mean("compute_capability", target.capability.to_string());
    out.mean("code", kind_word);
    match target.suffix {
        Suffix::A => out.note("decode-compute-a", "capability", target.capability.to_string()),
        Suffix::F => out.note("decode-compute-f", "capability", target.capability.to_string()),
        Suffix::None => {}
    }
    if with_ptx {
        out.mean("with_ptx", true);
        out.notes.push(("decode-compute-with-ptx", Vec::new()));
    }
    for (id, _) in kb.facts_of("arch-info") {
        if let Some(Value::Compute(c)) = kb.cell(id, "compute-capability")
            && c.capability == target.capability
            && let Some(architecture) = lookup::text(kb, id, "architecture")
        {
            out.note("decode-compute-architecture", "architecture", architecture.clone());
            out.mean("architecture", architecture);
            break;
        }
    }
    out.mean("known", !gpus.is_empty());
    if !gpus.is_empty() {
        out.note("decode-compute-gpus", "gpus", gpus.iter().take(5).cloned().collect::<Vec<_>>().join(", "));
        out.mean("gpus", super::Meaning::List(gpus));
    }
    let short = target.to_string().replace('.', "");
    let ptx = if with_ptx { "+PTX" } else { "" };
    out.canonical = Some(match kind_word {
        "ptx" => format!("compute_{short}{ptx}"),
        "sass" => format!("sm_{short}{ptx}"),
        _ => format!("{target}{ptx}"),
    });
    Some(out)
}

/// Names of the GPUs with exactly this capability, in the order of the catalogue's facts.
fn gpus(kb: &Kb, target: ComputeTarget) -> Vec<String> {
    let mut out = Vec::new();
    for (id, _) in kb.facts_of("gpu-compute-capability") {
        if let Some(Value::Compute(c)) = kb.cell(id, "compute-capability")
            && c.capability == target.capability
            && let Some(gpu) = lookup::text(kb, id, "gpu")
        {
            let name = kb.gpu(&gpu).map_or(gpu, |i| kb.gpus[i].name.to_string());
            out.push(name);
        }
    }
    out.sort();
    out.dedup();
    out
}
