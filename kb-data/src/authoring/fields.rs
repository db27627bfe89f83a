//! Reading the keys of a TOML table: what is missing, mistyped or of another type becomes a diagnostic.

use super::file::{File, Log};
use super::near::{list, near};
use kb_core::diag::Diagnostic;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table being read. Every key that is asked for is known; [`Fields::finish`] reports the others.
pub(super) struct Fields<'a, 't> {
    pub(super) file: &'a File<'t>,
    pub(super) log: &'a Log,
    table: &'a DeTable<'t>,
    span: Range<usize>,
    known: RefCell<Vec<&'a str>>,
}

/// A text and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

/// One of a list in which texts and tables stand.
pub(super) enum Item<'a, 't> {
    Text(Text<'a>),
    Table(Fields<'a, 't>),
}

impl Text<'_> {
    pub(super) fn boxed(&self) -> Box<str> {
        self.text.into()
    }
}

impl<'a, 't> Fields<'a, 't> {
    pub(super) fn new(file: &'a File<'t>, log: &'a Log, table: &'a DeTable<'t>, span: Range<usize>) -> Self {
        Fields { file, log, table, span, known: RefCell::default() }
    }

    /// The same table, with nothing asked for yet, to be read with keys of another lifetime.
    pub(super) fn again<'b>(&self) -> Fields<'b, 't>
    where
        'a: 'b,
    {
        Fields::new(self.file, self.log, self.table, self.span())
    }

    /// Reports a mistake at a span of this file.
    pub(super) fn report(&self, span: Range<usize>, diagnostic: Diagnostic) {
        self.log.push(diagnostic.at(self.file.place_of(span)));
    }

    /// Where the table stands: its head, or the file for the root.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value of a key, which is thereby known.
    pub(super) fn get(&self, key: &'a str) -> Option<&'a Spanned<DeValue<'t>>> {
        self.known.borrow_mut().push(key);
        self.table.get(key)
    }

    /// Keys and values in the order of the file.
    pub(super) fn in_order(&self) -> Vec<(Text<'a>, &'a Spanned<DeValue<'t>>)> {
        let mut all: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| (Text { text: key.get_ref().as_ref(), span: key.span() }, value))
            .collect();
        all.sort_by_key(|(key, _)| key.span.start);
        all
    }

    fn missing(&self, key: &str, help: &str) {
        let place = if self.span.is_empty() { self.file.whole() } else { self.file.place_of(self.span()) };
        let code = if key == "source" { "missing-source" } else { "missing-key" };
        self.log.push(Diagnostic::error(code, format!("the key `{key}` is missing")).at(place).help(help));
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'_>>, wants: &str, example: &str) {
        self.report(value.span(), wrong_type(key, value.get_ref(), wants, example));
    }

    /// A text that must be there and not be blank.
    pub(super) fn text(&self, key: &'a str, example: &str) -> Option<Text<'a>> {
        match self.get(key) {
            None => {
                self.missing(key, &format!("write {key} = {example}"));
                None
            }
            Some(value) => {
                let text = self.as_text(key, value, example)?;
                if text.text.trim().is_empty() {
                    self.report(
                        text.span,
                        Diagnostic::error("missing-key", format!("`{key}` is empty"))
                            .help(format!("write {key} = {example}")),
                    );
                    return None;
                }
                Some(text)
            }
        }
    }

    /// A text that may be absent.
    pub(super) fn text_opt(&self, key: &'a str) -> Option<Text<'a>> {
        let value = self.get(key)?;
        self.as_text(key, value, "\"…\"")
    }

    /// A text that may be absent, without its place.
    pub(super) fn boxed_opt(&self, key: &'a str) -> Option<Box<str>> {
        self.text_opt(key).map(|t| t.boxed())
    }

    /// Is this value a text?
    pub(super) fn as_text(
        &self,
        key: &str,
        value: &'a Spanned<DeValue<'t>>,
        example: &str,
    ) -> Option<Text<'a>> {
        match value.get_ref() {
            DeValue::String(text) => Some(Text { text: text.as_ref(), span: value.span() }),
            _ => {
                self.wrong(key, value, "a text in quotes", &format!("{key} = {example}"));
                None
            }
        }
    }

    /// A list of texts; absent is empty.
    pub(super) fn texts(&self, key: &'a str) -> Vec<Text<'a>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let example = format!("{key} = [\"…\", \"…\"]");
        match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .filter_map(|item| match item.get_ref() {
                    DeValue::String(text) => Some(Text { text: text.as_ref(), span: item.span() }),
                    _ => {
                        self.wrong(key, item, "texts in quotes", &example);
                        None
                    }
                })
                .collect(),
            _ => {
                self.wrong(key, value, "a list of texts", &example);
                Vec::new()
            }
        }
    }

    /// A list of texts, or of tables where there is more to say than a text; absent is empty.
    pub(super) fn texts_or_tables(&self, key: &'a str) -> Vec<Item<'a, 't>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let example = format!("{key} = [\"…\", {{ says = \"…\" }}]");
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(key, value, "a list of texts", &example);
            return Vec::new();
        };
        let read = |item: &'a Spanned<DeValue<'t>>| match item.get_ref() {
            DeValue::String(text) => Some(Item::Text(Text { text: text.as_ref(), span: item.span() })),
            DeValue::Table(table) => Some(Item::Table(Fields::new(self.file, self.log, table, item.span()))),
            _ => {
                self.wrong(key, item, "texts in quotes, or blocks", &example);
                None
            }
        };
        items.iter().filter_map(read).collect()
    }

    /// A list of texts without their places.
    pub(super) fn boxed_list(&self, key: &'a str) -> Vec<Box<str>> {
        self.texts(key).iter().map(Text::boxed).collect()
    }

    /// `true` or `false`; absent is `false`.
    pub(super) fn flag(&self, key: &'a str) -> bool {
        match self.get(key) {
            None => false,
            Some(value) => match value.get_ref() {
                DeValue::Boolean(b) => *b,
                _ => {
                    self.wrong(key, value, "true or false", &format!("{key} = true"));
                    false
                }
            },
        }
    }

    /// A whole number within bounds, if it is there.
    pub(super) fn number(&self, key: &'a str, low: i64, high: i64) -> Option<i64> {
        let value = self.get(key)?;
        self.as_number(key, value, low, high)
    }

    /// Is this value a whole number within bounds?
    pub(super) fn as_number(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        low: i64,
        high: i64,
    ) -> Option<i64> {
        let written = integer(value.get_ref());
        let number = written.filter(|n| (low..=high).contains(n));
        if let (Some(written), None) = (written, number) {
            let message = format!("`{key}` wants a whole number from {low} to {high}, not {written}");
            self.report(
                value.span(),
                Diagnostic::error("wrong-type", message).help(format!("for example: {key} = {low}")),
            );
        } else if number.is_none() {
            self.wrong(
                key,
                value,
                &format!("a whole number from {low} to {high}"),
                &format!("{key} = {low}"),
            );
        }
        number
    }

    /// The tables of `[[key]]`; absent is none.
    pub(super) fn tables(&self, key: &'a str) -> Vec<Fields<'a, 't>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let example = format!("[[{key}]]");
        match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .filter_map(|item| match item.get_ref() {
                    DeValue::Table(table) => Some(Fields::new(self.file, self.log, table, item.span())),
                    _ => {
                        self.wrong(key, item, "blocks", &example);
                        None
                    }
                })
                .collect(),
            _ => {
                self.wrong(key, value, "blocks with two brackets", &example);
                Vec::new()
            }
        }
    }

    /// The table of `[key]` or `key = { … }`.
    pub(super) fn table(&self, key: &'a str) -> Option<Fields<'a, 't>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(Fields::new(self.file, self.log, table, value.span())),
            _ => {
                self.wrong(key, value, "a block", &format!("[{key}]"));
                None
            }
        }
    }

    /// As [`Fields::table`], and reports it when it is absent.
    pub(super) fn table_needed(&self, key: &'a str, example: &str) -> Option<Fields<'a, 't>> {
        if self.table.get(key).is_none() {
            self.missing(key, &format!("write {example}"));
        }
        self.table(key)
    }

    /// One word of a closed list.
    pub(super) fn word<T: Copy>(&self, key: &'a str, words: &[(&'static str, T)]) -> Option<T> {
        let example = format!("\"{}\"", words.first().map_or("…", |w| w.0));
        let text = self.text(key, &example)?;
        self.one_of(key, &text, words)
    }

    /// Is this text one of a closed list?
    pub(super) fn one_of<T: Copy>(
        &self,
        key: &str,
        text: &Text<'_>,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let found = words.iter().find(|(word, _)| *word == text.text).map(|(_, value)| *value);
        if found.is_none() {
            self.report(
                text.span.clone(),
                unknown_word(key, text.text, &words.iter().map(|w| w.0).collect::<Vec<_>>()),
            );
        }
        found
    }

    /// Reports the keys nobody asked for.
    pub(super) fn finish(&self) {
        let known = self.known.borrow();
        for (key, _) in self.in_order() {
            if known.contains(&key.text) {
                continue;
            }
            let near = near(key.text, known.iter().copied());
            let mut shown: Vec<&str> = known.clone();
            shown.sort_unstable();
            shown.dedup();
            let mut out =
                Diagnostic::error("unknown-key", format!("the key `{}` is not known here", key.text))
                    .note(format!("known here: {}", list(shown)));
            if let Some(first) = near.first() {
                out = out.help(format!("did you mean `{first}`?"));
            }
            self.report(key.span, out);
        }
    }
}

/// The message about a value of another type.
pub(super) fn wrong_type(key: &str, found: &DeValue<'_>, wants: &str, example: &str) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{key}` wants {wants}, not {}", type_name(found)))
        .help(format!("for example: {example}"))
}

/// The message about a word outside a closed list.
pub(super) fn unknown_word(key: &str, found: &str, words: &[&str]) -> Diagnostic {
    let out = Diagnostic::error("unknown-word", format!("`{key}` cannot be `{found}`"))
        .note(format!("one of: {}", list(words.iter().copied())));
    match near(found, words.iter().copied()).first() {
        Some(first) => out.help(format!("did you mean `{first}`?")),
        None => out,
    }
}

/// A whole number as `i64`.
pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).ok(),
        _ => None,
    }
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point (versions need quotes)",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a bare date (dates need quotes)",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a block",
    }
}
