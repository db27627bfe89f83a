//! What an id names, of whatever kind.

use crate::{Card, diagnosis, fact, gpu, package, records, system};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve::nearest;
use kb_core::world::World;

/// The pages of an id, in a language: rules, relations, topics, advisories, causes, messages.
pub fn pages(kb: &Kb, id: &str, language: &str) -> Vec<Card> {
    let mut out = crate::pages::find(kb, id);
    out.extend(diagnosis::find(kb, id, language));
    out
}

/// The cards of a dispute's id, if it is one.
pub fn dispute(kb: &Kb, id: &str) -> Vec<Card> {
    let named = kb.disputes.iter().any(|d| d.id.eq_ignore_ascii_case(id));
    if named { records::find(kb, id) } else { Vec::new() }
}

/// Everything that an id names, the likeliest first.
///
/// # Errors
/// If nothing is called so; near ids are named.
pub fn find(kb: &Kb, id: &str, language: &str) -> Result<Vec<Card>, Diagnostic> {
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
