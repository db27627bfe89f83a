//! Characters that nobody sees: control characters, marks that turn the direction of text, characters without width.
//! They hide what a file says, break terminals and XML, and come from copying.

use super::file;
use crate::tree::DataTree;
use kb_core::diag::{Diagnostic, Place};

pub(super) fn check(tree: &DataTree, out: &mut Vec<Diagnostic>) {
    for (path, bytes) in tree.files() {
        // What is no text is reported by the loader.
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let before = out.len();
        for (index, line) in text.lines().enumerate() {
            if let Some((column, found)) = line.chars().enumerate().find(|(_, c)| hidden(*c)) {
                let place = Place {
                    path: path.to_owned(),
                    line: index + 1,
                    column: column + 1,
                    text: line.chars().take(400).map(|c| if hidden(c) { '\u{fffd}' } else { c }).collect(),
                    length: 1,
                };
                out.push(told(found, "").at(place));
            }
        }
        if out.len() > before {
            continue;
        }
        // Written as an escape, "\u001b", it is seen in the file and not in the answer.
        let keys = if path.ends_with(".md") { front_matter(text) } else { text };
        let escaped = keys.contains("\\u") || keys.contains("\\U") || keys.contains("\\b");
        if let Some(table) = escaped.then(|| keys.parse::<toml::Table>().ok()).flatten() {
            table.iter().for_each(|(key, value)| within(key, value, path, out));
        }
    }
}

fn front_matter(text: &str) -> &str {
    text.trim_start()
        .strip_prefix("+++")
        .and_then(|rest| rest.split_once("\n+++"))
        .map_or("", |(keys, _)| keys)
}

fn within(key: &str, value: &toml::Value, path: &str, out: &mut Vec<Diagnostic>) {
    match value {
        toml::Value::String(text) => {
            if let Some(found) = text.chars().find(|c| hidden(*c)) {
                out.push(told(found, &format!(" in `{key}`")).at(file(path.to_owned())));
            }
        }
        toml::Value::Array(items) => items.iter().for_each(|item| within(key, item, path, out)),
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| within(key, value, path, out)),
        _ => {}
    }
}

fn told(found: char, place: &str) -> Diagnostic {
    Diagnostic::error(
        "hidden-character",
        format!("there is the hidden character U+{:04X}{place}", found as u32),
    )
    .help("take it out; copying from a web page or a terminal brings such characters")
}

/// Is it a character without a shape of its own that plain text has no use for?
fn hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || (c as u32) & 0xfffe == 0xfffe
}
