//! Widths and line breaks: Chinese is twice as wide and breaks anywhere, commands and addresses never break.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Punctuation that stays with what is before it.
const CLOSING: &str = "，。、；：？！）」』》】”’,.;:?!)]}";
/// Punctuation that stays with what comes after it.
const OPENING: &str = "（「『《【“‘([{";

/// The pieces between which a line may break; each tells whether a space stands before it.
fn pieces(text: &str) -> Vec<(bool, String)> {
    let mut out: Vec<(bool, String)> = Vec::new();
    let mut space = false;
    let mut open = false;
    let mut last_wide = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            open = false;
            continue;
        }
        let wide = c.width().unwrap_or(0) > 1;
        let may_break = space || ((wide || last_wide) && !CLOSING.contains(c) && !open);
        match out.last_mut() {
            Some((_, piece)) if !may_break => piece.push(c),
            _ => out.push((space && !out.is_empty(), c.to_string())),
        }
        open = OPENING.contains(c);
        last_wide = wide;
        space = false;
    }
    out
}

/// Breaks a text into lines of at most `columns`; a piece that is longer stands on a line of its own.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for (space, piece) in pieces(text) {
        let gap = usize::from(space && !line.is_empty());
        let needs = width(&piece);
        if !line.is_empty() && used + gap + needs > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if gap > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&piece);
        used += needs;
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Fills a text with spaces up to a width.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = text.to_owned();
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(text))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrap("a driver for CUDA", 9), ["a driver", "for CUDA"]);
        assert_eq!(wrap("https://example.org/x y", 5), ["https://example.org/x", "y"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn chinese_breaks_anywhere_but_before_a_comma() {
        assert_eq!(wrap("驱动过旧，请升级", 8), ["驱动过", "旧，请升", "级"]);
        assert!(wrap("计算能力 8.6 的显卡可以运行 torch 2.9.1", 12).iter().all(|l| width(l) <= 12));
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(pad("显卡", 6), "显卡  ");
    }
}
