//! Container images with a framework, by their tag.

use crate::{Card, about};
use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::value::Value;
use std::collections::BTreeMap;

/// What is known of an image, with its own columns as fields.
const COLUMNS: [&str; 7] = ["package", "version", "cuda", "cudnn", "tensorrt", "nccl", "gcc"];

/// The tags that are recorded, with their facts.
pub fn tags(kb: &Kb) -> BTreeMap<String, Vec<FactId>> {
    let mut out: BTreeMap<String, Vec<FactId>> = BTreeMap::new();
    for (fact, _) in kb.facts_of("image") {
        if let Some(Value::Text(tag)) = kb.cell(fact, "tag") {
            out.entry(tag.to_string()).or_default().push(fact);
        }
    }
    out
}

/// The card of a tag, from its facts as [`tags`] gives them. Where several sources speak of a tag, each value is given
/// once.
pub fn card(kb: &Kb, tag: &str, facts: &[FactId]) -> Card {
    let mut card = Card::new("image", tag, tag);
    for column in COLUMNS {
        let mut values: Vec<String> =
            facts.iter().filter_map(|f| kb.cell(*f, column)).map(ToString::to_string).collect();
        values.dedup();
        match values.as_slice() {
            [one] => card.put(column, one.as_str()),
            _ => card.list(column, values),
        }
    }
    card.facts = facts.to_vec();
    card.disputes = about::disputes(kb, tag);
    card
}
