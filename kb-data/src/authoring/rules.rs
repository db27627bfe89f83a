//! `rules/<id>.md`, the pages of the ways of reasoning, and `words/<language>.toml`, the sentences.

use super::fields::Fields;
use super::role::Role;
use super::scalar::placeholders;
use super::{Loader, check, put};
use kb_core::diag::Diagnostic;
use kb_core::record::{RulePage, Words};
use std::collections::BTreeMap;
use toml::de::DeValue;

/// The languages there can be words in.
const LANGUAGES: [&str; 3] = ["en", "zh-Hans", "zh-Hant"];

impl Loader<'_, '_> {
    pub(super) fn read_rules(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Rule(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let title = f.text("title", "\"Machine code and PTX\"");
                let reads = f.texts("reads");
                for text in &reads {
                    check(f, text, self.names.relation(text.text));
                }
                let Some(title) = title else { return };
                let reads = reads.iter().map(|t| t.boxed()).collect();
                found.push(RulePage {
                    id: id.into(),
                    title: title.boxed(),
                    reads,
                    prose: f.file.prose.into(),
                });
            },
        );
        for rule in found {
            put(&mut self.kb.rules, rule, |r| &r.id);
        }
    }

    pub(super) fn read_words(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Words(language) = role { Some(*language) } else { None },
            |language, _, f| {
                if !LANGUAGES.contains(&language) {
                    let out = super::fields::unknown_word("words/<language>.toml", language, &LANGUAGES);
                    f.log.push(out.at(f.file.whole()));
                }
                let mut sentences = BTreeMap::new();
                let fields = f.again();
                gather(&fields, "", &mut sentences);
                found.push(Words { language: language.into(), sentences });
                // Every key of such a file is known.
                for (key, _) in f.in_order() {
                    f.get(key.text);
                }
            },
        );
        for new in found {
            match self.kb.words.binary_search_by(|old| old.language.cmp(&new.language)) {
                Ok(index) => self.kb.words[index].sentences.extend(new.sentences),
                Err(index) => self.kb.words.insert(index, new),
            }
        }
    }
}

/// Sentences of a table and of the tables in it; `[verdict] fits = "…"` has the id `verdict.fits`.
fn gather(f: &Fields<'_, '_>, prefix: &str, out: &mut BTreeMap<Box<str>, Box<str>>) {
    for (key, value) in f.in_order() {
        let id = if prefix.is_empty() { key.text.to_owned() } else { format!("{prefix}.{}", key.text) };
        if let DeValue::Table(_) = value.get_ref() {
            if let Some(inner) = f.table(key.text) {
                gather(&inner, &id, out);
            }
            continue;
        }
        let Some(text) = f.as_text(&id, value, "\"…\"") else { continue };
        if check(f, &text, placeholders(text.text)).is_some()
            && out.insert(id.clone().into(), text.boxed()).is_some()
        {
            f.report(
                key.span,
                Diagnostic::error("duplicate-id", format!("the sentence `{id}` is there twice")),
            );
        }
    }
}
