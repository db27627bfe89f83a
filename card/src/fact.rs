//! A fact: its claim, its evidence, what disputes it, what reads it.

use crate::{Card, sentence};
use kb_core::diag::Diagnostic;
use kb_core::fact::{FactId, Table};
use kb_core::kb::Kb;
use kb_core::request::resolve::nearest;
use serde_json::json;

/// The card of a fact.
pub fn card(kb: &Kb, id: &str) -> Result<Card, Diagnostic> {
    let fact = kb.find_fact(id.trim()).ok_or_else(|| unknown(kb, id.trim()))?;
    let (table, row, relation) = (kb.table(fact), kb.row(fact), kb.relation(fact));
    let mut card = Card::new("fact", kb.fact_name(fact), sentence(kb, fact));
    for ((name, _), cell) in relation.columns.iter().zip(&row.cells) {
        if let Some(value) = cell {
            card.fields.push(("cell", json!(format!("{name} = {value}"))));
        }
    }
    // One list instead of a field for each column.
    let cells: Vec<String> =
        card.fields.drain(..).filter_map(|(_, v)| v.as_str().map(str::to_owned)).collect();
    card.put("grade", kb.grade(fact).word());
    card.put("relation", &*relation.id);
    card.put("table", file(kb, table));
    card.text("locator", row.locator.as_deref().or(table.locator.as_deref()));
    card.text("read_on", table.read_on.as_deref());
    card.put(
        "coverage",
        if table.coverage == kb_core::fact::Coverage::Complete { "complete" } else { "partial" },
    );
    card.text("note", row.note.as_deref());
    if let Some((on, why)) = &row.withdrawn {
        card.put("withdrawn", format!("{on}: {why}"));
    }
    card.list("cells", cells);
    card.sources = std::iter::once(table.source).chain(row.also.iter().copied()).collect();
    card.disputes = disputes(kb, fact);
    card.list("against", against(kb, fact));
    card.list("read_by", kb.rules.iter().filter(|r| r.reads.contains(&relation.id)).map(|r| &r.id));
    Ok(card)
}

/// The file that a table stands in.
pub fn file(kb: &Kb, table: &Table) -> String {
    let relation = &kb.relations[usize::from(table.relation)];
    match &table.imported_by {
        Some(importer) => {
            let name = table.stem.strip_prefix(&format!("{importer}-")).unwrap_or(&table.stem);
            format!("imported/{importer}/{}/{name}.toml", relation.id)
        }
        None => format!("facts/{}/{}.toml", relation.id, table.stem),
    }
}

/// Dispute files that speak of a fact: its relation, and no key column with another value. Ranges are taken to meet.
fn disputes(kb: &Kb, fact: FactId) -> Vec<usize> {
    let range = |text: &str| text.contains(['=', '<', '>', '*']);
    let relation = kb.table(fact).relation;
    let found = kb.disputes.iter().enumerate().filter(|(_, d)| {
        d.relation == relation
            && d.key.iter().all(|(column, wanted)| {
                kb.cell(fact, column).is_none_or(|v| {
                    let text = v.to_string();
                    text == **wanted || range(&text) || range(wanted)
                })
            })
    });
    found.map(|(i, _)| i).collect()
}

/// Facts of other tables under the same key that say something else.
fn against(kb: &Kb, fact: FactId) -> Vec<String> {
    let relation = &kb.relation(fact).id;
    let (key, cells) = (kb.key_text(fact), &kb.row(fact).cells);
    let others = kb
        .facts_of(relation)
        .filter(|(id, row)| id.table != fact.table && row.cells != *cells && kb.key_text(*id) == key);
    others.map(|(id, _)| kb.fact_name(id)).collect()
}

fn unknown(kb: &Kb, id: &str) -> Diagnostic {
    let out = Diagnostic::error("unknown-fact", format!("no fact has the id `{id}`"));
    let head = id.split('#').next().unwrap_or(id);
    let tables: Vec<String> = kb
        .tables
        .iter()
        .filter_map(|t| Some(format!("{}/{}", kb.relations.get(usize::from(t.relation))?.id, t.stem)))
        .collect();
    let relation = head.split('/').next().unwrap_or(head);
    match kb.tables.iter().zip(&tables).find(|(_, name)| *name == head) {
        Some((table, _)) => {
            let index =
                tables.iter().position(|t| t == head).and_then(|i| u16::try_from(i).ok()).unwrap_or(0);
            let names: Vec<String> = (0..table.rows.len())
                .filter_map(|r| Some(kb.fact_name(FactId { table: index, row: u32::try_from(r).ok()? })))
                .collect();
            let near = nearest(id, names.iter().map(String::as_str));
            let near = if near.is_empty() { names.into_iter().take(5).collect() } else { near };
            out.note(format!("near: {}", near.join("; ")))
                .help(format!("`kb list facts {relation}` shows all of its relation"))
        }
        None => {
            let near = nearest(head, tables.iter().map(String::as_str));
            let out =
                if near.is_empty() { out } else { out.note(format!("near tables: {}", near.join(", "))) };
            out.help("a fact's id is relation/table#key; `kb list facts RELATION` shows them")
        }
    }
}
