//! The importer on recorded bytes of real wheels: the index pages and ranges in `recorded/pypi`.
//!
//! `KB_BLESS=1 cargo test -p kb-tests --test import` writes the expected tables anew;
//! `cargo run -p kb-import --example record tests/recorded/pypi NAME==VERSION` adds a release.

#![allow(clippy::unwrap_used)]

use index::Recorded;
use kb_data::authoring;
use kb_data::tree::DataTree;
use kb_import::{Held, Package, Plan, Report, Source, check, packages, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TODAY: &str = "2026-12-01";
const BITSANDBYTES: &str = "bitsandbytes-0.45.0-py3-none-manylinux_2_24_x86_64.whl";

/// A directory of its own, gone when the test is over.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("kb-import-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        copy(&data().join("catalog"), &path.join("data/catalog"));
        fs::create_dir_all(path.join("data/imported/pypi")).unwrap();
        fs::create_dir_all(path.join("ledger")).unwrap();
        Place(path)
    }
    fn data(&self) -> PathBuf {
        self.0.join("data")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn data() -> PathBuf {
    kb_tests::root().join("../kb-data/data")
}

fn recorded() -> PathBuf {
    kb_tests::root().join("recorded/pypi")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The packages whose index pages are recorded.
fn known() -> Vec<Package> {
    let has = |p: &Package| recorded().join(format!("{}.json", p.name)).exists();
    packages::all().unwrap().into_iter().filter(has).collect()
}

/// Imports from a directory of recorded bytes, and says what changed.
fn import(place: &Place, from: &Path, today: &str) -> Report {
    let source = Source::new(Recorded::new(from), &place.0.join(format!("cache-{today}")), Duration::ZERO);
    let (data, ledger) = (place.data(), place.0.join("ledger"));
    let plan = Plan { packages: known(), data: &data, ledger: &ledger, today, budget: 0 };
    let mut report = Report::default();
    let held = run::read(&source, &plan.packages, &mut report, |_| {}).unwrap();
    let mut tables = run::tables(&held, &plan).unwrap();
    tables.push(run::shared_paths(&held));
    run::write(&tables, &held, &plan, &mut report).unwrap();
    report
}

/// All files below a directory, by path.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().map(Result::unwrap) {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                out.insert(name, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    out
}

#[test]
fn real_wheels_give_these_tables() {
    let place = Place::new("tables");
    let report = import(&place, &recorded(), TODAY);
    assert_eq!(report.failures, [""; 0]);
    let written = files(&place.data().join("imported/pypi"));
    let expected = kb_tests::root().join("recorded/expected");
    if std::env::var_os("KB_BLESS").is_some() {
        let _ = fs::remove_dir_all(&expected);
        for (path, text) in &written {
            let path = expected.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let expected = files(&expected);
    assert!(!expected.is_empty());
    assert_eq!(written.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, text) in &written {
        assert_eq!(text, &expected[path], "{path}");
    }
}

#[test]
fn what_is_written_can_be_loaded() {
    let place = Place::new("load");
    import(&place, &recorded(), TODAY);
    // In place of the facts of the same packages.
    let mut tree = DataTree::from_dir(&data()).unwrap();
    for (path, text) in files(&place.data().join("imported/pypi")) {
        tree.insert(format!("imported/pypi/{path}"), text);
    }
    let (_, found) = authoring::load(&tree);
    let read: Vec<_> = found.iter().filter(|d| !d.code.contains("dispute")).map(|d| &d.message).collect();
    assert!(read.is_empty(), "{read:?}");
}

#[test]
fn a_second_import_changes_nothing() {
    let place = Place::new("twice");
    assert!(!import(&place, &recorded(), TODAY).changed.is_empty());
    assert_eq!(import(&place, &recorded(), TODAY).changed, [""; 0]);
    // On another day only the day of the comparison.
    assert_eq!(import(&place, &recorded(), "2026-12-24").changed, ["imported/pypi/checked.toml"]);
}

#[test]
fn check_shows_what_is_new_and_what_is_gone_and_writes_nothing() {
    let place = Place::new("check");
    import(&place, &recorded(), TODAY);
    // An index on which one release is withdrawn and another one is not there any more.
    let changed = place.0.join("changed");
    copy(&recorded(), &changed);
    let page = changed.join("bitsandbytes.json");
    let mut json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&page).unwrap()).unwrap();
    let listed = json["files"].as_array_mut().unwrap();
    let gone = listed[0]["filename"].as_str().unwrap().split('-').nth(1).unwrap().to_owned();
    listed.retain(|f| f["filename"].as_str().unwrap().split('-').nth(1) != Some(&gone));
    listed.iter_mut().for_each(|f| f["yanked"] = "broken".into());
    fs::write(&page, json.to_string()).unwrap();

    let source = Source::new(Recorded::new(&changed), &place.0.join("cache"), Duration::ZERO);
    let (data, ledger) = (place.data(), place.0.join("ledger"));
    let plan = Plan { packages: known(), data: &data, ledger: &ledger, today: "2026-12-24", budget: 0 };
    let before = files(&data);
    let held = run::read(&source, &plan.packages, &mut Report::default(), |_| {}).unwrap();
    let headlines = kb_tests::root().join("golden/headline.tsv");
    let found = check::compare(&held, None, &plan, &headlines).unwrap();
    assert_eq!(found.vanished, [("bitsandbytes".to_owned(), gone)]);
    assert!(found.releases.is_empty());
    assert!(found.diff.contains("+yanked = true"), "{}", found.diff);
    assert!(found.text().contains("Vanished releases"));
    assert_eq!(files(&data), before);
}

#[test]
fn what_is_measured_is_in_the_ledger_once() {
    let place = Place::new("measure");
    let wheel = fs::read(kb_tests::root().join("cases/inspect/files").join(BITSANDBYTES)).unwrap();
    let index = place.0.join("index");
    fs::create_dir_all(index.join(BITSANDBYTES)).unwrap();
    fs::write(index.join(BITSANDBYTES).join(format!("0-{}.bin", wheel.len())), &wheel).unwrap();
    let listed = serde_json::json!({ "filename": BITSANDBYTES, "url": format!("https://i/{BITSANDBYTES}"),
        "size": wheel.len(), "upload-time": "2024-12-05T00:00:00Z" });
    fs::write(
        index.join("bitsandbytes.json"),
        serde_json::json!({ "name": "bitsandbytes", "files": [listed] }).to_string(),
    )
    .unwrap();
    // The fixture has libraries alone, and what is measured needs no metadata.
    let source = Source::new(Recorded::new(&index), &place.0.join("cache"), Duration::ZERO);
    let package = known().into_iter().find(|p| p.name == "bitsandbytes").unwrap();
    let releases = source.releases(&package).unwrap();
    let held = [Held { package, releases, readings: BTreeMap::new() }];
    let (data, ledger) = (place.data(), place.0.join("ledger"));
    let plan = Plan { packages: Vec::new(), data: &data, ledger: &ledger, today: TODAY, budget: 1 << 30 };
    for measured in [1, 0] {
        let mut report = Report::default();
        run::measure(&source, &held, &plan, &mut report, |_| {}).unwrap();
        assert_eq!(report.measured.0, measured);
    }
    let tables = run::tables(&held, &plan).unwrap();
    let is_it = |t: &&kb_import::Table| t.relation == "build-device-code" && t.name == "bitsandbytes";
    let table = tables.iter().find(is_it).unwrap();
    let text = table.text(TODAY);
    for part in [
        "variant = \"cuda118\"\nsass = [\"7.5\", \"8.6\"]\nptx = []",
        "variant = \"cuda128\"\nsass = [\"7.5\", \"12.0\"]",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn an_index_that_lost_its_releases_is_noticed() {
    let place = Place::new("losses");
    import(&place, &recorded(), TODAY);
    // A package with several releases in the facts, of which the index lists one.
    let table = place.data().join("imported/pypi/release/bitsandbytes.toml");
    let text = fs::read_to_string(&table).unwrap();
    let more = |v: &str| format!("\n[[row]]\npackage = \"bitsandbytes\"\nversion = \"{v}\"\n");
    fs::write(&table, format!("{text}{}{}", more("0.1"), more("0.2"))).unwrap();
    let source = Source::new(Recorded::new(recorded()), &place.0.join("cache"), Duration::ZERO);
    let held = run::read(&source, &known(), &mut Report::default(), |_| {}).unwrap();
    assert_eq!(run::losses(&held, &place.data()), ["bitsandbytes"]);
    fs::write(&table, text).unwrap();
    assert_eq!(run::losses(&held, &place.data()), [""; 0]);
}

#[test]
fn bytes_that_cannot_be_had_end_the_import() {
    let place = Place::new("unreachable");
    let cut = place.0.join("cut");
    copy(&recorded(), &cut);
    let wheel = fs::read_dir(&cut).unwrap().map(|e| e.unwrap().path()).find(|p| p.is_dir()).unwrap();
    fs::remove_dir_all(wheel).unwrap();
    let source = Source::new(Recorded::new(&cut), &place.0.join("cache"), Duration::ZERO);
    let failed = run::read(&source, &known(), &mut Report::default(), |_| {});
    assert!(failed.err().unwrap().contains("nothing was written"));
}

#[test]
fn an_index_that_does_not_answer_ends_the_import() {
    let place = Place::new("silent");
    let source = Source::new(Recorded::new(place.0.join("nothing")), &place.0.join("cache"), Duration::ZERO);
    let packages = known();
    let failed = run::read(&source, &packages, &mut Report::default(), |_| {});
    assert!(failed.err().unwrap().contains("does not exist"));
}
