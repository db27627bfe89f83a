//! A zip's list of members, and what is wrong with it.

use super::Member;
use crate::{Bytes, Error, Limits};
use rawzip::{CompressionMethod, ZipArchiveEntryWayfinder, ZipLocator};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};

/// A zip archive over any [`Bytes`]: the list of its members, and members as streams.
///
/// Opening reads the end of the file and the central directory, nothing else. What the directory says is not believed:
/// members that share bytes or names are listed but not read, and reading a member fails if its sizes or its checksum
/// are not what was said. Nothing is ever written to disk, so paths and links are only names here; those that would be
/// dangerous to unpack are [`Problem`]s.
pub struct Archive<'b, B: Bytes + ?Sized> {
    bytes: &'b B,
    pub(super) zip: rawzip::ZipArchive<Adapter<'b, B>>,
    pub(super) entries: Vec<Entry>,
    names: HashMap<String, usize>,
    problems: Vec<Problem>,
    limits: Limits,
    /// Bytes that may still be unpacked.
    left: Cell<u64>,
}

/// A member, as the central directory has it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path, with `/` between the parts. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes unpacked, as stated; checked when the member is read.
    pub size: u64,
    /// How it is compressed.
    pub method: Method,
    /// Checksum of the unpacked bytes, as stated.
    pub crc32: u32,
    /// What it is.
    pub kind: Kind,
    /// Needs a password; not read.
    pub encrypted: bool,
    /// Why it is not read, if so.
    pub untrusted: Option<&'static str>,
    /// Where its local header is.
    start: u64,
    /// Where its bytes must have ended.
    bound: u64,
    way: ZipArchiveEntryWayfinder,
}

/// How a member is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Not at all: it can be read at any place.
    Stored,
    /// Deflate: read from the front.
    Deflate,
    /// Another method, by its number; not read.
    Other(u16),
}

/// What a member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link; its bytes are the target.
    Symlink,
    /// A device, a pipe, a socket.
    Special,
}

/// Something that does not belong into a wheel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A path that leads out of the directory it is unpacked into, or means something else on another system.
    UnsafePath(String),
    /// Several members of one name: programs differ in which they take. Not read.
    Duplicate(String),
    /// Two members share bytes. Neither is read.
    Overlap(String, String),
    /// A link or a special file. Wheels have none.
    NotAFile(String),
    /// The number of members differs from what the end record says.
    Count {
        /// What it says.
        stated: u64,
        /// What there is.
        found: u64,
    },
}

impl<'b, B: Bytes + ?Sized> Archive<'b, B> {
    /// Reads the list of members.
    ///
    /// # Errors
    /// [`Error::Format`] if this is not a zip archive or its directory is broken, [`Error::Limit`] if there is too much
    /// of it, [`Error::Io`] if the source fails.
    pub fn open(bytes: &'b B, limits: Limits) -> Result<Self, Error> {
        let mut archive = Archive::locate(bytes, limits)?;
        let (zip, length) = (&archive.zip, archive.directory_length());
        if length > limits.directory {
            return Err(Error::Limit {
                what: "bytes of directory",
                found: length,
                allowed: limits.directory,
            });
        }
        // In one read; the directory is then gone through in memory.
        let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE.max(length.min(4 << 20) as usize)];
        let (stated, mut entries) = (zip.entries_hint(), Vec::new());
        let mut list = zip.entries(&mut buffer);
        while let Some(record) = list.next_entry().map_err(error)? {
            if entries.len() as u64 >= limits.members {
                return Err(Error::Limit { what: "members", found: stated, allowed: limits.members });
            }
            entries.push(Entry::from(&record));
        }
        archive.entries = entries;
        let found = archive.entries.len() as u64;
        if stated != found {
            archive.problems.push(Problem::Count { stated, found });
        }
        archive.check();
        Ok(archive)
    }

    /// Finds the directory and reads nothing of it.
    pub(super) fn locate(bytes: &'b B, limits: Limits) -> Result<Self, Error> {
        let size = bytes.size()?;
        let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
        let zip = ZipLocator::new()
            .locate_in_reader(Adapter(bytes), &mut buffer, size)
            .map_err(|(_, e)| error(e))?;
        Ok(Archive {
            bytes,
            zip,
            entries: Vec::new(),
            names: HashMap::new(),
            problems: Vec::new(),
            limits,
            left: Cell::new(limits.total),
        })
    }

    /// Bytes of the directory.
    pub(super) fn directory_length(&self) -> u64 {
        self.zip.eocd_offset().saturating_sub(self.zip.directory_offset())
    }

    /// The members, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is odd about the archive.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What this archive is read with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The member of this path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.names.get(path).and_then(|i| self.entries.get(*i))
    }

    /// A member as a stream of its unpacked bytes.
    ///
    /// # Errors
    /// [`Error::Untrusted`], [`Error::Unsupported`], [`Error::Limit`] (before anything is unpacked, by what the
    /// directory says; the stream itself ends with an error where that was a lie), [`Error::Io`].
    pub fn read<'a>(&'a self, entry: &'a Entry) -> Result<Member<'a, B>, Error> {
        let (start, end) = self.range(entry)?;
        if entry.size > self.limits.member {
            return Err(Error::Limit {
                what: "bytes unpacked",
                found: entry.size,
                allowed: self.limits.member,
            });
        }
        let left = self.left.get();
        if entry.size > left {
            return Err(Error::Limit { what: "bytes unpacked in all", found: entry.size, allowed: left });
        }
        self.left.set(left - entry.size);
        Member::new(self.bytes, entry, start, end)
    }

    /// A small member as a whole.
    ///
    /// # Errors
    /// [`Error::Missing`], and as [`Archive::read`].
    pub fn small(&self, path: &str) -> Result<Vec<u8>, Error> {
        let entry = self.entry(path).ok_or_else(|| Error::Missing(path.to_owned()))?;
        if entry.size > self.limits.text {
            return Err(Error::Limit { what: "bytes of text", found: entry.size, allowed: self.limits.text });
        }
        let mut out = Vec::new();
        self.read(entry)?.read_to_end(&mut out).map_err(|e| match e.kind() {
            io::ErrorKind::InvalidData => Error::Untrusted { path: path.to_owned(), why: e.to_string() },
            _ => Error::Io(e),
        })?;
        Ok(out)
    }

    /// Where a member's bytes are in the archive. Reads the member's own header.
    ///
    /// # Errors
    /// [`Error::Untrusted`] if they are not where they can be, [`Error::Unsupported`] if they are encrypted.
    pub fn range(&self, entry: &Entry) -> Result<(u64, u64), Error> {
        let untrusted = |why: &str| Error::Untrusted { path: entry.path.clone(), why: why.to_owned() };
        if let Some(why) = entry.untrusted {
            return Err(untrusted(why));
        }
        if entry.encrypted {
            return Err(Error::Unsupported { path: entry.path.clone(), method: "encrypted".into() });
        }
        if entry.method == Method::Stored && entry.packed != entry.size {
            return Err(untrusted("it is stored, and its two sizes differ"));
        }
        let local = self.zip.get_entry(entry.way).map_err(|e| match error(e) {
            Error::Io(e) if e.kind() != io::ErrorKind::UnexpectedEof => Error::Io(e),
            e => untrusted(&e.to_string()),
        })?;
        let (start, end) = local.compressed_data_range();
        if end > entry.bound || start > end {
            return Err(untrusted("its bytes run into what comes after it"));
        }
        Ok((start, end))
    }

    /// Finds what is odd, marks what must not be read, and sets where each member has to end.
    pub(super) fn check(&mut self) {
        let mut by_place: Vec<usize> = (0..self.entries.len()).collect();
        by_place.sort_by_key(|i| self.entries[*i].start);
        let mut bound = self.zip.directory_offset();
        for pair in (0..by_place.len()).rev() {
            let at = by_place[pair];
            let (start, end) = (self.entries[at].start, self.entries[at].least_end());
            self.entries[at].bound = bound;
            if end > bound {
                self.entries[at].untrusted = Some("it shares bytes with what comes after it");
                let other = match by_place.get(pair + 1) {
                    Some(next) => {
                        let next = &mut self.entries[*next];
                        next.untrusted = Some("it shares bytes with another member");
                        next.path.clone()
                    }
                    None => "the directory".to_owned(),
                };
                self.problems.push(Problem::Overlap(self.entries[at].path.clone(), other));
            }
            // Also for members further on: a long one may cover several.
            bound = bound.min(start);
        }
        let mut twins = HashSet::new();
        for at in 0..self.entries.len() {
            let path = self.entries[at].path.clone();
            if is_unsafe(&path) {
                self.entries[at].untrusted.get_or_insert("its path is not safe");
                self.problems.push(Problem::UnsafePath(path.clone()));
            }
            if matches!(self.entries[at].kind, Kind::Symlink | Kind::Special) {
                self.entries[at].untrusted.get_or_insert("it is not a plain file");
                self.problems.push(Problem::NotAFile(path.clone()));
            }
            if let Some(first) = self.names.insert(path.clone(), at) {
                for twin in [first, at] {
                    self.entries[twin].untrusted.get_or_insert("there are several members of this name");
                }
                if twins.insert(path.clone()) {
                    self.problems.push(Problem::Duplicate(path));
                }
            }
        }
    }
}

/// Bytes of a local header without name and extra fields.
const LOCAL_HEADER: u64 = 30;

impl Entry {
    /// Where its bytes end at the earliest, going by the directory alone.
    fn least_end(&self) -> u64 {
        self.start.saturating_add(LOCAL_HEADER).saturating_add(self.packed)
    }

    pub(super) fn from(record: &rawzip::ZipFileHeaderRecord<'_>) -> Entry {
        let raw = record.file_path();
        let path = String::from_utf8_lossy(raw.as_bytes()).into_owned();
        let mode = record.mode();
        let kind = if record.is_dir() {
            Kind::Directory
        } else {
            // The type in Unix's mode, if there is one.
            match mode.value() & 0o170_000 {
                0o120_000 => Kind::Symlink,
                0 | 0o100_000 => Kind::File,
                0o040_000 => Kind::Directory,
                _ => Kind::Special,
            }
        };
        let method = match record.compression_method() {
            CompressionMethod::STORE => Method::Stored,
            CompressionMethod::DEFLATE => Method::Deflate,
            other => Method::Other(other.as_u16()),
        };
        Entry {
            path,
            packed: record.compressed_size_hint(),
            size: record.uncompressed_size_hint(),
            method,
            crc32: record.crc32(),
            kind,
            encrypted: record.flags().is_encrypted() || record.flags().has_strong_encryption(),
            untrusted: None,
            start: record.local_header_offset(),
            bound: u64::MAX,
            way: record.wayfinder(),
        }
    }
}

/// Would unpacking this path write elsewhere, or elsewhere on Windows?
fn is_unsafe(path: &str) -> bool {
    path.is_empty()
        || path.starts_with('/')
        || path.contains(['\\', ':', '\0'])
        || path.split('/').any(|part| part == ".." || part == ".")
}

/// Our bytes as rawzip reads them.
pub(super) struct Adapter<'b, B: ?Sized>(&'b B);

impl<B: Bytes + ?Sized> rawzip::ReaderAt for Adapter<'_, B> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(offset, buffer)
    }
}

pub(super) fn error(e: rawzip::Error) -> Error {
    match e.into_kind() {
        rawzip::ErrorKind::IO(e) => Error::Io(e),
        other => Error::Format(format!("not a zip archive that can be read: {other}")),
    }
}
