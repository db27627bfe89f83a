//! Variables, keys of documents and options whose name says that the value is secret: `WANDB_API_KEY=…`,
//! `"hf_token": "…"`, `aws_secret_access_key = …`, `--api-key …`.
//!
//! The name decides, not the shape of the value: a password may be a word. Names of what models and programs count or
//! store under a key (`pad_token`, `key_states`, `KeyError`) say nothing of the kind.

use super::rules::compiled;
use kb_core::observe::SECRET_WORDS;
use regex::{Captures, Regex};
use std::ops::Range;

/// A name with one of the words in it.
const NAME: &str = r"(?<name>[\w.-]{0,80}(?:key|token|secret|passw|passphrase|credential)[\w.-]{0,80}?)";

/// A value: in quotes that are escaped themselves, in quotes, or as it stands.
const VALUE: &str =
    r#"(?:\\["'](?<a>[^"'\\]+)|"(?<b>(?:[^"\\]|\\.)+)|'(?<c>(?:[^'\\]|\\.)+)|(?<d>[^\s"'=:\\][^\s"']*))"#;

/// What stands between a name and its value.
const BETWEEN: &str = r#"\\?["']?\]?\s{0,40}(?<sep>:=|=>|=|:|：)\s{0,8}"#;

/// Commands that set a variable without a sign between, and options.
const SETS: &str = r"(?:\b(?:env|setenv|setx|set(?:\s+-[A-Za-z-]{1,12}){1,3})\s+|(?:^|\s)--)";

/// An entry of a list: the name and the value are values themselves.
const ENTRY: &str = r#"\b(?:name|key)\\?["']?\s?[:=]\s?\\?["']?"#;
const ENTRY_VALUE: &str = r#"\\?["']?[,;\s}]{1,8}\\?["']?value\\?["']?\s?[:=]\s?"#;

/// Words in which one of those words says nothing of a secret.
const OTHER: [&str; 21] = [
    "tokeniz",
    "tokenis",
    "keyerror",
    "keyboard",
    "keyword",
    "keyring",
    "monkey",
    "turkey",
    "hkey",
    "keyframe",
    "keypoint",
    "keystone",
    "key_states",
    "key_padding",
    "key_cache",
    "key_value",
    "query_key",
    "secretstorage",
    "token_type",
    "token_id",
    "monokey",
];

/// What stands before `token` or `key` where models, tables and messages have one.
const PUBLIC: &str = "pad bos eos unk sep cls mask image video audio special stop start end next last first new prev \
additional per each num max min total cache foreign primary sort dict state query public missing unexpected config \
model layer column attention unknown invalid prompt input output the a this no any cls decoder encoder";

/// What stands behind `token` or `key` there.
const PARTS: &str = "states state cache padding mask id ids type types embed embeds embedding embeddings value values \
proj projection length len count counts index indices layer layers dim size heads head norm bias weight weights limit \
budget range error errors name path file function func fn";

/// Values that are none.
const NO_VALUE: [&str; 15] = [
    "none",
    "null",
    "nil",
    "true",
    "false",
    "required",
    "incorrect",
    "invalid",
    "missing",
    "str",
    "optional",
    "bytes",
    "int",
    "bool",
    "undefined",
];

#[derive(Debug)]
pub(super) struct Variables {
    assigned: Regex,
    set: Regex,
    entry: Regex,
    entry_name: Regex,
    entry_value: Regex,
    /// `NAME      value` alone on a line, as PowerShell lists variables.
    table: Regex,
}

impl Variables {
    pub(super) fn new() -> Self {
        Variables {
            assigned: compiled(&format!("(?i){NAME}{BETWEEN}{VALUE}")),
            set: compiled(&format!(r"(?i){SETS}{NAME}\s+{VALUE}")),
            entry: compiled(&format!("(?i){ENTRY}{NAME}{ENTRY_VALUE}{VALUE}")),
            entry_name: compiled(&format!(r#"(?i)^\s*(?:-\s)?\s*\\?["']?{ENTRY}{NAME}\\?["']?[\s,]*$"#)),
            entry_value: compiled(&format!(r#"(?i)^\s*(?:-\s)?\s*\\?["']?value\\?["']?\s?[:=]\s?{VALUE}"#)),
            table: compiled(&format!(r"^\s*(?-i:{})\s{{2,}}(?<d>\S+)\s*$", upper())),
        }
    }

    /// The values in a line.
    pub(super) fn find(&self, line: &str, out: &mut Vec<Range<usize>>) {
        if !has_word(line) {
            return;
        }
        for pattern in [&self.assigned, &self.set, &self.entry, &self.table] {
            let mut at = 0;
            while let Some(found) = pattern.captures_at(line, at) {
                let Some(name) = found.name("name") else { break };
                at = match value(line, &found) {
                    Some(range) => {
                        let end = range.end;
                        out.push(range);
                        end
                    }
                    // The name that counts may stand in what was taken for a value.
                    None => name.end(),
                };
            }
        }
    }

    /// Does an entry of a list begin, whose value is on the next line?
    pub(super) fn names_next(&self, line: &str) -> bool {
        has_word(line)
            && self
                .entry_name
                .captures(line)
                .is_some_and(|found| found.name("name").is_some_and(|name| is_secret(name.as_str(), true)))
    }

    /// The value on such a line.
    pub(super) fn next_value(&self, line: &str) -> Option<Range<usize>> {
        let found = self.entry_value.captures(line)?;
        ["a", "b", "c", "d"].iter().find_map(|name| found.name(name)).map(|value| value.range())
    }
}

/// Names of variables in capital letters.
fn upper() -> String {
    let words = SECRET_WORDS.join("|");
    NAME.replace(r"[\w.-]", "[A-Z0-9_]").replace(&words, &words.to_uppercase())
}

/// Most lines have none of the words.
fn has_word(line: &str) -> bool {
    let bytes = line.as_bytes();
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    [&b"key"[..], b"token", b"secret", b"passw", b"passphrase", b"credential"].into_iter().any(has)
}

/// Where the value is, if it is secret.
fn value(line: &str, found: &Captures<'_>) -> Option<Range<usize>> {
    let name = found.name("name")?;
    let text = name.as_str();
    let capital = is_capital(text);
    let before = line[..name.start()].trim_start();
    let quoted = before.ends_with(['"', '\'']);
    let first = before.is_empty() || before.ends_with("- ") || before.ends_with("export ");
    let assigned = found.name("sep").is_none_or(|sep| !matches!(sep.as_str(), ":" | "："));
    if !is_secret(text, assigned || quoted || first) {
        return None;
    }
    if let Some(inside) = ["a", "b", "c"].iter().find_map(|group| found.name(group)) {
        let range = inside.range();
        return (!is_none(inside.as_str(), text)).then_some(range);
    }
    let bare = found.name("d")?;
    if first && is_phrase(line, found) {
        let range = bare.start()..line.trim_end().len();
        return (!is_none(bare.as_str(), text)).then_some(range);
    }
    // What ends a value among others is a part of one that stands alone.
    let stops: &[char] = if capital || first { &[] } else { &[',', ';', '&', ')', '}', ']'] };
    let end = bare.as_str().find(stops).unwrap_or(bare.len());
    let kept = bare.as_str()[..end].trim_end_matches([',', ';', ')', '}', ']']);
    let code = !capital && is_code(kept);
    (!kept.is_empty() && !code && !is_none(kept, text)).then(|| bare.start()..bare.start() + kept.len())
}

/// Does a password go on to the end of the line, as in `password: correct horse`? In a shell it would not.
fn is_phrase(line: &str, found: &Captures<'_>) -> bool {
    let (Some(name), Some(sep), Some(value)) = (found.name("name"), found.name("sep"), found.name("d"))
    else {
        return false;
    };
    let lower = name.as_str().to_ascii_lowercase();
    let spaced = line[sep.end()..value.start()].starts_with([' ', '\t']);
    spaced && ["passw", "passphrase", "secret", "credential"].iter().any(|word| lower.contains(word))
}

fn is_capital(name: &str) -> bool {
    !name.bytes().any(|b| b.is_ascii_lowercase())
}

/// Does a name say that its value is secret? `stated`: it stands where only names do, not in a sentence.
fn is_secret(name: &str, stated: bool) -> bool {
    let words = words(name);
    let joined = words.join("_");
    if OTHER.iter().any(|other| joined.contains(other) || name.to_ascii_lowercase().contains(other)) {
        return false;
    }
    let is_error =
        words.last().is_some_and(|w| matches!(w.as_str(), "error" | "exception" | "warning" | "errors"));
    if is_error {
        return false;
    }
    if is_strong(name) {
        return stated || words.len() > 1;
    }
    let public = |word: &String| PUBLIC.split_whitespace().any(|p| p == word);
    let at = words.iter().rposition(|w| matches!(w.as_str(), "key" | "keys" | "token" | "tokens"));
    match at {
        // `HFTOKEN`: no word of its own.
        None => is_capital(name) || joined.ends_with("token") || joined.ends_with("key"),
        Some(at) if at > 0 && public(&words[at - 1]) => false,
        Some(_) if is_capital(name) => true,
        Some(0) => stated && words.len() == 1 && words[0].starts_with("token"),
        // `hf_token`, `accessToken2`, `my_key_prod`.
        Some(at) => {
            let tail = &words[at + 1..];
            let number = |w: &String| w.bytes().all(|b| b.is_ascii_digit());
            let part = |w: &String| PARTS.split_whitespace().any(|p| p == w);
            tail.iter().all(number) || (stated && !tail.iter().any(part))
        }
    }
}

/// Names that leave no doubt.
fn is_strong(name: &str) -> bool {
    let joined = words(name).join("_");
    ["secret", "passw", "passphrase", "credential", "api_key", "apikey", "access_key", "private_key"]
        .iter()
        .any(|word| joined.contains(word))
}

/// The words of a name in small letters: `accessToken`, `ACCESS_TOKEN`, `access-token`.
fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (small && c.is_ascii_uppercase()) {
            out.push(String::new());
        }
        small = c.is_ascii_lowercase() || c.is_ascii_digit();
        if c.is_ascii_alphanumeric() {
            out.last_mut().into_iter().for_each(|word| word.push(c.to_ascii_lowercase()));
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

/// No value, the name of another variable, or a number of tokens.
fn is_none(value: &str, name: &str) -> bool {
    let value = value.trim();
    let reference = |text: &str| {
        let inside = text.trim_start_matches('{').trim_end_matches('}');
        !inside.is_empty()
            && inside.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    let counts = words(name).iter().any(|w| w == "tokens" || w == "keys");
    value.len() < 2
        || NO_VALUE.iter().any(|none| value.eq_ignore_ascii_case(none))
        || value.eq_ignore_ascii_case(name)
        || value
            .strip_prefix('$')
            .is_some_and(|rest| reference(rest) || rest.starts_with("{{") || rest.starts_with('('))
        || value.bytes().all(|b| matches!(b, b'*' | b'.' | b'<' | b'>'))
        || (value.len() < 6
            && !is_capital(name)
            && !is_strong(name)
            && value.bytes().all(|b| b.is_ascii_digit()))
        || (counts && value.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// A call, an index or a type in a line of source: `get_token()`, `os.environ[`, `Optional[str]`, `self.key`.
fn is_code(value: &str) -> bool {
    let name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
    };
    let called = value.split_once(['(', '[']).is_some_and(|(head, _)| name(head));
    let begins = ["self.", "args.", "os.environ", "os.getenv", "torch.", "config.", "cfg."];
    called || begins.iter().any(|begin| value.starts_with(begin))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_no_probe_shows_is_a_secret_here_too() {
        let words = super::SECRET_WORDS.join("|");
        assert!(super::NAME.contains(&format!("(?:{words})")), "{}", super::NAME);
    }
}
