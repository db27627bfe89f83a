//! Things that were built against one version and meet another.

use super::{Finding, Outcome};
use crate::case::Case;

/// `extension-build`: was an extension built for another torch, CUDA or C++ ABI than is there?
pub(super) fn other_build(case: &Case<'_>) -> Option<Finding> {
    let name = "extension-build";
    let torch = case.version_of("torch")?;
    let (version, label) = match torch.value.split_once('+') {
        Some((version, label)) => (version, Some(label)),
        None => (&*torch.value, None),
    };
    // A wheel of flash-attn says what it was built for: 2.5.5+cu118torch2.2cxx11abiTRUE
    let wheel = case.seen.of("wheel").chain(case.seen.of("package:*")).find(|o| o.value.contains("torch2."));
    if let Some(wheel) = wheel {
        let local = wheel.value.split('+').nth(1).unwrap_or("");
        let built = local.split("torch").nth(1).map(|t| t.split("cxx11").next().unwrap_or(t)).unwrap_or("");
        let number: String = built.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let number = number.trim_end_matches('.');
        let other_torch =
            !number.is_empty() && !version.starts_with(&format!("{number}.")) && version != number;
        let other_abi = case.seen.first("abi").is_some_and(|abi| {
            local.to_ascii_lowercase().contains("cxx11abi")
                && local.to_ascii_lowercase().contains("cxx11abitrue")
                    != abi.value.eq_ignore_ascii_case("true")
        });
        let abi = case.seen.first("abi");
        if !other_torch && !other_abi && abi.is_none() {
            // It fits as far as it is known; the ABI is not.
            return None;
        }
        let out = Finding::decided(name, other_torch || other_abi).on(wheel.line).shown_by(&torch);
        return Some(out.on(abi.and_then(|o| o.line)).with("wheel", &wheel.value));
    }
    // xFormers names both sides itself.
    let built = case.hits.iter().find_map(|hit| {
        let id = &*case.kb().signatures[hit.signature].id;
        id.starts_with("xformers").then_some(hit.text.split_once("PyTorch ")?.1)
    })?;
    let built = built.split_whitespace().next()?;
    let same = built == torch.value || (label.is_none() && built.split('+').next() == Some(version));
    Some(Finding::decided(name, !same).shown_by(&torch))
}

/// `engine-version`: was an engine built by another TensorRT than reads it?
pub(super) fn engine_version(case: &Case<'_>) -> Option<Finding> {
    let name = "engine-version";
    let (built, runs) = (case.seen.first("engine-built-with")?, case.seen.first("engine-runtime")?);
    let outcome = if built.value == runs.value { Outcome::Refuted } else { Outcome::Proved };
    let out = Finding::new(name, outcome).on(built.line).on(runs.line);
    Some(out.with("engine-built-with", &built.value).with("engine-runtime", &runs.value))
}
