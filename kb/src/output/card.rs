//! A thing of the knowledge base as a card: fields, facts, prose; the same for text and JSON.

use super::{Ink, Screen, truths, wrap};
use kb_core::fact::{FactId, Relation, Row};
use kb_core::kb::Kb;
use kb_core::value::Value as Cell;
use serde_json::{Map, Value, json};

/// How many entries of a list, and how many facts, text shows.
const SHOWN: usize = 12;

/// One thing.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// `gpu`, `package`, `release` … as in `ui-k-…`.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// What is known: key (also the word `ui-f-…`) and value.
    pub fields: Vec<(&'static str, Value)>,
    /// Facts about it.
    pub facts: Vec<FactId>,
    /// Indexes of its own sources.
    pub sources: Vec<u16>,
    /// Indexes of disputes about it.
    pub disputes: Vec<usize>,
    /// Markdown.
    pub prose: String,
    /// Lists that stand behind the page: key and entries.
    pub behind: Vec<(&'static str, Vec<Value>)>,
    /// Builds, and how their values are known.
    pub(crate) truths: Vec<truths::Known>,
    /// Keys for programs only: text tells the same in another way.
    pub(crate) unprinted: Vec<(&'static str, Value)>,
}

impl Card {
    /// A card without fields.
    pub fn new(kind: &'static str, id: impl Into<String>, title: impl Into<String>) -> Self {
        Card { kind, id: id.into(), title: title.into(), ..Card::default() }
    }

    /// Adds a field unless it is empty.
    pub fn put(&mut self, key: &'static str, value: impl Into<Value>) {
        let value = value.into();
        let empty = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if !empty {
            self.fields.push((key, value));
        }
    }

    /// Adds a list of texts unless it is empty.
    pub fn list<T: ToString>(&mut self, key: &'static str, list: impl IntoIterator<Item = T>) {
        self.put(key, list.into_iter().map(|t| Value::String(t.to_string())).collect::<Vec<_>>());
    }

    /// Adds an optional text.
    pub fn text(&mut self, key: &'static str, text: Option<&str>) {
        self.put(key, text.map_or(Value::Null, Value::from));
    }

    /// Adds a list that stands behind the page, unless it is empty.
    pub fn behind(&mut self, key: &'static str, list: Vec<Value>) {
        if !list.is_empty() {
            self.behind.push((key, list));
        }
    }

    /// The card as JSON.
    pub fn document(&self, kb: &Kb) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("kind".to_owned(), json!(self.kind));
        out.insert("id".to_owned(), json!(self.id));
        out.insert("title".to_owned(), json!(self.title));
        let fields = self.fields.iter().chain(&self.unprinted);
        out.extend(fields.map(|(k, v)| ((*k).to_owned(), v.clone())));
        out.extend(self.behind.iter().map(|(k, list)| ((*k).to_owned(), json!(list))));
        out.insert("facts".to_owned(), self.facts.iter().map(|f| fact_value(kb, *f)).collect());
        out.insert("sources".to_owned(), self.all_sources(kb).iter().map(|s| source_value(kb, *s)).collect());
        out.insert(
            "disputes".to_owned(),
            self.disputes.iter().filter_map(|d| kb.disputes.get(*d)).map(|d| json!(d.id)).collect(),
        );
        if !self.prose.is_empty() {
            out.insert("prose".to_owned(), json!(self.prose));
        }
        out
    }

    /// Its own sources and those of its facts, each once.
    fn all_sources(&self, kb: &Kb) -> Vec<u16> {
        let mut out = self.sources.clone();
        for fact in &self.facts {
            let source = kb.table(*fact).source;
            if !out.contains(&source) {
                out.push(source);
            }
        }
        out
    }

    /// Prints the card.
    pub fn print(&self, kb: &Kb, screen: &mut Screen<'_>) {
        screen.blank();
        let kind = screen.say(&format!("ui-k-{}", self.kind), &[]);
        let id = if self.title == self.id || self.title.is_empty() {
            self.id.clone()
        } else {
            format!("{} ({})", self.title, self.id)
        };
        screen.item(0, &format!("{kind}:"), Ink::Faint, &id, Ink::Head);
        let labels: Vec<String> = self.fields.iter().map(|(key, _)| screen.say(&word(key), &[])).collect();
        let column = labels.iter().map(|l| wrap::width(l)).filter(|w| *w <= 24).max().unwrap_or(0);
        for ((_, value), label) in self.fields.iter().zip(&labels) {
            field(screen, label, column, value);
        }
        if !self.prose.trim().is_empty() {
            screen.blank();
            markdown(screen, &self.prose);
        }
        for (key, list) in &self.behind {
            entries(screen, &screen.say(&word(key), &[]), list);
        }
        truths::print(screen, kb, &self.truths, SHOWN);
        self.print_facts(kb, screen);
        self.print_disputes(kb, screen);
        self.print_sources(kb, screen);
    }

    fn print_facts(&self, kb: &Kb, screen: &mut Screen<'_>) {
        if self.facts.is_empty() {
            return;
        }
        screen.head(&screen.say("ui-facts", &[("count", self.facts.len().to_string())]));
        for fact in self.facts.iter().take(SHOWN) {
            screen.item(2, "-", Ink::Faint, &sentence(kb, *fact), Ink::Plain);
            screen.raw(4, Ink::Faint, &kb.fact_name(*fact));
        }
        if self.facts.len() > SHOWN {
            let more = (self.facts.len() - SHOWN).to_string();
            screen.item(
                2,
                "",
                Ink::Plain,
                &screen.say("ui-more-facts", &[("count", more), ("id", self.id.clone())]),
                Ink::Faint,
            );
        }
    }

    fn print_disputes(&self, kb: &Kb, screen: &mut Screen<'_>) {
        let found: Vec<_> = self.disputes.iter().filter_map(|d| kb.disputes.get(*d)).collect();
        if !found.is_empty() {
            screen.head(&screen.say("ui-disputed", &[]));
            for dispute in found {
                screen.item(2, "!", Ink::Doubt, &dispute.id, Ink::Plain);
            }
        }
    }

    fn print_sources(&self, kb: &Kb, screen: &mut Screen<'_>) {
        let sources = self.all_sources(kb);
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
}

/// The word of a key: `compute_capability` is `ui-f-compute-capability`.
fn word(key: &str) -> String {
    format!("ui-f-{}", key.replace('_', "-"))
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

/// A value on one line; of an object the values that are there, in order, without facts and truths.
fn entry_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let texts: Vec<String> = list.iter().map(entry_text).collect();
            // Requirements with markers have spaces of their own.
            texts.join(if texts.iter().any(|t| t.contains(' ')) { ", " } else { " " })
        }
        Value::Object(object) => {
            let parts = object.iter().filter(|(k, v)| {
                let empty = v.as_array().is_some_and(Vec::is_empty);
                *k != "facts" && *k != "truths" && !v.is_null() && (!empty || is_code(k))
            });
            parts
                .map(|(k, v)| match v {
                    Value::Object(_) => entry_text(v),
                    _ if matches!(
                        k.as_str(),
                        "id" | "version"
                            | "title"
                            | "channel"
                            | "platform"
                            | "says"
                            | "framework"
                            | "tool"
                            | "command"
                    ) =>
                    {
                        entry_text(v)
                    }
                    Value::Array(list) if list.is_empty() => format!("{k} none"),
                    _ => format!("{k} {}", entry_text(v)),
                })
                .collect::<Vec<_>>()
                .join(", ")
        }
        other => other.to_string(),
    }
}

/// A list of targets: that it is empty is worth a word.
fn is_code(key: &str) -> bool {
    matches!(key, "sass" | "ptx")
}

/// The claim of a fact: its relation's sentence with the cells filled in.
pub fn sentence(kb: &Kb, fact: FactId) -> String {
    let (relation, row) = (kb.relation(fact), kb.row(fact));
    let mut out = String::new();
    let mut rest = &*relation.says;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        out.push_str(&cell(relation, row, name));
        rest = tail;
    }
    out + rest
}

fn cell(relation: &Relation, row: &Row, name: &str) -> String {
    let value = relation.column(name).and_then(|c| row.cells.get(c)).and_then(Option::as_ref);
    match value {
        // An empty list says "none", an absent one nothing.
        Some(Cell::List(list)) if list.is_empty() => "none".to_owned(),
        Some(value) => value.to_string(),
        None => "-".to_owned(),
    }
}

/// A fact with its evidence, as JSON.
pub fn fact_value(kb: &Kb, fact: FactId) -> Value {
    let (table, row) = (kb.table(fact), kb.row(fact));
    json!({
        "id": kb.fact_name(fact),
        "says": sentence(kb, fact),
        "grade": kb.grade(fact).word(),
        "source": kb.sources.get(usize::from(table.source)).map(|s| &s.id),
        "locator": row.locator.as_ref().or(table.locator.as_ref()),
        "read_on": table.read_on,
        "note": row.note,
        "withdrawn": row.withdrawn.as_ref().map(|(on, why)| json!({ "on": on, "why": why })),
    })
}

/// A source, as JSON.
pub fn source_value(kb: &Kb, index: u16) -> Value {
    match kb.sources.get(usize::from(index)) {
        Some(s) => {
            json!({ "id": s.id, "title": s.title, "publisher": s.publisher, "kind": s.kind.word(), "address": s.address, "date": s.date })
        }
        None => Value::Null,
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
