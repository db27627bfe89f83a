//! The page that lists all things of a kind.

use crate::book::Book;
use crate::card_page::Maker;
use crate::kind::Kind;
use crate::language::Tongue;
use crate::page::{Cell, Column, Line, Page, Piece, Section};
use kb_card::list;
use serde_json::Value;
use std::collections::HashMap;

/// The list of `kb list` that knows of a kind, and its keys that become columns.
fn source(kind: Kind) -> Option<(&'static str, &'static [&'static str])> {
    Some(match kind {
        Kind::Gpu => ("gpus", &["compute_capability", "architecture", "segment"]),
        Kind::Branch => ("branches", &["cuda"]),
        Kind::Package => ("packages", &["kind", "releases", "last_import"]),
        Kind::Channel => ("channels", &["kind", "address"]),
        Kind::Accelerator => ("accelerators", &["kind"]),
        Kind::Signature => ("signatures", &["emitted_by"]),
        Kind::Cause => ("causes", &["family"]),
        Kind::Relation => ("relations", &["facts"]),
        Kind::Dispute => ("disputes", &["since"]),
        Kind::Advisory => ("advisories", &["severity"]),
        Kind::Source => ("sources", &["kind", "publisher"]),
        _ => return None,
    })
}

/// The page of a kind. `titles` are those of the things, in the order of the book.
pub(crate) fn page(maker: Maker<'_, '_, '_>, kind: Kind, titles: &[String]) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let language = tongue.language;
    let (entries, keys): (HashMap<String, list::Entry>, &[&str]) = match source(kind) {
        Some((what, keys)) => {
            (list::of(book.kb, what, language.tag()).into_iter().map(|e| (e.id.clone(), e)).collect(), keys)
        }
        None => (HashMap::new(), &[]),
    };
    let mut columns =
        vec![Column { label: tongue.word(&format!("ui-k-{}", kind.word())), key: "name".to_owned() }];
    columns.extend(keys.iter().map(|key| Column { label: tongue.word(label(key)), key: (*key).to_owned() }));
    let things = book.things.iter().zip(titles).filter(|(t, _)| t.kind == kind);
    let rows: Vec<Line> = things
        .map(|(thing, title)| {
            let entry = entries.get(&thing.id);
            let mut cells = vec![Cell::link(title.as_str(), Some(book.link(language, &thing.address)))];
            cells.extend(keys.iter().map(|key| cell(maker, key, entry.and_then(|e| e.value.get(*key)))));
            Line { id: None, cells }
        })
        .collect();
    let title = tongue.word(&kind.plural());
    let count = rows.len().to_string();
    Page {
        address: format!("{}/", kind.segment()),
        description: tongue.say("ui-site-about-list", &[("title", title.clone()), ("count", count.clone())]),
        crumbs: home(book, tongue),
        kind: None,
        sections: vec![Section::Table {
            id: "all".to_owned(),
            title: tongue.say("ui-site-count", &[("count", count)]),
            columns,
            tools: rows.len() > 8,
            rows,
            note: None,
            lang: None,
        }],
        json: Some("api/v1/index.json".to_owned()),
        subject: format!("list of {}", kind.word()),
        title,
    }
}

/// The path of a page right below the home page.
pub(crate) fn home(book: &Book<'_, '_>, tongue: &Tongue<'_>) -> Vec<Piece> {
    vec![Piece::link(tongue.word("ui-site-home"), Some(book.link(tongue.language, "")))]
}

fn label(key: &str) -> &'static str {
    match key {
        "compute_capability" => "ui-f-compute-capability",
        "architecture" => "ui-f-architecture",
        "segment" => "ui-f-segment",
        "cuda" => "ui-f-cuda",
        "releases" => "ui-f-releases",
        "last_import" => "ui-list-import",
        "address" => "ui-f-address",
        "emitted_by" => "ui-f-emitted-by",
        "family" => "ui-f-family",
        "facts" => "ui-f-rows",
        "since" => "ui-f-since",
        "severity" => "ui-f-severity",
        "publisher" => "ui-f-publisher",
        _ => "ui-f-type",
    }
}

fn cell(maker: Maker<'_, '_, '_>, key: &str, value: Option<&Value>) -> Cell {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(value) => kb_card::entry_text(value),
    };
    let kind = match key {
        "compute_capability" => Some(Kind::Capability),
        "cuda" => Some(Kind::Cuda),
        _ => None,
    };
    let href = kind.and_then(|kind| maker.book.href(maker.tongue.language, kind, &text));
    Cell::link(text, href)
}
