//! Few, larger reads for sources in which each one is a round trip.

use crate::Bytes;
use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The smallest read, bytes.
const LEAST: u64 = 64 << 10;
/// The same where a few small members are read.
const SMALL: u64 = 16 << 10;
/// The largest read ahead, bytes.
const MOST: u64 = 8 << 20;
/// Runs that are kept. The end of the archive, the head of a member and where a stream is: three are used at a time.
const KEPT: usize = 8;
/// Bytes that are kept while the next run is read; a longer one is let go of first.
const HELD: usize = 4 << 20;

/// A source whose reads are joined: at least 64 KiB each, growing to 8 MiB while reading goes on in one direction, the
/// last eight kept, of large ones fewer. For a remote file: `Blocks::new(source)`.
pub struct Blocks<B> {
    inner: B,
    least: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    size: Option<u64>,
    runs: VecDeque<Run>,
    reads: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Run {
    start: u64,
    data: Vec<u8>,
}

impl Run {
    fn end(&self) -> u64 {
        self.start + self.data.len() as u64
    }
}

impl<B: Bytes> Blocks<B> {
    /// Wraps a source.
    pub fn new(inner: B) -> Self {
        Blocks { inner, least: LEAST, state: Mutex::new(State::default()) }
    }

    /// The same for [`describe_versions`](crate::describe_versions), which reads little: reads begin with 16 KiB.
    pub fn small(inner: B) -> Self {
        Blocks { least: SMALL, ..Blocks::new(inner) }
    }

    /// How many reads reached the source, and how many bytes they brought.
    pub fn traffic(&self) -> (u64, u64) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.reads, state.bytes)
    }
}

impl<B: Bytes> Bytes for Blocks<B> {
    fn size(&self) -> io::Result<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.size {
            Some(size) => Ok(size),
            None => {
                let size = self.inner.size()?;
                state.size = Some(size);
                Ok(size)
            }
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size()?;
        if offset >= size || buffer.is_empty() {
            return Ok(0);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let held = state.runs.iter().position(|r| r.start <= offset && offset < r.end());
        let index = match held {
            Some(index) => index,
            None => {
                // Going on where a run ended means a stream: fetch twice as much as before.
                let ahead =
                    state.runs.iter().find(|r| r.end() == offset).map_or(self.least, |r| {
                        (r.data.len() as u64).saturating_mul(2).clamp(self.least, MOST)
                    });
                let wanted = (buffer.len() as u64).min(MOST).max(ahead);
                // The last block is whole, so that reading backwards from the end costs one read.
                let start = if size - offset < self.least { size.saturating_sub(self.least) } else { offset };
                let length = wanted.max(offset - start + 1).min(size - start);
                let mut held: usize = state.runs.iter().map(|r| r.data.len()).sum();
                while state.runs.len() >= KEPT || held > HELD {
                    held -= state.runs.pop_front().map_or(held, |r| r.data.len());
                }
                let mut data = vec![0; usize::try_from(length).map_err(io::Error::other)?];
                self.inner.read_exact_at(start, &mut data)?;
                state.reads += 1;
                state.bytes += length;
                state.runs.push_back(Run { start, data });
                state.runs.len() - 1
            }
        };
        let Some(run) = state.runs.get(index) else { return Ok(0) };
        let from = usize::try_from(offset - run.start).map_err(io::Error::other)?;
        let rest = run.data.get(from..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cursor;
    use std::io::Read;

    #[test]
    fn the_bytes_are_the_same_and_the_reads_are_few() {
        let data: Vec<u8> = (0..5_000_000u32).map(|n| (n ^ (n >> 7)) as u8).collect();
        let blocks = Blocks::new(data.clone());
        let mut out = Vec::new();
        Cursor::new(&blocks).read_to_end(&mut out).unwrap();
        assert!(out == data);
        let (reads, bytes) = blocks.traffic();
        assert!(reads < 12, "{reads} reads");
        assert!(bytes < 5_200_000, "{bytes} bytes");
        // The end is still held: no read more.
        blocks.read_exact_at(4_999_000, &mut [0; 1000]).unwrap();
        assert_eq!(blocks.traffic().0, reads);
    }
}
