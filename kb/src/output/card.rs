//! A card as text.

use super::{Ink, Screen, truths, wrap};
use kb_card::{Card, entry_text, sentence, word};
use kb_core::kb::Kb;
use serde_json::Value;

/// How many entries of a list, and how many facts, text shows.
const SHOWN: usize = 12;

/// Prints the card.
pub fn print(card: &Card, kb: &Kb, screen: &mut Screen<'_>) {
    screen.blank();
    let kind = screen.say(&format!("ui-k-{}", card.kind), &[]);
    let id = if card.title == card.id || card.title.is_empty() {
        card.id.clone()
    } else {
        format!("{} ({})", card.title, card.id)
    };
    screen.item(0, &format!("{kind}:"), Ink::Faint, &id, Ink::Head);
    let labels: Vec<String> = card.fields.iter().map(|(key, _)| screen.say(&word(key), &[])).collect();
    let column = labels.iter().map(|l| wrap::width(l)).filter(|w| *w <= 24).max().unwrap_or(0);
    for ((_, value), label) in card.fields.iter().zip(&labels) {
        field(screen, label, column, value);
    }
    if !card.prose.trim().is_empty() {
        screen.blank();
        markdown(screen, &card.prose);
    }
    for (key, list) in &card.behind {
        entries(screen, &screen.say(&word(key), &[]), list);
    }
    truths::print(screen, kb, &card.truths, SHOWN);
    facts(card, kb, screen);
    disputes(card, kb, screen);
    sources(card, kb, screen);
}

fn facts(card: &Card, kb: &Kb, screen: &mut Screen<'_>) {
    if card.facts.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-facts", &[("count", card.facts.len().to_string())]));
    for fact in card.facts.iter().take(SHOWN) {
        screen.item(2, "-", Ink::Faint, &sentence(kb, *fact), Ink::Plain);
        screen.raw(4, Ink::Faint, &kb.fact_name(*fact));
    }
    if card.facts.len() > SHOWN {
        let more = (card.facts.len() - SHOWN).to_string();
        screen.item(
            2,
            "",
            Ink::Plain,
            &screen.say("ui-more-facts", &[("count", more), ("id", card.id.clone())]),
            Ink::Faint,
        );
    }
}

fn disputes(card: &Card, kb: &Kb, screen: &mut Screen<'_>) {
    let found: Vec<_> = card.disputes.iter().filter_map(|d| kb.disputes.get(*d)).collect();
    if !found.is_empty() {
        screen.head(&screen.say("ui-disputed", &[]));
        for dispute in found {
            screen.item(2, "!", Ink::Doubt, &dispute.id, Ink::Plain);
        }
    }
}

fn sources(card: &Card, kb: &Kb, screen: &mut Screen<'_>) {
    let sources = card.all_sources(kb);
    if sources.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-sources", &[]));
    for (index, source) in
        sources.iter().filter_map(|s| kb.sources.get(usize::from(*s))).take(SHOWN).enumerate()
    {
        let kind = screen.say(&format!("ui-kind-{}", source.kind.word()), &[]);
        let comma = screen.say("ui-comma", &[]);
        let mark = format!("[{}]", index + 1);
        screen.item(
            2,
            &mark,
            Ink::Faint,
            &format!("{}{comma}{kind}{comma}{}", source.title, source.id),
            Ink::Plain,
        );
        if let Some(address) = &source.address {
            screen.address(3 + mark.len(), address);
        }
    }
    if sources.len() > SHOWN {
        let more = (sources.len() - SHOWN).to_string();
        screen.item(2, "", Ink::Plain, &screen.say("ui-more", &[("count", more)]), Ink::Faint);
    }
}

fn field(screen: &mut Screen<'_>, label: &str, column: usize, value: &Value) {
    match value {
        Value::Array(list) if list.iter().any(Value::is_object) => entries(screen, label, list),
        Value::Array(list) => {
            let mut texts: Vec<String> = list.iter().take(60).map(entry_text).collect();
            if list.len() > 60 {
                texts.push(screen.say("ui-more", &[("count", (list.len() - 60).to_string())]));
            }
            screen.field(2, label, column, &texts.join(", "));
        }
        other => screen.field(2, label, column, &entry_text(other)),
    }
}

/// A heading, and an entry on each line.
fn entries(screen: &mut Screen<'_>, label: &str, list: &[Value]) {
    screen.head(label);
    for entry in list.iter().take(40) {
        screen.item(2, "-", Ink::Faint, &entry_text(entry), Ink::Plain);
    }
    if list.len() > 40 {
        let more = screen.say("ui-more", &[("count", (list.len() - 40).to_string())]);
        screen.item(2, "", Ink::Plain, &more, Ink::Faint);
    }
}

/// Prints the Markdown of a page: headings, paragraphs, lists, code.
pub fn markdown(screen: &mut Screen<'_>, text: &str) {
    let mut paragraph = String::new();
    let mut code = false;
    for line in text.lines().chain([""]) {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```");
        let own_line = fence
            || code
            || trimmed.is_empty()
            || trimmed.starts_with(['#', '|'])
            || list_entry(trimmed).is_some();
        if own_line && !paragraph.is_empty() {
            match list_entry(&paragraph) {
                Some((mark, rest)) => screen.item(2, mark, Ink::Faint, rest, Ink::Plain),
                None => screen.para(0, &paragraph),
            }
            paragraph.clear();
        }
        if fence {
            code = !code;
        } else if code || trimmed.starts_with('|') {
            screen.raw(2, Ink::Code, line);
        } else if trimmed.is_empty() {
            screen.blank();
        } else if trimmed.starts_with('#') {
            screen.head(trimmed.trim_start_matches(['#', ' ']));
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(trimmed);
        }
    }
}

/// An entry of a list: its mark and its text.
fn list_entry(line: &str) -> Option<(&str, &str)> {
    if let Some(rest) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Some(("-", rest));
    }
    let (mark, rest) = line.split_once(' ')?;
    let number = mark.strip_suffix('.')?;
    (!number.is_empty() && number.len() < 3 && number.bytes().all(|b| b.is_ascii_digit()))
        .then_some((mark, rest))
}
