//! A name as it was pasted, with what shells, browsers and file managers put around it taken off.

/// A cleaned name.
pub(super) struct Name<'a> {
    /// Without surrounding blanks and quotes.
    pub(super) text: &'a str,
    /// The last part of a path or address, without query, percent-escapes and the marks of copies.
    pub(super) file: String,
    /// `file` in lower case.
    pub(super) lower: String,
    /// A browser or file manager added ` (1)` or ` - Copy`.
    pub(super) renamed: bool,
    /// A browser is still writing it (`.crdownload`, `.part`).
    pub(super) unfinished: bool,
}

impl<'a> Name<'a> {
    /// `None` for an empty name and for one with control characters inside.
    pub(super) fn new(text: &'a str) -> Option<Name<'a>> {
        let quotes = |c: char| {
            c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '「' | '」')
        };
        let text = text.trim_matches(quotes);
        if text.is_empty() || text.contains(char::is_control) {
            return None;
        }
        let mut file = text;
        if file.contains("://") {
            file = file.split(['?', '#']).next().unwrap_or(file);
        }
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let mut file = file.replace("%2B", "+").replace("%2b", "+").replace("%20", " ");
        let mut unfinished = false;
        for ending in [".crdownload", ".part", ".partial", ".download", ".aria2"] {
            let at = file.len().saturating_sub(ending.len());
            if at > 0 && file.get(at..).is_some_and(|e| e.eq_ignore_ascii_case(ending)) {
                file.truncate(at);
                unfinished = true;
                break;
            }
        }
        let (file, renamed) = without_copy_mark(file);
        let lower = file.to_ascii_lowercase();
        Some(Name { text, file, lower, renamed, unfinished })
    }
}

/// Takes off one ` (1)`, `(1)`, ` - Copy`, ` - 副本` or ` - 複製` before the ending or at the end.
fn without_copy_mark(file: String) -> (String, bool) {
    for mark in [" - Copy", " - copy", " - 副本", " - 複製"] {
        if let Some(at) = file.rfind(mark) {
            return (format!("{}{}", &file[..at], &file[at + mark.len()..]), true);
        }
    }
    let (Some(open), Some(close)) = (file.rfind('('), file.rfind(')')) else { return (file, false) };
    let inside = file.get(open + 1..close).unwrap_or("");
    let before = file[..open].trim_end();
    let after = &file[close + 1..];
    let numbered = (1..=3).contains(&inside.len()) && inside.bytes().all(|b| b.is_ascii_digit());
    if numbered && !before.is_empty() && (after.is_empty() || after.starts_with('.')) {
        return (format!("{before}{after}"), true);
    }
    (file, false)
}
