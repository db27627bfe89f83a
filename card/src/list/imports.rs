//! When importers last looked at packages.

use kb_core::fact::{Relation, Table};
use kb_core::kb::Kb;
use kb_core::value::{Kind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The day of the last import of each package: when an importer says that it looked, or the day of a table of its.
pub fn last(kb: &Kb) -> BTreeMap<&str, &str> {
    let mut out: BTreeMap<&str, &str> = BTreeMap::new();
    let mut seen = |package, day| {
        let newest = out.entry(package).or_insert(day);
        *newest = day.max(*newest);
    };
    for checked in &kb.checked {
        seen(&*checked.package, &*checked.on);
    }
    for table in kb.tables.iter().filter(|t| t.imported_by.is_some()) {
        if let Some(day) = &table.read_on {
            packages(kb, table).into_iter().for_each(|package| seen(package, day));
        }
    }
    out
}

/// The day on which the importer of a table last looked at everything in it; `None` where it does not say so of all
/// its packages, and for tables of people.
pub fn looked<'k>(kb: &'k Kb, table: &'k Table) -> Option<&'k str> {
    let importer = table.imported_by.as_deref()?;
    let day = |package: &str| {
        let own = kb.checked.iter().find(|c| *c.package == *package && *c.importer == *importer);
        own.map(|c| &*c.on)
    };
    let days: Option<Vec<&str>> = packages(kb, table).into_iter().map(day).collect();
    days?.into_iter().min()
}

/// The packages that the rows of a table are about: those in its key.
fn packages<'k>(kb: &'k Kb, table: &'k Table) -> BTreeSet<&'k str> {
    let Some(relation) = kb.relations.get(usize::from(table.relation)) else { return BTreeSet::new() };
    let columns = columns(relation);
    let cells = table.rows.iter().flat_map(|row| columns.iter().filter_map(|c| row.cells.get(*c)?.as_ref()));
    let texts = cells.filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn columns(relation: &Relation) -> Vec<usize> {
    let named = relation.columns.iter().enumerate();
    let own = named.filter(|(_, (name, column))| column.kind == Kind::Package && relation.key.contains(name));
    own.map(|(index, _)| index).collect()
}
