//! `wheel-requires`: every requirement of a wheel's metadata, with its marker, as it is written.

use crate::group::across;
use crate::held::Held;
use crate::write::{Row, Table};
use pep440_rs::Version;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn table(held: &Held) -> Table {
    // Requirement → wheels that state it.
    let mut stated: BTreeMap<String, BTreeSet<(&Version, &str)>> = BTreeMap::new();
    for ((version, platform), reading) in &held.readings {
        for requirement in &reading.metadata.requires_dist {
            let text = requirement.split_whitespace().collect::<Vec<_>>().join(" ");
            stated.entry(text).or_default().insert((version, *platform));
        }
    }
    let (order, platforms) = (held.order(), held.platforms());
    let mut rows: Vec<Row> = Vec::new();
    for (requirement, wheels) in &stated {
        let states = |version: &Version, platform: &'static str| {
            let read = held.readings.contains_key(&(version.clone(), platform));
            read.then(|| wheels.contains(&(version, platform)))
        };
        for (versions, platform, _) in
            across(&order, &platforms, states).into_iter().filter(|(.., states)| *states)
        {
            let mut row: Row = vec![("package", held.name().into()), ("versions", versions.into())];
            row.extend(platform.map(|p| ("platform", p.into())));
            row.push(("requires", requirement.clone().into()));
            rows.push(row);
        }
    }
    Table::of(held, "wheel-requires", "pypi-metadata", rows)
}
