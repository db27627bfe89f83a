//! `wheel-files`: for which interpreters and platforms a release has wheels.

use crate::held::Held;
use crate::releases::{PLATFORMS, Wheel};
use crate::write::{Row, Table};
use artifact::wheel::Tag;
use std::collections::BTreeMap;

/// What the wheels of one release for one platform say together: interpreters, the least glibc.
type Says = (Vec<String>, Option<String>);

pub(super) fn table(held: &Held) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for platform in PLATFORMS {
        // Releases with the same files share a row.
        let mut groups: Vec<(Says, Vec<String>)> = Vec::new();
        for release in &held.releases {
            let Some(wheels) = release.wheels.get(platform) else { continue };
            let says = says(wheels);
            let version = release.version.to_string();
            match groups.iter_mut().find(|(known, _)| *known == says) {
                Some((_, versions)) => versions.push(version),
                None => groups.push((says, vec![version])),
            }
        }
        for ((python, glibc), versions) in groups {
            let mut row: Row = vec![
                ("package", held.name().into()),
                ("versions", versions.into()),
                ("channel", "pypi".into()),
                ("platform", platform.into()),
                ("python", python.into()),
            ];
            row.extend(glibc.map(|g| ("glibc", g.into())));
            rows.push(row);
        }
    }
    Table { complete: true, ..Table::of(held, "wheel-files", "pypi-index", rows) }
}

fn says(wheels: &[Wheel]) -> Says {
    // By interpreter the least glibc of its files; of these the highest: with it every file can be installed.
    let mut pythons: BTreeMap<(u32, u32, String), Option<(u32, u32)>> = BTreeMap::new();
    for wheel in wheels {
        for tag in &wheel.name.tags {
            let glibc = wheel.name.glibc();
            let known = pythons.entry(interpreter(tag)).or_insert(glibc);
            *known = (*known).min(glibc);
        }
    }
    let glibc = pythons.values().flatten().max().map(|(major, minor)| format!("{major}.{minor}"));
    let mut names: Vec<String> = pythons.into_keys().map(|(_, _, name)| name).collect();
    if names.len() > 1 {
        // `py2` beside `py3` is of no interest any more.
        names.retain(|n| n != "py2");
    }
    (names, glibc)
}

/// `cp39`, `cp314t`, `cp38-abi3`, `py3`, with two numbers to sort by.
fn interpreter(tag: &Tag) -> (u32, u32, String) {
    let digits = tag.python.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let (major, minor) = digits.split_at(digits.len().min(1));
    let name = match tag.abi.as_str() {
        "abi3" => format!("{}-abi3", tag.python),
        abi if abi.starts_with("cp") && abi.ends_with('t') => format!("{}t", tag.python),
        _ => tag.python.clone(),
    };
    (major.parse().unwrap_or(0), minor.parse().unwrap_or(0), name)
}
