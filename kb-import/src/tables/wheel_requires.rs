//! `wheel-requires`: every requirement of a wheel's metadata, with its marker, as it is written.

use crate::group::runs;
use crate::held::Held;
use crate::write::{Row, Table};
use pep440_rs::Version;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn table(held: &Held) -> Table {
    let order = held.order();
    // Requirement → platform → releases that state it.
    let mut stated: BTreeMap<String, BTreeMap<&'static str, BTreeSet<Version>>> = BTreeMap::new();
    for ((version, platform), reading) in &held.readings {
        for requirement in &reading.metadata.requires_dist {
            let text = requirement.split_whitespace().collect::<Vec<_>>().join(" ");
            stated.entry(text).or_default().entry(platform).or_default().insert(version.clone());
        }
    }
    let read =
        |platform: &'static str, version: &Version| held.readings.contains_key(&(version.clone(), platform));
    let mut rows: Vec<Row> = Vec::new();
    for (requirement, platforms) in &stated {
        // On all platforms whose wheels were read: one row for the release, without a platform.
        let everywhere = |version: &Version| {
            let stating = held
                .platforms()
                .into_iter()
                .filter(|p| read(p, version))
                .all(|p| platforms.get(p).is_some_and(|versions| versions.contains(version)));
            (stating && platforms.values().any(|v| v.contains(version))).then_some(())
        };
        let mut add = |versions: String, platform: Option<&str>| {
            let mut row: Row = vec![("package", held.name().into()), ("versions", versions.into())];
            row.extend(platform.map(|p| ("platform", p.into())));
            row.push(("requires", requirement.clone().into()));
            rows.push(row);
        };
        for (versions, ()) in runs(&order, everywhere) {
            add(versions, None);
        }
        for (platform, stating) in platforms {
            let here = |v: &Version| (stating.contains(v) && everywhere(v).is_none()).then_some(());
            for (versions, ()) in runs(&order, here) {
                add(versions, Some(platform));
            }
        }
    }
    Table {
        relation: "wheel-requires",
        name: held.name().to_owned(),
        source: "pypi-metadata",
        locator: None,
        from: Some(held.page()),
        complete: false,
        rows,
    }
}
