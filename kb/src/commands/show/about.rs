//! The facts about a thing: rows with it in a column of the right kind.

use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::value::{Kind, Value};

/// Facts with a cell that the test accepts, in columns of one of the kinds.
pub(super) fn facts(kb: &Kb, kinds: &[Kind], test: impl Fn(&Value) -> bool) -> Vec<FactId> {
    let mut out = Vec::new();
    for (t, table) in kb.tables.iter().enumerate() {
        let Some(relation) = kb.relations.get(usize::from(table.relation)) else { continue };
        let columns: Vec<usize> = relation
            .columns
            .iter()
            .enumerate()
            .filter(|(_, (_, c))| kinds.contains(&c.kind))
            .map(|(i, _)| i)
            .collect();
        if columns.is_empty() {
            continue;
        }
        for (r, row) in table.rows.iter().enumerate() {
            let hit = columns.iter().filter_map(|c| row.cells.get(*c)).flatten().any(|value| match value {
                Value::List(list) => list.iter().any(&test),
                value => test(value),
            });
            if let (true, Ok(table), Ok(row)) = (hit, u16::try_from(t), u32::try_from(r)) {
                out.push(FactId { table, row });
            }
        }
    }
    out
}

/// Facts with a text in columns of a kind: a GPU's, a package's, a channel's id.
pub(super) fn named(kb: &Kb, kind: Kind, id: &str) -> Vec<FactId> {
    facts(kb, &[kind], |value| matches!(value, Value::Text(text) if **text == *id))
}

/// Disputes with such a value in their key.
pub(super) fn disputes(kb: &Kb, id: &str) -> Vec<usize> {
    let found = kb.disputes.iter().enumerate().filter(|(_, d)| d.key.iter().any(|(_, v)| **v == *id));
    found.map(|(i, _)| i).collect()
}
