//! What was put around a text on its way.

use super::{ansi, html, prefix, run_together};
use crate::Line;
use std::borrow::Cow;

/// One line without colour codes, marks of a quotation, fences, entities and typographic quotes.
pub fn clean(line: &str) -> Cow<'_, str> {
    bare(shown(line, html::is_html(line)), true)
}

/// The lines of a decoded text, clean. A line that holds several lines of a program comes as several of one number.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let html = html::is_html(text);
    // Marks of a quotation are seen only when colours and entities are gone.
    let mut raw: Vec<Line<'_>> = Vec::new();
    for (at, line) in split(text).into_iter().enumerate() {
        match shown(line, html) {
            // A `<br>` is a line break, but not one of the text's own.
            Cow::Owned(text) if text.contains('\n') => {
                raw.extend(
                    text.split('\n').map(|part| Line { number: at + 1, text: part.to_owned().into() }),
                );
            }
            text => raw.push(Line { number: at + 1, text }),
        }
    }
    if numbered(&raw) {
        for line in &mut raw {
            let text = std::mem::take(&mut line.text);
            line.text = through(text, |t| Cow::Borrowed(line_number(t).unwrap_or(t)));
        }
    }
    if let Some(strip) = prefix::of(raw.iter().map(|l| l.text.as_ref())) {
        for line in &mut raw {
            let text = std::mem::take(&mut line.text);
            line.text = through(text, |t| Cow::Borrowed(strip(t)));
        }
    }
    let quoted: Vec<bool> = (0..raw.len()).map(|at| quoted(&raw, at)).collect();
    let mut out = Vec::with_capacity(raw.len());
    for (line, quoted) in raw.into_iter().zip(quoted) {
        let number = line.number;
        match bare(line.text, quoted) {
            Cow::Borrowed(text) => match run_together::parts(text) {
                Some(parts) => out.extend(parts.into_iter().map(|p| Line { number, text: p.into() })),
                None => out.push(Line { number, text: text.into() }),
            },
            Cow::Owned(text) => match run_together::parts(&text) {
                Some(parts) => {
                    out.extend(parts.into_iter().map(|p| Line { number, text: p.to_owned().into() }))
                }
                None => out.push(Line { number, text: text.into() }),
            },
        }
    }
    out
}

/// Line ends: LF and CR LF; CR alone where there is no other.
fn split(text: &str) -> Vec<&str> {
    if !text.contains('\n') && text.contains('\r') {
        return text.trim_end_matches('\r').split('\r').collect();
    }
    text.lines().collect()
}

/// What a terminal or a browser would show of a line.
fn shown(line: &str, html: bool) -> Cow<'_, str> {
    let text = ansi::strip(line);
    if html { through(text, html::unescape) } else { text }
}

/// A line without marks of a quotation, fences and typographic characters.
fn bare(line: Cow<'_, str>, quoted: bool) -> Cow<'_, str> {
    let mut text = line;
    if quoted {
        text = through(text, |t| Cow::Borrowed(unquoted(t)));
    }
    if text.trim_start().starts_with("```") || text.trim_start().starts_with("~~~") {
        return Cow::Borrowed("");
    }
    through(text, plain)
}

/// Applies a step that mostly changes nothing, without a copy where it does not.
fn through<'a>(text: Cow<'a, str>, step: impl for<'t> Fn(&'t str) -> Cow<'t, str>) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => step(text),
        Cow::Owned(text) => Cow::Owned(step(&text).into_owned()),
    }
}

/// Characters that word processors and web pages put in place of ASCII ones.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let replaced = |c: char| match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => Some("'"),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => Some("\""),
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{2009}' | '\u{2002}' | '\u{2003}' => Some(" "),
        '\u{3000}' => Some("  "),
        '\u{2011}' | '\u{2010}' => Some("-"),
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{feff}' | '\u{2060}' | '\u{200e}' | '\u{200f}' => Some(""),
        _ => None,
    };
    if !text.chars().any(|c| replaced(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match replaced(c) {
            Some(ascii) => out.push_str(ascii),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A line that begins with a mark of a quotation, and not with Python's prompt.
fn is_quoted(line: &str) -> bool {
    let line = line.trim_start();
    (line.starts_with('>') && !line.starts_with(">>>")) || line.starts_with("> >>>")
}

/// A mark on a single line is a prompt, on neighbouring lines a quotation.
fn quoted(lines: &[Line<'_>], at: usize) -> bool {
    is_quoted(&lines[at].text)
        && (at.checked_sub(1).is_some_and(|before| is_quoted(&lines[before].text))
            || lines.get(at + 1).is_some_and(|next| is_quoted(&next.text)))
}

fn unquoted(text: &str) -> &str {
    let mut text = text;
    while is_quoted(text) {
        let rest = &text.trim_start()[1..];
        text = rest.strip_prefix(' ').unwrap_or(rest);
    }
    text
}

/// The numbers that editors and `grep -n` write before lines: only where nearly all lines have them, rising.
fn numbered(lines: &[Line<'_>]) -> bool {
    let mut last = None;
    let mut with = 0usize;
    let mut all = 0usize;
    for line in lines.iter().map(|l| l.text.as_ref()).filter(|l| !l.trim().is_empty()) {
        all += 1;
        let Some(number) = number_of(line) else { continue };
        if last.is_some_and(|last| number <= last) {
            return false;
        }
        last = Some(number);
        with += 1;
    }
    with >= 5 && with * 10 >= all * 9
}

fn number_of(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    (end > 0 && end <= 6 && line[end..].starts_with([':', '\t', ' ', '|']))
        .then(|| line[..end].parse().ok())
        .flatten()
}

fn line_number(line: &str) -> Option<&str> {
    number_of(line)?;
    let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    // `grep -n` writes a colon, `cat -n` a tab, editors a blank or a bar between blanks.
    match line.strip_prefix([':', '\t', '|']) {
        Some(rest) => Some(rest),
        None => line.strip_prefix(' ').map(|rest| rest.strip_prefix("| ").unwrap_or(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        lines(text).into_iter().map(|l| l.text.into_owned()).collect()
    }

    #[test]
    fn a_quotation_is_taken_off_and_a_prompt_is_not() {
        assert_eq!(texts("> a\n> > b\n>>> import torch\n"), ["a", "b", ">>> import torch"]);
        assert_eq!(texts("> pip list\ntorch 2.0\n"), ["> pip list", "torch 2.0"]);
        assert_eq!(clean("> > x"), "x");
    }

    #[test]
    fn fences_quotes_and_blanks_are_plain() {
        assert_eq!(texts("```console\n\u{201c}x\u{201d}\u{a0}it\u{2019}s\n```"), ["", "\"x\" it's", ""]);
        assert_eq!(clean("驱动程序版本：1"), "驱动程序版本：1");
    }

    #[test]
    fn numbers_before_all_lines_go() {
        assert_eq!(texts("1:a\n2:b\n3:c\n4:d\n5:e"), ["a", "b", "c", "d", "e"]);
        assert_eq!(texts("1 a\nb\n3 c\n"), ["1 a", "b", "3 c"]);
    }

    #[test]
    fn numbers_of_lines_are_those_of_the_text() {
        let lines = lines("a\r\n\r\nb<br>c\r\nd &lt;\r\n");
        let numbers: Vec<_> = lines.iter().map(|l| (l.number, l.text.as_ref())).collect();
        assert_eq!(numbers, [(1, "a"), (2, ""), (3, "b"), (3, "c"), (4, "d <")]);
    }
}
