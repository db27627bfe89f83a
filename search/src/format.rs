//! The bytes of an index: what stands where, and how numbers and texts are written and read.
//!
//! ```text
//! magic (8 bytes)   format (u16)   checksum of all that follows (u64)
//! lengths of the three sections (varints): documents, terms, postings
//! documents   terms   postings
//! ```
//!
//! Numbers are little-endian; varints have seven bits to a byte, low ones first. Reading trusts nothing: the checksum finds
//! damage, and what passes it is still read within its bounds.

use std::fmt;

/// How every index begins.
const MAGIC: [u8; 8] = *b"kbsearch";
/// Raised when bytes of an older writer would be misread.
const FORMAT: u16 = 1;
/// Up to where the checksum does not reach.
const HEAD: usize = 18;

/// Why bytes are not an index that can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// They do not begin like one.
    NotAnIndex,
    /// An index of another format, with its number: it was written by another version of this crate.
    Format(u16),
    /// Cut off or changed on the way.
    Damaged,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::NotAnIndex => f.write_str("this is not a search index"),
            OpenError::Format(found) => {
                write!(f, "a search index of format {found}, while {FORMAT} is read here")
            }
            OpenError::Damaged => f.write_str("the search index is damaged or cut off"),
        }
    }
}

impl std::error::Error for OpenError {}

/// The sections of an index.
pub(crate) struct Sections<T> {
    pub(crate) documents: T,
    pub(crate) terms: T,
    pub(crate) postings: T,
}

pub(crate) fn join(sections: &Sections<Vec<u8>>) -> Vec<u8> {
    let all = [&sections.documents, &sections.terms, &sections.postings];
    let mut body = Vec::with_capacity(all.iter().map(|s| s.len() + 10).sum());
    all.iter().for_each(|section| put_number(&mut body, section.len()));
    all.iter().for_each(|section| body.extend_from_slice(section));
    let mut bytes = Vec::with_capacity(HEAD + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&checksum(&body).to_le_bytes());
    bytes.append(&mut body);
    bytes
}

pub(crate) fn split(bytes: &[u8]) -> Result<Sections<&[u8]>, OpenError> {
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(OpenError::NotAnIndex)?;
    if *magic != MAGIC {
        return Err(OpenError::NotAnIndex);
    }
    let (format, rest) = rest.split_first_chunk::<2>().ok_or(OpenError::Damaged)?;
    match u16::from_le_bytes(*format) {
        FORMAT => {}
        other => return Err(OpenError::Format(other)),
    }
    let (sum, body) = rest.split_first_chunk::<8>().ok_or(OpenError::Damaged)?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(OpenError::Damaged);
    }
    sections(body).ok_or(OpenError::Damaged)
}

fn sections(body: &[u8]) -> Option<Sections<&[u8]>> {
    let mut reader = Reader::new(body);
    let lengths = [reader.number()?, reader.number()?, reader.number()?];
    let [documents, terms, postings] = lengths.map(|length| reader.take(length));
    reader.is_empty().then_some(())?;
    Some(Sections { documents: documents?, terms: terms?, postings: postings? })
}

/// FNV-1a over words of eight bytes: against accidents, not against people.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(PRIME);
    let sum = words
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, word| step(sum, u64::from_le_bytes(*word)).rotate_left(29));
    let sum = rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)));
    step(sum, bytes.len() as u64)
}

pub(crate) fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Bytes, read from their beginning; `None` at their end or where they make no sense.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number below 2^32, which every part of an index is.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let mut number: u64 = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).ok().map(|n| n as usize);
            }
        }
        None
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Gives changed bytes the checksum of an intact index, to see what stands behind it.
    pub(crate) fn seal(bytes: &mut [u8]) {
        if let Some((head, body)) = bytes.split_at_mut_checked(HEAD) {
            head[10..].copy_from_slice(&checksum(body).to_le_bytes());
        }
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX as usize] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            assert_eq!(Reader::new(&bytes).number(), Some(number));
        }
        assert_eq!(Reader::new(&[0xff; 8]).number(), None, "more than 32 bits");
        assert_eq!(Reader::new(&[0x80]).number(), None, "cut off");
    }

    #[test]
    fn what_is_no_index_is_said() {
        let error = |bytes: &[u8]| split(bytes).err();
        assert_eq!(error(b""), Some(OpenError::NotAnIndex));
        assert_eq!(error(b"<!doctype html>"), Some(OpenError::NotAnIndex));
        assert_eq!(error(b"kbsearch"), Some(OpenError::Damaged));
        assert_eq!(error(b"kbsearch\x09\x00"), Some(OpenError::Format(9)));
        let good = join(&Sections { documents: vec![1], terms: vec![2, 2], postings: vec![] });
        assert!(split(&good).is_ok());
        for cut in 0..good.len() {
            assert!(split(&good[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 1;
            assert!(split(&changed).is_err(), "changed at {at}");
        }
    }
}
