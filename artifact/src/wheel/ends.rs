//! A large archive's directory read from its two ends, as far as it is needed.

use super::archive::error;
use super::{Archive, Entry};
use crate::{Bytes, Error, Limits};
use std::io;

/// A directory up to this size is read as a whole, bytes.
const WHOLE: u64 = 256 << 10;
/// How much is read of each end, bytes, and in which order: first what is at the end of the file, where the end records
/// are as well, then a little of the front, and so on. Where a source reads ahead, as [`Blocks`](crate::Blocks) does, it
/// doubles what it reads of the front, as is done here.
const STEPS: [End; 7] = [
    End::Back(64 << 10),
    End::Front(16 << 10),
    End::Back(128 << 10),
    End::Front(48 << 10),
    End::Back(256 << 10),
    End::Front(112 << 10),
    End::Front(240 << 10),
];
/// What a directory's record begins with, and its bytes without name, extra fields and comment.
const RECORD: (&[u8; 4], usize) = (b"PK\x01\x02", 46);

impl<'b, B: Bytes + ?Sized> Archive<'b, B> {
    /// Reads the list of members from its two ends until `enough` says of the members read so far that they are, and
    /// tells how many bytes of the list were not read: 0 for most archives, whose list is read as a whole.
    ///
    /// Over a network this is the difference between 0.3 and 2 MB: builders write the members of one directory
    /// together, METADATA near one end and the files that state versions near one of the two.
    ///
    /// Members that were not seen cannot contradict those that were: a twin among them is not found.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_ends(
        bytes: &'b B,
        limits: Limits,
        enough: impl Fn(&[Entry]) -> bool,
    ) -> Result<(Self, u64), Error> {
        let mut archive = Archive::locate(bytes, limits)?;
        let length = archive.directory_length();
        if length <= WHOLE {
            return Ok((Archive::open(bytes, limits)?, 0));
        }
        let (start, end) = (archive.zip.directory_offset(), archive.zip.eocd_offset());
        let size = bytes.size()?;
        let (mut front, mut back) = (start, end);
        let (mut entries, mut in_front) = (Vec::new(), 0);
        for step in STEPS {
            if front >= back || enough(&entries) {
                break;
            }
            match step {
                End::Front(length) => {
                    // From the record that was cut on.
                    let piece = read(bytes, front, back.min(start.saturating_add(length)))?;
                    let (more, whole) = members(piece)?;
                    front += whole;
                    let count = more.len();
                    entries.splice(in_front..in_front, more);
                    in_front += count;
                }
                End::Back(length) => {
                    let from = size.saturating_sub(length).clamp(front, back);
                    let mut piece = read(bytes, from, back)?;
                    let first = first_record(&piece).unwrap_or(piece.len());
                    back = from + first as u64;
                    entries.splice(in_front..in_front, members(piece.split_off(first))?.0);
                }
            }
        }
        archive.entries = entries;
        archive.check();
        Ok((archive, back.saturating_sub(front)))
    }
}

/// An end of the directory, and how much of it is read, bytes; of the back counted from the end of the file.
#[derive(Clone, Copy)]
enum End {
    Front(u64),
    Back(u64),
}

fn read(bytes: &(impl Bytes + ?Sized), from: u64, to: u64) -> Result<Vec<u8>, Error> {
    let length = usize::try_from(to.saturating_sub(from)).map_err(io::Error::other)?;
    let mut block = vec![0; length];
    bytes.read_exact_at(from, &mut block)?;
    Ok(block)
}

/// The members whose records a piece of a directory begins with, and the length of these records; the last one may be
/// cut.
fn members(mut piece: Vec<u8>) -> Result<(Vec<Entry>, u64), Error> {
    let (mut whole, mut count) = (0, 0u16);
    while let Some(next) = next_record(&piece, whole).filter(|n| *n <= piece.len() && count < u16::MAX) {
        (whole, count) = (next, count + 1);
    }
    // With an end record of its own the piece is an archive without members' bytes: they are elsewhere.
    piece.truncate(whole);
    let length = u32::try_from(whole).map_err(io::Error::other)?;
    piece.extend(b"PK\x05\x06\0\0\0\0");
    piece.extend(count.to_le_bytes());
    piece.extend(count.to_le_bytes());
    piece.extend(length.to_le_bytes());
    piece.extend([0; 6]);
    let archive = rawzip::ZipArchive::from_slice(&piece).map_err(error)?;
    let mut list = archive.entries();
    let mut entries = Vec::new();
    while let Some(record) = list.next_entry().map_err(error)? {
        entries.push(Entry::from(&record));
    }
    Ok((entries, whole as u64))
}

/// Where the record at `at` ends, which may be behind the block; `None` if there is none.
fn next_record(block: &[u8], at: usize) -> Option<usize> {
    let record = block.get(at..at + RECORD.1).filter(|r| r.starts_with(RECORD.0))?;
    let length = |at: usize| usize::from(u16::from_le_bytes([record[at], record[at + 1]]));
    Some(at + RECORD.1 + length(28) + length(30) + length(32))
}

/// Where the first record of a block begins that is followed by records up to its end. The block may begin inside a
/// record.
fn first_record(block: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(block, RECORD.0).find(|at| {
        let mut next = *at;
        while let Some(end) = next_record(block, next) {
            next = end;
        }
        next == block.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str) -> Vec<u8> {
        let mut out = RECORD.0.to_vec();
        out.resize(28, 0);
        out.extend((name.len() as u16).to_le_bytes());
        out.resize(RECORD.1, 0);
        out.extend(name.as_bytes());
        out
    }

    #[test]
    fn the_first_whole_record_of_a_block_is_found() {
        let two = [record("a/b.py"), record("c")].concat();
        assert_eq!(first_record(&two), Some(0));
        // Cut inside the first one; its name has what a record begins with.
        assert_eq!(first_record(&two[3..]), Some(two.len() - 47 - 3));
        let odd = [record("PK\x01\x02PK\x01\x02"), record("c")].concat();
        assert_eq!(first_record(&odd[40..]), Some(odd.len() - 47 - 40));
        // Something stands behind the last one.
        assert_eq!(first_record(&[two.as_slice(), b"x"].concat()), None);
        assert_eq!(first_record(b"PK\x01\x02"), None);
        assert_eq!(first_record(b""), None);
    }
}
