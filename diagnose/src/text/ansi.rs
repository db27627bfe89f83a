//! Control sequences of terminals.

use std::borrow::Cow;

/// A text without colour codes, titles, charset switches and what was overwritten after a carriage return.
pub(super) fn strip(text: &str) -> Cow<'_, str> {
    let text = overwritten(text);
    let escaped = text.bytes().any(|b| b == 0x1b || b == 0x9b || (b < 0x20 && b != b'\t'));
    if !escaped && !has_written_out(text) && !text.contains("[0m") && !text.contains("[m") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(without_sequences(text))
}

/// Progress bars write over their own line: what stands behind the last carriage return is what was seen.
fn overwritten(text: &str) -> &str {
    let text = text.trim_end_matches(['\r', '\n']);
    match text.rfind('\r') {
        Some(at) => &text[at + 1..],
        None => text,
    }
}

/// Escape characters that a log or a JSON file spelled out.
const WRITTEN_OUT: [&str; 5] = ["\\u001b", "\\x1b", "\\033", "^[", "\\e["];

fn has_written_out(text: &str) -> bool {
    text.contains('[') && WRITTEN_OUT.iter().any(|w| text.contains(w))
}

fn without_sequences(text: &str) -> String {
    // A text whose escape characters were lost keeps `[0m`; only then is a bare `[31m` one of them.
    let bare = text.contains("[0m") || text.contains("[m");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '\u{1b}' {
            rest = after_escape(&rest[1..]);
        } else if first == '\u{9b}' {
            rest = after_csi(&rest[first.len_utf8()..]);
        } else if let Some(after) = written_out(rest) {
            rest = after;
        } else if let Some(after) = bare.then(|| colour(rest)).flatten() {
            rest = after;
        } else {
            let control = (first.is_control() && first != '\t') || first == '\u{fffe}';
            if first == '\u{8}' {
                out.pop();
            } else if !control {
                out.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// `[31;1m` without its escape character.
fn colour(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('[')?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    (end <= 12 && rest[end..].starts_with('m')).then(|| &rest[end + 1..])
}

fn written_out(text: &str) -> Option<&str> {
    if !text.starts_with(['\\', '^']) {
        return None;
    }
    let rest = if let Some(rest) = text.strip_prefix("^[") {
        rest
    } else if let Some(rest) = text.strip_prefix("\\e") {
        rest
    } else {
        WRITTEN_OUT[..3].iter().find_map(|w| text.strip_prefix(w))?
    };
    let rest = rest.strip_prefix('[')?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    rest[end..].starts_with(['m', 'K', 'H', 'J']).then(|| &rest[end + 1..])
}

/// What follows the sequence that an escape character began.
fn after_escape(rest: &str) -> &str {
    let Some(kind) = rest.chars().next() else { return rest };
    let body = &rest[kind.len_utf8()..];
    match kind {
        '[' => after_csi(body),
        // A title, a link: up to BEL or ESC \. One that never ends hides nothing but its own letter.
        ']' | 'P' | '_' | '^' => match body.find(['\u{7}', '\u{1b}']) {
            Some(at) if body[at..].starts_with('\u{7}') => &body[at + 1..],
            Some(at) => body[at + 1..].strip_prefix('\\').unwrap_or(&body[at + 1..]),
            None => body,
        },
        // A character set: one more letter.
        '(' | ')' | '*' | '+' | '#' | '%' => {
            let mut chars = body.chars();
            chars.next();
            chars.as_str()
        }
        '\u{1b}' => rest,
        _ => body,
    }
}

fn after_csi(body: &str) -> &str {
    match body.find(|c: char| ('\u{40}'..='\u{7e}').contains(&c) || !c.is_ascii()) {
        Some(at) if body.as_bytes()[at].is_ascii() => &body[at + 1..],
        Some(at) => &body[at..],
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_overwritten_text_go() {
        assert_eq!(strip("\u{1b}[1m\u{1b}[37mhost\u{1b}(B\u{1b}[m  515.65.01"), "host  515.65.01");
        assert_eq!(strip("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(strip("10%\r50%\r100% done\r"), "100% done");
        assert_eq!(strip("[31mERROR[0m: no"), "ERROR: no");
        assert_eq!(strip("^[[31mred^[[0m \\u001b[32mgreen\\u001b[0m"), "red green");
        assert_eq!(strip("list[0] and [1m"), "list[0] and [1m");
    }

    #[test]
    fn what_never_ends_does_no_harm() {
        for text in ["\u{1b}", "\u{1b}[", "\u{1b}]x", "\u{1b}(", "\u{1b}[12;", "\u{1b}[é"] {
            let _ = strip(text);
        }
        assert_eq!(strip("\u{1b}[31é"), "é");
    }
}
