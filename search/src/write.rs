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
const OFTEN: usize = 3;

/// The same documents give the same bytes, in whatever order they come.
pub(crate) fn write(mut documents: Vec<Document>, scope: Scope) -> Vec<u8> {
    // Neighbours are alike, which makes postings small.
    documents.sort_by(|a, b| (&a.address, &a.title).cmp(&(&b.address, &b.title)));
    let mut terms = Terms::default();
    (0..).zip(&documents).for_each(|(number, document)| terms.add(number, document, scope));
    let mut all: Vec<(String, Vec<(u32, Place)>)> =
        terms.numbers.into_iter().map(|(term, at)| (term, std::mem::take(&mut terms.postings[at]))).collect();
    all.sort_unstable_by(|a, b| a.0.cmp(&b.0));

    let mut dictionary = DictionaryWriter::default();
    let mut postings = Vec::new();
    for (term, list) in &all {
        let start = postings.len();
        postings::put(&mut postings, list);
        dictionary.add(term, postings.len() - start);
    }
    join(&Sections { documents: listings(&documents), terms: dictionary.finish(), postings })
}

/// All terms, and in which documents they are.
#[derive(Default)]
struct Terms {
    numbers: HashMap<String, usize>,
    postings: Vec<Vec<(u32, Place)>>,
    /// The terms of one document, as often as they stand in it.
    found: Vec<(usize, Place)>,
}

impl Terms {
    fn add(&mut self, number: u32, document: &Document, scope: Scope) {
        if scope == Scope::Full {
            self.words(&document.text, Place::Text);
        }
        let aliases = document.aliases.iter().map(|alias| (alias, Place::Alias));
        for (name, place) in aliases.chain([(&document.title, Place::Title)]) {
            self.words(name, place);
            let key = name_key(name);
            if !key.is_empty() && key.len() < LONGEST_TERM {
                self.found(format!("{NAME}{key}"), place);
            }
        }
        self.found.sort_unstable();
        for same in self.found.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(term, highest)) = same.last() else { continue };
            let often = highest == Place::Text && same.len() >= OFTEN;
            self.postings[term].push((number, if often { Place::Often } else { highest }));
        }
        self.found.clear();
    }

    fn words(&mut self, text: &str, place: Place) {
        for Word { text, parts, joints } in words(text) {
            for term in [text].into_iter().chain(parts).chain(joints).filter(|term| !term.is_empty()) {
                self.found(term, place);
            }
        }
    }

    fn found(&mut self, term: String, place: Place) {
        let number = match self.numbers.get(&term) {
            Some(number) => *number,
            None => {
                self.numbers.insert(term, self.postings.len());
                self.postings.push(Vec::new());
                self.postings.len() - 1
            }
        };
        self.found.push((number, place));
    }
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
