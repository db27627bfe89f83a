//! Lines that a console broke at its width.

use crate::Line;

/// Lines shorter than this are not taken for broken ones.
const SHORTEST: usize = 40;

/// Widths that consoles are opened with.
const CONSOLES: [usize; 4] = [80, 100, 120, 132];

/// The most lines that are joined to one.
const MOST: usize = 4;

/// What lines would be if a console or a mail program had broken them: each with the next ones, without a space between
/// (a console cuts words) and with one (a mail program does not). Numbered by the first of the lines.
pub fn joined(lines: &[Line<'_>]) -> Vec<Line<'static>> {
    let widths: Vec<usize> = lines.iter().map(|l| width(&l.text)).collect();
    let widest = widths.iter().copied().filter(|w| *w <= 250).max().unwrap_or(0);
    let mut out = Vec::new();
    for first in 0..lines.len() {
        let mut last = first;
        while last + 1 < lines.len()
            && last + 1 < first + MOST
            && broken(&lines[last], widths[last], &lines[last + 1], widest)
        {
            last += 1;
        }
        if last == first {
            continue;
        }
        for between in ["", " "] {
            let mut text = lines[first].text.trim_end().to_owned();
            for line in &lines[first + 1..=last] {
                if between.is_empty() {
                    text.push_str(line.text.trim_end());
                } else {
                    text.push(' ');
                    text.push_str(line.text.trim());
                }
            }
            out.push(Line { number: lines[first].number, text: text.into() });
        }
    }
    out
}

/// Could a line have been broken before the next one?
fn broken(line: &Line<'_>, width: usize, next: &Line<'_>, widest: usize) -> bool {
    if width < SHORTEST || next.number != line.number + 1 || next.text.trim().is_empty() {
        return false;
    }
    let at_edge = CONSOLES.iter().any(|c| width == *c || width + 1 == *c) || width + 1 >= widest;
    let word = next.text.split_whitespace().next().map_or(0, str::len);
    at_edge || (width <= widest && width + 1 + word > widest)
}

/// Columns that a text takes: characters of East Asian scripts take two.
fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|c| if ('\u{1100}'..='\u{ffdc}').contains(&c) && c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cut_at_column_80_is_whole_again() {
        let text = "short\nUnable to determine the device handle for GPU 0000:03:00.0: GPU is lost.  Reboot\n the system to recover this GPU\n";
        let lines = Line::all(text);
        let joined = joined(&lines);
        assert_eq!(joined[0].number, 2);
        assert!(
            joined.iter().any(|l| l.text.contains("GPU is lost.  Reboot the system to recover this GPU"))
        );
    }

    #[test]
    fn short_lines_and_gaps_are_left_alone() {
        assert!(joined(&Line::all("one\ntwo\nthree")).is_empty());
        let far = [Line { number: 1, text: "x".repeat(80).into() }, Line { number: 9, text: "rest".into() }];
        assert!(joined(&far).is_empty());
    }
}
