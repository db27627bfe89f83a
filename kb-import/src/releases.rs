//! The final releases of a project, with the wheels of each by platform.

use crate::packages::Package;
use artifact::wheel::{FileName, Tag};
use index::{File, Project};
use pep440_rs::Version;
use std::collections::BTreeMap;

/// Platforms whose files are recorded, as `kb` names them. `any` is every one.
pub const PLATFORMS: [&str; 6] =
    ["any", "linux-aarch64", "linux-x86_64", "macos-arm64", "macos-x86_64", "windows-x86_64"];

/// A final release: one that is no pre-release and that an installer takes by itself.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its version.
    pub version: Version,
    /// The day of its first upload.
    pub day: Option<String>,
    /// All its files are withdrawn.
    pub yanked: bool,
    /// Its wheels by platform. A wheel for several platforms stands under each.
    pub wheels: BTreeMap<&'static str, Vec<Wheel>>,
    /// How many files it has, of whatever kind.
    pub files: usize,
}

/// A wheel in an index.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// As the index lists it.
    pub file: File,
    /// Its name, taken apart.
    pub name: FileName,
}

impl Release {
    /// The wheels that are read: one for each platform, for the newest interpreter. What a release states is the same
    /// in those for other interpreters, as far as it is about GPUs.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, &Wheel)> {
        self.candidates().filter_map(|(platform, wheels)| Some((platform, *wheels.first()?)))
    }

    /// The wheels of each platform, the one to read first: some old ones have no metadata, and the next one is taken.
    pub fn candidates(&self) -> impl Iterator<Item = (&'static str, Vec<&Wheel>)> {
        self.wheels.iter().map(|(platform, wheels)| {
            let mut sorted: Vec<&Wheel> = wheels.iter().collect();
            sorted.sort_by_cached_key(|w| {
                std::cmp::Reverse((!w.file.yanked, interpreter(&w.name), w.name.build.clone()))
            });
            (*platform, sorted)
        })
    }
}

/// The interpreter of a wheel, as a number that grows with it; free-threaded builds come last.
fn interpreter(name: &FileName) -> (bool, u32) {
    let python = |tag: &Tag| {
        let digits = tag.python.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let (major, minor) = digits.split_at(digits.len().min(1));
        major.parse::<u32>().unwrap_or(0) * 1000 + minor.parse::<u32>().unwrap_or(0)
    };
    let threaded = name.tags.iter().all(|t| t.abi.ends_with('t') && t.abi.starts_with("cp"));
    (!threaded, name.tags.iter().map(python).max().unwrap_or(0))
}

/// The final releases of a project since the day that its package names, oldest first.
pub(crate) fn of(project: &Project, package: &Package) -> Vec<Release> {
    let mut releases: BTreeMap<Version, Release> = BTreeMap::new();
    for file in &project.files {
        let Some(version) = file.version().filter(|v| !v.any_prerelease() && v.local().is_empty()) else {
            continue;
        };
        let release = releases.entry(version.clone()).or_insert_with(|| Release {
            version,
            day: None,
            yanked: true,
            wheels: BTreeMap::new(),
            files: 0,
        });
        release.files += 1;
        release.yanked &= file.yanked;
        if let Some(day) = file.day()
            && release.day.as_deref().is_none_or(|known| day < known)
        {
            release.day = Some(day.to_owned());
        }
        if let Some(name) = FileName::parse(&file.name) {
            let mut platforms: Vec<&str> = name.tags.iter().flat_map(platforms).copied().collect();
            platforms.sort_unstable();
            platforms.dedup();
            for platform in PLATFORMS.into_iter().filter(|p| platforms.contains(p)) {
                let wheel = Wheel { file: file.clone(), name: name.clone() };
                release.wheels.entry(platform).or_default().push(wheel);
            }
        }
    }
    releases
        .into_values()
        .filter(|r| r.day.as_deref().is_none_or(|day| day >= package.since.as_str()))
        .collect()
}

/// The platforms of a tag; none for those that are not recorded (musl, 32 bits, other processors). A universal wheel of
/// macOS is for both processors.
fn platforms(tag: &Tag) -> &'static [&'static str] {
    let p = tag.platform.as_str();
    let ends = |processor: &str| p.ends_with(processor);
    let linux = p.starts_with("manylinux") || p.starts_with("linux_");
    let mac = p.starts_with("macosx_");
    match p {
        "any" => &["any"],
        "win_amd64" => &["windows-x86_64"],
        _ if linux && ends("_x86_64") => &["linux-x86_64"],
        _ if linux && ends("_aarch64") => &["linux-aarch64"],
        _ if mac && ends("_universal2") => &["macos-arm64", "macos-x86_64"],
        _ if mac && ends("_arm64") => &["macos-arm64"],
        _ if mac && (ends("_x86_64") || ends("_intel")) => &["macos-x86_64"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, uploaded: &str, yanked: bool) -> File {
        File {
            name: name.to_owned(),
            url: String::new(),
            size: None,
            sha256: None,
            uploaded: Some(uploaded.to_owned()),
            yanked,
            requires_python: None,
        }
    }

    #[test]
    fn final_releases_with_their_wheels() {
        let project = Project {
            name: "x".into(),
            files: vec![
                file("x-1.0-cp39-cp39-win_amd64.whl", "2021-02-03T00:00:00Z", false),
                file("x-1.0-cp310-cp310-win_amd64.whl", "2021-02-02T00:00:00Z", true),
                file("x-1.0-cp38-cp38-musllinux_1_1_x86_64.whl", "2021-02-02T00:00:00Z", false),
                file("x-1.1rc1-cp39-cp39-win_amd64.whl", "2021-02-02T00:00:00Z", false),
                file("x-1.2-cp313-cp313t-manylinux_2_28_x86_64.whl", "2022-01-01T00:00:00Z", true),
                file("x-1.2-cp313-cp313-manylinux_2_28_x86_64.whl", "2022-01-01T00:00:00Z", true),
                file("x-1.2-cp313-cp313-macosx_11_0_universal2.whl", "2022-01-01T00:00:00Z", true),
                file("x-0.9.tar.gz", "2019-12-31T00:00:00Z", false),
                file("x-0.9.1.tar.gz", "2020-12-31T00:00:00Z", false),
            ],
        };
        let package = Package {
            name: "x".into(),
            code: false,
            builds: None,
            measure: Vec::new(),
            since: "2020-01-01".into(),
        };
        let releases = of(&project, &package);
        let shown: Vec<String> =
            releases.iter().map(|r| format!("{} {:?} {}", r.version, r.day, r.yanked)).collect();
        assert_eq!(
            shown,
            [
                "0.9.1 Some(\"2020-12-31\") false",
                "1.0 Some(\"2021-02-02\") false",
                "1.2 Some(\"2022-01-01\") true"
            ]
        );
        let chosen =
            |r: &Release| r.chosen().map(|(p, w)| format!("{p} {}", w.file.name)).collect::<Vec<_>>();
        assert_eq!(
            chosen(&releases[1]),
            ["windows-x86_64 x-1.0-cp39-cp39-win_amd64.whl"],
            "not the withdrawn one"
        );
        assert_eq!(
            chosen(&releases[2]),
            [
                "linux-x86_64 x-1.2-cp313-cp313-manylinux_2_28_x86_64.whl",
                "macos-arm64 x-1.2-cp313-cp313-macosx_11_0_universal2.whl",
                "macos-x86_64 x-1.2-cp313-cp313-macosx_11_0_universal2.whl",
            ]
        );
    }
}
