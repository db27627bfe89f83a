//! Every sentence that the command line says is in the word table of every language.

use std::collections::BTreeSet;
use std::path::Path;

/// The ids in a source text: `"ui-…"` as a whole literal.
fn ids(text: &str, out: &mut BTreeSet<String>) {
    for part in text.split('"') {
        let plain = part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if part.starts_with("ui-") && plain && !part.ends_with('-') {
            out.insert(part.to_owned());
        }
    }
}

fn walk(dir: &Path, out: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).expect("src can be listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else {
            ids(&std::fs::read_to_string(&path).expect("a source file is text"), out);
        }
    }
}

#[test]
fn every_sentence_is_there() {
    let mut wanted = BTreeSet::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut wanted);
    assert!(wanted.len() > 50, "the ids were found");
    let kb = kb_data::builtin_full();
    let mut missing = Vec::new();
    for words in &kb.words {
        for id in wanted.iter().filter(|id| !words.sentences.contains_key(id.as_str())) {
            missing.push(format!("{}: {id}", words.language));
        }
    }
    assert!(missing.is_empty(), "merge WORDS-ui-*.toml into kb-data/data/words: {missing:?}");
}
