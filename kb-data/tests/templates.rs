//! The templates are valid, with and without their optional lines.

mod common;

use common::{shown, sound, world};
use kb_data::authoring::load;
use kb_data::scaffold::{KINDS, scaffold};

/// Takes the comment mark off the optional keys.
fn uncommented(text: &str) -> String {
    let optional = |line: &&str| {
        let Some(rest) = line.strip_prefix("# ") else { return false };
        rest.starts_with("[[")
            || rest.split_once(" = ").is_some_and(|(key, value)| {
                key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
                    && value.starts_with(['"', '\'', '[', '{', 't', '2', '5', '9'])
            })
    };
    text.lines().map(|line| if optional(&line) { &line[2..] } else { line }).collect::<Vec<_>>().join("\n")
        + "\n"
}

fn arguments(kind: &str) -> &'static [&'static str] {
    match kind {
        "gpu" => &["violet-3", "violet"],
        "fact" => &["cuda-minimum-driver", "index"],
        "release" => &["torch", "2.10.0", "maker"],
        "dispute" => &["cuda-minimum-driver", "thirteen"],
        _ => &["something"],
    }
}

#[test]
fn every_template_loads() {
    let kb = sound(&world());
    for (kind, _) in KINDS {
        let files = scaffold(&kb, kind, arguments(kind), "2026-11-30").expect(kind);
        for optional in [false, true] {
            let mut tree = world();
            for file in &files {
                let text = file.content.replace("SOURCE", "maker").replace("OTHER", "other");
                let text = text.replace("MESSAGE", "the message as it is");
                // What they name has to be there.
                for (other, id) in [("cause", "why"), ("signature", "it-broke")] {
                    let file = scaffold(&kb, other, &[id], "2026-11-30").expect("made").remove(0);
                    tree.insert(file.path, file.content.replace("MESSAGE", "the message as it is"));
                }
                let text = text.replace("\"CAUSE\"", "\"why\"").replace("SIGNATURE", "it-broke");
                let text = if optional { uncommented(&text) } else { text };
                tree.insert(file.path.clone(), text);
            }
            let diagnostics = load(&tree).1;
            // The examples of a dispute's and a table's cells are not about this world.
            let told: Vec<_> = diagnostics
                .into_iter()
                .filter(|d| !(kind == "dispute" && d.code == "stale-dispute"))
                .filter(|d| !(kind == "fact" && d.code == "unresolved-dispute"))
                .filter(|d| !(kind == "fact" && d.message.contains("`12.4.1`")))
                .collect();
            assert!(told.is_empty(), "{kind}:\n{}\n{}", shown(&told), files[0].content);
        }
    }
}

#[test]
fn an_unfilled_template_is_reported() {
    let kb = sound(&world());
    let files = scaffold(&kb, "gpu", &["violet-3", "violet"], "2026-11-30").expect("made");
    let mut tree = world();
    tree.insert(files[0].path.clone(), files[0].content.clone());
    let diagnostics = load(&tree).1;
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].message, "no source is called `SOURCE`");
}

#[test]
fn blocks_can_be_appended() {
    let kb = sound(&world());
    let files = scaffold(&kb, "gpu", &["red-2", "red"], "2026-11-30").expect("made");
    let mut text =
        String::from_utf8(world().get("catalog/gpus/red.toml").expect("there").to_vec()).expect("text");
    text.push_str(files[0].append.as_deref().expect("a block"));
    let mut tree = world();
    tree.insert(files[0].path.clone(), text.replace("SOURCE", "maker"));
    assert_eq!(sound(&tree).gpus.len(), 2);
}

#[test]
fn wrong_arguments_are_explained() {
    let kb = sound(&world());
    let error = |kind: &str, arguments: &[&str]| {
        scaffold(&kb, kind, arguments, "2026-11-30").expect_err("wrong").code
    };
    assert_eq!(error("colour", &[]), "unknown-kind");
    assert_eq!(error("fact", &["release"]), "missing-argument");
    assert_eq!(error("fact", &["realese", "maker"]), "dangling-relation");
    assert_eq!(error("source", &["../../etc/passwd"]), "bad-id");
    assert_eq!(error("release", &["torch", "zzz", "maker"]), "bad-version");
    assert_eq!(error("release", &["nopkg", "1.0", "maker"]), "dangling-package");
}
