//! Texts that a console broke at its width, with the lines whole again.

use crate::Line;

/// The lines joined that fill the width of the console; none where the text was not broken.
pub(super) fn undo(lines: &[Line<'_>]) -> Option<Vec<Line<'static>>> {
    let widths: Vec<usize> = lines.iter().map(|l| l.text.chars().count()).collect();
    let widest = widths.iter().copied().max().unwrap_or(0);
    let full = widths.iter().filter(|w| **w == widest).count();
    // One full line may be a coincidence, except at the width that consoles are opened with.
    let console = matches!(widest, 80 | 100 | 120 | 132);
    if !(60..=250).contains(&widest) || (full < 3 && !console) {
        return None;
    }
    let mut out: Vec<Line<'static>> = Vec::with_capacity(lines.len());
    let mut joined = false;
    let mut open = false;
    for (at, line) in lines.iter().enumerate() {
        let before = at.checked_sub(1).map(|b| &lines[b]);
        let goes_on = open
            && before.is_some_and(|b| b.number + 1 == line.number && !b.text.ends_with(['|', '+']))
            && !line.text.is_empty();
        match out.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.text.to_mut().push_str(&line.text);
                joined = true;
            }
            None => out.push(Line { number: line.number, text: line.text.clone().into_owned().into() }),
        }
        open = widths[at] == widest;
    }
    joined.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_lines_go_on() {
        let text = format!("{}\nrest\nshort\n", "x".repeat(80));
        let lines = undo(&Line::all(&text)).unwrap_or_default();
        assert_eq!(lines.iter().map(|l| (l.number, l.text.len())).collect::<Vec<_>>(), [(1, 84), (3, 5)]);
        assert!(undo(&Line::all("a\nb")).is_none());
        let table = format!("{0}\n{0}\n{0}\n", format_args!("|{}|", "-".repeat(77)));
        assert!(undo(&Line::all(&table)).is_none());
    }
}
