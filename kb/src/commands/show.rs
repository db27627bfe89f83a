//! `kb show`: what is known under an id, of whatever kind.

use super::Session;
use crate::Outcome;
use crate::args::Show;
use crate::output::card::Card;
use crate::output::json;
use crate::spelling;
use diagnose::needles::Needles;
use diagnose::sift::sift;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve::nearest;
use kb_core::world::World;
use serde_json::{Map, Value, json};

mod about;
mod diagnosis;
mod fact;
mod gpu;
mod package;
mod pages;
mod records;
mod system;

pub(super) use fact::file as table_file;

/// The pages of an id, in a language.
pub(super) fn pages(kb: &Kb, id: &str, language: &str) -> Vec<Card> {
    let mut out = pages::pages(kb, id);
    out.extend(diagnosis::find(kb, id, language));
    out
}

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

/// The cards of a dispute's id, if it is one.
pub(super) fn dispute(kb: &Kb, id: &str) -> Vec<Card> {
    let named = kb.disputes.iter().any(|d| d.id.eq_ignore_ascii_case(id));
    if named { records::find(kb, id) } else { Vec::new() }
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
            card.print(session.kb, &mut screen);
        }
        screen.print();
    }
    0
}

/// A fact by its id, with its evidence.
///
/// # Errors
/// If there is none of that id; near ones are named.
pub(super) fn fact(kb: &Kb, id: &str) -> Result<Card, Diagnostic> {
    fact::card(kb, id)
}

/// Everything that an id names, the likeliest first.
fn find(kb: &Kb, id: &str, language: &str) -> Result<Vec<Card>, Diagnostic> {
    if id.contains('#') {
        return Ok(vec![fact::card(kb, id)?]);
    }
    let world = World::new(kb);
    if let Some(cards) = package::matching(&world, id)? {
        return Ok(cards);
    }
    if let Some((name, version)) = pinned(id) {
        return package::pinned(&world, name, version);
    }
    let mut cards = gpu::find(&world, id);
    // An accelerator is also told by how a name starts ("arc a770"); an exact name of something else is meant rather.
    let by_start = cards.first().is_some_and(|c| c.kind == "accelerator" && !gpu::is_named(kb, id));
    let guesses = if by_start { std::mem::take(&mut cards) } else { Vec::new() };
    cards.extend(package::find(&world, id));
    cards.extend(system::find(&world, id));
    cards.extend(pages(kb, id, language));
    cards.extend(records::find(kb, id));
    if cards.is_empty() {
        cards = guesses;
    }
    if cards.is_empty() { Err(unknown(kb, id)) } else { Ok(cards) }
}

/// `torch==2.9.1`, `torch=2.9.1`, `torch 2.9.1`, `torch@2.9.1`.
fn pinned(id: &str) -> Option<(&str, &str)> {
    let (name, version) = id
        .split_once("==")
        .or_else(|| id.split_once('='))
        .or_else(|| id.split_once('@'))
        .or_else(|| id.split_once(' '))?;
    let (name, version) = (name.trim(), version.trim());
    (!name.is_empty() && version.starts_with(|c: char| c.is_ascii_digit())).then_some((name, version)).filter(
        |_| {
            // "RTX 3090" is one name.
            id.contains('=') || id.contains('@') || version.contains('.')
        },
    )
}

fn unknown(kb: &Kb, id: &str) -> Diagnostic {
    let lower = id.to_lowercase();
    let known = (kb.gpus.iter().map(|g| &*g.id))
        .chain(kb.packages.iter().map(|p| &*p.id))
        .chain(kb.channels.iter().map(|c| &*c.id))
        .chain(kb.sources.iter().map(|s| &*s.id))
        .chain(kb.relations.iter().map(|r| &*r.id))
        .chain(kb.topics.iter().map(|t| &*t.id))
        .chain(kb.advisories.iter().map(|a| &*a.id))
        .chain(kb.accelerators.iter().map(|a| &*a.id))
        .chain(kb.rules.iter().map(|r| &*r.id))
        .chain(kb.causes.iter().map(|c| &*c.id))
        .chain(kb.signatures.iter().map(|s| &*s.id));
    let near = nearest(&lower, known);
    let out = Diagnostic::error("unknown-id", format!("nothing is called `{id}`"));
    let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
    out.help("`kb list` shows what there is; `kb list gpus WORD` filters")
}
