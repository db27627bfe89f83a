//! `kb explain`: the page of a rule, a relation, a topic, an advisory, a cause, a message.

use super::{Session, show};
use crate::Outcome;
use crate::args::Explain;
use crate::output::{Ink, json};
use crate::spelling;
use kb_core::diag::Diagnostic;
use kb_core::request::resolve::nearest;
use serde_json::json;

/// The pages of a name; without a name, all that can be explained.
pub(super) fn run(session: &Session<'_>, args: &Explain) -> Outcome {
    let kb = session.kb;
    let name = spelling::plain(&args.name.join("-")).to_lowercase().replace(['_', ' '], "-");
    let pages: Vec<(&str, &str, &str)> = (kb.rules.iter().map(|r| ("rule", &*r.id, &*r.title)))
        .chain(kb.relations.iter().map(|r| ("relation", &*r.id, &*r.title)))
        .chain(kb.topics.iter().map(|t| ("topic", &*t.id, &*t.title)))
        .chain(kb.advisories.iter().map(|a| ("advisory", &*a.id, &*a.title)))
        .chain(kb.causes.iter().map(|c| ("cause", &*c.id, c.title.in_language(session.language))))
        .collect();
    if name.is_empty() {
        index(session, &pages);
        return Ok(0);
    }
    let mut cards = kb_card::pages(kb, &name, session.language);
    if cards.is_empty() {
        // It may be what a program printed.
        cards = show::messages(kb, &args.name.join(" "), session.language);
    }
    if cards.is_empty() {
        let messages = kb.signatures.iter().map(|s| &*s.id);
        let near = nearest(&name, pages.iter().map(|p| p.1).chain(messages));
        let out = Diagnostic::error(
            "unknown-name",
            format!("nothing to explain is called `{}`", args.name.join(" ")),
        );
        let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
        return Err(out.help("`kb explain` lists what can be explained; `kb show` takes every id; `kb diagnose` reads a whole log").into());
    }
    Ok(show::print(session, "explain", &name, cards))
}

fn index(session: &Session<'_>, pages: &[(&str, &str, &str)]) {
    if session.global.json {
        let items: Vec<_> =
            pages.iter().map(|(kind, id, title)| json!({ "kind": kind, "id": id, "title": title })).collect();
        json::print(&json!({ "schema": 1, "command": "explain", "count": items.len(), "items": items }));
        return;
    }
    let mut screen = session.screen();
    let mut last = "";
    for (kind, id, title) in pages {
        if *kind != last {
            screen.head(&screen.say(&format!("ui-k-{kind}"), &[]));
            last = kind;
        }
        screen.item(2, id, Ink::Head, title, Ink::Plain);
    }
    screen.print();
}
