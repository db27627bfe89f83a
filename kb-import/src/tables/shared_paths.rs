//! `shared-paths`: packages whose wheels install different files to the same paths, found from their file lists.

use crate::held::Held;
use crate::read::Member;
use crate::write::{Row, Table};
use artifact::library::is_library;
use pep440_rs::Version;
use std::collections::{BTreeMap, HashMap};

/// Names of libraries that a row gives as examples.
const SHOWN: usize = 6;

/// The files of one release on one platform: path → checksum.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The package.
    pub package: String,
    /// The release.
    pub version: Version,
    /// The platform.
    pub platform: &'static str,
    files: HashMap<String, u32>,
}

impl Listed {
    /// The lists of all releases that were read, newest first. Where neighbours have the same paths only the newest is kept.
    pub(crate) fn of(held: &Held) -> Vec<Listed> {
        let mut out: Vec<Listed> = Vec::new();
        for ((version, platform), reading) in held.readings.iter().rev() {
            let files: HashMap<String, u32> = reading.files.iter().filter(|f| installed(f)).map(|f| (f.path.clone(), f.crc32)).collect();
            let newer = out.iter().rev().find(|l| l.platform == *platform);
            if newer.is_none_or(|n| n.files.len() != files.len() || files.keys().any(|f| !n.files.contains_key(f))) {
                out.push(Listed { package: held.name().to_owned(), version: version.clone(), platform, files });
            }
        }
        out
    }
}

/// Is it a file that another package could write too? Each has a `.dist-info` of its own, and empty files are alike.
fn installed(file: &Member) -> bool {
    file.size > 0 && !file.path.split('/').next().is_some_and(|top| top.ends_with(".dist-info") || top.ends_with(".data"))
}

/// What two releases share.
#[derive(Clone, Debug)]
struct Shared {
    a: Version,
    b: Version,
    paths: usize,
    different: usize,
    libraries: Vec<String>,
    platform: &'static str,
}

/// The table over all packages: for every pair that shares paths with different content, the newest releases that do.
pub(crate) fn shared_paths(lists: &[Vec<Listed>]) -> Table {
    let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
    for (at, first) in lists.iter().enumerate() {
        for second in lists.iter().skip(at + 1) {
            let (Some(a), Some(b)) = (first.first(), second.first()) else { continue };
            let Some(shared) = newest(first, second) else { continue };
            let ((x, y), (vx, vy)) = if a.package <= b.package {
                ((&a.package, &b.package), (&shared.a, &shared.b))
            } else {
                ((&b.package, &a.package), (&shared.b, &shared.a))
            };
            let mut row: Row = vec![("packages", vec![x.clone(), y.clone()].into())];
            let shown: Vec<String> = shared.libraries.iter().take(SHOWN).cloned().collect();
            row.push(("files", shown.into()));
            row.push((
                "share",
                format!(
                    "{} paths on {}; {} files differ, {} of them libraries ({x} {vx}, {y} {vy})",
                    shared.paths,
                    shared.platform,
                    shared.different,
                    shared.libraries.len()
                )
                .into(),
            ));
            rows.insert((x.clone(), y.clone()), row);
        }
    }
    Table {
        relation: "shared-paths",
        name: "wheels".to_owned(),
        source: "pypi-wheel-paths",
        locator: Some("file lists of the newest releases that share libraries"),
        from: None,
        complete: false,
        rows: rows.into_values().collect(),
    }
}

/// The newest two releases, first of the one and then of the other, that share a library of different content.
fn newest(first: &[Listed], second: &[Listed]) -> Option<Shared> {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    let found = pairs.filter(|(a, b)| a.platform == b.platform || a.platform == "any" || b.platform == "any");
    found.filter_map(|(a, b)| compare(a, b)).max_by(|x, y| (&x.a, &x.b, y.platform).cmp(&(&y.a, &y.b, x.platform)))
}

fn compare(a: &Listed, b: &Listed) -> Option<Shared> {
    let (small, large) = if a.files.len() <= b.files.len() { (a, b) } else { (b, a) };
    let shared: Vec<(&String, bool)> = small
        .files
        .iter()
        .filter_map(|(path, crc)| large.files.get(path).map(|other| (path, other != crc)))
        .collect();
    let mut libraries: Vec<String> = shared
        .iter()
        .filter(|(path, differs)| *differs && is_library(path))
        .map(|(path, _)| (*path).clone())
        .collect();
    if libraries.is_empty() {
        return None;
    }
    libraries.sort();
    Some(Shared {
        a: a.version.clone(),
        b: b.version.clone(),
        paths: shared.len(),
        different: shared.iter().filter(|(_, differs)| *differs).count(),
        libraries,
        platform: if a.platform == "any" { b.platform } else { a.platform },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn list(package: &str, version: &str, files: &[(&str, u32)]) -> Listed {
        Listed {
            package: package.into(),
            version: Version::from_str(version).unwrap(),
            platform: "linux-x86_64",
            files: files.iter().map(|(p, c)| ((*p).to_owned(), *c)).collect(),
        }
    }

    #[test]
    fn libraries_of_different_content_on_one_path() {
        let lib = "nvidia/cudnn/lib/libcudnn.so.9";
        let header = "nvidia/cudnn/include/cudnn.h";
        let cu13 = vec![list("cu13", "9.28", &[(lib, 1), (header, 1)]), list("cu13", "9.26", &[(lib, 4)])];
        let cu12 = vec![list("cu12", "9.26", &[(lib, 2), (header, 1)])];
        let old = vec![list("cu11", "8.9", &[(header, 7)])];
        let table = shared_paths(&[cu13, cu12, old]);
        assert_eq!(table.rows.len(), 1, "headers alone overwrite no code: {:?}", table.rows);
        let text = table.text("2026-12-01");
        assert!(text.contains("packages = [\"cu12\", \"cu13\"]"), "{text}");
        assert!(text.contains("2 paths on linux-x86_64; 1 files differ, 1 of them libraries (cu12 9.26, cu13 9.28)"), "{text}");
    }

    #[test]
    fn the_same_file_twice_harms_nobody() {
        let a = vec![list("a", "1", &[("x/y.so", 5)])];
        let b = vec![list("b", "1", &[("x/y.so", 5)])];
        assert!(shared_paths(&[a, b]).rows.is_empty());
    }
}
