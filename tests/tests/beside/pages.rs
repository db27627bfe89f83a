//! Pages of causes and messages, and the stubs of new ones.

use super::{Scratch, TOO_OLD, kb, text};

fn said(arguments: &[&str]) -> (Option<i32>, String) {
    let out = kb(arguments).output().expect("it starts");
    (out.status.code(), text(&out.stdout) + &text(&out.stderr))
}

#[test]
fn every_page_can_be_read_in_every_language() {
    let full = kb_data::builtin_full();
    let first = full.causes.iter().map(|c| &*c.id).take(2);
    for id in first.chain(full.signatures.iter().map(|s| &*s.id).take(2)) {
        for command in ["explain", "show"] {
            let (code, english) = said(&[command, id]);
            assert_eq!(code, Some(0), "{english}");
            let (_, chinese) = said(&[command, id, "--lang", "zh-Hans"]);
            assert_ne!(english, chinese, "{id}");
        }
        let (_, document) = said(&["explain", id, "--json"]);
        let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
        assert_eq!(document["id"], id);
    }
}

#[test]
fn a_message_is_explained_by_its_text() {
    let (code, page) = said(&["explain", TOO_OLD]);
    assert_eq!(code, Some(0), "{page}");
    assert!(page.starts_with("Message: ") && page.contains("driver-too-old"), "{page}");
    let (code, nothing) = said(&["explain", "nothing that anybody ever printed"]);
    assert_eq!((code, nothing.contains("unknown-name")), (Some(2), true), "{nothing}");
    let (_, near) = said(&["explain", "driver-to-old"]);
    assert!(near.contains("near: driver-too-old"), "{near}");
}

#[test]
fn new_pages_are_written_and_checked() {
    let scratch = Scratch::new("new");
    std::fs::create_dir_all(scratch.file("data")).expect("made");
    let data = scratch.file("data").display().to_string();
    for (kind, path) in [("signature", "signatures/it-broke.md"), ("cause", "causes/it-broke.md")] {
        let (code, out) = said(&["new", kind, "it-broke", "--data", &data]);
        assert_eq!(code, Some(0), "{out}");
        assert!(scratch.file("data").join(path).is_file(), "{out}");
        let (code, again) = said(&["new", kind, "it-broke", "--data", &data]);
        assert_eq!(code, Some(2), "{again}");
    }
    // The stub of a message says what has to be written.
    let (code, lint) = said(&["lint", &data]);
    assert_eq!(code, Some(2), "{lint}");
    assert!(lint.contains("short-needle"), "{lint}");
    let (code, taken) = said(&["new", "cause", "driver-too-old", "--dry-run"]);
    assert_eq!((code, taken.contains("already-there")), (Some(2), true), "{taken}");
}
