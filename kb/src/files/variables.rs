//! Variables of a Dockerfile and of its shell, and what `${…}` stands for.

use super::found::Sentence;
use std::cell::Cell;
use std::collections::BTreeMap;

/// How much text variables may stand for in one file: lines that double a value would fill any memory.
const LARGEST: usize = 4 << 20;
/// The longest `${…}`; they nest.
const LONGEST: usize = 1_000;

/// Why a text has no value that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Open {
    /// A variable that the file gives no value.
    Variable(String),
    /// An ARG without a default: its value comes with `docker build --build-arg`.
    Argument(String),
    /// What a command prints.
    Output,
    /// A way to change a value that is not evaluated.
    Pattern(String),
}

impl Open {
    /// The reason, as a sentence.
    pub(super) fn why(&self) -> Sentence {
        match self {
            Open::Variable(name) => Sentence::new("left-variable").with("name", name.as_str()),
            Open::Argument(name) => Sentence::new("left-build-argument").with("name", name.as_str()),
            Open::Output => Sentence::new("left-output"),
            Open::Pattern(text) => Sentence::new("left-pattern").with("text", text.as_str()),
        }
    }
}

/// A value, or why there is none.
pub(super) type Value = Result<String, Open>;

/// What is set.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    set: BTreeMap<String, Value>,
    /// What one command sets, to be forgotten when it ends.
    local: Option<BTreeMap<String, Value>>,
    /// How much text they have stood for.
    given: Cell<usize>,
}

impl Variables {
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.local.as_mut().unwrap_or(&mut self.set).insert(name.to_owned(), value);
    }

    /// Begins a command with variables of its own.
    pub(super) fn enter(&mut self) {
        self.local = Some(BTreeMap::new());
    }

    /// Forgets what was set since then.
    pub(super) fn leave(&mut self) {
        self.local = None;
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.local.as_ref().and_then(|l| l.get(name)).or_else(|| self.set.get(name))
    }

    /// The value, if it is known.
    pub(super) fn known(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_deref().ok()
    }

    /// The value as it was set, or why it has none.
    pub(super) fn value(&self, name: &str) -> Value {
        let unknown = || Err(Open::Variable(name.to_owned()));
        let Some(value) = self.get(name) else { return unknown() };
        let given = self.given.get().saturating_add(value.as_ref().map_or(0, String::len));
        self.given.set(given);
        if given > LARGEST { unknown() } else { value.clone() }
    }

    /// What follows a `$`: its value, and how many bytes of the text it took. `None` for a `$` that stands for itself.
    pub(super) fn parameter(&self, text: &str) -> Option<(Value, usize)> {
        if let Some(inside) = text.strip_prefix('{') {
            let end = closing(inside)?;
            return Some((self.braced(&inside[..end]), end + 2));
        }
        let end = name_length(text);
        (end > 0).then(|| (self.value(&text[..end]), end))
    }

    /// `NAME`, `NAME:-word`, `NAME%.*` and their like.
    fn braced(&self, inside: &str) -> Value {
        let (name, rest) = inside.split_at(name_length(inside));
        let open = || Open::Pattern(format!("${{{inside}}}"));
        if name.is_empty() {
            return Err(open());
        }
        let value = self.value(name);
        let known = value.as_deref().ok().filter(|v| !v.is_empty() || !rest.starts_with(':'));
        let changed = match (rest.strip_prefix(':').unwrap_or(rest).split_at_checked(1), rest) {
            (_, "") => return value,
            // What the file does not set may come from the base image; the word is what its author wrote for that case.
            (Some(("-" | "=", word)), _) => {
                return known.map_or_else(|| self.fill(word), |v| Ok(v.to_owned()));
            }
            (Some(("+", word)), _) => return known.map_or_else(|| Ok(String::new()), |_| self.fill(word)),
            (Some(("?", _)), _) => return value,
            (Some(("%", word)), _) => change(&value?, word, Change::End),
            (Some(("#", word)), _) => change(&value?, word, Change::Start),
            (Some(("/", word)), _) => change(&value?, word, Change::Piece),
            _ => None,
        };
        changed.ok_or_else(open)
    }

    /// A text with its variables.
    pub(super) fn fill(&self, text: &str) -> Value {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            match self.parameter(rest) {
                Some((value, length)) => {
                    out.push_str(&value?);
                    rest = &rest[length..];
                }
                None => out.push('$'),
            }
        }
        out.push_str(rest);
        Ok(out)
    }
}

enum Change {
    Start,
    End,
    Piece,
}

/// `${NAME%.*}`, `${NAME##*-}`, `${NAME//./}`: with a plain text, or one `*` at its outer side. `None` for others.
fn change(value: &str, word: &str, change: Change) -> Option<String> {
    let plain = |t: &str| !t.contains(['*', '?', '[', '\\', '$']);
    match change {
        Change::End => {
            let (longest, word) = word.strip_prefix('%').map_or((false, word), |w| (true, w));
            let Some(head) = word.strip_suffix('*') else {
                return plain(word).then(|| value.strip_suffix(word).unwrap_or(value).to_owned());
            };
            let at = if longest { value.find(head) } else { value.rfind(head) };
            plain(head).then(|| value[..at.unwrap_or(value.len())].to_owned())
        }
        Change::Start => {
            let (longest, word) = word.strip_prefix('#').map_or((false, word), |w| (true, w));
            let Some(tail) = word.strip_prefix('*') else {
                return plain(word).then(|| value.strip_prefix(word).unwrap_or(value).to_owned());
            };
            let at = if longest { value.rfind(tail) } else { value.find(tail) };
            plain(tail).then(|| value[at.map_or(0, |a| a + tail.len())..].to_owned())
        }
        Change::Piece => {
            let (all, word) = word.strip_prefix('/').map_or((false, word), |w| (true, w));
            let (from, to) = word.split_once('/').unwrap_or((word, ""));
            let readable = plain(from) && plain(to) && !from.is_empty() && !from.starts_with(['#', '%']);
            readable.then(|| if all { value.replace(from, to) } else { value.replacen(from, to, 1) })
        }
    }
}

/// The length of the name that a text begins with.
pub(super) fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Where the brace closes that was opened in front of the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_what_has_none() {
        let mut variables = Variables::default();
        variables.set("CUDA", Ok("12.4.1".to_owned()));
        variables.set("EMPTY", Ok(String::new()));
        variables.set("TORCH", Err(Open::Argument("TORCH".to_owned())));
        for (text, value) in [
            ("a$CUDA-b", "a12.4.1-b"),
            ("${CUDA}", "12.4.1"),
            ("${CUDA%.*}", "12.4"),
            ("${CUDA%%.*}", "12"),
            ("${CUDA#*.}", "4.1"),
            ("${CUDA##*.}", "1"),
            ("cu${CUDA//./}", "cu1241"),
            ("${NONE:-2.9}", "2.9"),
            ("${EMPTY:-$CUDA}", "12.4.1"),
            ("${EMPTY-x}", ""),
            ("${CUDA:+==$CUDA}", "==12.4.1"),
            ("${NONE:+x}", ""),
            ("5$", "5$"),
        ] {
            assert_eq!(variables.fill(text).as_deref(), Ok(value), "{text}");
        }
        assert_eq!(variables.fill("x${NONE}"), Err(Open::Variable("NONE".to_owned())));
        assert_eq!(variables.fill("$TORCH"), Err(Open::Argument("TORCH".to_owned())));
        assert_eq!(variables.fill("${CUDA^^}"), Err(Open::Pattern("${CUDA^^}".to_owned())));
        for _ in 0..100 {
            let twice = variables.fill("$CUDA$CUDA");
            variables.set("CUDA", twice);
        }
        assert_eq!(variables.fill("$CUDA"), Err(Open::Variable("CUDA".to_owned())));
        assert!(variables.fill(&"${A:-".repeat(100_000)).is_ok());
        assert_eq!(variables.fill("${CUDA"), Ok("${CUDA".to_owned()));
    }
}
