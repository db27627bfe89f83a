//! From documents to the bytes of an index.

use crate::dictionary::{DictionaryWriter, LONGEST_TERM};
use crate::document::{Document, Scope};
use crate::format::{Sections, join, put_number, put_text};
use crate::postings::{self, Place};
use crate::tokens::{Word, name_key, words};
use std::collections::HashMap;

/// Before the key of a whole name; no word begins so.
pub(crate) const NAME: char = '\u{1}';
/// A word that stands this often in a text is one of its subjects.
const OFTEN: u32 = 3;

/// The same documents give the same bytes, in whatever order they come.
pub(crate) fn write(mut documents: Vec<Document>, scope: Scope) -> Vec<u8> {
    // Neighbours are alike, which makes postings small.
    documents.sort_by(|a, b| (&a.address, &a.title).cmp(&(&b.address, &b.title)));
    let mut terms: HashMap<String, Vec<(u32, Place)>> = HashMap::new();
    for (number, document) in (0..).zip(&documents) {
        for (term, place) in places(document, scope) {
            match terms.get_mut(&term) {
                Some(postings) => postings.push((number, place)),
                None => {
                    terms.insert(term, vec![(number, place)]);
                }
            }
        }
    }
    let mut terms: Vec<(String, Vec<(u32, Place)>)> = terms.into_iter().collect();
    terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));

    let mut dictionary = DictionaryWriter::default();
    let mut all = Vec::new();
    for (term, list) in &terms {
        let start = all.len();
        postings::put(&mut all, list);
        dictionary.add(term, all.len() - start);
    }
    join(&Sections { documents: listings(&documents), terms: dictionary.finish(), postings: all })
}

/// The terms of a document, each once.
fn places(document: &Document, scope: Scope) -> HashMap<String, Place> {
    let mut places = HashMap::new();
    let mut put = |term: String, place: Place| {
        let known = places.entry(term).or_insert(place);
        *known = place.max(*known);
    };
    if scope == Scope::Full {
        let mut counts: HashMap<String, u32> = HashMap::new();
        words(&document.text)
            .into_iter()
            .flat_map(terms)
            .for_each(|term| *counts.entry(term).or_default() += 1);
        for (term, count) in counts {
            put(term, if count >= OFTEN { Place::Often } else { Place::Text });
        }
    }
    let aliases = document.aliases.iter().map(|alias| (alias, Place::Alias));
    for (name, place) in aliases.chain([(&document.title, Place::Title)]) {
        words(name).into_iter().flat_map(terms).for_each(|term| put(term, place));
        let key = name_key(name);
        if !key.is_empty() && key.len() < LONGEST_TERM {
            put(format!("{NAME}{key}"), place);
        }
    }
    places
}

fn terms(word: Word) -> impl Iterator<Item = String> {
    let Word { text, parts, joints } = word;
    std::iter::once(text).filter(|text| !text.is_empty()).chain(parts).chain(joints)
}

/// What is shown of each document; kinds and languages are few and stand once.
fn listings(documents: &[Document]) -> Vec<u8> {
    let mut out = Vec::new();
    let kinds = distinct(documents, |d| &d.kind);
    let languages = distinct(documents, |d| &d.language);
    for list in [&kinds, &languages] {
        put_number(&mut out, list.len());
        list.iter().for_each(|text| put_text(&mut out, text));
    }
    let position = |list: &[&str], text: &str| list.binary_search(&text).unwrap_or_default();
    put_number(&mut out, documents.len());
    for document in documents {
        put_number(&mut out, position(&kinds, &document.kind));
        put_number(&mut out, position(&languages, &document.language));
        out.push(document.weight);
        out.push(words(&document.title).len().min(255) as u8);
        put_text(&mut out, &document.address);
        put_text(&mut out, &document.title);
    }
    out
}

fn distinct(documents: &[Document], field: fn(&Document) -> &String) -> Vec<&str> {
    let mut all: Vec<&str> = documents.iter().map(|d| field(d).as_str()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
