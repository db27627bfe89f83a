//! One text file: its TOML, its prose, and places in it.

use crate::tree::{MAX_FILE, too_large, whole_file};
use kb_core::diag::{Diagnostic, Place};
use std::cell::OnceCell;
use std::ops::Range;
use toml::de::DeTable;

/// A file of the tree while it is read.
pub(super) struct File<'t> {
    /// Relative to the data directory.
    pub(super) path: &'t str,
    text: &'t str,
    /// Where the TOML starts in `text`.
    start: usize,
    toml: &'t str,
    /// What follows the TOML in a Markdown file.
    pub(super) prose: &'t str,
    lines: OnceCell<Vec<usize>>,
}

impl<'t> File<'t> {
    /// Opens a file: checks size and encoding, and for Markdown splits off the block on top.
    pub(super) fn open(path: &'t str, bytes: &'t [u8]) -> Result<File<'t>, Diagnostic> {
        if bytes.len() as u64 > MAX_FILE {
            return Err(too_large(path, bytes.len() as u64));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
            Diagnostic::error(
                "wrong-encoding",
                format!("this file is not UTF-8: line {line} has a byte that starts no character"),
            )
            .at(whole_file(path))
            .help(encoding_help(bytes))
        })?;
        if text.contains('\0') {
            return Err(Diagnostic::error("wrong-encoding", "this file has NUL bytes: it is no text")
                .at(whole_file(path))
                .help(encoding_help(bytes)));
        }
        let mut file = File { path, text, start: 0, toml: text, prose: "", lines: OnceCell::new() };
        if path.ends_with(".md") {
            file.split_front_matter()?;
        }
        Ok(file)
    }

    fn split_front_matter(&mut self) -> Result<(), Diagnostic> {
        let line_end = |from: usize| self.text[from..].find('\n').map_or(self.text.len(), |i| from + i + 1);
        let first = line_end(0);
        if self.text[..first].trim_end() != "+++" {
            return Err(Diagnostic::error("bad-front-matter", "this file does not start with a line `+++`")
                .at(self.place(0..first.min(self.text.len())))
                .help("put the keys between two lines `+++` at the top; the prose follows the second"));
        }
        let mut at = first;
        while at < self.text.len() {
            let next = line_end(at);
            if self.text[at..next].trim_end() == "+++" {
                self.start = first;
                self.toml = &self.text[first..at];
                self.prose = self.text[next..].trim();
                return Ok(());
            }
            at = next;
        }
        Err(Diagnostic::error("bad-front-matter", "the block on top is not closed by a second line `+++`")
            .at(self.place(0..3))
            .help("add a line `+++` between the keys and the prose"))
    }

    /// Parses the TOML; a syntax error is one diagnostic for the file.
    pub(super) fn parse(&self) -> Result<toml::Spanned<DeTable<'t>>, Diagnostic> {
        DeTable::parse(self.toml).map_err(|error| {
            let message =
                format!("this is not TOML: {}", error.message().lines().next().unwrap_or("syntax error"));
            let span = error.span().unwrap_or(0..0);
            let mut out = Diagnostic::error("bad-toml", message).at(self.place_of(span));
            if error.message().contains("duplicate key") {
                out = out.help("a key may stand once in a table; several rows are several `[[row]]` blocks");
            }
            out
        })
    }

    /// The place of a span of the TOML.
    pub(super) fn place_of(&self, span: Range<usize>) -> Place {
        self.place(span.start + self.start..span.end + self.start)
    }

    /// The place of the file as a whole.
    pub(super) fn whole(&self) -> Place {
        whole_file(self.path)
    }

    fn place(&self, span: Range<usize>) -> Place {
        let lines = self.lines.get_or_init(|| {
            std::iter::once(0)
                .chain(self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
                .collect()
        });
        let floor = |mut i: usize| {
            i = i.min(self.text.len());
            while !self.text.is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
        let number = lines.partition_point(|l| *l <= start).saturating_sub(1);
        let line_start = lines[number];
        let line_end = lines.get(number + 1).map_or(self.text.len(), |n| n - 1).max(start);
        let shown = self.text[line_start..line_end].trim_end_matches(['\r', '\n']);
        Place {
            path: self.path.to_owned(),
            line: number + 1,
            column: self.text[line_start..start].chars().count() + 1,
            // A line of a megabyte helps nobody.
            text: shown.chars().take(400).collect(),
            length: self.text[start..end.clamp(start, line_end)].chars().count().clamp(1, 400),
        }
    }
}

/// What to do about bytes that are not the UTF-8 of a text.
fn encoding_help(bytes: &[u8]) -> &'static str {
    let wide = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    let nul = bytes.contains(&0);
    match (wide, nul) {
        (true, _) => "this is UTF-16, as PowerShell's `>` writes it: save it as UTF-8",
        (false, true) => "this is a binary file: take it out of the directory",
        (false, false) => "it may be GBK or another older encoding: save it as UTF-8",
    }
}

/// Collects what is wrong while borrowed by everybody.
#[derive(Default)]
pub(super) struct Log(std::cell::RefCell<Vec<Diagnostic>>);

impl Log {
    /// Keeps a message.
    pub(super) fn push(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
    }

    /// All messages, by place; those without one come last.
    pub(super) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut all = self.0.into_inner();
        all.sort_by(|a, b| {
            (a.place.is_none(), &a.place, a.code, &a.message).cmp(&(
                b.place.is_none(),
                &b.place,
                b.code,
                &b.message,
            ))
        });
        all
    }
}
