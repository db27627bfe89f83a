//! Which documents have a term, and where in them it stands.
//!
//! ```text
//! number of documents, then for each of them: (distance to the one before) * 4 + place    all varints
//! ```

use crate::format::{Reader, put_number};

/// Where in a document a term stands; the highest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Place {
    /// In the text.
    Text = 0,
    /// In the text, several times.
    Often = 1,
    /// In an alias.
    Alias = 2,
    /// In the title.
    Title = 3,
}

/// Postings of one term; documents ascend.
pub(crate) fn put(out: &mut Vec<u8>, postings: &[(u32, Place)]) {
    put_number(out, postings.len());
    let mut last = 0;
    for &(document, place) in postings {
        put_number(out, ((document - last) as usize) << 2 | place as usize);
        last = document;
    }
}

/// Postings as they are read: numbers below `documents` alone, whatever the bytes say.
#[derive(Clone)]
pub(crate) struct Postings<'a> {
    reader: Reader<'a>,
    /// How many documents have the term, as far as its bytes can hold that many.
    pub(crate) count: usize,
    documents: usize,
    last: usize,
}

impl<'a> Postings<'a> {
    pub(crate) fn new(bytes: &'a [u8], documents: usize) -> Self {
        let mut reader = Reader::new(bytes);
        let count = reader.number().unwrap_or(0).min(reader.left()).min(documents);
        Postings { reader, count, documents, last: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (usize, Place);

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.reader.number()?;
        self.last = self.last.checked_add(number >> 2)?;
        let place = match number & 3 {
            0 => Place::Text,
            1 => Place::Often,
            2 => Place::Alias,
            _ => Place::Title,
        };
        (self.last < self.documents).then_some((self.last, place))
    }
}
