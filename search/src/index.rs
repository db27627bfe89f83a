//! An index that is open.

use crate::dictionary::Dictionary;
use crate::document::{Document, Listing, Scope};
use crate::format::{OpenError, Reader, split};
use crate::postings::Postings;
use crate::query::{self, Hit, Query};
use crate::typo::Typos;
use crate::write::write;
use std::fmt;
use std::ops::Range;

/// An index on the bytes that [`Index::build`] made.
pub struct Index<'a> {
    pub(crate) documents: Vec<Stored<'a>>,
    pub(crate) dictionary: Dictionary<'a>,
    postings: &'a [u8],
    pub(crate) typos: Typos,
}

/// A document as the index holds it.
pub(crate) struct Stored<'a> {
    pub(crate) listing: Listing<'a>,
    /// In percent.
    pub(crate) weight: u8,
    /// How many words its title has, 255 at most.
    pub(crate) title_words: u8,
}

impl<'a> Index<'a> {
    /// The bytes of an index of these documents: the same for the same documents, in whatever order they come.
    pub fn build(documents: Vec<Document>, scope: Scope) -> Vec<u8> {
        write(documents, scope)
    }

    /// Opens an index. Bytes that [`build`](Index::build) did not make are an error or, if somebody forged their
    /// checksum, an index that finds nonsense: never a panic, and never more memory than a small multiple of theirs.
    ///
    /// # Errors
    ///
    /// If they are not an index, one of another format, cut off or damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, OpenError> {
        let sections = split(bytes)?;
        let documents = documents(sections.documents).ok_or(OpenError::Damaged)?;
        let dictionary =
            Dictionary::open(sections.terms, sections.postings.len()).ok_or(OpenError::Damaged)?;
        Ok(Index { documents, dictionary, postings: sections.postings, typos: Typos::default() })
    }

    /// How many documents it has.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Has it no documents?
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// What people look for with this text, best first, `limit` at most; for a reader of any language. With
    /// [`find`](Index::find) more can be said.
    pub fn search(&self, text: &str, limit: usize) -> Vec<Hit<'_>> {
        self.find(&Query { text, language: None, limit })
    }

    /// Answers a query, best first.
    pub fn find(&self, query: &Query<'_>) -> Vec<Hit<'_>> {
        query::find(self, query)
    }

    pub(crate) fn postings(&self, place: &Range<usize>) -> Postings<'a> {
        Postings::new(self.postings.get(place.clone()).unwrap_or_default(), self.documents.len())
    }
}

impl fmt::Debug for Index<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index of {} documents", self.documents.len())
    }
}

fn documents(bytes: &[u8]) -> Option<Vec<Stored<'_>>> {
    let mut reader = Reader::new(bytes);
    let kinds = texts(&mut reader)?;
    let languages = texts(&mut reader)?;
    let count = reader.number()?;
    // Six bytes are the least that a document takes: a number that promises more is not believed.
    let mut documents = Vec::with_capacity(count.min(reader.left() / 6));
    for _ in 0..count {
        let kind = kinds.get(reader.number()?)?;
        let language = languages.get(reader.number()?)?;
        let (weight, title_words) = (reader.byte()?, reader.byte()?);
        let (address, title) = (reader.text()?, reader.text()?);
        documents.push(Stored { listing: Listing { address, title, kind, language }, weight, title_words });
    }
    reader.is_empty().then_some(documents)
}

fn texts<'a>(reader: &mut Reader<'a>) -> Option<Vec<&'a str>> {
    let count = reader.number()?;
    (0..count).map(|_| reader.text()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::seal;
    use proptest::prelude::*;

    fn bytes() -> Vec<u8> {
        let page = |number: u32| Document {
            address: format!("/cuda/12.{number}/"),
            title: format!("CUDA 12.{number}"),
            aliases: vec![format!("cu12{number}")],
            text: "显存不足 the driver CUDNN_STATUS_NOT_INITIALIZED libcudnn.so.8 ".repeat(number as usize),
            ..Document::default()
        };
        Index::build((0..9).map(page).collect(), Scope::Full)
    }

    proptest! {
        /// Somebody changes bytes and gives them a checksum that is right.
        #[test]
        fn forged_bytes_are_an_error_or_find_nonsense(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = bytes();
            for (at, byte) in changes {
                let at = 10 + at.index(bytes.len() - 10);
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            seal(&mut bytes);
            if let Ok(index) = Index::open(&bytes) {
                for text in ["cuda 12.4", "c", "cudnn_status_not_initialised", "显存不足", "cu124", "drvier"] {
                    prop_assert!(index.search(text, 5).len() <= 5);
                }
            }
        }
    }
}
