//! `build-requires`: requirements on the packages of this stack, as they hold on each platform.

use crate::group::across;
use crate::held::Held;
use crate::markers::{Holds, Required};
use crate::read::Reading;
use crate::write::{Row, Table};
use pep440_rs::{Version, VersionSpecifiers};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Platforms for which requirements are settled.
const PLATFORMS: [&str; 5] =
    ["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64"];

/// By extra, `None` for what always holds.
type Requires = BTreeMap<Option<String>, Vec<String>>;

pub(super) fn table(held: &Held, catalogue: &BTreeSet<String>) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    let order = held.order();
    let settled: BTreeMap<&str, BTreeMap<&Version, Requires>> = PLATFORMS
        .iter()
        .map(|platform| {
            let one =
                |version| Some((version, settle(held.reading(version, platform)?, platform, catalogue)));
            (*platform, order.iter().copied().filter_map(one).collect())
        })
        .collect();
    let extras: BTreeSet<&Option<String>> =
        settled.values().flat_map(BTreeMap::values).flat_map(Requires::keys).collect();
    for extra in extras {
        let said = |version: &Version, platform: &'static str| {
            Some(settled.get(platform)?.get(version)?.get(extra).cloned())
        };
        for (versions, platform, requires) in across(&order, &PLATFORMS, said) {
            // An empty row is worth having for the builds themselves: it says that nothing is required.
            let Some(requires) = requires.filter(|r| extra.is_none() || !r.is_empty()) else { continue };
            let mut row: Row = vec![
                ("package", held.name().into()),
                ("versions", versions.into()),
                ("channel", "pypi".into()),
            ];
            row.extend(platform.map(|p| ("platform", p.into())));
            row.extend(extra.clone().map(|e| ("extra", e.into())));
            row.push(("requires", requires.into()));
            rows.push(row);
        }
    }
    Table::of(held, "build-requires", "pypi-metadata", rows)
}

fn settle(reading: &Reading, platform: &str, catalogue: &BTreeSet<String>) -> Requires {
    let accepted = accepted(reading);
    let required: Vec<Required> = reading
        .metadata
        .requires_dist
        .iter()
        .filter_map(|text| Required::parse(text))
        .filter(|r| of_this_stack(&r.name(), catalogue))
        .collect();
    let on = |extra: Option<&str>| {
        let line = |r: &Required| match r.holds(platform, extra, &accepted) {
            Holds::Always => Some(r.plain()),
            Holds::If(marker) => Some(format!("{}; {marker}", r.plain())),
            Holds::Never => None,
        };
        required.iter().filter_map(line).collect::<Vec<_>>()
    };
    let base = on(None);
    let mut out = Requires::new();
    for extra in &reading.metadata.provides_extra {
        let more: Vec<String> = on(Some(extra)).into_iter().filter(|r| !base.contains(r)).collect();
        if more.iter().any(|r| brings_cuda(r)) {
            out.insert(Some(index::normalised(extra)), more);
        }
    }
    out.insert(None, base);
    out
}

/// Is it a package that reasoning knows, or of NVIDIA's?
fn of_this_stack(name: &str, catalogue: &BTreeSet<String>) -> bool {
    catalogue.contains(name) || name.starts_with("nvidia-") || name.starts_with("cuda-")
}

/// Is it one of CUDA's libraries, or a package that is asked to pull them (`jax-cuda12-plugin[with-cuda]`)? Extras that
/// bring neither leave CUDA where it was and are nothing to reason about.
fn brings_cuda(requirement: &str) -> bool {
    let named = requirement.split(['=', '<', '>', '!', '~', ';', ' ']).next().unwrap_or_default();
    named.starts_with("nvidia-")
        || named.starts_with("cuda-")
        || named.contains("cuda") && named.ends_with(']')
}

/// Which interpreters the package accepts, by the minor number of 3.x.
fn accepted(reading: &Reading) -> impl Fn(u32) -> bool + use<> {
    let range = reading.metadata.requires_python.as_deref().and_then(|r| VersionSpecifiers::from_str(r).ok());
    move |minor| {
        let version = Version::new([3, u64::from(minor), 99]);
        range.as_ref().is_none_or(|r| r.contains(&version))
    }
}
