//! Our bytes as the `object` crate reads them, within bounds.

use crate::{Bytes, Error};
use object::read::{ReadCache, ReadCacheOps};
use std::cell::{Cell, RefCell};
use std::io;

/// Bytes of tables that are read of one library at most. torch's largest needs one: names are read singly.
const MOST: u64 = 64 << 20;
/// Bytes of one table that are read at most.
pub(super) const LARGEST_TABLE: u64 = 8 << 20;

/// What happened below the `object` crate, whose errors cannot say it.
#[derive(Default)]
pub(super) struct Trouble {
    io: RefCell<Option<io::Error>>,
    read: Cell<u64>,
}

impl Trouble {
    /// A cache that reads `bytes`.
    pub(super) fn cache<'a, B: Bytes + ?Sized>(&'a self, bytes: &'a B) -> ReadCache<Source<'a, B>> {
        ReadCache::new(Source { bytes, position: 0, trouble: self })
    }

    /// What went wrong: the source's own error if there was one, else what the parser says.
    pub(super) fn error(&self, e: impl std::fmt::Display) -> Error {
        match self.io.take() {
            Some(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                Error::Format("the file ends too early".into())
            }
            Some(e) => Error::Io(e),
            None if self.read.get() > MOST => {
                Error::Limit { what: "bytes of tables", found: self.read.get(), allowed: MOST }
            }
            None => Error::Format(e.to_string()),
        }
    }
}

/// Libraries and search paths that one file names at most.
pub(super) const MOST_NAMES: usize = 4096;

/// More names than are believed.
pub(super) fn too_many(names: usize) -> Error {
    Error::Limit { what: "names of libraries", found: names as u64, allowed: MOST_NAMES as u64 }
}

/// A table of a size that is not believed.
pub(super) fn too_large(size: u64) -> Error {
    Error::Limit { what: "bytes in one table", found: size, allowed: LARGEST_TABLE }
}

pub(super) struct Source<'a, B: ?Sized> {
    bytes: &'a B,
    position: u64,
    trouble: &'a Trouble,
}

impl<B: Bytes + ?Sized> Source<'_, B> {
    fn keep<T>(&self, result: io::Result<T>) -> Result<T, ()> {
        result.map_err(|e| {
            self.trouble.io.borrow_mut().get_or_insert(e);
        })
    }

    fn allow(&self, length: usize) -> Result<(), ()> {
        let read = self.trouble.read.get().saturating_add(length as u64);
        self.trouble.read.set(read);
        if read > MOST { Err(()) } else { Ok(()) }
    }
}

impl<B: Bytes + ?Sized> ReadCacheOps for Source<'_, B> {
    fn len(&mut self) -> Result<u64, ()> {
        self.keep(self.bytes.size())
    }
    fn seek(&mut self, position: u64) -> Result<u64, ()> {
        self.position = position;
        Ok(position)
    }
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
        self.allow(buffer.len())?;
        let n = self.keep(self.bytes.read_at(self.position, buffer))?;
        self.position += n as u64;
        Ok(n)
    }
    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), ()> {
        self.allow(buffer.len())?;
        self.keep(self.bytes.read_exact_at(self.position, buffer))?;
        self.position += buffer.len() as u64;
        Ok(())
    }
}
