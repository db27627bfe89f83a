//! A set of versions of a package whose releases are known holds at least one of them, or reaches beyond them.

use super::table_file;
use crate::authoring::{outside, pep440_range};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::value::{Kind, Value};
use pep440_rs::Version;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use version_ranges::Ranges;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let mut releases: BTreeMap<&str, Vec<Version>> = BTreeMap::new();
    for (id, _) in kb.facts_of("release") {
        if let (Some(Value::Text(package)), Some(Value::Text(version))) =
            (kb.cell(id, "package"), kb.cell(id, "version"))
            && let Ok(version) = Version::from_str(version)
        {
            releases.entry(package).or_default().push(version);
        }
    }
    for table in &kb.tables {
        let relation = &kb.relations[usize::from(table.relation)];
        let column = |kind| relation.columns.iter().position(|(_, c)| c.kind == kind && !c.list);
        let (Some(package), Some(versions)) = (column(Kind::Package), column(Kind::Pep440Range)) else {
            continue;
        };
        let mut empty: BTreeSet<(&str, &str)> = BTreeSet::new();
        for row in &table.rows {
            if let (Some(Value::Text(package)), Some(Value::Text(set))) =
                (&row.cells[package], &row.cells[versions])
                && let Some(known) = releases.get(&**package)
                && !reaches(set, known)
            {
                empty.insert((package, set));
            }
        }
        for (package, set) in empty {
            out.push(
                Diagnostic::warning("empty-range", format!("no known release of `{package}` is in `{set}`"))
                    .at(table_file(kb, table))
                    .help("correct the range, or record the release"),
            );
        }
    }
}

fn reaches(set: &str, known: &[Version]) -> bool {
    let beyond = outside(known);
    pep440_range(set).unwrap_or_default().into_iter().any(|one| {
        known.iter().any(|version| one.contains(version))
            || !Ranges::from(one).intersection(&beyond).is_empty()
    })
}
