//! A card as parts of a page: the same for every kind.

use crate::book::Book;
use crate::kind::Kind;
use crate::language::Tongue;
use crate::page::{Cell, Column, Command, Field, Group, Line, Piece, Section, Step};
use crate::prose;
use kb_card::truths::{Known, What};
use kb_card::{Card, entry_text, sentence};
use kb_core::evidence::Truth;
use kb_core::fact::FactId;
use serde_json::Value;

/// How many claims of one table a page shows; the table has all.
const CLAIMS: usize = 24;

/// How many facts a page shows at most.
const FACTS: usize = 240;

/// How many entries of a list a page shows.
const ENTRIES: usize = 400;

/// How many values that sources state of builds a page shows.
const TRUTHS: usize = 300;

/// What makes the parts of a page from a card.
#[derive(Clone, Copy)]
pub(crate) struct Maker<'b, 'w, 'k> {
    pub(crate) book: &'b Book<'w, 'k>,
    pub(crate) tongue: &'b Tongue<'k>,
}

impl Maker<'_, '_, '_> {
    /// The language that English data has to be marked with on this page.
    pub(crate) fn english(&self) -> Option<&'static str> {
        (self.tongue.language.tag() != "en").then_some("en")
    }

    /// Everything of a card. `before` stands behind the fields.
    pub(crate) fn sections(&self, card: &Card, prose_is_english: bool, before: Vec<Section>) -> Vec<Section> {
        let (plain, large): (Vec<_>, Vec<_>) = card.fields.iter().partition(|(_, value)| !is_large(value));
        let mut out = Vec::new();
        let english = self.english().filter(|_| prose_is_english && !card.prose.trim().is_empty());
        if english.is_some() {
            out.push(Section::Note { text: self.tongue.word("ui-site-untranslated") });
        }
        let fields: Vec<Field> = plain.iter().map(|(key, value)| self.field(card, key, value)).collect();
        if !fields.is_empty() {
            out.push(Section::Fields { fields });
        }
        out.extend(before);
        if !card.prose.trim().is_empty() {
            out.push(Section::Prose { html: prose::html(&card.prose), lang: english });
        }
        out.extend(card.behind.iter().filter_map(|(key, list)| self.behind(card, key, list)));
        out.extend(large.iter().filter_map(|(key, value)| self.objects(card, key, value)));
        out.extend(self.truths(&card.truths));
        out.extend(self.disputes(card));
        out.extend(self.facts(&card.facts));
        out.extend(self.sources(card));
        out
    }

    fn field(&self, card: &Card, key: &str, value: &Value) -> Field {
        let texts: Vec<String> = match value {
            Value::Array(list) => list.iter().take(ENTRIES).map(entry_text).collect(),
            Value::Bool(true) => vec![self.tongue.word("ui-yes")],
            other => vec![entry_text(other)],
        };
        let pieces = texts
            .into_iter()
            .map(|text| {
                let href = self.target(card, key, &text);
                Piece::link(self.name(key, text), href)
            })
            .collect();
        Field { label: self.tongue.label(key), pieces }
    }

    /// A cause by its title rather than by its id.
    fn name(&self, key: &str, text: String) -> String {
        let kb = self.book.kb;
        match key {
            "states" | "suggests" | "consequences" => {
                let cause = kb.cause(&text).and_then(|i| kb.causes.get(i));
                cause.map_or(text, |c| c.title.in_language(self.tongue.language.tag()).to_owned())
            }
            _ => text,
        }
    }

    /// The page that a value of a field names.
    fn target(&self, card: &Card, key: &str, text: &str) -> Option<String> {
        if key == "address" && (text.starts_with("https://") || text.starts_with("http://")) {
            return Some(text.to_owned());
        }
        let first = text.split(' ').next().unwrap_or(text);
        let kinds: &[Kind] = match key {
            "compute_capability" | "targets" => &[Kind::Capability],
            "first_branch" | "last_branch" | "listed_by_branches" | "branch" => &[Kind::Branch],
            "gpus" => &[Kind::Gpu],
            "toolkits" | "cuda" | "runs_cuda" => &[Kind::Cuda],
            "cudnn" => &[Kind::Cudnn],
            "package" | "packages" | "members" | "gpu_package" | "emitted_by" => &[Kind::Package],
            "channel" | "channels" => &[Kind::Channel],
            "states" | "suggests" | "consequences" => &[Kind::Cause],
            "reads" | "relation" => &[Kind::Relation],
            "read_by" => &[Kind::Rule],
            "prefer" | "over" => &[Kind::Source],
            "named_in" => &[Kind::Topic],
            "signatures" => &[Kind::Signature],
            "releases" => &[Kind::Cuda, Kind::Cudnn],
            _ => &[],
        };
        let language = self.tongue.language;
        if key == "releases" && card.kind == "package" {
            return self.book.href(language, Kind::Release, &format!("{}=={text}", card.id));
        }
        if key == "newest" || key == "version" {
            let package = if card.kind == "package" { Some(&*card.id) } else { text_of(card, "package") }?;
            return self
                .book
                .href(language, Kind::Release, &format!("{package}=={text}"))
                .filter(|_| card.kind != "release");
        }
        if key == "claims" && card.kind == "topic" {
            return Some(format!("{}#{}", self.book.link(language, "myths/"), fragment(text)));
        }
        let kinds = match (key, card.kind) {
            ("releases", "cuda") => &[Kind::Cuda],
            ("releases", "cudnn") => &[Kind::Cudnn],
            ("releases", _) => &[][..],
            _ => kinds,
        };
        kinds.iter().find_map(|kind| self.book.href(language, *kind, first)).filter(|_| first != card.id)
    }

    /// A list of objects as a table: a column for each key.
    fn objects(&self, card: &Card, key: &str, value: &Value) -> Option<Section> {
        let list = value.as_array()?;
        let title = self.tongue.label(key);
        if key == "install" {
            let text = |entry: &Value, key: &str| {
                entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            let commands = list
                .iter()
                .map(|e| Command {
                    label: format!("{}, {}", text(e, "tool"), text(e, "shell")),
                    text: text(e, "command"),
                })
                .collect();
            return Some(Section::Commands { id: "install".to_owned(), title, commands });
        }
        let mut keys: Vec<String> = Vec::new();
        let rows: Vec<Vec<(String, Value)>> = list.iter().take(ENTRIES).map(flat).collect();
        for (key, _) in rows.iter().flatten() {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        if keys.len() == 1 {
            let items = rows.iter().flatten().map(|(_, v)| Piece::text(entry_text(v))).collect();
            return Some(Section::List {
                id: fragment(key),
                title,
                items,
                code: false,
                lang: self.english(),
            });
        }
        // A column that says nothing is none.
        keys.retain(|key| {
            rows.iter().flatten().any(|(k, v)| k == key && !entry_text(v).is_empty() && !v.is_null())
        });
        let lines = rows
            .iter()
            .map(|row| Line {
                id: None,
                cells: keys.iter().map(|key| self.value_cell(card, key, row)).collect(),
            })
            .collect();
        let columns = keys
            .iter()
            .map(|key| Column { label: self.tongue.label(last(key)), key: fragment(key) })
            .collect();
        Some(Section::Table {
            id: fragment(key),
            title,
            columns,
            rows: lines,
            tools: list.len() > 8,
            note: self.left_out(list.len(), ENTRIES),
            lang: self.english(),
        })
    }

    fn value_cell(&self, card: &Card, key: &str, row: &[(String, Value)]) -> Cell {
        let Some((_, value)) = row.iter().find(|(k, _)| k == key) else { return Cell::default() };
        let text = match value {
            Value::Null => String::new(),
            // That a list of targets is empty is known; that no requirement is listed is not.
            Value::Array(list) if list.is_empty() && matches!(last(key), "sass" | "ptx") => {
                self.tongue.word("none")
            }
            other => entry_text(other),
        };
        let href = match last(key) {
            "framework" | "by" => None,
            "id" if card.kind == "source" => {
                let relation = text.split('/').next().unwrap_or_default();
                self.book.href(self.tongue.language, Kind::Relation, relation)
            }
            // Several values in one cell, or a set of versions, name no page.
            _ if text.contains([' ', '<', '>', '*', ',']) => None,
            key => self.target(card, key, &text),
        };
        Cell::link(text, href)
    }

    fn behind(&self, card: &Card, key: &str, list: &[Value]) -> Option<Section> {
        let (id, title) = (fragment(key), self.tongue.label(key));
        match key {
            "steps" => Some(Section::Steps { id, title, steps: list.iter().map(|v| self.step(v)).collect() }),
            "decides" => {
                let commands = list.iter().filter_map(|pair| {
                    let (system, command) = (pair.get(0)?.as_str()?, pair.get(1)?.as_str()?);
                    Some(Command { label: self.system(system), text: command.to_owned() })
                });
                Some(Section::Commands { id, title, commands: commands.collect() })
            }
            "signatures" => {
                let items = list.iter().map(|entry| {
                    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
                    Piece::link(text("title"), self.target(card, key, text("id")))
                });
                Some(Section::List { id, title, items: items.collect(), code: false, lang: None })
            }
            _ => {
                let items = list.iter().take(ENTRIES).map(|v| {
                    let text = entry_text(v);
                    let href = (text.starts_with("https://") && !text.contains(char::is_whitespace))
                        .then(|| text.clone());
                    Piece::link(text, href)
                });
                let code = matches!(key, "samples" | "seen_in");
                Some(Section::List { id, title, items: items.collect(), code, lang: None })
            }
        }
    }

    fn step(&self, value: &Value) -> Step {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut says = text("says").unwrap_or_default();
        if let Some(os) = text("os") {
            says = self.tongue.say("ui-site-only-on", &[("os", self.system(&os)), ("says", says)]);
        }
        let mut commands = Vec::new();
        for (key, label) in [
            ("command", String::new()),
            ("linux", self.system("linux")),
            ("windows", self.system("windows")),
            ("wsl", self.system("wsl")),
        ] {
            commands.extend(text(key).map(|text| Command { label, text }));
        }
        commands
            .extend(text("proves").map(|text| Command { label: self.tongue.word("ui-site-proves"), text }));
        Step { says, commands, undo: text("undo") }
    }

    /// A system as people write it.
    pub(crate) fn system(&self, word: &str) -> String {
        match word {
            "linux" => "Linux".to_owned(),
            "windows" => "Windows".to_owned(),
            "wsl" | "wsl2" => "WSL 2".to_owned(),
            "docker" => "Docker".to_owned(),
            "jetson" => "Jetson".to_owned(),
            "any" => self.tongue.word("ui-site-any-system"),
            other => other.to_owned(),
        }
    }

    fn left_out(&self, count: usize, shown: usize) -> Option<String> {
        (count > shown).then(|| self.tongue.say("ui-more", &[("count", (count - shown).to_string())]))
    }

    /// What sources say of builds where several can be compared.
    fn truths(&self, builds: &[Known]) -> Option<Section> {
        let tongue = self.tongue;
        let mut rows = Vec::new();
        let mut count = 0;
        for (name, columns) in builds {
            for column in columns.iter().filter(|c| c.differs()) {
                for said in &column.values {
                    count += 1;
                    if count > TRUTHS {
                        continue;
                    }
                    let value = match &said.what {
                        What::One(text) => text.clone(),
                        What::List(list) if list.is_empty() => tongue.word("none"),
                        What::List(list) => list.join(" "),
                        What::Dropped(list) => tongue.say("ui-truths-dropped", &[("list", list.join(" "))]),
                    };
                    let truth = match said.truth {
                        Truth::Measured => "ui-truth-measured",
                        Truth::Declared => "ui-truth-declared",
                        Truth::Documented => "ui-truth-documented",
                    };
                    let label = match column.name {
                        "cuda" => "ui-cuda",
                        "cudnn" => "ui-cudnn",
                        "sass" => "ui-truths-sass",
                        _ => "ui-truths-ptx",
                    };
                    let sources: Vec<&str> = said
                        .sources
                        .iter()
                        .filter_map(|s| self.book.kb.sources.get(usize::from(*s)))
                        .map(|s| &*s.id)
                        .collect();
                    let href = sources.first().and_then(|s| self.book.href(tongue.language, Kind::Source, s));
                    rows.push(Line {
                        id: None,
                        cells: vec![
                            Cell::text(name.as_str()),
                            Cell::text(tongue.word(label)),
                            Cell::text(value),
                            Cell::text(tongue.word(truth)),
                            Cell::link(sources.join(", "), href),
                            Cell::text(if said.followed { tongue.word("ui-yes") } else { String::new() }),
                        ],
                    });
                }
            }
        }
        if rows.is_empty() {
            return None;
        }
        let heads = ["build", "value-of", "value", "how-known", "source", "followed"];
        Some(Section::Table {
            id: "truths".to_owned(),
            title: tongue.word("ui-truths"),
            columns: self.columns(&heads),
            tools: rows.len() > 8,
            rows,
            note: self.left_out(count, TRUTHS),
            lang: None,
        })
    }

    /// Columns whose labels are words of the site.
    pub(crate) fn columns(&self, keys: &[&str]) -> Vec<Column> {
        keys.iter()
            .map(|key| Column {
                label: self.tongue.word(&format!("ui-site-c-{key}")),
                key: (*key).to_owned(),
            })
            .collect()
    }

    fn disputes(&self, card: &Card) -> Option<Section> {
        let items: Vec<Piece> = card
            .disputes
            .iter()
            .filter_map(|d| self.book.kb.disputes.get(*d))
            .map(|d| Piece::link(&*d.id, self.book.href(self.tongue.language, Kind::Dispute, &d.id)))
            .collect();
        let title = self.tongue.word("ui-disputed");
        (!items.is_empty()).then(|| Section::List {
            id: "disputes".to_owned(),
            title,
            items,
            code: false,
            lang: None,
        })
    }

    /// Facts by table: relation, source, grade and day once, then the claims.
    pub(crate) fn facts(&self, facts: &[FactId]) -> Option<Section> {
        if facts.is_empty() {
            return None;
        }
        let (kb, tongue) = (self.book.kb, self.tongue);
        let mut sorted: Vec<FactId> = facts.to_vec();
        sorted.sort_by_cached_key(|f| (&kb.relation(*f).id, &kb.table(*f).stem, kb.grade(*f), f.row));
        let mut groups: Vec<(FactId, Group, usize)> = Vec::new();
        let mut shown = 0;
        for fact in sorted {
            let same = |other: &FactId| other.table == fact.table && kb.grade(*other) == kb.grade(fact);
            if !groups.last().is_some_and(|(first, ..)| same(first)) {
                groups.push((fact, self.group(fact), 0));
            }
            let Some((_, group, left)) = groups.last_mut() else { continue };
            if group.claims.len() >= CLAIMS || shown >= FACTS {
                *left += 1;
                continue;
            }
            shown += 1;
            let mut text = sentence(kb, fact);
            if let Some((on, why)) = &kb.row(fact).withdrawn {
                text = tongue.say(
                    "ui-site-withdrawn",
                    &[("says", text), ("on", on.to_string()), ("why", why.to_string())],
                );
            }
            group.claims.push(Piece::link(text, self.book.fact(tongue.language, fact)));
        }
        let groups = groups
            .into_iter()
            .map(|(fact, mut group, left)| {
                if left > 0 {
                    let text = tongue.say("ui-more", &[("count", left.to_string())]);
                    group.more = Some(Piece::link(
                        text,
                        self.book.href(tongue.language, Kind::Relation, &kb.relation(fact).id),
                    ));
                }
                group
            })
            .collect();
        let title = tongue.say("ui-facts", &[("count", facts.len().to_string())]);
        Some(Section::Facts { id: "facts".to_owned(), title, groups, lang: self.english() })
    }

    fn group(&self, fact: FactId) -> Group {
        let (kb, tongue) = (self.book.kb, self.tongue);
        let (table, relation) = (kb.table(fact), kb.relation(fact));
        let mut evidence = vec![self.source(table.source)];
        evidence.push(Piece::text(tongue.word(&format!("ui-site-grade-{}", kb.grade(fact).word()))));
        if let Some(day) = &table.read_on {
            evidence.push(Piece::text(tongue.say("ui-read-on", &[("date", day.to_string())])));
        }
        if let Some(locator) = &table.locator {
            evidence.push(Piece::text(&**locator));
        }
        Group {
            title: Piece::link(
                &*relation.title,
                self.book.href(tongue.language, Kind::Relation, &relation.id),
            ),
            evidence,
            claims: Vec::new(),
            more: None,
        }
    }

    /// A source by its index.
    pub(crate) fn source(&self, index: u16) -> Piece {
        match self.book.kb.sources.get(usize::from(index)) {
            Some(source) => {
                Piece::link(&*source.title, self.book.href(self.tongue.language, Kind::Source, &source.id))
            }
            None => Piece::default(),
        }
    }

    /// The sources of the card itself; those of its facts stand beside them.
    fn sources(&self, card: &Card) -> Option<Section> {
        let items: Vec<Piece> = card.sources.iter().map(|s| self.source(*s)).collect();
        let title = self.tongue.word("ui-sources");
        (!items.is_empty()).then(|| Section::List {
            id: "sources".to_owned(),
            title,
            items,
            code: false,
            lang: self.english(),
        })
    }
}

/// A list of objects, which is more than a field can show.
fn is_large(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().any(Value::is_object))
}

/// The text of a field.
pub(crate) fn text_of<'c>(card: &'c Card, key: &str) -> Option<&'c str> {
    card.fields.iter().find(|(k, _)| *k == key).and_then(|(_, v)| v.as_str())
}

/// An object's values, those of objects inside it too: `made_with.cuda`.
fn flat(value: &Value) -> Vec<(String, Value)> {
    let Some(object) = value.as_object() else { return vec![("says".to_owned(), value.clone())] };
    let mut out = Vec::new();
    for (key, value) in object {
        match value {
            _ if matches!(key.as_str(), "facts" | "truths") => {}
            Value::Object(inner) => out.extend(inner.iter().map(|(k, v)| (format!("{key}.{k}"), v.clone()))),
            value => out.push((key.clone(), value.clone())),
        }
    }
    out
}

/// The last part of a key: `made_with.cuda` is `cuda`.
fn last(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// A key or an id as a fragment.
pub(crate) fn fragment(key: &str) -> String {
    crate::address::slug(key).unwrap_or_default()
}
