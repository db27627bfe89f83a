//! A library that can only be read from the front.

use super::sparse::Sparse;
use super::{Format, Library, elf, pe, stated_version, tables};
use crate::Error;
use crate::code::{DeviceCode, Scanner};
use std::io::{self, Read};

/// Bytes at a time.
const CHUNK: usize = 256 << 10;
/// The beginning, which is always kept.
const HEAD: u64 = 256 << 10;
/// The end, which has an ELF file's section headers.
const TAIL: u64 = 1 << 20;
/// What is kept around a place that was missing.
const AROUND: u64 = 256 << 10;
/// Bytes that are kept in all.
const MOST: u64 = 48 << 20;

/// Reads a compressed library in passes from the front. The first finds its device code and keeps its beginning, its end
/// and what the headers point to; every further one, if needed, brings what the tables turned out to need and stops
/// behind it. Most need one. At most 48 MiB are held, of most libraries 2.
pub struct Passes {
    size: u64,
    sparse: Sparse,
    head: u64,
    around: u64,
    /// How many passes there may be, the first included.
    most: u32,
}

impl Passes {
    /// For a library of `size` bytes, in at most `most` passes, the first included.
    pub fn new(size: u64, most: u32) -> Self {
        Passes::keeping(size, most, HEAD, TAIL, AROUND)
    }

    fn keeping(size: u64, most: u32, head: u64, tail: u64, around: u64) -> Self {
        let mut sparse = Sparse::new(size);
        sparse.want(0..head);
        sparse.want(size.saturating_sub(tail)..size);
        Passes { size, sparse, head, around, most }
    }

    /// The first pass: all of the stream.
    ///
    /// # Errors
    /// What the stream reports.
    pub fn first(&mut self, stream: &mut (impl Read + ?Sized)) -> io::Result<DeviceCode> {
        self.first_with(stream, |_| {})
    }

    /// The first pass, with every piece of the stream also given to `also`.
    ///
    /// # Errors
    /// What the stream reports.
    pub fn first_with(
        &mut self,
        stream: &mut (impl Read + ?Sized),
        mut also: impl FnMut(&[u8]),
    ) -> io::Result<DeviceCode> {
        let mut scanner = Scanner::new(Some(self.size));
        let mut planned = false;
        each_chunk(stream, u64::MAX, |at, chunk| {
            scanner.push(chunk);
            also(chunk);
            self.sparse.offer(at, chunk);
            let head = self.sparse.head();
            if !planned && head.len() as u64 >= self.head.min(self.size) {
                planned = true;
                let plan = if head.starts_with(b"MZ") { pe::plan(head) } else { elf::plan_early(head) };
                for part in plan {
                    // The beginning has passed by already.
                    if part.start == 0 {
                        self.sparse.grow_head(part.end);
                    } else {
                        self.sparse.want(part);
                    }
                }
                // What was planned may begin in this chunk.
                self.sparse.offer(at, chunk);
            }
        })?;
        Ok(scanner.finish())
    }

    /// The library, in as many more passes as it takes. `open` begins the stream anew.
    ///
    /// # Errors
    /// As [`read`](super::read); [`Error::Limit`] if more passes or more memory would be needed; what `open` reports.
    pub fn library<R: Read>(mut self, mut open: impl FnMut() -> Result<R, Error>) -> Result<Library, Error> {
        let mut passes = 1;
        loop {
            let (error, partial) = match tables(&self.sparse) {
                Ok(mut library) if library.format == Format::Elf => {
                    match stated_version::find(&self.sparse, &library) {
                        Ok(version) => {
                            library.stated_version = version;
                            return Ok(library);
                        }
                        Err(e) => (e, Some(library)),
                    }
                }
                Ok(library) => return Ok(library),
                Err(e) => (e, None),
            };
            let Some(missing) = self.sparse.missing() else { return partial.ok_or(error) };
            passes += 1;
            if passes > self.most {
                // The tables are worth more than the version, which is all that is missing.
                if let Some(library) = partial {
                    return Ok(library);
                }
                let found = u64::from(passes);
                return Err(Error::Limit {
                    what: "passes over the compressed library",
                    found,
                    allowed: self.most.into(),
                });
            }
            let start = missing - missing % self.around;
            self.sparse.want(start..start.saturating_add(self.around));
            for part in elf::plan(&self.sparse) {
                self.sparse.want(part);
            }
            // Planning looks for places of its own.
            self.sparse.missing();
            if let Some(library) = partial.clone().filter(|_| self.sparse.wanted() > MOST) {
                return Ok(library);
            }
            if self.sparse.wanted() > MOST {
                let found = self.sparse.wanted();
                return Err(Error::Limit { what: "bytes of tables", found, allowed: MOST });
            }
            let end = self.sparse.open_end().unwrap_or(0);
            let mut stream = open()?;
            each_chunk(&mut stream, end, |at, chunk| self.sparse.offer(at, chunk))?;
        }
    }
}

/// Reads on until `end`, which lies in the last chunk.
fn each_chunk(
    stream: &mut (impl Read + ?Sized),
    end: u64,
    mut take: impl FnMut(u64, &[u8]),
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    let mut at = 0u64;
    while at < end {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                take(at, buffer.get(..n).unwrap_or_default());
                at = at.saturating_add(n as u64);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::read;

    const TINY: &[u8] = include_bytes!("../../tests/fixtures/tiny.so");

    struct Pieces(&'static [u8]);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = buffer.len().min(50);
            self.0.read(&mut buffer[..n])
        }
    }

    #[test]
    fn however_little_is_kept_the_library_is_the_same() {
        let whole = read(TINY).unwrap();
        for (head, tail, around, passes) in
            [(9999, 0, 64, 1), (64, 1800, 64, 2), (1000, 1800, 64, 1), (64, 1, 512, 9), (100, 100, 64, 60)]
        {
            let mut counted = 1;
            let mut reader = Passes::keeping(TINY.len() as u64, passes, head, tail, around);
            // In small pieces, so that little of what is planned is in the piece in which it is planned.
            let code = reader.first(&mut Pieces(TINY)).unwrap();
            assert_eq!(code.containers, 1);
            let library = reader.library(|| {
                counted += 1;
                Ok(TINY)
            });
            assert_eq!(library.unwrap(), whole, "{head} {tail} {around}");
            assert!(counted <= passes, "{counted} passes");
        }
    }

    #[test]
    fn a_thousand_parts_and_no_more() {
        let mut sparse = Sparse::new(1 << 20);
        (0..100_000u64).for_each(|n| sparse.want(2 * n..2 * n + 1));
        assert_eq!(sparse.wanted(), 1000);
    }

    #[test]
    fn too_many_passes_are_refused() {
        let mut reader = Passes::keeping(TINY.len() as u64, 2, 64, 1, 64);
        reader.first(&mut &TINY[..]).unwrap();
        let refused = reader.library(|| Ok(TINY));
        assert!(matches!(refused, Err(Error::Limit { .. })), "{refused:?}");
    }

    #[test]
    fn a_stream_that_is_cut_is_an_error() {
        let mut reader = Passes::keeping(TINY.len() as u64, 4, 64, 1800, 64);
        reader.first(&mut &TINY[..1000]).unwrap();
        assert!(reader.library(|| Ok(&TINY[..1000])).is_err());
    }
}
