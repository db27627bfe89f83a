//! The scanner: containers in a stream of bytes, wherever the chunks are cut.

use super::{Count, DeviceCode};
use kb_core::version::{ComputeCapability, ComputeTarget, Suffix};
use memchr::memmem::Finder;
use std::collections::BTreeSet;

/// Magic, version 1 and header size 16. The last four bytes are part of it: the magic alone is also a constant in the
/// code of the CUDA runtime.
pub(crate) const BEGIN: [u8; 8] = [0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0];
/// Bytes of a container's header.
const CONTAINER: usize = 16;
/// Bytes of an entry's header up to the end of its flags; all that is read of it.
const ENTRY: usize = 48;
/// The largest header of an entry that is believed. It is 64 bytes, and longer where a name or options follow.
const LONGEST_ENTRY_HEADER: u64 = 64 << 10;
/// The largest container that is believed where the size of the file is not known: 1 TiB.
const LARGEST_CONTAINER: u64 = 1 << 40;
/// On architecture-specific code: `9.0a`.
const ARCHITECTURE_SPECIFIC: u64 = 1 << 20;
/// On family-specific code: `12.0f`.
const FAMILY_SPECIFIC: u64 = 1 << 21;

const PTX: u16 = 1;
const SASS: u16 = 2;

/// Finds containers in bytes that come in any pieces, and keeps nothing but counts and 48 bytes.
///
/// What is found depends only on the bytes, not on how they were cut.
#[derive(Clone, Debug)]
pub struct Scanner {
    finder: Finder<'static>,
    state: State,
    head: [u8; ENTRY],
    filled: usize,
    /// Bytes pushed or skipped so far.
    position: u64,
    /// The length of what is scanned, if known.
    size: Option<u64>,
    found: DeviceCode,
    /// Targets that the present container has been counted for.
    counted: BTreeSet<(u16, ComputeTarget)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Looking for the beginning of a container; `head` has the last bytes, fewer than eight.
    Search,
    /// Reading the header of a container.
    Container,
    /// Reading the header of an entry; `left` bytes of the container remain from the beginning of the entry.
    Entry { left: u64 },
    /// Passing over `bytes` of payload, after which `left` bytes of the container remain.
    Skip { bytes: u64, left: u64 },
}

impl Scanner {
    /// A scanner for something of `size` bytes; `None` if that is not known. The size only serves to refuse containers
    /// that would be larger than the file.
    pub fn new(size: Option<u64>) -> Self {
        Scanner {
            finder: Finder::new(&BEGIN),
            state: State::Search,
            head: [0; ENTRY],
            filled: 0,
            position: 0,
            size,
            found: DeviceCode::default(),
            counted: BTreeSet::new(),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            let used = self.step(chunk);
            self.position = self.position.saturating_add(used as u64);
            chunk = chunk.get(used..).unwrap_or_default();
        }
    }

    /// Takes some of the bytes, at least one, and says how many.
    fn step(&mut self, chunk: &[u8]) -> usize {
        match self.state {
            State::Search => self.search(chunk),
            State::Container => self.container(chunk),
            State::Entry { left } => self.entry(chunk, left),
            State::Skip { bytes, left } => {
                let n = bytes.min(chunk.len() as u64);
                self.skipped(n, bytes, left);
                n as usize
            }
        }
    }

    /// How many of the next bytes make no difference. A source that can jump need not read them: [`Scanner::skip`].
    pub fn skippable(&self) -> u64 {
        match self.state {
            State::Skip { bytes, .. } => bytes,
            _ => 0,
        }
    }

    /// Passes over bytes without seeing them; at most [`Scanner::skippable`] of them, and says how many.
    pub fn skip(&mut self, bytes: u64) -> u64 {
        let State::Skip { bytes: most, left } = self.state else { return 0 };
        let n = bytes.min(most);
        self.skipped(n, most, left);
        self.position = self.position.saturating_add(n);
        n
    }

    /// What was found.
    pub fn finish(mut self) -> DeviceCode {
        self.found.truncated = match self.state {
            State::Search => false,
            State::Container => true,
            // Fewer bytes than a header at the end of a container are padding.
            State::Entry { left } => left >= ENTRY as u64,
            State::Skip { .. } => true,
        };
        self.found
    }

    fn skipped(&mut self, n: u64, bytes: u64, left: u64) {
        self.state = match bytes - n {
            0 => self.next_entry(left),
            rest => State::Skip { bytes: rest, left },
        };
    }

    /// The state at the end of an entry.
    fn next_entry(&mut self, left: u64) -> State {
        self.filled = 0;
        if left == 0 {
            State::Search
        } else if left < ENTRY as u64 {
            State::Skip { bytes: left, left: 0 }
        } else {
            State::Entry { left }
        }
    }

    /// Looks for the beginning of a container and says how many bytes are done with.
    fn search(&mut self, chunk: &[u8]) -> usize {
        let keep = BEGIN.len() - 1;
        if self.filled > 0 {
            // A beginning that was cut: the kept bytes and as many new ones as could complete it.
            let before = self.filled;
            let mut joint = [0u8; 2 * (BEGIN.len() - 1)];
            let new = chunk.len().min(keep);
            joint[..before].copy_from_slice(&self.head[..before]);
            joint[before..before + new].copy_from_slice(&chunk[..new]);
            let joint = &joint[..before + new];
            if let Some(at) = self.finder.find(joint) {
                self.begin();
                return at + BEGIN.len() - before;
            }
            if chunk.len() <= keep {
                self.keep(joint);
                return chunk.len();
            }
        }
        match self.finder.find(chunk) {
            Some(at) => {
                self.begin();
                at + BEGIN.len()
            }
            None => {
                self.keep(chunk);
                chunk.len()
            }
        }
    }

    /// Keeps the end of `bytes`, in which a beginning may have been cut.
    fn keep(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(BEGIN.len() - 1);
        self.head[..n].copy_from_slice(&bytes[bytes.len() - n..]);
        self.filled = n;
    }

    fn begin(&mut self) {
        self.head[..BEGIN.len()].copy_from_slice(&BEGIN);
        self.filled = BEGIN.len();
        self.state = State::Container;
    }

    /// Fills `head` up to `wanted` bytes; says how many were taken and whether it is full.
    fn fill(&mut self, chunk: &[u8], wanted: usize) -> (usize, bool) {
        let n = chunk.len().min(wanted - self.filled);
        self.head[self.filled..self.filled + n].copy_from_slice(&chunk[..n]);
        self.filled += n;
        (n, self.filled == wanted)
    }

    fn container(&mut self, chunk: &[u8]) -> usize {
        let (used, full) = self.fill(chunk, CONTAINER);
        if full {
            let body = le64(&self.head, 8);
            let here = self.position.saturating_add(used as u64);
            let most = self.size.map_or(LARGEST_CONTAINER, |s| s.saturating_sub(here));
            if body > most {
                self.malformed(8, CONTAINER, used);
            } else {
                self.found.containers = self.found.containers.saturating_add(1);
                self.counted.clear();
                self.state = self.next_entry(body);
            }
        }
        used
    }

    fn entry(&mut self, chunk: &[u8], left: u64) -> usize {
        let (used, full) = self.fill(chunk, ENTRY);
        if full {
            match Entry::read(&self.head).filter(|e| e.whole <= left) {
                Some(entry) => {
                    self.count(&entry);
                    let left = left - entry.whole;
                    let rest = entry.whole - ENTRY as u64;
                    self.state = match rest {
                        0 => self.next_entry(left),
                        bytes => State::Skip { bytes, left },
                    };
                }
                None => self.malformed(0, ENTRY, used),
            }
        }
        used
    }

    /// Gives up the container and searches on, beginning with the bytes of `head` that were taken for a header.
    fn malformed(&mut self, from: usize, to: usize, used: usize) {
        self.found.malformed = self.found.malformed.saturating_add(1);
        // These bytes are gone through again; `used` of them the caller has yet to count.
        let before = self.position;
        self.position = before.saturating_add(used as u64).saturating_sub((to - from) as u64);
        let head = self.head;
        self.state = State::Search;
        self.filled = 0;
        // Too short for a container and an entry, so nothing is gone through a third time.
        let mut bytes = &head[from..to];
        while !bytes.is_empty() {
            let used = self.step(bytes);
            self.position = self.position.saturating_add(used as u64);
            bytes = bytes.get(used..).unwrap_or_default();
        }
        self.position = before;
    }

    fn count(&mut self, entry: &Entry) {
        let table = match entry.kind {
            PTX => &mut self.found.ptx,
            SASS => &mut self.found.sass,
            kind => {
                let sum = self.found.other.entry(kind).or_default();
                *sum = sum.saturating_add(1);
                return;
            }
        };
        let first = self.counted.insert((entry.kind, entry.target));
        let count: &mut Count = table.entry(entry.target).or_default();
        count.entries = count.entries.saturating_add(1);
        count.containers = count.containers.saturating_add(u64::from(first));
        count.bytes = count.bytes.saturating_add(entry.payload);
    }
}

/// The header of an entry, if it makes sense.
struct Entry {
    kind: u16,
    payload: u64,
    /// Header and payload together.
    whole: u64,
    target: ComputeTarget,
}

impl Entry {
    fn read(head: &[u8; ENTRY]) -> Option<Entry> {
        let kind = u16::from_le_bytes([head[0], head[1]]);
        let header = u64::from(le32(head, 4));
        let payload = le64(head, 8);
        let whole = payload.checked_add(header)?;
        if kind == 0 || header < ENTRY as u64 || header > LONGEST_ENTRY_HEADER {
            return None;
        }
        let number = le32(head, 28);
        if kind == PTX || kind == SASS {
            // From 1.0 on; the major number has two digits for a long time to come.
            if !(10..1000).contains(&number) {
                return None;
            }
        }
        let (major, minor) = ((number / 10).min(99) as u8, (number % 10) as u8);
        let flags = le64(head, 40);
        // No compiler sets both. If one did, the narrower reach is the one that promises nothing wrong.
        let suffix = if flags & ARCHITECTURE_SPECIFIC != 0 {
            Suffix::A
        } else if flags & FAMILY_SPECIFIC != 0 {
            Suffix::F
        } else {
            Suffix::None
        };
        let target = ComputeTarget { capability: ComputeCapability::new(major, minor), suffix };
        Some(Entry { kind, payload, whole, target })
    }
}

fn le32(bytes: &[u8; ENTRY], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |n, b| n << 8 | u32::from(*b))
}

fn le64(bytes: &[u8; ENTRY], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}
