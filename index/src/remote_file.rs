//! A file on a server, as [`Bytes`].

use crate::Fetch;
use artifact::Bytes;
use std::io;

/// A file on a server. Every read is a request: put it into [`artifact::Blocks`], which joins them.
pub struct RemoteFile<F> {
    fetch: F,
    url: String,
    size: u64,
}

impl<F: Fetch> RemoteFile<F> {
    /// A file whose size is known, as indexes say it.
    pub fn new(fetch: F, url: impl Into<String>, size: u64) -> Self {
        RemoteFile { fetch, url: url.into(), size }
    }
}

impl<F: Fetch> Bytes for RemoteFile<F> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(buffer.len() as u64).min(self.size);
        if offset >= end {
            return Ok(0);
        }
        let bytes = self.fetch.range_of(&self.url, offset..end, self.size)?;
        let n = bytes.len().min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        Ok(n)
    }
}
