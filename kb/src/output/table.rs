//! Tables that fit, or blocks where they don't.

use super::wrap::{pad, width};
use super::{Ink, Screen};

/// Prints rows as a table if it fits into the screen, else each row as a block of `label: value` lines.
pub fn table(screen: &mut Screen<'_>, heads: &[String], rows: &[Vec<String>], least: usize) {
    let columns: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(i, head)| {
            rows.iter().filter_map(|r| r.get(i)).map(|c| width(c)).chain([width(head)]).max().unwrap_or(0)
        })
        .collect();
    let total = columns.iter().sum::<usize>() + 2 * columns.len().saturating_sub(1);
    if screen.width < least || total > screen.width {
        blocks(screen, heads, rows);
        return;
    }
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells.iter().zip(&columns).map(|(cell, w)| pad(cell, *w)).collect();
        padded.join("  ").trim_end().to_owned()
    };
    screen.raw(0, Ink::Head, &line(heads));
    for row in rows {
        screen.raw(0, Ink::Plain, &line(row));
    }
}

fn blocks(screen: &mut Screen<'_>, heads: &[String], rows: &[Vec<String>]) {
    let labels = heads.iter().skip(1).map(|h| width(h)).max().unwrap_or(0);
    for row in rows {
        let Some((first, rest)) = row.split_first() else { continue };
        screen.item(0, "", Ink::Plain, first, Ink::Head);
        for (head, cell) in heads.iter().skip(1).zip(rest) {
            if !cell.is_empty() && cell != "-" {
                screen.item(2, &pad(head, labels), Ink::Faint, cell, Ink::Plain);
            }
        }
    }
}
