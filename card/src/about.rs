//! The facts about a thing: rows with it in a column of the right kind.

use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::pep::{self, Version};
use kb_core::value::{Kind, Value};
use serde_json::{Map, Value as Json};

/// What wheels of a release say of themselves, whether or not it has builds that are judged.
const OF_WHEELS: [&str; 3] = ["wheel-states", "build-device-code", "wheel-requires"];

/// Facts with a cell that the test accepts, in columns of one of the kinds.
pub(crate) fn facts(kb: &Kb, kinds: &[Kind], test: impl Fn(&Value) -> bool) -> Vec<FactId> {
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
pub(crate) fn named(kb: &Kb, kind: Kind, id: &str) -> Vec<FactId> {
    facts(kb, &[kind], |value| matches!(value, Value::Text(text) if **text == *id))
}

/// Disputes with such a value in their key.
pub(crate) fn disputes(kb: &Kb, id: &str) -> Vec<usize> {
    let found = kb.disputes.iter().enumerate().filter(|(_, d)| d.key.iter().any(|(_, v)| **v == *id));
    found.map(|(i, _)| i).collect()
}

/// The facts about wheels of a release: those whose range of versions has it.
pub(crate) fn of_release(kb: &Kb, package: &str, version: &Version) -> Vec<FactId> {
    let mut out = Vec::new();
    for relation in OF_WHEELS {
        for (fact, _) in kb.facts_of(relation) {
            let text = |column| match kb.cell(fact, column) {
                Some(Value::Text(text)) => Some(&**text),
                _ => None,
            };
            let covers = |range: &str| pep::contains(&pep::alternatives(range), version);
            if text("package") == Some(package) && text("versions").is_some_and(covers) {
                out.push(fact);
            }
        }
    }
    out
}

/// The cells of a fact of one relation that say something, but for package and versions; `None` for another relation.
pub(crate) fn cells(kb: &Kb, fact: FactId, relation: &str) -> Option<Json> {
    let (of, row) = (kb.relation(fact), kb.row(fact));
    if *of.id != *relation {
        return None;
    }
    let mut out = Map::new();
    for ((name, _), cell) in of.columns.iter().zip(&row.cells) {
        let json = match cell {
            _ if matches!(&**name, "package" | "versions") => continue,
            None => continue,
            Some(Value::List(list)) => list.iter().map(ToString::to_string).collect::<Vec<_>>().into(),
            Some(value) => value.to_string().into(),
        };
        out.insert(name.replace('-', "_"), json);
    }
    out.insert("by".to_owned(), kb.sources[usize::from(kb.table(fact).source)].id.to_string().into());
    Some(Json::Object(out))
}
