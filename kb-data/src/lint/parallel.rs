//! Lists of a row that stand beside each other: one set of versions for each package, each package once.

use super::table_file;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::value::{Kind, Value};

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    for table in &kb.tables {
        let relation = &kb.relations[usize::from(table.relation)];
        let column = |kind| relation.columns.iter().position(|(_, c)| c.kind == kind && c.list);
        let Some(packages) = column(Kind::Package).filter(|c| relation.key.contains(&relation.columns[*c].0))
        else {
            continue;
        };
        let versions = column(Kind::Pep440Range);
        for row in &table.rows {
            let list = |column: usize| match &row.cells[column] {
                Some(Value::List(list)) => Some(list),
                _ => None,
            };
            let Some(named) = list(packages) else { continue };
            let shown = named.iter().map(ToString::to_string).collect::<Vec<_>>();
            let mut each = shown.clone();
            each.sort();
            each.dedup();
            if each.len() < shown.len() || each.len() < 2 {
                let message = format!("`{}` are not several packages", shown.join(", "));
                out.push(
                    Diagnostic::error("same-package", message)
                        .at(table_file(kb, table))
                        .help("name two packages or more, each once"),
                );
            }
            if let Some(sets) = versions.and_then(list)
                && sets.len() != named.len()
            {
                let (name, count) = (&relation.columns[versions.unwrap_or_default()].0, sets.len());
                let message = format!("`{name}` has {count} sets for the packages `{}`", shown.join(", "));
                out.push(
                    Diagnostic::error("list-lengths", message)
                        .at(table_file(kb, table))
                        .help("write one set for each package, in the same order, or leave the column out"),
                );
            }
        }
    }
}
