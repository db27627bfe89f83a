//! The terms of an index in their order, each with the place of its postings.
//!
//! Terms stand in blocks. The first of a block is whole, the others say how much they share with the one before:
//!
//! ```text
//! [shared] length suffix postings-length    shared, length, postings-length: varints; shared is left out at a block's head
//! ```
//!
//! Why no transducer: reading one made by somebody else may run out of its bytes (the `fst` crate looks at no address
//! before it follows it), and this list is as small when it is compressed. A walk with an automaton skips a block as soon as
//! what its terms have in common is ruled out.

use crate::format::{Reader, put_number};
use crate::typo::Near;
use std::ops::Range;

/// Terms to a block.
const BLOCK: usize = 16;
/// The longest term: names are the longest.
pub(crate) const LONGEST_TERM: usize = 255;

/// Writes terms that come in ascending order, without repetition.
#[derive(Default)]
pub(crate) struct DictionaryWriter {
    bytes: Vec<u8>,
    last: Vec<u8>,
    count: usize,
}

impl DictionaryWriter {
    pub(crate) fn add(&mut self, term: &str, postings: usize) {
        let term = term.as_bytes();
        let shared = if self.count.is_multiple_of(BLOCK) {
            0
        } else {
            let shared = shared(&self.last, term);
            put_number(&mut self.bytes, shared);
            shared
        };
        put_number(&mut self.bytes, term.len() - shared);
        self.bytes.extend_from_slice(&term[shared..]);
        put_number(&mut self.bytes, postings);
        self.last.clear();
        self.last.extend_from_slice(term);
        self.count += 1;
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Where a block begins, in the section of terms and in that of postings.
#[derive(Clone, Copy)]
struct Block {
    terms: usize,
    postings: usize,
}

/// Terms as they are read. Every byte was looked at once when it was opened.
pub(crate) struct Dictionary<'a> {
    bytes: &'a [u8],
    blocks: Vec<Block>,
}

impl<'a> Dictionary<'a> {
    /// `None` if the terms are not in order, or their postings do not fill `postings` bytes.
    pub(crate) fn open(bytes: &'a [u8], postings: usize) -> Option<Self> {
        let mut blocks = Vec::new();
        let mut cursor = Cursor::new(bytes, Block { terms: 0, postings: 0 });
        let mut last = Vec::new();
        loop {
            let block = Block { terms: bytes.len() - cursor.reader.left(), postings: cursor.postings.end };
            let head = cursor.count.is_multiple_of(BLOCK);
            if cursor.reader.is_empty() {
                break;
            }
            if !cursor.advance() || (cursor.count > 1 && cursor.term <= last) {
                return None;
            }
            last.clone_from(&cursor.term);
            if head {
                blocks.push(block);
            }
        }
        (cursor.postings.end == postings).then_some(Dictionary { bytes, blocks })
    }

    /// The postings of a term.
    pub(crate) fn find(&self, term: &str) -> Option<Range<usize>> {
        let cursor = self.from(term)?;
        (cursor.term == term.as_bytes()).then_some(cursor.postings)
    }

    /// Calls `found` with all terms that begin with a text, in order, `most` at most.
    pub(crate) fn beginning(&self, start: &str, most: usize, mut found: impl FnMut(&[u8], Range<usize>)) {
        let Some(mut cursor) = self.from(start) else { return };
        for _ in 0..most {
            if !cursor.term.starts_with(start.as_bytes()) {
                return;
            }
            found(&cursor.term, cursor.postings.clone());
            if !cursor.advance() {
                return;
            }
        }
    }

    /// Calls `found` with all terms near a word, from `first` on.
    pub(crate) fn near(&self, near: &Near, first: &str, mut found: impl FnMut(&[u8], u8, Range<usize>)) {
        let start = self.block_of(first.as_bytes());
        // states[n]: the automaton after n bytes; it ends where no term can match any more.
        let mut states = Vec::new();
        for at in start..self.blocks.len() {
            let (Some(block), Some(head)) = (self.blocks.get(at), self.head(at)) else { return };
            if let Some(next) = self.head(at + 1)
                && near.is_ruled_out(&head[..shared(head, next)])
            {
                continue;
            }
            let mut cursor = Cursor::new(self.bytes, *block);
            states.clear();
            states.push(near.start());
            for _ in 0..BLOCK {
                if !cursor.advance() {
                    break;
                }
                if states.len() <= cursor.shared {
                    continue;
                }
                states.truncate(cursor.shared + 1);
                if let Some(distance) = near.walk(&mut states, &cursor.term)
                    && cursor.term.as_slice() >= first.as_bytes()
                {
                    found(&cursor.term, distance, cursor.postings.clone());
                }
            }
        }
    }

    /// At the first term that is not before this one.
    fn from(&self, term: &str) -> Option<Cursor<'a>> {
        let term = term.as_bytes();
        let mut cursor = Cursor::new(self.bytes, *self.blocks.get(self.block_of(term))?);
        while cursor.advance() {
            if cursor.term.as_slice() >= term {
                return Some(cursor);
            }
        }
        None
    }

    /// The block that holds a term if any does.
    fn block_of(&self, term: &[u8]) -> usize {
        let after = self
            .blocks
            .partition_point(|block| Cursor::new(self.bytes, *block).head().is_some_and(|head| head <= term));
        after.saturating_sub(1)
    }

    fn head(&self, block: usize) -> Option<&'a [u8]> {
        Cursor::new(self.bytes, *self.blocks.get(block)?).head()
    }
}

/// A term and those after it.
struct Cursor<'a> {
    reader: Reader<'a>,
    /// How many terms were read.
    count: usize,
    term: Vec<u8>,
    /// How many bytes of it are those of the term before.
    shared: usize,
    postings: Range<usize>,
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8], block: Block) -> Self {
        Cursor {
            reader: Reader::new(bytes.get(block.terms..).unwrap_or_default()),
            count: 0,
            term: Vec::new(),
            shared: 0,
            postings: block.postings..block.postings,
        }
    }

    /// The first term of a block, without moving.
    fn head(&self) -> Option<&'a [u8]> {
        let mut reader = self.reader.clone();
        let length = reader.number()?;
        reader.take(length)
    }

    /// To the next term; `false` at the end and where the bytes make no sense.
    fn advance(&mut self) -> bool {
        self.read().is_some()
    }

    fn read(&mut self) -> Option<()> {
        let shared = if self.count.is_multiple_of(BLOCK) { 0 } else { self.reader.number()? };
        let length = self.reader.number()?;
        let suffix = self.reader.take(length)?;
        let postings = self.reader.number()?;
        if shared > self.term.len() || shared + length > LONGEST_TERM {
            return None;
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(suffix);
        self.shared = shared;
        self.postings = self.postings.end..self.postings.end.checked_add(postings)?;
        self.count += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typo::Typos;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn dictionary(terms: &BTreeSet<String>) -> (Vec<u8>, usize) {
        let mut writer = DictionaryWriter::default();
        terms.iter().enumerate().for_each(|(at, term)| writer.add(term, at));
        (writer.finish(), (0..terms.len()).sum())
    }

    proptest! {
        #[test]
        fn a_list_searched_word_by_word_gives_the_same(
            terms in prop::collection::btree_set("[ab显]{0,7}|[a-c]{5,9}", 0..200),
            asked in "[ab显]{0,7}|[a-c]{5,9}",
        ) {
            let (bytes, postings) = dictionary(&terms);
            let dictionary = Dictionary::open(&bytes, postings).expect("what was written can be read");
            let all: Vec<&String> = terms.iter().collect();
            for (at, term) in all.iter().enumerate() {
                let found = dictionary.find(term).expect("each term is found");
                prop_assert_eq!(found.len(), at);
                prop_assert_eq!(found.start, (0..at).sum::<usize>());
            }
            prop_assert_eq!(dictionary.find(&asked).is_some(), terms.contains(&asked));

            let mut begun = Vec::new();
            dictionary.beginning(&asked, usize::MAX, |term, _| begun.push(String::from_utf8_lossy(term).into_owned()));
            let expected: Vec<String> = terms.iter().filter(|t| t.starts_with(&asked)).cloned().collect();
            prop_assert_eq!(begun, expected);

            let typos = Typos::default();
            if let Some(near) = typos.near(&asked) {
                let mut found = Vec::new();
                dictionary.near(&near, "", |term, distance, _| {
                    found.push((String::from_utf8_lossy(term).into_owned(), distance));
                });
                let expected: Vec<(String, u8)> =
                    terms.iter().filter_map(|t| Some((t.clone(), near.distance(t)?))).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
