//! Each mistake has a message that says what is wrong, where, and how to put it right.

mod common;

use common::{edited, shown, with};
use kb_core::diag::Diagnostic;
use kb_data::authoring::load;
use kb_data::tree::DataTree;

/// The messages of one code; there must be one at least.
fn found(tree: &DataTree, code: &str) -> Vec<Diagnostic> {
    let all = load(tree).1;
    let some: Vec<Diagnostic> = all.iter().filter(|d| d.code == code).cloned().collect();
    assert!(!some.is_empty(), "no {code} among:\n{}", shown(&all));
    some
}

/// Exactly one mistake, with this code; its text must hold all the pieces.
fn one(tree: &DataTree, code: &str, pieces: &[&str]) -> Diagnostic {
    let all = load(tree).1;
    assert_eq!(all.len(), 1, "not one but:\n{}", shown(&all));
    assert_eq!(all[0].code, code, "{}", all[0]);
    let text = all[0].to_string();
    for piece in pieces {
        assert!(text.contains(piece), "no {piece:?} in:\n{text}");
    }
    assert!(all[0].place.is_some());
    all[0].clone()
}

const DRIVERS: &str = "facts/cuda-minimum-driver/maker.toml";

#[test]
fn unknown_key() {
    let tree = edited(DRIVERS, "driver = '525.60.13'", "driver = '525.60.13'\nnoet = 'x'");
    let d = one(&tree, "unknown-key", &["`noet`", "known here: `also`, `driver`", "did you mean `note`?"]);
    let place = d.place.expect("a place");
    assert_eq!((place.line, place.column, place.length, &*place.text), (8, 1, 4, "noet = 'x'"));
}

#[test]
fn missing_key() {
    let tree = edited(DRIVERS, "os = 'linux'\n", "");
    one(&tree, "missing-key", &["this row has no `os`", "maker.toml:4:1", "write os = \"linux\""]);
    one(
        &edited("sources/maker.toml", "title = 'The maker'\n", ""),
        "missing-key",
        &["the key `title` is missing"],
    );
    one(&edited(DRIVERS, "read-on = '2026-11-29'\n", ""), "missing-key", &["`read-on`"]);
}

#[test]
fn missing_source() {
    let tree = edited(DRIVERS, "source = 'maker'\n", "");
    assert!(found(&tree, "missing-source")[0].to_string().contains("the key `source` is missing"));
    let advisory =
        "+++\ntitle = 't'\nseverity = 'note'\n[when]\ntorch = '*'\n[say]\nfinding = 'f'\nfix = 'x'\n+++\n";
    one(&with(&[("advisories/a.md", advisory)]), "missing-source", &["[[evidence]]"]);
}

#[test]
fn wrong_type() {
    let tree = edited(DRIVERS, "driver = '580.65.06'", "driver = 580.65");
    let d = one(
        &tree,
        "wrong-type",
        &["`driver` wants a version in quotes", "driver = \"12.4.1\"", "versions need quotes"],
    );
    assert!(d.to_string().contains("          ^^^^^^"), "{d}");
    let tree = edited("facts/build-made-with/maker.toml", "cuda = '12.6'", "cuda = ['12.6']");
    one(&tree, "wrong-type", &["not a list"]);
    let tree = edited(DRIVERS, "read-on = '2026-11-29'", "read-on = 2026-11-29");
    one(&tree, "wrong-type", &["dates need quotes"]);
}

#[test]
fn unknown_word() {
    one(
        &edited(DRIVERS, "os = 'linux'", "os = 'linus'"),
        "unknown-word",
        &["`os` cannot be `linus`", "did you mean `linux`?"],
    );
    one(
        &edited("sources/maker.toml", "vendor-document", "hearsay"),
        "unknown-word",
        &["one of: `device-code`, `measured`, `artifact`"],
    );
    let tree =
        with(&[("relations/x.md", "+++\ntitle = 't'\nsays = 's'\nkey = ['a']\n[columns]\na = 'txt'\n+++\n")]);
    found(&tree, "unknown-word");
}

#[test]
fn bad_version() {
    one(&edited(DRIVERS, "'580.65.06'", "'580.x'"), "bad-version", &["`580.x` is not a version"]);
    one(&edited(DRIVERS, "'580.65.06'", "'>=580'"), "bad-version", &["this looks like a range"]);
    let tree = edited("facts/gpu-compute-capability/maker.toml", "'8.6'", "'eight'");
    assert!(found(&tree, "bad-version")[0].message.contains("compute capability"));
    found(&edited("imported/pypi/release/torch.toml", "'2.9.0'", "'2.9.0-nightly-x'"), "bad-version");
}

#[test]
fn bad_range_and_impossible_range() {
    found(&edited(DRIVERS, "'13.*'", "'13.x'"), "bad-range");
    let d = &found(&edited(DRIVERS, "'13.*'", "'>=13, <12'"), "impossible-range")[0];
    assert!(d.to_string().contains("no version is in `>=13, <12`"));
    let path = "facts/build-made-with/maker.toml";
    assert!(
        found(&edited(path, "'==2.8.*'", "'2.8'"), "bad-range")[0].to_string().contains("write \"==2.8\"")
    );
    found(&edited(path, "'==2.8.*'", "'>=3, <2'"), "impossible-range");
}

#[test]
fn bad_requirement() {
    let table = "source = 'index'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversions = '==2.8.0'\nrequires = ['numpy>=1.26', 'numpy >> 2']\n";
    one(
        &with(&[("facts/build-requires/index.toml", table)]),
        "bad-requirement",
        &["`numpy >> 2`", "index.toml:6:28"],
    );
}

#[test]
fn duplicate_fact() {
    let tree = edited(DRIVERS, "toolkit = '13.*'", "toolkit = '12.*'");
    one(
        &tree,
        "duplicate-fact",
        &["cuda-minimum-driver/maker#12.*,linux", "the first stands in line 4", "the key is too small"],
    );
}

#[test]
fn duplicate_id() {
    let twice = "[[gpu]]\nid = 'red-1'\nname = 'R'\narchitecture = 'Red'\nsegment = 'geforce'\n";
    one(
        &with(&[("catalog/gpus/sred.toml", twice)]),
        "duplicate-id",
        &["two GPUs have the id `red-1`", "catalog/gpus/red.toml:1"],
    );
    let claim = "[article]\ntitle = 'A'\n[[claim]]\nid = 'A001'\nstatement = 's'\nkind = 'k'\nverdict = 'partly'\nevidence = 'e'\n";
    one(
        &with(&[("claims/z.toml", claim)]),
        "duplicate-id",
        &["two claims have the id `A001`", "claims/guide.toml:3"],
    );
    one(
        &edited("facts/gpu-compute-capability/maker.toml", "['other']", "['maker']"),
        "duplicate-id",
        &["`also` names the table's own source"],
    );
    let table =
        "source = 'pypi-torch'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversion = '1.0'\n";
    let source = "title = 't'\npublisher = 'p'\nkind = 'report'\n";
    let tree = with(&[("facts/release/pypi-torch.toml", table), ("sources/pypi-torch.toml", source)]);
    one(&tree, "duplicate-id", &["two tables of `release` would be called `pypi-torch`"]);
}

#[test]
fn pointers_into_nothing() {
    let gpu =
        "source = 'other'\nread-on = '2026-11-30'\n[[row]]\ngpu = 'red-2'\ncompute-capability = '8.6'\n";
    let d = one(
        &with(&[("facts/gpu-compute-capability/other.toml", gpu)]),
        "dangling-gpu",
        &["no GPU is called `red-2`", "near: red-1"],
    );
    assert_eq!(d.place.map(|p| (p.line, p.column)), Some((4, 7)));
    let path = "facts/build-made-with/maker.toml";
    one(
        &edited(path, "'torch'", "'troch'"),
        "dangling-package",
        &["near: torch", "catalog/packages/troch.toml"],
    );
    one(&edited(path, "'pypi'", "'pipy'"), "dangling-channel", &["near: pypi"]);
    one(
        &edited("facts/gpu-compute-capability/maker.toml", "['other']", "['others']"),
        "dangling-source",
        &["near: other"],
    );
    let tree = with(&[(
        "facts/releases/maker.toml",
        "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\na = 'b'\n",
    )]);
    one(&tree, "dangling-relation", &["no relation is called `releases`", "near: release"]);
    one(
        &edited("topics/drivers.md", "'A001'", "'A002'"),
        "dangling-claim",
        &["no claim is called `A002`", "near: A001"],
    );
    one(
        &edited("topics/drivers.md", "#12.*,linux", "#12.*,linus"),
        "dangling-fact",
        &["near: cuda-minimum-driver/maker#12.*,linux"],
    );
    let tree = with(&[(
        "relations/x.md",
        "+++\ntitle = 't'\nsays = 's'\nkey = ['b']\n[columns]\na = 'text'\n+++\n",
    )]);
    one(&tree, "dangling-column", &["`key` names `b`", "columns: `a`"]);
}

#[test]
fn bad_id() {
    let file = ("sources/The Maker.toml", "title = 't'\npublisher = 'p'\nkind = 'report'\n");
    one(&with(&[file]), "bad-id", &["`The Maker` is not an id", "write `the-maker`"]);
    let table =
        "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\ngpu = 'red-1'\ncompute-capability = '8.6'\n";
    one(
        &with(&[("facts/gpu-compute-capability/other.toml", table)]),
        "bad-id",
        &["the file is called `other`, its source `maker`"],
    );
}

#[test]
fn bad_date() {
    one(&edited(DRIVERS, "2026-11-29", "2026-11-31"), "bad-date", &["the calendar has no day `2026-11-31`"]);
    one(&edited(DRIVERS, "2026-11-29", "2026-11"), "bad-date", &["year, month and day"]);
}

#[test]
fn whole_files() {
    one(&with(&[("sources/big.toml", &"#".repeat((8 << 20) + 1))]), "file-too-large", &["8388609 bytes"]);
    let mut tree = with(&[]);
    tree.insert("sources/latin.toml", &b"title = 'x'\n# caf\xe9\n"[..]);
    one(&tree, "wrong-encoding", &["line 2", "UTF-8"]);
    one(&with(&[("source/x.toml", "")]), "unknown-file", &["files like it: sources"]);
    one(&with(&[("facts/release/x.md", "")]), "unknown-file", &["facts/<relation>/<source>.toml"]);
    one(
        &with(&[("topics/x.md", "title = 't'\n")]),
        "bad-front-matter",
        &["does not start with a line `+++`"],
    );
    one(&with(&[("topics/x.md", "+++\ntitle = 't'\n")]), "bad-front-matter", &["not closed"]);
    one(
        &with(&[("sources/x.toml", "title = 'a'\ntitle = 'b'\n")]),
        "bad-toml",
        &["duplicate key", "x.toml:2:1"],
    );
}

#[test]
fn unknown_placeholder() {
    let tree = edited("relations/release.md", "{version}", "{verison}");
    one(&tree, "unknown-placeholder", &["the place {verison}, which is no column", "`package`, `version`"]);
    let tree = edited("catalog/channels/pypi.toml", "{requirement}", "{name}");
    one(&tree, "unknown-placeholder", &["a command has no place {name}", "`requirement`"]);
}

#[test]
fn cycle() {
    let tree = edited("catalog/packages/torch.toml", "main = 1", "main = 1\nmembers = ['torch-cpu']");
    one(&tree, "cycle", &["torch → torch-cpu → torch"]);
}

#[test]
fn unquotable_code() {
    let with = |code: &str| {
        edited("catalog/packages/torch.toml", "main = 1", &format!("main = 1\ngpu-check = {code}"))
    };
    assert!(load(&with("\"import torch; print(torch.f('x'))\"")).1.is_empty());
    one(&with("'print(\"x\")'"), "unquotable-code", &["`print(\"x\")`", "single quotes"]);
    one(&with("' '"), "unquotable-code", &["one line of Python"]);
}

#[test]
fn unresolved_dispute() {
    let mut tree = with(&[]);
    tree.remove("disputes/cuda-minimum-driver/12-linux.md");
    let d = one(
        &tree,
        "unresolved-dispute",
        &[
            "cuda-minimum-driver/other#>=12.4, <13,linux says driver = 530.01",
            "maker#12.*,linux says driver = 525.60.13",
            "maker.toml:4",
            "disputes/cuda-minimum-driver/<name>.md",
        ],
    );
    assert_eq!(d.place.expect("a place").path, "facts/cuda-minimum-driver/other.toml");
    // The same source against itself.
    let tree = edited(DRIVERS, "toolkit = '13.*'", "toolkit = '12.1'");
    one(&tree, "unresolved-dispute", &["one source cannot say two things"]);
}

#[test]
fn disputes_by_pep_440_look_at_releases() {
    let table = |versions: &str, cuda: &str| {
        format!(
            "source = 'other'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversions = '{versions}'\nchannel = 'pypi'\ncuda = '{cuda}'\n"
        )
    };
    let path = "facts/build-made-with/other.toml";
    one(&with(&[(path, &table(">=2.7, <2.9", "12.8"))]), "unresolved-dispute", &["cuda = 12.8"]);
    // The sets share 2.8.5, which was never released.
    assert!(load(&with(&[(path, &table(">2.8.0, <2.9", "12.8"))])).1.is_empty());
    // Above the newest known release the numbers alone decide.
    let mut tree = edited("facts/build-made-with/maker.toml", "==2.8.*", ">=3, <4");
    tree.insert(path, table("==3.1.*", "12.8"));
    one(&tree, "unresolved-dispute", &["cuda = 12.8"]);
    // The same number with another number of parts.
    assert!(load(&with(&[(path, &table("==2.8.0", "12.6.0"))])).1.is_empty());
    // Withdrawn facts disagree with nobody.
    let withdrawn = table("==2.8.0", "12.8") + "withdrawn = { on = '2026-11-30', why = 'a slip' }\n";
    assert!(load(&with(&[(path, &withdrawn)])).1.is_empty());
}

#[test]
fn stale_dispute() {
    let tree = edited("facts/cuda-minimum-driver/other.toml", "530.01", "525.60.13");
    one(
        &tree,
        "stale-dispute",
        &["the facts of the dispute cuda-minimum-driver/12-linux do not disagree", "delete the file"],
    );
    let tree = edited("disputes/cuda-minimum-driver/12-linux.md", "['other']", "['other', 'index']");
    one(&tree, "stale-dispute", &["`index` does not disagree", "take `index` out"]);
}

#[test]
fn neither_source_is_followed() {
    let path = "disputes/cuda-minimum-driver/12-linux.md";
    let (kb, diagnostics) = load(&edited(path, "prefer = 'maker'\nover = ['other']", "prefer = 'neither'"));
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics));
    assert_eq!(kb.disputes[0].prefer, None);
    // A dispute that cannot be read settles nothing.
    found(&edited(path, "over = ['other']\n", ""), "missing-key");
    let tree = edited(path, "toolkit = '12.4', ", "toolkit = '12.4', driver = '1', ");
    assert!(found(&tree, "unknown-key")[0].to_string().contains("its key: `toolkit`, `os`"));
}

#[test]
fn a_relation_keeps_its_columns() {
    let base = load(&with(&[])).0;
    let changed = DataTree::from_texts([(
        "relations/release.md",
        "+++\ntitle = 't'\nsays = 's'\nkey = ['package']\n[columns]\npackage = 'package'\n+++\n",
    )]);
    let (kb, diagnostics) = kb_data::authoring::load_over(base.clone(), &changed);
    assert_eq!(diagnostics[0].code, "duplicate-id");
    assert_eq!(kb.relations, base.relations);
}

#[test]
fn all_mistakes_of_all_files_at_once() {
    let mut tree = edited(DRIVERS, "'580.65.06'", "'580.x'");
    tree.insert("sources/broken.toml", "title = \n");
    tree.insert("sources/empty.toml", "");
    tree.insert("catalog/gpus/bad.toml", "[[gpu]]\nid = 'BAD'\n[[gpu]]\nid = 'good-1'\nnam = 'x'\n");
    tree.insert("nowhere.toml", "");
    let diagnostics = load(&tree).1;
    let paths: Vec<(&str, &str)> =
        diagnostics.iter().map(|d| (d.place.as_ref().map_or("", |p| p.path.as_str()), d.code)).collect();
    assert_eq!(
        paths,
        [
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "bad-id"),
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "missing-key"),
            ("catalog/gpus/bad.toml", "unknown-key"),
            (DRIVERS, "bad-version"),
            ("nowhere.toml", "unknown-file"),
            ("sources/broken.toml", "bad-toml"),
            ("sources/empty.toml", "missing-key"),
            ("sources/empty.toml", "missing-key"),
            ("sources/empty.toml", "missing-key"),
        ],
        "{}",
        shown(&diagnostics)
    );
}
