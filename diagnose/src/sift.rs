//! A log of any size, read once: the messages in it, and the lines that are worth a closer look.
//!
//! What comes is never held as a whole. The first [`WHOLE`] bytes are kept, which is more than anybody pastes; of what
//! follows only the lines around a message or behind the beginning of a report are.

use crate::needles::{Needles, Owner};
use crate::stream::{Decoder, plain};
use crate::{Hit, Line, text};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Range;

/// So much of the beginning is kept, in bytes.
pub const WHOLE: usize = 1 << 20;

/// So much is kept of what follows.
const KEPT: usize = 2 << 20;

/// Read at once.
const CHUNK: usize = 1 << 18;

/// A longer line is looked at in pieces.
const LONGEST_LINE: usize = 1 << 16;

/// Of a message that repeats itself so many places are remembered; the others are counted.
const PLACES: usize = 64;

/// Of the line of a message so many bytes are remembered: nobody prints a longer one.
const LONGEST_HIT: usize = 4096;

/// Lines before a message that are kept with it.
const BEFORE: usize = 3;

/// Lines after it.
const AFTER: usize = 4;

/// What is left of a log.
#[derive(Clone, Debug, Default)]
pub struct Excerpt {
    /// The lines that were kept, cleaned, by number.
    pub lines: Vec<Line<'static>>,
    /// The messages, by line.
    pub hits: Vec<Hit>,
    /// How often each signature was found, also where the place was not remembered.
    pub counts: HashMap<usize, usize>,
    /// How many lines there were.
    pub total: usize,
    /// How many bytes there were.
    pub bytes: u64,
    /// In which encoding it was written.
    pub encoding: &'static str,
    /// The texts that it was put together from: name, and the number of the line before its first.
    pub files: Vec<(String, usize)>,
}

impl Excerpt {
    /// With the name of the text that it is from.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.files = vec![(name.to_owned(), 0)];
        self
    }

    /// Another text behind this one: its lines go on counting.
    pub fn append(&mut self, other: Excerpt, name: &str) {
        let offset = self.total;
        self.files.push((name.to_owned(), offset));
        self.lines.extend(other.lines.into_iter().map(|l| Line { number: l.number + offset, ..l }));
        self.hits.extend(other.hits.into_iter().map(|h| Hit { line: h.line + offset, ..h }));
        for (signature, count) in other.counts {
            *self.counts.entry(signature).or_default() += count;
        }
        self.total += other.total;
        self.bytes += other.bytes;
    }

    /// The text and the line in it that a line is.
    pub fn place(&self, line: usize) -> Option<(&str, usize)> {
        let (name, before) = self.files.iter().rev().find(|(_, before)| *before < line)?;
        Some((name, line - before))
    }
}

/// Reads a log to its end.
///
/// # Errors
/// If it cannot be read.
pub fn sift(needles: &Needles<'_>, input: &mut dyn Read) -> io::Result<Excerpt> {
    let mut sieve = Sieve::new(needles);
    let mut buffer = vec![0; CHUNK];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(sieve.finish()),
            Ok(count) => sieve.push(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The state between two pieces of a log.
#[derive(Debug)]
pub struct Sieve<'n> {
    needles: &'n Needles<'n>,
    out: Excerpt,
    /// The first bytes, until it is known how the text is written.
    start: Option<Vec<u8>>,
    decoder: Decoder,
    /// The beginning of the text, until it is long enough.
    head: Option<String>,
    /// The beginning of a line whose end has not come.
    rest: String,
    /// The number of lines before what comes next.
    number: usize,
    /// Bytes kept behind the head.
    kept: usize,
    /// Lines up to this number are kept because of what stood before them.
    until: usize,
}

impl<'n> Sieve<'n> {
    /// Nothing read yet.
    pub fn new(needles: &'n Needles<'n>) -> Self {
        Sieve {
            needles,
            out: Excerpt::default(),
            start: Some(Vec::new()),
            decoder: Decoder::default(),
            head: Some(String::new()),
            rest: String::new(),
            number: 0,
            kept: 0,
            until: 0,
        }
    }

    /// The next piece.
    pub fn push(&mut self, bytes: &[u8]) {
        self.out.bytes += bytes.len() as u64;
        let Some(start) = &mut self.start else { return self.decode(bytes, false) };
        start.extend_from_slice(bytes);
        if start.len() >= 4096 {
            self.begin();
        }
    }

    /// The end.
    pub fn finish(mut self) -> Excerpt {
        self.begin();
        self.decode(&[], true);
        self.close_head(true);
        if !self.rest.is_empty() {
            let rest = std::mem::take(&mut self.rest);
            self.lines(&rest);
            self.number += 1;
        }
        self.out.total = self.number;
        self.out.encoding = self.decoder.name();
        self.out.hits.sort_by_key(|h| (h.line, h.signature));
        self.out
    }

    fn begin(&mut self) {
        if let Some(start) = self.start.take() {
            self.decoder = Decoder::of(&start);
            self.decode(&start, false);
        }
    }

    fn decode(&mut self, bytes: &[u8], last: bool) {
        // The decoder is taken out, since `self` looks at what it gives.
        let mut decoder = std::mem::take(&mut self.decoder);
        decoder.feed(bytes, last, |text| self.text(text));
        self.decoder = decoder;
    }

    fn text(&mut self, text: &str) {
        if let Some(head) = &mut self.head {
            head.push_str(text);
            if head.len() >= WHOLE {
                self.close_head(false);
            }
            return;
        }
        let end = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |i| i + 1);
        let (whole, rest) = text.split_at(end);
        if self.rest.is_empty() {
            self.lines(whole);
        } else if end > 0 {
            let first = memchr::memchr(b'\n', whole.as_bytes()).map_or(end, |i| i + 1);
            let mut line = std::mem::take(&mut self.rest);
            line.push_str(&whole[..first]);
            self.lines(&line);
            self.lines(&whole[first..]);
        }
        self.rest.push_str(rest);
        if self.rest.len() > LONGEST_LINE {
            // A piece of a line: its number stays what it is.
            let piece = std::mem::take(&mut self.rest);
            self.lines(&piece);
        }
    }

    /// The beginning of the text: every line of it is kept. What follows its last line end waits, unless that is all.
    fn close_head(&mut self, all: bool) {
        let Some(mut head) = self.head.take() else { return };
        if !all {
            let end = memchr::memrchr(b'\n', head.as_bytes()).map_or(head.len(), |i| i + 1);
            self.rest = head.split_off(end);
        }
        let lines = text::lines(&head);
        for line in &lines {
            self.look(line.number, &line.text);
        }
        // What a console broke in two. Such a message is searched where neither half has it.
        let known: std::collections::HashSet<(usize, usize)> =
            self.out.hits.iter().map(|h| (h.signature, h.line)).collect();
        for joined in text::joined(&lines) {
            let first = self.out.hits.len();
            self.look(joined.number, &joined.text);
            let hits = self.out.hits.split_off(first);
            // It is one of both halves only.
            let halves = |h: &Hit| (h.line..h.line + 4).any(|line| known.contains(&(h.signature, line)));
            let (again, new): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(halves);
            for hit in again {
                if let Some(count) = self.out.counts.get_mut(&hit.signature) {
                    *count -= 1;
                }
            }
            self.out.hits.extend(new);
        }
        self.number = head.lines().count();
        self.out.lines = lines
            .into_iter()
            .map(|l| Line { number: l.number, text: Cow::Owned(l.text.into_owned()) })
            .collect();
    }

    /// The messages of one line.
    fn look(&mut self, number: usize, line: &str) {
        let needles = self.needles;
        needles.find(line, |needle, at| {
            if let Owner::Signature(signature) = needles.owner(needle) {
                self.hit(signature as usize, number, line, at);
            }
        });
    }

    /// Whole lines behind the head, or a piece of a very long one.
    fn lines(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = &*plain(text);
        let needles = self.needles;
        let mut cursor = Cursor { text, at: 0, number: self.number + 1, taken: 0 };
        self.keep(&mut cursor);
        needles.find(text, |needle, at| {
            if !cursor.forward(at) {
                return;
            }
            let line = cursor.line();
            let window = match needles.owner(needle) {
                Owner::Signature(signature)
                    if self.hit(signature as usize, cursor.number, line, at - cursor.at) =>
                {
                    AFTER
                }
                Owner::Signature(_) => return,
                Owner::Anchor(lines) => usize::from(lines),
            };
            if self.until < cursor.number {
                cursor.step_back(BEFORE);
                self.until = cursor.number;
                self.keep(&mut cursor);
                cursor.forward(at);
            }
            self.until = self.until.max(cursor.number + window);
            self.keep(&mut cursor);
        });
        self.number += memchr::memchr_iter(b'\n', text.as_bytes()).count();
    }

    /// Keeps lines from the cursor on, as far as they are wanted and in the text.
    fn keep(&mut self, cursor: &mut Cursor<'_>) {
        let (mut at, mut number) = (cursor.at, cursor.number);
        while number <= self.until && at < cursor.text.len() && self.kept < KEPT {
            let end = memchr::memchr(b'\n', &cursor.text.as_bytes()[at..])
                .map_or(cursor.text.len(), |i| at + i + 1);
            if at >= cursor.taken && self.out.lines.last().is_none_or(|l| l.number < number) {
                let line = cursor.text[at..end].trim_end_matches(['\n', '\r']);
                self.kept += line.len() + 32;
                let text = text::clean(line).into_owned();
                self.out.lines.push(Line { number, text: Cow::Owned(text) });
                cursor.taken = end;
            }
            at = end;
            number += 1;
        }
    }

    /// Remembers a message whose needle stands at a byte of the line, if the line is one and there is room.
    fn hit(&mut self, signature: usize, line: usize, text: &str, at: usize) -> bool {
        let again = self.out.hits.iter().rev().take(16).any(|h| h.signature == signature && h.line == line);
        if again {
            return false;
        }
        let count = self.out.counts.get(&signature).copied().unwrap_or(0);
        // What was found so often is not looked at closer.
        if count < PLACES
            && (!self.needles.confirms(signature, text) || self.needles.is_denied(signature, text))
        {
            return false;
        }
        self.out.counts.insert(signature, count + 1);
        if count < PLACES {
            self.out.hits.push(Hit { signature, line, text: text[around(text, at, LONGEST_HIT)].to_owned() });
        }
        count < PLACES
    }
}

/// A place in a text: the beginning of a line, and its number.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    number: usize,
    /// Up to here lines were kept.
    taken: usize,
}

impl<'t> Cursor<'t> {
    /// Goes to the line of a byte; `false` if that is a line before the present one.
    fn forward(&mut self, byte: usize) -> bool {
        if byte < self.at {
            return false;
        }
        let bytes = self.text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[self.at..byte]).map_or(self.at, |i| self.at + i + 1);
        self.number += memchr::memchr_iter(b'\n', &bytes[self.at..start]).count();
        self.at = start;
        true
    }

    /// Goes back some lines, as far as there are.
    fn step_back(&mut self, lines: usize) {
        for _ in 0..lines {
            if self.at == 0 {
                return;
            }
            let bytes = self.text.as_bytes();
            self.at = memchr::memrchr(b'\n', &bytes[..self.at - 1]).map_or(0, |i| i + 1);
            self.number -= 1;
        }
    }

    fn line(&self) -> &'t str {
        let bytes = self.text.as_bytes();
        let end = memchr::memchr(b'\n', &bytes[self.at..]).map_or(bytes.len(), |i| self.at + i);
        self.text[self.at..end].trim_end_matches('\r')
    }
}

/// So many bytes of a line at most, with a place in them: the beginning if it is there, else what is around it.
pub(crate) fn around(line: &str, at: usize, most: usize) -> Range<usize> {
    let wanted = if at <= most / 2 { 0 } else { at - most / 4 };
    let start = line.ceil_char_boundary(wanted.min(line.len().saturating_sub(most)));
    start..line.floor_char_boundary(start + most)
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn a_piece_of_a_line_has_the_place_in_it() {
        let line = "é".repeat(500);
        for (at, most, piece) in
            [(0, 2_000, 0..1_000), (0, 100, 0..100), (50, 100, 0..100), (60, 101, 36..136)]
        {
            assert_eq!(around(&line, at, most), piece, "{at} {most}");
        }
        assert_eq!(around(&line, 999, 100), 900..1_000);
        assert_eq!(around("", 0, 5), 0..0);
    }
}
