//! `build-device-code`: the code measured in wheels, and in a table of its own what wheels declare.

use crate::group::runs;
use crate::held::Held;
use crate::ledger::{Library, Measured};
use crate::write::{Row, Table};
use artifact::code::{DeviceCode, USUAL, dominant};
use kb_core::version::ComputeTarget;
use pep440_rs::Version;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn table(held: &Held, measured: &[Measured]) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for wheel in measured.iter().filter(|m| m.package == held.name()) {
        let mut variants: BTreeMap<Option<&str>, Vec<&Library>> = BTreeMap::new();
        for library in &wheel.libraries {
            variants.entry(library.variant.as_deref()).or_default().push(library);
        }
        for (variant, libraries) in variants {
            if let Some(said) = says(&libraries) {
                let mut row: Row = vec![
                    ("package", held.name().into()),
                    ("versions", format!("=={}", wheel.version).into()),
                    ("channel", "pypi".into()),
                    ("platform", wheel.platform.clone().into()),
                ];
                row.extend(variant.map(|v| ("variant", v.into())));
                row.extend(said);
                rows.push(row);
            }
        }
    }
    Table {
        locator: Some("device code of the library with most of it"),
        ..Table::of(held, "build-device-code", "pypi-wheel-fatbins", rows)
    }
}

/// What files inside the wheels declare of the targets they were built for. What was measured is stronger.
pub(super) fn declared(held: &Held, measured: &[Measured]) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    for platform in held.platforms() {
        let says = |version: &Version| {
            let targets = held.readings.get(&(version.clone(), platform))?.stated(|s| s.targets.clone())?;
            // A word that is no target could be any; then the list is not known.
            targets.unread.is_empty().then(|| (list(&targets.sass), list(&targets.ptx)))
        };
        for (versions, (sass, ptx)) in runs(&held.order(), says) {
            rows.push(vec![
                ("package", held.name().into()),
                ("versions", versions.into()),
                ("channel", "pypi".into()),
                ("platform", platform.into()),
                ("sass", sass.into()),
                ("ptx", ptx.into()),
            ]);
        }
    }
    // A text in a library is met only where libraries were read.
    for wheel in measured.iter().filter(|m| m.package == held.name()) {
        for (path, (sass, ptx)) in wheel.libraries.iter().filter_map(|l| Some((&l.path, l.declared.clone()?)))
        {
            rows.push(vec![
                ("package", held.name().into()),
                ("versions", format!("=={}", wheel.version).into()),
                ("channel", "pypi".into()),
                ("platform", wheel.platform.clone().into()),
                ("sass", sass.into()),
                ("ptx", ptx.into()),
                ("note", format!("a text in {path}").into()),
            ]);
        }
    }
    Table {
        name: format!("{}--declared", held.name()),
        locator: Some("targets that files inside the wheel declare"),
        ..Table::of(held, "build-device-code", "pypi-wheels", rows)
    }
}

fn list(targets: &[ComputeTarget]) -> Vec<String> {
    targets.iter().map(ToString::to_string).collect()
}

/// What the library with most code has, and what only a few kernels or other libraries have.
fn says(libraries: &[&Library]) -> Option<Row> {
    let codes: Vec<(&str, DeviceCode)> = libraries.iter().map(|l| (l.path.as_str(), l.code())).collect();
    let (path, code) = dominant(codes.iter().map(|(path, code)| (*path, code)))?;
    let sass = code.usual(&code.sass, USUAL);
    let ptx = code.usual(&code.ptx, USUAL);
    let everything = codes.iter().flat_map(|(_, c)| c.sass.keys().copied());
    let few: BTreeSet<ComputeTarget> = everything.filter(|t| !sass.contains(t)).collect();
    let mut row: Row = vec![("sass", list(&sass).into()), ("ptx", list(&ptx).into())];
    if !few.is_empty() {
        row.push(("partial", list(&few.into_iter().collect::<Vec<_>>()).into()));
    }
    let few_ptx: Vec<ComputeTarget> = code.ptx.keys().copied().filter(|t| !ptx.contains(t)).collect();
    let more = if few_ptx.is_empty() {
        String::new()
    } else {
        format!("; PTX for {} in a few of them", list(&few_ptx).join(", "))
    };
    row.push(("note", format!("{path}, {} containers{more}", code.containers).into()));
    Some(row)
}
