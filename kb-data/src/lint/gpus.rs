//! The architecture and the segment of a GPU are words that something else knows: a GPU of an architecture that is
//! misspelled belongs to none, and a segment that is misspelled follows no rule.

use super::file;
use crate::tree::DataTree;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::value::Value;
use std::collections::BTreeSet;

/// What products are sold as. The rules about forward compatibility and about Tegra ask for these.
const SEGMENTS: [&str; 7] =
    ["geforce", "laptop", "datacenter", "rtx-pro-quadro", "jetson", "mining", "dgx-spark"];

pub(super) fn check(kb: &Kb, tree: &DataTree, out: &mut Vec<Diagnostic>) {
    let architectures: BTreeSet<&str> = kb
        .facts_of("arch-info")
        .filter_map(|(id, _)| match kb.cell(id, "architecture") {
            Some(Value::Text(name)) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut segments: BTreeSet<&str> = SEGMENTS.into();
    segments.extend(kb.facts_of("cuda-forward-class").filter_map(|(id, _)| match kb.cell(id, "segment") {
        Some(Value::Text(name)) => Some(name.as_str()),
        _ => None,
    }));
    for (path, bytes) in tree.files().filter(|(path, _)| path.starts_with("catalog/gpus/")) {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let Ok(table) = text.parse::<toml::Table>() else { continue };
        for gpu in table.get("gpu").and_then(toml::Value::as_array).into_iter().flatten() {
            let said = |key: &str| gpu.get(key).and_then(toml::Value::as_str);
            let id = said("id").unwrap_or("?");
            let mut unknown = |key: &str, word: &str, known: &BTreeSet<&str>, help: &str| {
                let list = known.iter().copied().collect::<Vec<_>>().join(", ");
                out.push(
                    Diagnostic::error(
                        "unknown-word",
                        format!("`{id}` has the {key} `{word}`, which nothing else knows"),
                    )
                    .at(file(path.to_owned()))
                    .note(format!("known: {list}"))
                    .help(help),
                );
            };
            if let Some(word) = said("architecture").filter(|w| !architectures.contains(w))
                && !architectures.is_empty()
            {
                unknown(
                    "architecture",
                    word,
                    &architectures,
                    "correct it, or add rows of arch-info for a new one",
                );
            }
            if let Some(word) = said("segment").filter(|w| !segments.contains(w)) {
                unknown("segment", word, &segments, "use one of these");
            }
        }
    }
}
