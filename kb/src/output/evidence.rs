//! Where the steps of an answer come from: numbers behind sentences, the list of sources, disputes.

use super::{Ink, Screen};
use kb_core::answer::{DisputeRef, SourceRef, Step};
use kb_core::evidence::Truth;
use kb_core::fact::FactId;
use kb_core::kb::Kb;

/// Keeps the sources that the steps cite.
pub(super) fn cited(kb: &Kb, steps: &[&Step], sources: &mut Vec<SourceRef>) {
    let used: std::collections::BTreeSet<usize> =
        steps.iter().flat_map(|s| &s.facts).filter_map(|f| number(kb, f, sources)).collect();
    let mut at = 0;
    sources.retain(|_| {
        at += 1;
        used.contains(&at)
    });
}

/// ` [1][3]`: the places in the list of sources where the facts come from.
pub(super) fn numbers(kb: &Kb, facts: &[String], sources: &[SourceRef]) -> String {
    let mut found: Vec<usize> = facts.iter().filter_map(|name| number(kb, name, sources)).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        String::new()
    } else {
        format!(" {}", found.iter().map(|n| format!("[{n}]")).collect::<String>())
    }
}

fn number(kb: &Kb, name: &str, sources: &[SourceRef]) -> Option<usize> {
    let fact = kb.find_fact(name)?;
    let table = kb.table(fact);
    let id = &*kb.sources.get(usize::from(table.source))?.id;
    let locator = kb.row(fact).locator.as_deref().or(table.locator.as_deref());
    let exact = sources.iter().position(|s| s.id == id && s.locator.as_deref() == locator);
    exact.or_else(|| sources.iter().position(|s| s.id == id)).map(|n| n + 1)
}

/// Disputes that the answer touches.
pub(super) fn disputes(screen: &mut Screen<'_>, kb: &Kb, disputes: &[&DisputeRef]) {
    if disputes.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-disputed", &[]));
    for dispute in disputes {
        let (followed, against) = (values(kb, dispute, true), values(kb, dispute, false));
        let text = match &dispute.id {
            Some(id) => screen.say(
                "ui-dispute-settled",
                &[("id", id.clone()), ("followed", followed), ("against", against)],
            ),
            None => screen.say(unsettled(kb, dispute), &[("followed", followed), ("against", against)]),
        };
        screen.item(2, "!", Ink::Doubt, &text, Ink::Plain);
    }
}

/// Why one side is followed where no file says it: a stronger truth, or nothing but the order of the sources.
fn unsettled(kb: &Kb, dispute: &DisputeRef) -> &'static str {
    let truths = |names: &[String]| {
        let facts: Vec<FactId> = names.iter().filter_map(|f| kb.find_fact(f)).collect();
        let ranked = facts.iter().all(|f| kb.relation(*f).ranked);
        facts.iter().map(|f| kb.kind(*f).truth()).min().filter(|_| ranked)
    };
    match (truths(&dispute.followed), truths(&dispute.against)) {
        (Some(Truth::Measured), Some(Truth::Declared | Truth::Documented)) => "ui-dispute-measured",
        (Some(Truth::Declared), Some(Truth::Documented)) => "ui-dispute-declared",
        _ => "ui-dispute-open",
    }
}

/// What one side of a dispute says, with its sources: the columns in which the two sides differ.
fn values(kb: &Kb, dispute: &DisputeRef, followed: bool) -> String {
    let (own, other) =
        if followed { (&dispute.followed, &dispute.against) } else { (&dispute.against, &dispute.followed) };
    let other: Vec<FactId> = other.iter().filter_map(|f| kb.find_fact(f)).collect();
    let mut out: Vec<String> = Vec::new();
    for name in own {
        let Some(fact) = kb.find_fact(name) else {
            out.push(name.clone());
            continue;
        };
        let relation = kb.relation(fact);
        let cell = |f: FactId, column: &str| {
            let text = kb.cell(f, column).map(ToString::to_string).unwrap_or_default();
            if text.is_empty() { "-".to_owned() } else { text }
        };
        let differ = |column: &str| other.iter().any(|o| cell(*o, column) != cell(fact, column));
        let columns =
            relation.columns.iter().map(|(c, _)| &**c).filter(|c| !relation.key.iter().any(|k| **k == **c));
        let parts: Vec<String> =
            columns.filter(|c| differ(c)).map(|c| format!("{c} {}", cell(fact, c))).collect();
        let source = kb.sources.get(usize::from(kb.table(fact).source)).map_or("", |s| &s.title);
        let text = if parts.is_empty() { name.clone() } else { format!("{} ({source})", parts.join(", ")) };
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out.join("; ")
}

/// The sources, numbered from 1.
pub(super) fn source_list(screen: &mut Screen<'_>, sources: &[SourceRef]) {
    if sources.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-sources", &[]));
    for (index, source) in sources.iter().enumerate() {
        let kind = screen.say(&format!("ui-kind-{}", source.kind), &[]);
        let mut parts = vec![source.title.clone()];
        parts.extend(source.locator.clone());
        parts.push(kind);
        if let Some(date) = &source.read_on {
            parts.push(screen.say("ui-read-on", &[("date", date.clone())]));
        }
        let text = parts.join(&screen.say("ui-comma", &[]));
        let mark = format!("[{}]", index + 1);
        screen.item(2, &mark, Ink::Faint, &text, Ink::Plain);
        if let Some(address) = &source.address {
            screen.address(2 + mark.len() + 1, address);
        }
    }
}
