//! Whatever the bytes and whatever the query: an answer or an error.

use kb_search::tokens::{leads, name_key, words};
use kb_search::{Document, Index, Query, Scope, Why};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn document() -> impl Strategy<Value = Document> {
    let name = "[A-Za-z显存 0-9._+=-]{1,20}";
    let text = "([A-Za-z]{1,6}|[0-9]{1,3}(\\.[0-9]{1,3}){0,3}|[显存不足驱动]{1,5}| ){0,30}";
    (name, prop::collection::vec(name, 0..3), text, any::<u8>(), prop::sample::select(vec!["en", "zh"]))
        .prop_map(|(title, aliases, text, weight, language)| Document {
            address: format!("/{title}/{language}/"),
            title,
            kind: "page".into(),
            language: language.into(),
            aliases,
            text,
            weight,
        })
}

fn texts(document: &Document) -> impl Iterator<Item = &str> {
    document.aliases.iter().chain([&document.title, &document.text]).map(String::as_str)
}

/// Does a text speak of this version, of one that it begins with, or of one that begins with it?
fn tells(text: &str, version: &str) -> bool {
    let longer = format!("{version}.");
    let shorter: Vec<&str> = leads(version).collect();
    words(text).iter().any(|word| {
        let mut all = word.parts.iter().chain(&word.joints).chain([&word.text]);
        all.any(|term| term == version || term.starts_with(&longer) || shorter.contains(&term.as_str()))
    })
}

proptest! {
    #[test]
    fn bytes_of_anybody_are_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..300), begun in any::<bool>()) {
        if begun {
            bytes.splice(0..0, *b"kbsearch\x01\x00");
        }
        prop_assert!(Index::open(&bytes).is_err());
    }

    #[test]
    fn a_changed_index_is_an_error(
        documents in prop::collection::vec(document(), 0..5),
        at in any::<prop::sample::Index>(),
        bit in 0u8..8,
    ) {
        let good = Index::build(documents, Scope::Full);
        let mut changed = good.clone();
        changed[at.index(good.len())] ^= 1 << bit;
        prop_assert!(Index::open(&changed).is_err());
        prop_assert!(Index::open(&good[..at.index(good.len())]).is_err(), "cut off");
    }

    #[test]
    fn any_query_is_answered(documents in prop::collection::vec(document(), 0..5), text in any::<String>(), limit in 0usize..5) {
        let bytes = Index::build(documents, Scope::Full);
        let index = Index::open(&bytes).expect("what was written can be read");
        let hits = index.find(&Query { text: &text, language: Some("zh"), limit });
        prop_assert!(hits.len() <= limit);
    }

    #[test]
    fn the_order_of_documents_changes_no_byte(documents in prop::collection::vec(document(), 0..6)) {
        let mut turned = documents.clone();
        turned.reverse();
        // Two documents with one address and title have no order of their own.
        let distinct = documents.iter().map(|d| (&d.address, &d.title)).collect::<BTreeSet<_>>().len();
        prop_assume!(distinct == documents.len());
        prop_assert_eq!(Index::build(documents, Scope::Full), Index::build(turned, Scope::Full));
    }

    #[test]
    fn a_title_finds_its_document_first(documents in prop::collection::vec(document(), 1..8)) {
        let bytes = Index::build(documents.clone(), Scope::Full);
        let index = Index::open(&bytes).expect("what was written can be read");
        for document in documents {
            let key = name_key(&document.title);
            if key.is_empty() {
                continue;
            }
            let hits = index.search(&document.title, 10);
            let first = name_key(hits[0].document.title);
            prop_assert_eq!(first, key, "{:?} in {:?}", document.title, hits);
        }
    }

    #[test]
    fn a_word_is_found_where_it_stands_and_a_version_nowhere_else(documents in prop::collection::vec(document(), 1..8)) {
        let bytes = Index::build(documents.clone(), Scope::Full);
        let index = Index::open(&bytes).expect("what was written can be read");
        for document in &documents {
            // A word that is too long is not one that could be asked for.
            for word in words(&document.text).into_iter().filter(|word| !word.text.is_empty()) {
                let hits = index.search(&word.text, 1000);
                let found = hits.iter().any(|hit| hit.document.address == document.address);
                prop_assert!(found, "{:?} of {:?}: {hits:?}", word.text, document);
                let version = word.text.contains('.') && word.text.bytes().all(|b| b == b'.' || b.is_ascii_digit());
                if version {
                    for hit in hits.iter().filter(|hit| hit.why != Why::Name) {
                        let listed = documents.iter().filter(|d| d.address == hit.document.address);
                        let told = listed.flat_map(texts).any(|text| tells(text, &word.text));
                        prop_assert!(told, "{:?} and {hit:?}", word.text);
                    }
                }
            }
        }
    }
}
