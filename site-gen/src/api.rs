//! The static JSON: a document for each thing, and one that lists them.

use crate::Options;
use crate::book::{Book, Thing};
use crate::kind::Kind;
use crate::language::Language;
use crate::pages::thing::document;
use kb_card::Card;
use serde_json::{Map, Value, json};

/// The schema's number; it goes up when a key changes its meaning.
const SCHEMA: u32 = 1;

fn head(book: &Book<'_, '_>, options: &Options) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("schema".to_owned(), json!(SCHEMA));
    out.insert("generated_at".to_owned(), json!(options.generated_at));
    out.insert("data".to_owned(), json!(book.kb.version));
    out
}

/// The document of a thing: its card, as `kb show --json` gives it.
pub(crate) fn thing(book: &Book<'_, '_>, options: &Options, thing: &Thing, card: &Card) -> (String, Vec<u8>) {
    let mut out = head(book, options);
    out.insert("page".to_owned(), json!(book.link(Language::English, &thing.address)));
    out.extend(card.document(book.kb));
    (document(thing), bytes(&out))
}

/// The list of all documents, by kind. `titles` stand in the order of the things.
pub(crate) fn index(book: &Book<'_, '_>, options: &Options, titles: &[String]) -> (String, Vec<u8>) {
    let mut kinds = Map::new();
    for kind in Kind::ALL {
        let entries: Vec<Value> = book
            .things
            .iter()
            .zip(titles)
            .filter(|(thing, _)| thing.kind == kind)
            .map(|(thing, title)| {
                json!({
                    "id": thing.id,
                    "title": title,
                    "page": book.link(Language::English, &thing.address),
                    "document": format!("{}{}", book.base, document(thing)),
                })
            })
            .collect();
        kinds.insert(kind.word().to_owned(), Value::Array(entries));
    }
    let mut out = head(book, options);
    out.insert("kinds".to_owned(), Value::Object(kinds));
    ("api/v1/index.json".to_owned(), bytes(&out))
}

fn bytes(document: &Map<String, Value>) -> Vec<u8> {
    let mut out = serde_json::to_vec(document).unwrap_or_default();
    out.push(b'\n');
    out
}
