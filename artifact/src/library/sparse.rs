//! Parts of a file that were seen passing by.

use crate::Bytes;
use std::cell::Cell;
use std::io;
use std::ops::Range;

/// A file of which some parts are held. Reading elsewhere is an error, and the place is remembered.
pub(super) struct Sparse {
    size: u64,
    parts: Vec<Part>,
    missing: Cell<Option<u64>>,
}

/// Parts that are held at most.
const MOST_PARTS: usize = 1000;

struct Part {
    wanted: Range<u64>,
    data: Vec<u8>,
}

impl Part {
    /// Where the next byte belongs.
    fn next(&self) -> u64 {
        self.wanted.start + self.data.len() as u64
    }
}

impl Sparse {
    pub(super) fn new(size: u64) -> Self {
        Sparse { size, parts: Vec::new(), missing: Cell::new(None) }
    }

    /// Asks for a part from the next pass. Parts behind the thousandth are forgotten: every piece that passes by is held
    /// against all of them, and real libraries have a dozen.
    pub(super) fn want(&mut self, part: Range<u64>) {
        if self.parts.len() >= MOST_PARTS {
            return;
        }
        let part = part.start..part.end.min(self.size);
        if part.start < part.end
            && !self.parts.iter().any(|p| p.wanted.start <= part.start && part.end <= p.wanted.end)
        {
            self.parts.push(Part { wanted: part, data: Vec::new() });
        }
    }

    /// Keeps more of the beginning, as long as its present end has not passed by.
    pub(super) fn grow_head(&mut self, end: u64) {
        let end = end.min(self.size);
        if let Some(head) = self.parts.iter_mut().find(|p| p.wanted.start == 0) {
            head.wanted.end = head.wanted.end.max(end);
        }
    }

    /// Keeps what is wanted of bytes that pass by at `at`.
    pub(super) fn offer(&mut self, at: u64, chunk: &[u8]) {
        let end = at.saturating_add(chunk.len() as u64);
        for part in &mut self.parts {
            let next = part.next();
            if next < at || next >= end || next >= part.wanted.end {
                continue;
            }
            // Both differences are smaller than the chunk.
            let from = (next - at) as usize;
            let to = (part.wanted.end.min(end) - at) as usize;
            part.data.extend_from_slice(chunk.get(from..to).unwrap_or_default());
        }
    }

    /// The end of what is wanted and not held, if there is any.
    pub(super) fn open_end(&self) -> Option<u64> {
        self.parts.iter().filter(|p| p.next() < p.wanted.end).map(|p| p.wanted.end).max()
    }

    /// Bytes that are asked for in all.
    pub(super) fn wanted(&self) -> u64 {
        self.parts.iter().map(|p| p.wanted.end - p.wanted.start).sum()
    }

    /// Where reading failed, since this was asked last.
    pub(super) fn missing(&self) -> Option<u64> {
        self.missing.take()
    }

    /// What is held from the beginning on.
    pub(super) fn head(&self) -> &[u8] {
        self.parts.iter().find(|p| p.wanted.start == 0).map_or(&[], |p| &p.data)
    }
}

impl Bytes for Sparse {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let part = self.parts.iter().find(|p| p.wanted.start <= offset && offset < p.next());
        let Some(part) = part else {
            self.missing.set(Some(offset));
            return Err(io::Error::other("this part of the file was not kept"));
        };
        let from = (offset - part.wanted.start) as usize;
        let rest = part.data.get(from..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}
