//! Pages that `kb diagnose` speaks of: messages of programs, and causes.

use crate::Card;
use kb_core::kb::Kb;
use kb_core::record::{Cause, Fix, Signature};
use serde_json::{Map, Value, json};

/// The cards of an id, in a language.
pub fn find(kb: &Kb, id: &str, language: &str) -> Vec<Card> {
    let is = |other: &str| other.eq_ignore_ascii_case(id);
    let causes = kb.causes.iter().filter(|c| is(&c.id) || c.names.iter().any(|n| is(n)));
    let signatures = kb.signatures.iter().filter(|s| is(&s.id));
    causes.map(|c| cause(kb, c, language)).chain(signatures.map(|s| signature(s, language))).collect()
}

/// The page of a cause.
pub fn cause(kb: &Kb, cause: &Cause, language: &str) -> Card {
    let mut card = Card::new("cause", &*cause.id, cause.title.in_language(language));
    card.put("family", &*cause.family);
    card.list("names", &cause.names);
    card.list("consequences", &cause.over);
    card.prose = cause.prose.in_language(language).to_owned();
    card.behind("steps", cause.fixes.iter().map(|fix| step(fix, language)).collect());
    card.behind("never", cause.never.iter().map(|n| json!(n.says.in_language(language))).collect());
    card.behind("decides", cause.decides.iter().map(|d| json!(d)).collect());
    let speaks = |s: &&Signature| s.states.as_ref() == Some(&cause.id) || s.suggests.contains(&cause.id);
    let title = |s: &Signature| json!({ "title": s.title.in_language(language), "id": s.id });
    card.behind("signatures", kb.signatures.iter().filter(speaks).map(title).collect());
    card
}

/// A step: what to do, where, and the commands.
fn step(fix: &Fix, language: &str) -> Value {
    let mut out = Map::new();
    // What is filled in from a log has no value here.
    let says = fix.says.in_language(language).replace('{', "<").replace('}', ">");
    out.insert("says".to_owned(), json!(says));
    if let Some(os) = &fix.os {
        out.insert("os".to_owned(), json!(os));
    }
    for (system, command) in &fix.commands {
        out.insert(
            if &**system == "any" { "command".to_owned() } else { system.to_string() },
            json!(command),
        );
    }
    if let Some(proves) = &fix.proves {
        out.insert("proves".to_owned(), json!(proves));
    }
    if let Some(undo) = &fix.undo {
        out.insert("undo".to_owned(), json!(undo.in_language(language)));
    }
    Value::Object(out)
}

/// The page of a message.
pub fn signature(signature: &Signature, language: &str) -> Card {
    let mut card = Card::new("signature", &*signature.id, signature.title.in_language(language));
    card.list("emitted_by", &signature.emitted_by);
    card.text("versions", signature.versions.as_deref());
    if signature.harmless {
        card.put("harmless", true);
    }
    card.text("states", signature.states.as_deref());
    card.list("suggests", &signature.suggests);
    card.prose = signature.prose.in_language(language).to_owned();
    card.behind("samples", signature.matches.iter().map(|m| json!(m)).collect());
    card.behind("seen_in", signature.seen_in.iter().map(|s| json!(s)).collect());
    card
}
