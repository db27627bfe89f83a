//! A thing of the knowledge base as a value: fields, facts, prose; the same for text, JSON and pages.

use crate::truths;
use kb_core::fact::{FactId, Relation, Row};
use kb_core::kb::Kb;
use kb_core::value::Value as Cell;
use serde_json::{Map, Value, json};

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
    pub truths: Vec<truths::Known>,
    /// Keys for programs only: text tells the same in another way.
    pub unprinted: Vec<(&'static str, Value)>,
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

    /// Its own sources and those of its facts, each once: indexes of [`Kb::sources`].
    pub fn all_sources(&self, kb: &Kb) -> Vec<u16> {
        let mut out = self.sources.clone();
        for fact in &self.facts {
            let source = kb.table(*fact).source;
            if !out.contains(&source) {
                out.push(source);
            }
        }
        out
    }
}

/// The word of a key: `compute_capability` is `ui-f-compute-capability`.
pub fn word(key: &str) -> String {
    format!("ui-f-{}", key.replace('_', "-"))
}

/// A value on one line; of an object the values that are there, in order, without facts and truths.
pub fn entry_text(value: &Value) -> String {
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
