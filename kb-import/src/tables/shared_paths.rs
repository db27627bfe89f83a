//! `shared-paths`: packages whose wheels install different files to the same paths, found from their file lists.

use crate::group::runs;
use crate::held::Held;
use crate::read::{Member, Reading};
use crate::write::{Row, Table};
use artifact::library::is_library;
use pep440_rs::Version;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Names of libraries that a row gives as examples.
const SHOWN: usize = 3;

/// The platform that a row shows, if several share files: what most people have comes first.
const SHOWN_FIRST: [&str; 2] = ["linux-x86_64", "windows-x86_64"];

/// The files of one release on one platform: path → checksum.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    version: Version,
    platform: &'static str,
    files: HashMap<String, u32>,
    /// Those of them that are libraries: what harms when it is overwritten.
    libraries: HashMap<String, u32>,
}

/// A package's releases and their lists of files.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    package: String,
    order: Vec<Version>,
    listed: Vec<Listed>,
}

impl Lists {
    /// The lists of all releases that were read, newest first.
    pub(crate) fn of(held: &Held) -> Lists {
        let list = |((version, platform), reading): (&(Version, &'static str), &Reading)| {
            let files = reading.files.iter().filter(|f| installed(f)).map(|f| (f.path.clone(), f.crc32));
            Listed::new(version.clone(), platform, files.collect())
        };
        Lists {
            package: held.name().to_owned(),
            order: held.order().into_iter().cloned().collect(),
            listed: held.readings.iter().rev().map(list).collect(),
        }
    }

    /// Paths of libraries in any release.
    fn libraries(&self) -> HashSet<&String> {
        self.listed.iter().flat_map(|l| l.libraries.keys()).collect()
    }

    /// Releases that share a library of different content with any of the other package's.
    fn sharing(&self, other: &Lists) -> String {
        let shares = |version: &Version| {
            let own = self.listed.iter().filter(|l| l.version == *version);
            own.flat_map(|a| other.listed.iter().map(move |b| (a, b))).any(|(a, b)| a.shares(b)).then_some(())
        };
        let order: Vec<&Version> = self.order.iter().collect();
        runs(&order, shares).into_iter().map(|(range, ())| range).collect::<Vec<_>>().join(" || ")
    }
}

impl Listed {
    fn new(version: Version, platform: &'static str, files: HashMap<String, u32>) -> Listed {
        let libraries =
            files.iter().filter(|(p, _)| is_library(p)).map(|(p, c)| (any_interpreter(p), *c)).collect();
        Listed { version, platform, files, libraries }
    }

    /// Do both have a library of one path and of different content, where both can be installed?
    fn shares(&self, other: &Listed) -> bool {
        (self.platform == other.platform || self.platform == "any" || other.platform == "any")
            && self.libraries.iter().any(|(path, sum)| other.libraries.get(path).is_some_and(|s| s != sum))
    }
}

/// A module's path without the interpreter that it is for. One wheel of a release was read, and another release's may be
/// for another interpreter; both have modules of the same name for those that they share.
fn any_interpreter(path: &str) -> String {
    let (directory, file) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let parts = file.split('.').map(|part| {
        let end = ["cpython-", "cp"].iter().find_map(|start| part.strip_prefix(start)).unwrap_or_default();
        let rest = end.trim_start_matches(|c: char| c.is_ascii_digit());
        let tag = !end.is_empty() && rest.len() < end.len() && rest.starts_with(['-', 't']);
        if tag { format!("cp*{rest}") } else { part.to_owned() }
    });
    format!("{directory}{}", parts.collect::<Vec<_>>().join("."))
}

/// Is it a file that another package could write too? Each has a `.dist-info` of its own, and empty files are alike.
fn installed(file: &Member) -> bool {
    let top = file.path.split('/').next().unwrap_or_default();
    file.size > 0 && !top.ends_with(".dist-info") && !top.ends_with(".data")
}

/// The table over all packages: pairs of which some releases install libraries of different content to one path.
pub(crate) fn shared_paths(lists: &[Lists]) -> Table {
    let mut sorted: Vec<&Lists> = lists.iter().collect();
    sorted.sort_by(|a, b| a.package.cmp(&b.package));
    let mut rows: Vec<Row> = Vec::new();
    for (at, first) in sorted.iter().enumerate() {
        let known = first.libraries();
        for second in sorted.iter().skip(at + 1) {
            if second.libraries().is_disjoint(&known) {
                continue;
            }
            if let Some((a, b)) = newest(first, second) {
                rows.push(row(first, second, a, b));
            }
        }
    }
    Table {
        relation: "shared-paths",
        name: "wheels".to_owned(),
        source: "pypi-wheel-paths",
        locator: Some("lists of files of the wheels that were read, by path and checksum"),
        from: None,
        complete: false,
        rows,
    }
}

/// The newest releases, first of the one and then of the other, that share a library.
fn newest<'l>(first: &'l Lists, second: &'l Lists) -> Option<(&'l Listed, &'l Listed)> {
    let pairs = first.listed.iter().flat_map(|a| second.listed.iter().map(move |b| (a, b)));
    let order = |a: &Listed, b: &Listed| {
        let platform = if a.platform == "any" { b.platform } else { a.platform };
        let rank = SHOWN_FIRST.iter().position(|p| *p == platform).unwrap_or(SHOWN_FIRST.len());
        (a.version.clone(), b.version.clone(), Reverse(rank))
    };
    pairs.filter(|(a, b)| a.shares(b)).max_by_key(|(a, b)| order(a, b))
}

fn row(first: &Lists, second: &Lists, a: &Listed, b: &Listed) -> Row {
    let paths: Vec<(&String, bool)> = a
        .files
        .iter()
        .filter_map(|(path, sum)| b.files.get(path).map(|other| (path, other != sum)))
        .collect();
    let mut libraries: Vec<String> = a
        .libraries
        .iter()
        .filter(|(path, sum)| b.libraries.get(*path).is_some_and(|other| other != *sum))
        .map(|(path, _)| path.clone())
        .collect();
    libraries.sort();
    let share = format!(
        "{} paths on {}; {} files differ, {} of them libraries ({} {}, {} {})",
        paths.len(),
        if a.platform == "any" { b.platform } else { a.platform },
        paths.iter().filter(|(_, differs)| *differs).count(),
        libraries.len(),
        first.package,
        a.version,
        second.package,
        b.version,
    );
    libraries.truncate(SHOWN);
    vec![
        ("packages", vec![first.package.clone(), second.package.clone()].into()),
        ("versions", vec![first.sharing(second), second.sharing(first)].into()),
        ("files", libraries.into()),
        ("share", share.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn package(name: &str, releases: &[(&str, &[(&str, u32)])]) -> Lists {
        let version = |v: &str| Version::from_str(v).unwrap();
        let list = |(v, files): &(&str, &[(&str, u32)])| {
            Listed::new(
                version(v),
                "linux-x86_64",
                files.iter().map(|(p, c)| ((*p).to_owned(), *c)).collect(),
            )
        };
        Lists {
            package: name.into(),
            order: releases.iter().rev().map(|(v, _)| version(v)).collect(),
            listed: releases.iter().map(list).collect(),
        }
    }

    #[test]
    fn libraries_of_different_content_on_one_path() {
        let (lib, header) = ("nvidia/cudnn/lib/libcudnn.so.9", "nvidia/cudnn/include/cudnn.h");
        let cu13 = package("cu13", &[("9.28", &[(lib, 1), (header, 1)]), ("9.26", &[(lib, 4)])]);
        let cu12 = package("cu12", &[("9.26", &[(lib, 2), (header, 1)]), ("8.9", &[(header, 3)])]);
        let cu11 = package("cu11", &[("8.9", &[(header, 7)])]);
        let table = shared_paths(&[cu13, cu12, cu11]);
        assert_eq!(table.rows.len(), 1, "headers alone overwrite no code: {:?}", table.rows);
        let text = table.text("2026-12-01");
        for part in [
            "packages = [\"cu12\", \"cu13\"]",
            "versions = [\"==9.26\", \">=9.26, <=9.28\"]",
            "2 paths on linux-x86_64; 1 files differ, 1 of them libraries (cu12 9.26, cu13 9.28)",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn modules_are_compared_without_their_interpreter() {
        let path = |tag: &str| any_interpreter(&format!("cupy/cuda/cub.{tag}.so"));
        assert_eq!(path("cpython-313-x86_64-linux-gnu"), path("cpython-314-x86_64-linux-gnu"));
        assert_ne!(path("cpython-313-x86_64-linux-gnu"), path("cpython-313-aarch64-linux-gnu"));
        assert_eq!(any_interpreter("a/cub.cp313-win_amd64.pyd"), any_interpreter("a/cub.cp39-win_amd64.pyd"));
        assert_eq!(any_interpreter("a/libcp.so.9"), "a/libcp.so.9");
        assert_eq!(any_interpreter("a/cp.so"), "a/cp.so");
        assert_eq!(any_interpreter("_foo.cpython-39-x86_64-linux-gnu.so"), "_foo.cp*-x86_64-linux-gnu.so");
    }

    #[test]
    fn the_same_file_twice_harms_nobody() {
        let a = package("a", &[("1", &[("x/y.so", 5)])]);
        let b = package("b", &[("1", &[("x/y.so", 5)])]);
        assert!(shared_paths(&[a, b]).rows.is_empty());
    }
}
