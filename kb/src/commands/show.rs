//! `kb show`: what is known under an id, of whatever kind.

use super::Session;
use crate::Outcome;
use crate::args::Show;
use crate::output::{card, json};
use crate::spelling;
use diagnose::needles::Needles;
use diagnose::sift::sift;
use kb_card::{Card, diagnosis, find, gpu};
use kb_core::kb::Kb;
use serde_json::{Map, Value, json};

/// The pages of the messages in a text.
pub(super) fn messages(kb: &Kb, text: &str, language: &str) -> Vec<Card> {
    let needles = Needles::new(kb, &[]);
    let Ok(excerpt) = sift(&needles, &mut text.as_bytes()) else { return Vec::new() };
    let mut found: Vec<usize> = Vec::new();
    for hit in &excerpt.hits {
        if !found.contains(&hit.signature) {
            found.push(hit.signature);
        }
    }
    found.iter().filter_map(|s| kb.signatures.get(*s)).map(|s| diagnosis::signature(s, language)).collect()
}

/// Shows everything of that id.
pub(super) fn run(session: &Session<'_>, args: &Show) -> Outcome {
    let ids: Vec<String> = args.id.iter().map(|id| spelling::plain(id)).collect();
    let id = ids.join(" ");
    // "RTX 3090" may come as two words; two names are two things.
    let mut mistakes = Vec::new();
    let cards = match find(session.kb, id.trim(), session.language) {
        Ok(cards) => cards,
        Err(mistake) if ids.len() == 1 => return Err(mistake.into()),
        Err(_) => {
            let mut cards = Vec::new();
            for one in &ids {
                match find(session.kb, one.trim(), session.language) {
                    Ok(found) => cards.extend(found),
                    Err(mistake) => mistakes.push(mistake),
                }
            }
            cards
        }
    };
    // One document comes out: with a mistake it is that of the mistakes.
    if !mistakes.is_empty() && (cards.is_empty() || session.global.json) {
        return Err(mistakes.into());
    }
    for one in std::iter::once(&id).chain(ids.iter().filter(|one| **one != id)) {
        if let Some(warning) = gpu::ambiguous(session.kb, one) {
            crate::output::diagnostics::print(&[warning], session.global.color);
        }
    }
    let code = print(session, "show", &id, cards);
    // What is known is shown all the same.
    if mistakes.is_empty() { Ok(code) } else { Err(mistakes.into()) }
}

/// Prints cards, as text or as the document: the first one's keys on top, further ones under `also`.
pub(super) fn print(session: &Session<'_>, command: &str, id: &str, cards: Vec<Card>) -> u8 {
    if session.global.json {
        let mut documents: Vec<Map<String, Value>> = cards.iter().map(|c| c.document(session.kb)).collect();
        let mut out = Map::new();
        out.insert("schema".to_owned(), json!(1));
        out.insert("command".to_owned(), json!(command));
        out.insert("asked".to_owned(), json!(id));
        if !documents.is_empty() {
            out.extend(documents.remove(0));
        }
        out.insert("also".to_owned(), json!(documents));
        json::print(&out);
    } else {
        let mut screen = session.screen();
        for card in &cards {
            card::print(card, session.kb, &mut screen);
        }
        screen.print();
    }
    0
}
