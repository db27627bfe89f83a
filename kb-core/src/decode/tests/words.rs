//! Every sentence that is used is written, in both languages, with the places that the reader fills.

use super::{fixture, table};
use crate::decode::{Decoded, decode};
use std::collections::{BTreeMap, BTreeSet};

fn sentences() -> [BTreeMap<String, String>; 2] {
    let text = include_str!("../WORDS.md");
    let mut blocks = text.split("```toml").skip(1).map(|b| b.split("```").next().unwrap_or(""));
    let mut next =
        || -> BTreeMap<String, String> { toml::from_str(blocks.next().expect("two blocks")).expect("TOML") };
    [next(), next()]
}

fn places(template: &str) -> BTreeSet<&str> {
    template.split('{').skip(1).filter_map(|p| p.split_once('}')).map(|(p, _)| p).collect()
}

fn fills(words: &BTreeMap<String, String>, id: &str, values: &[(&str, String)], name: &str) {
    let template = words.get(id).unwrap_or_else(|| panic!("no sentence {id}"));
    for place in places(template) {
        assert!(values.iter().any(|(k, _)| *k == place), "{id} has no value for {{{place}}} ({name})");
    }
}

#[test]
fn both_languages_have_the_same_sentences_and_places() {
    let [en, zh] = sentences();
    assert_eq!(en.keys().collect::<Vec<_>>(), zh.keys().collect::<Vec<_>>());
    for (id, template) in &en {
        assert_eq!(places(template), places(&zh[id]), "{id}");
    }
}

#[test]
fn every_place_is_filled() {
    let [en, _] = sentences();
    let kb = fixture::kb();
    let mut used = BTreeSet::new();
    let names = table::ROWS.iter().map(|r| r.0).chain(table::MORE.iter().copied());
    for name in names {
        for Decoded { sentence, values, notes, .. } in decode(&kb, name) {
            fills(&en, sentence, &values, name);
            used.insert(sentence);
            for (id, values) in notes {
                fills(&en, id, &values, name);
                used.insert(id);
            }
        }
    }
    let unused: Vec<&String> = en.keys().filter(|k| !used.contains(k.as_str())).collect();
    assert!(unused.is_empty(), "no name of the tests leads to {unused:?}");
}
