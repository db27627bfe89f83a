//! What is new is data: nothing here needs a change of Rust.

mod common;

use common::{FILES, shown, sound, with, world};
use kb_core::evidence::Grade;
use kb_core::fact::Coverage;
use kb_core::value::Value;
use kb_data::authoring::{load, load_over};
use kb_data::tree::DataTree;

#[test]
fn the_world_is_sound() {
    let kb = sound(&world());
    assert_eq!(&*kb.version, "2026.11.30");
    assert_eq!(kb.fact_count(), 7);
    let stems: Vec<(&str, &str)> =
        kb.tables.iter().map(|t| (&*kb.relations[usize::from(t.relation)].id, &*t.stem)).collect();
    assert!(stems.is_sorted());
    let fact = kb.find_fact("gpu-compute-capability/maker#red-1").expect("there");
    assert_eq!(kb.table(fact).coverage, Coverage::Complete);
    assert_eq!(kb.grade(fact), Grade::Confirmed);
    let release = kb.find_fact("release/pypi-torch#torch,2.8.0").expect("there");
    assert_eq!(kb.table(release).coverage, Coverage::Complete, "from the relation");
    assert_eq!(kb.table(release).imported_by.as_deref(), Some("pypi"));
    assert_eq!(kb.table(release).locator.as_deref(), Some("https://example.org/torch"));
    assert_eq!(kb.sources[1].id, "maker".into());
    assert_eq!(kb.sources[2].address.as_deref(), Some("other/set: a.json"));
    assert_eq!(kb.channels[0].install[0].os, ["linux".into()], "the channel's, where the line has none");
}

#[test]
fn the_order_of_files_does_not_matter() {
    let expected = load(&world());
    let mut files = FILES.to_vec();
    for turn in 0..files.len() {
        files.rotate_left(5);
        files.swap(turn, (turn * 7) % FILES.len());
        assert_eq!(load(&DataTree::from_texts(files.clone())), expected);
    }
}

#[test]
fn a_new_gpu() {
    let kb = sound(&with(&[
        (
            "catalog/gpus/green.toml",
            "[[gpu]]\nid = 'green-9'\nname = 'GREEN 9'\narchitecture = 'Green'\nsegment = 'datacenter'\nmemory-mib = [98304]\npci-ids = ['2BAD']\nsources = ['maker']\n",
        ),
        (
            "facts/gpu-compute-capability/maker--green.toml",
            "source = 'maker'\nread-on = '2026-12-01'\n[[row]]\ngpu = 'green-9'\ncompute-capability = '15.0'\n",
        ),
    ]));
    let fact = kb.find_fact("gpu-compute-capability/maker--green#green-9").expect("there");
    assert_eq!(kb.cell(fact, "compute-capability").map(Value::to_string).as_deref(), Some("15.0"));
    assert_eq!(&*kb.version, "2026.12.01");
}

#[test]
fn a_new_cuda_release_framework_release_advisory_and_claim() {
    let kb = sound(&with(&[
        (
            "facts/cuda-minimum-driver/maker--14.toml",
            "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\ntoolkit = '14.*'\nos = 'linux'\ndriver = '650.10'\n",
        ),
        (
            "facts/release/maker.toml",
            "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversion = '3.0.0rc1'\n",
        ),
        (
            "facts/build-made-with/maker--3.toml",
            "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversions = '==3.0.*'\nchannel = 'pypi'\ncuda = '14.0'\n",
        ),
        (
            "advisories/torch-3-on-windows.md",
            "+++\ntitle = 't'\nseverity = 'breaks'\n[when]\ntorch = '==3.0.*'\nos = 'windows'\ngpu-compute = '<9'\ndriver-branch = '>=R570, <R580'\n[say]\nfinding = 'f'\nfix = 'x'\n[[evidence]]\nsource = 'maker'\n+++\nWhy.\n",
        ),
        (
            "claims/second.toml",
            "[article]\ntitle = 'Another'\n[[claim]]\nid = 'B001'\nstatement = 's'\nkind = 'k'\nverdict = 'refuted'\nevidence = 'e'\n",
        ),
    ]));
    assert_eq!(kb.advisories[0].when.len(), 4);
    assert_eq!(kb.advisories[0].when[0].0, "torch".into(), "in the order of the file");
    assert_eq!(kb.articles.len(), 2);
}

#[test]
fn a_new_relation() {
    let kb = sound(&with(&[
        (
            "relations/colour.md",
            "+++\ntitle = 'Colours'\nsays = '{gpu} is {colours}'\nkey = ['gpu']\n[columns]\ngpu = 'gpu'\ncolours = '[text]'\nsince = 'branch-since?'\n+++\nA.\n\nB.\n",
        ),
        (
            "facts/colour/other.toml",
            "source = 'other'\nread-on = '2026-11-30'\n[[row]]\ngpu = 'red-1'\ncolours = ['red', 'black']\nsince = 'R570 570.86.16'\n",
        ),
    ]));
    let fact = kb.find_fact("colour/other#red-1").expect("there");
    assert_eq!(kb.cell(fact, "colours").map(Value::to_string).as_deref(), Some("red, black"));
    assert!(matches!(kb.cell(fact, "since"), Some(Value::BranchSince(branch, Some(_))) if branch.0 == 570));
}

#[test]
fn a_directory_over_what_is_known() {
    let base = sound(&world());
    let over = DataTree::from_texts([
        // Sorted before every source of the base, so that all indexes move.
        ("sources/a.toml", "title = 'A'\npublisher = 'A'\nkind = 'report'\n"),
        (
            "relations/a-relation.md",
            "+++\ntitle = 't'\nsays = '{gpu}'\nkey = ['gpu']\n[columns]\ngpu = 'gpu'\n+++\nA.\n\nB.\n",
        ),
        ("facts/a-relation/a.toml", "source = 'a'\nread-on = '2026-12-24'\n[[row]]\ngpu = 'red-1'\n"),
        (
            "facts/cuda-minimum-driver/other.toml",
            "source = 'other'\nread-on = '2026-12-01'\n[[row]]\ntoolkit = '12.9.*'\nos = 'linux'\ndriver = '525.60.13'\nalso = ['a']\n",
        ),
        (
            "catalog/gpus/red.toml",
            "[[gpu]]\nid = 'red-1'\nname = 'RED 1 Ti'\narchitecture = 'Red'\nsegment = 'geforce'\n",
        ),
    ]);
    let (kb, diagnostics) = load_over(base.clone(), &over);
    let codes: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["replaces-gpu"], "{}", shown(&diagnostics));
    assert_eq!(&*kb.version, "2026.12.24");
    assert_eq!(kb.gpus.len(), 1);
    assert_eq!(&*kb.gpus[0].name, "RED 1 Ti");
    let source = |name: &str| {
        let fact = kb.find_fact(name).expect("there");
        &*kb.sources[usize::from(kb.table(fact).source)].id
    };
    assert_eq!(source("cuda-minimum-driver/maker#12.*,linux"), "maker");
    assert_eq!(source("a-relation/a#red-1"), "a");
    assert!(kb.find_fact("cuda-minimum-driver/other#12.9.*,linux").is_some());
    assert!(kb.find_fact("cuda-minimum-driver/other#>=12.4, <13,linux").is_none(), "the table was replaced");
    let (again, _) = load_over(base.clone(), &DataTree::new());
    assert_eq!(again, base);
}

#[test]
fn a_contradiction_to_what_is_known_is_found() {
    let base = sound(&world());
    let over = DataTree::from_texts([(
        "facts/gpu-compute-capability/other.toml",
        "source = 'other'\nread-on = '2026-11-30'\n[[row]]\ngpu = 'red-1'\ncompute-capability = '9.0'\n",
    )]);
    let (_, diagnostics) = load_over(base, &over);
    assert_eq!(diagnostics.len(), 1, "{}", shown(&diagnostics));
    assert_eq!(diagnostics[0].code, "unresolved-dispute");
    assert!(
        diagnostics[0].notes[0].contains("gpu-compute-capability/maker#red-1 says compute-capability = 8.6")
    );
}

#[test]
fn a_copy_laid_over_itself_replaces_nothing() {
    let (kb, diagnostics) = load_over(sound(&world()), &world());
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics));
    assert_eq!(kb.gpus, sound(&world()).gpus);
}
