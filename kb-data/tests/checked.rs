//! When importers last looked at a package.

mod common;

use common::{shown, sound, with, world};
use kb_core::kb::Kb;
use kb_data::authoring::{load, load_over};
use kb_data::lint::read_later;
use kb_data::tree::DataTree;

const PATH: &str = "imported/pypi/checked.toml";

fn text(package: &str, on: &str) -> String {
    format!("by = 'pypi'\n[[row]]\npackage = '{package}'\non = '{on}'\n")
}

fn days(kb: &Kb) -> Vec<(&str, &str, &str)> {
    kb.checked.iter().map(|c| (&*c.package, &*c.importer, &*c.on)).collect()
}

#[test]
fn it_is_known_and_the_rest_carries_it() {
    let both = format!("{}[[row]]\npackage = 'torch-cpu'\non = '2026-12-02'\n", text("torch", "2026-12-01"));
    let kb = sound(&with(&[(PATH, &both), ("imported/conda/checked.toml", &text("torch", "2026-11-01"))]));
    let expected = [
        ("torch", "conda", "2026-11-01"),
        ("torch", "pypi", "2026-12-01"),
        ("torch-cpu", "pypi", "2026-12-02"),
    ];
    assert_eq!(days(&kb), expected);
    let blobs = kb_data::blob::write(kb.clone()).expect("it can be written");
    let core = kb_data::blob::read_core(blobs.core.leak()).expect("it was just written");
    assert!(core.checked.is_empty(), "no answer needs it");
    assert_eq!(days(&kb_data::blob::join(core, blobs.rest.leak()).expect("it was just written")), expected);
}

#[test]
fn a_later_look_is_laid_over() {
    let (base, _) = load(&with(&[(PATH, &text("torch", "2026-11-01"))]));
    let (kb, found) = load_over(base, &DataTree::from_texts([(PATH, &*text("torch", "2026-12-01"))]));
    assert!(found.is_empty(), "{}", shown(&found));
    assert_eq!(days(&kb), [("torch", "pypi", "2026-12-01")]);
    assert!(load(&world()).0.checked.is_empty());
}

#[test]
fn mistakes() {
    for (text, code) in [
        (text("troch", "2026-12-01"), "dangling-package"),
        (text("torch", "2026-12"), "bad-date"),
        (
            format!("{0}[[row]]\npackage = 'torch'\non = '2026-12-01'\n", text("torch", "2026-12-01")),
            "duplicate-id",
        ),
        (text("torch", "2026-12-01").replace("by = 'pypi'", ""), "missing-key"),
        (text("torch", "2026-12-01").replace("on =", "when ="), "unknown-key"),
    ] {
        let (_, found) = load(&with(&[(PATH, &text)]));
        assert!(found.iter().any(|d| d.code == code), "no {code} among\n{}", shown(&found));
    }
}

#[test]
fn nobody_looks_tomorrow() {
    let tree = with(&[(PATH, &text("torch", "2026-12-02"))]);
    assert_eq!(read_later(&tree, "2026-12-01").len(), 1);
    assert!(read_later(&tree, "2026-12-02").is_empty());
}

#[test]
fn every_table_has_a_day_of_reading() {
    let path = "facts/build-made-with/maker.toml";
    let (_, found) = load(&common::edited(path, "read-on = '2026-11-30'\n", ""));
    assert!(found.iter().any(|d| d.code == "missing-key"), "{}", shown(&found));
}
