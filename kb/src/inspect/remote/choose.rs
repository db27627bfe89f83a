//! Which file of a project is meant.

use super::interpreter::{self, Interpreter};
use super::platform::Platform;
use artifact::wheel::FileName;
use index::{File, Project};
use pep440_rs::Version;
use std::collections::BTreeSet;

/// Versions that are named where the one that is wanted does not exist.
const NEAREST: usize = 5;

/// What is wanted of a project.
#[derive(Debug)]
pub(super) struct Wish<'a> {
    /// The release; without one the newest.
    pub(super) version: Option<&'a Version>,
    /// The system.
    pub(super) platform: &'a Platform,
    /// The Python; without one the newest.
    pub(super) python: Option<Interpreter>,
}

/// A wheel, and what its release has beside it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choice {
    /// The wheel.
    pub(super) file: File,
    /// Interpreters for which the release has wheels on this platform.
    pub(super) python: Vec<String>,
}

/// Why none was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// No such release; those next to it, and the newest.
    NoVersion(Vec<Version>),
    /// The release has only source; its file.
    OnlySource(Version, String),
    /// Nothing for the platform: those that there are, and the newest release that has something for it.
    NoPlatform(Version, Vec<String>, Option<Version>),
    /// Nothing for the Python: those that there are.
    NoPython(Version, Vec<String>),
    /// Several files, and nothing to choose by.
    Several(Version, Vec<String>),
    /// The project has no file at all.
    Empty,
}

/// Chooses a wheel.
pub(super) fn choose(project: &Project, wish: &Wish<'_>) -> Result<Choice, Refusal> {
    let versions: BTreeSet<Version> = project.files.iter().filter_map(File::version).collect();
    let version = match wish.version {
        Some(version) => version.clone(),
        None => newest(project).or_else(|| versions.last().cloned()).ok_or(Refusal::Empty)?,
    };
    let is_it =
        |v: &Version| *v == version || version.local().is_empty() && v.clone().without_local() == version;
    let of_it: Vec<&File> =
        project.files.iter().filter(|f| f.version().as_ref().is_some_and(is_it)).collect();
    if of_it.is_empty() {
        return Err(Refusal::NoVersion(nearest(&versions, &version)));
    }
    let wheels: Vec<(&File, FileName)> =
        of_it.iter().filter_map(|f| Some((*f, FileName::parse(&f.name)?))).collect();
    if wheels.is_empty() {
        let file = of_it.first().map(|f| f.name.clone()).unwrap_or_default();
        return Err(Refusal::OnlySource(version, file));
    }
    let suits = |name: &FileName| name.tags.iter().filter_map(|t| wish.platform.suits(&t.platform)).max();
    let best = wheels.iter().filter_map(|(_, n)| suits(n)).max();
    // A wheel for any platform counts only where there is none for this one.
    let fits = |name: &FileName| suits(name).is_some_and(|s| s > 0 || best == Some(0));
    let here: Vec<&(&File, FileName)> = wheels.iter().filter(|(_, n)| fits(n)).collect();
    if here.is_empty() {
        let there: BTreeSet<String> =
            wheels.iter().flat_map(|(_, n)| &n.tags).map(|t| t.platform.clone()).collect();
        return Err(Refusal::NoPlatform(
            version,
            there.into_iter().collect(),
            elsewhere(project, wish.platform),
        ));
    }
    let tags = here.iter().flat_map(|(_, n)| &n.tags).filter(|t| wish.platform.suits(&t.platform).is_some());
    let mut python: Vec<String> = tags.map(interpreter::label).collect();
    interpreter::sort(&mut python);
    let rank = |file: &File, name: &FileName| {
        let runs = name.tags.iter().filter_map(|t| interpreter::suits(t, wish.python)).max()?;
        let build = name.build.as_deref().map(|b| {
            let end = b.find(|c: char| !c.is_ascii_digit()).unwrap_or(b.len());
            (b[..end].parse::<u64>().unwrap_or(0), b[end..].to_owned())
        });
        Some((!file.yanked, runs, suits(name), build))
    };
    let top = here.iter().filter_map(|(f, n)| rank(f, n)).max();
    let Some(top) = top else { return Err(Refusal::NoPython(version, python)) };
    let mut chosen = here.iter().filter(|(f, n)| rank(f, n).as_ref() == Some(&top)).map(|(f, _)| *f);
    match (chosen.next(), chosen.next()) {
        (Some(file), None) => Ok(Choice { file: file.clone(), python }),
        (first, second) => {
            let all = [first, second].into_iter().flatten().chain(chosen);
            Err(Refusal::Several(version, all.map(|f| f.name.clone()).collect()))
        }
    }
}

/// The newest final release that was not withdrawn; if none is final, the newest of the others.
fn newest(project: &Project) -> Option<Version> {
    let there = || project.files.iter().filter(|f| !f.yanked).filter_map(File::version);
    there().filter(Version::is_stable).max().or_else(|| there().max())
}

/// The newest release with a wheel for a platform.
fn elsewhere(project: &Project, platform: &Platform) -> Option<Version> {
    let has = |f: &&File| {
        let name = FileName::parse(&f.name);
        !f.yanked && name.is_some_and(|n| n.tags.iter().any(|t| platform.suits(&t.platform).is_some()))
    };
    project.files.iter().filter(has).filter_map(File::version).filter(Version::is_stable).max()
}

/// The versions around one that does not exist, and the newest.
fn nearest(all: &BTreeSet<Version>, version: &Version) -> Vec<Version> {
    let mut out: BTreeSet<&Version> = all.range(..version).rev().take(NEAREST / 2).collect();
    out.extend(all.range(version..).take(NEAREST / 2));
    out.extend(all.iter().rev().find(|v| v.is_stable()));
    out.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(names: &[&str]) -> Project {
        let file = |name: &&str| {
            let (name, yanked) = name.strip_suffix(" yanked").map_or((*name, false), |n| (n, true));
            File {
                name: name.to_owned(),
                url: format!("https://i.example/{name}"),
                size: None,
                sha256: None,
                uploaded: None,
                yanked,
                requires_python: None,
            }
        };
        Project { name: "x".to_owned(), files: names.iter().map(file).collect() }
    }

    fn chosen(
        names: &[&str],
        version: Option<&str>,
        platform: &str,
        python: Option<&str>,
    ) -> Result<Choice, Refusal> {
        let version: Option<Version> = version.map(|v| v.parse().expect("a version"));
        let platform = Platform::parse(platform).expect("a platform");
        let python = python.map(|p| Interpreter::parse(p).expect("a Python"));
        choose(&project(names), &Wish { version: version.as_ref(), platform: &platform, python })
    }

    fn name(names: &[&str], version: Option<&str>, platform: &str, python: Option<&str>) -> String {
        chosen(names, version, platform, python).map(|c| c.file.name).unwrap_or_else(|r| format!("{r:?}"))
    }

    const X: [&str; 9] = [
        "x-1.0.tar.gz",
        "x-1.0-cp39-cp39-win_amd64.whl",
        "x-1.0-cp310-cp310-win_amd64.whl",
        "x-1.0-cp310-cp310-manylinux_2_17_x86_64.whl",
        "x-1.0-cp310-cp310-manylinux_2_28_x86_64.whl",
        "x-2.0-cp310-cp310-win_amd64.whl yanked",
        "x-1.5-1-py3-none-any.whl",
        "x-1.5-10-py3-none-any.whl",
        "x-2.1rc1-py3-none-any.whl",
    ];

    #[test]
    fn one_is_chosen() {
        assert_eq!(name(&X, Some("1.0"), "win_amd64", None), "x-1.0-cp310-cp310-win_amd64.whl");
        assert_eq!(name(&X, Some("1"), "win_amd64", Some("3.9")), "x-1.0-cp39-cp39-win_amd64.whl");
        assert_eq!(name(&X, Some("1.0"), "linux", None), "x-1.0-cp310-cp310-manylinux_2_28_x86_64.whl");
        let old = name(&X, Some("1.0"), "manylinux2014_x86_64", None);
        assert_eq!(old, "x-1.0-cp310-cp310-manylinux_2_17_x86_64.whl");
        // Not the yanked one, not the one before the release; of two builds the later one.
        assert_eq!(name(&X, None, "win_amd64", None), "x-1.5-10-py3-none-any.whl");
        assert_eq!(name(&X, Some("2.0"), "win_amd64", None), "x-2.0-cp310-cp310-win_amd64.whl");
        assert_eq!(name(&X, Some("2.1rc1"), "linux", None), "x-2.1rc1-py3-none-any.whl");
        let python = chosen(&X, Some("1.0"), "windows", None).expect("chosen").python;
        assert_eq!(python, ["cp39", "cp310"]);
    }

    #[test]
    fn none_is_chosen() {
        let refused = |version: &str, platform: &str, python| {
            chosen(&X, Some(version), platform, python).expect_err("refused")
        };
        let v = |text: &str| text.parse::<Version>().expect("a version");
        assert_eq!(refused("1.2", "linux", None), Refusal::NoVersion([v("1.0"), v("1.5"), v("2.0")].into()));
        assert_eq!(refused("9", "linux", None), Refusal::NoVersion([v("2.0"), v("2.1rc1")].into()));
        let there = ["manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "win_amd64"].map(str::to_owned).into();
        assert_eq!(refused("1.0", "macos", None), Refusal::NoPlatform(v("1.0"), there, Some(v("1.5"))));
        let there = ["cp39", "cp310"].map(str::to_owned).into();
        assert_eq!(refused("1.0", "windows", Some("3.12")), Refusal::NoPython(v("1.0"), there));
        let source = chosen(&["x-1.0.tar.gz"], None, "linux", None);
        assert_eq!(source, Err(Refusal::OnlySource(v("1.0"), "x-1.0.tar.gz".to_owned())));
        assert_eq!(chosen(&[], None, "linux", None), Err(Refusal::Empty));
        let labels = ["x-1.0+cu118-py3-none-any.whl", "x-1.0+cu124-py3-none-any.whl"];
        let several = chosen(&labels, Some("1.0"), "linux", None);
        assert_eq!(several, Err(Refusal::Several(v("1.0"), labels.map(str::to_owned).into())));
        assert_eq!(name(&labels, Some("1.0+cu118"), "linux", None), labels[0]);
    }
}
