//! From reasons to sentences, with the word tables of the data.

use crate::kb::Kb;
use crate::record::Words;

/// The sentences of one language; English for what it does not have.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'kb> {
    words: Option<&'kb Words>,
    fallback: Option<&'kb Words>,
}

impl<'kb> Speaker<'kb> {
    /// The table of a language. A language without a table speaks the nearest one: zh-Hant and zh-TW fall back to
    /// zh-Hans, everything else to English.
    pub fn new(kb: &'kb Kb, language: &str) -> Self {
        let find = |l: &str| kb.words.iter().find(|w| w.language.eq_ignore_ascii_case(l));
        let words = find(language).or_else(|| {
            let lower = language.to_ascii_lowercase().replace('_', "-");
            if lower.starts_with("zh-hant") || lower.starts_with("zh-tw") || lower.starts_with("zh-hk") {
                find("zh-Hant").or_else(|| find("zh-Hans"))
            } else if lower.starts_with("zh") {
                find("zh-Hans")
            } else {
                None
            }
        });
        let english = find("en");
        Speaker { words: words.or(english), fallback: english }
    }

    /// The language that is spoken.
    pub fn language(&self) -> &str {
        self.words.map_or("en", |w| &w.language)
    }

    /// The sentence `id` with its places filled. A sentence that no table has is shown as its id and values, so that
    /// nothing is lost in a world without words.
    pub fn say(&self, id: &str, values: &[(&str, String)]) -> String {
        let template = [self.words, self.fallback].into_iter().flatten().find_map(|w| w.sentences.get(id));
        match template {
            Some(template) => fill(template, values),
            None => {
                let mut out = id.to_owned();
                for (name, value) in values {
                    out.push_str(&format!(" {name}={value}"));
                }
                out
            }
        }
    }

    /// Is there a sentence of that id?
    pub fn has(&self, id: &str) -> bool {
        [self.words, self.fallback].into_iter().flatten().any(|w| w.sentences.contains_key(id))
    }
}

/// Fills `{name}` places in one pass; a place without a value stays as it is.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        let Some(close) = after.find('}') else {
            out.push_str(&rest[open..]);
            return out;
        };
        match values.iter().find(|(name, _)| *name == &after[..close]) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[open..open + close + 2]),
        }
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

/// A list of values, as people read it: all of a short one, the ends of a long one.
pub(crate) fn list<T: std::fmt::Display>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
