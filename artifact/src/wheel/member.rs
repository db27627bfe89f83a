//! A member of an archive as a stream.

use super::{Entry, Method};
use crate::{Bytes, Cursor, Error, Window};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufReader, Read};

/// Packed bytes that are read at a time.
const BUFFER: usize = 256 << 10;

/// The unpacked bytes of a member, from front to back.
///
/// The end of the stream is an error of kind [`io::ErrorKind::InvalidData`] if the number of bytes or the checksum
/// differs from what the directory says; more bytes than it says are never given out.
pub struct Member<'a, B: Bytes + ?Sized> {
    body: Body<'a, B>,
    crc: Crc,
    crc32: u32,
    size: u64,
    given: u64,
    checked: bool,
}

type Packed<'a, B> = Cursor<Window<&'a B>>;

enum Body<'a, B: Bytes + ?Sized> {
    Stored(Packed<'a, B>),
    Deflate(DeflateDecoder<BufReader<Packed<'a, B>>>),
}

impl<B: Bytes + ?Sized> Body<'_, B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Body::Stored(r) => r.read(buffer),
            Body::Deflate(r) => r.read(buffer).map_err(|e| match e.kind() {
                io::ErrorKind::InvalidInput => invalid("its compressed bytes are broken"),
                io::ErrorKind::UnexpectedEof => invalid("its compressed bytes end too early"),
                _ => e,
            }),
        }
    }
}

impl<'a, B: Bytes + ?Sized> Member<'a, B> {
    pub(super) fn new(bytes: &'a B, entry: &Entry, start: u64, end: u64) -> Result<Self, Error> {
        let packed = Cursor::new(Window::new(bytes, start, end - start));
        let body = match entry.method {
            Method::Stored => Body::Stored(packed),
            Method::Deflate => Body::Deflate(DeflateDecoder::new(BufReader::with_capacity(BUFFER, packed))),
            Method::Other(number) => {
                let method = format!("compressed by method {number}");
                return Err(Error::Unsupported { path: entry.path.clone(), method });
            }
        };
        let (crc32, size) = (entry.crc32, entry.size);
        Ok(Member { body, crc: Crc::new(), crc32, size, given: 0, checked: false })
    }

    /// The unpacked size, as stated.
    pub fn size(&self) -> u64 {
        self.size
    }

    fn check_end(&mut self) -> io::Result<()> {
        if !self.checked {
            // One byte more than stated is enough to know.
            let mut more = [0];
            if self.body.read(&mut more)? != 0 {
                return Err(invalid("it is longer than the directory says"));
            }
            if self.crc.sum() != self.crc32 {
                return Err(invalid("its checksum is another than the directory says"));
            }
            self.checked = true;
        }
        Ok(())
    }
}

impl<B: Bytes + ?Sized> Read for Member<'_, B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let left = self.size - self.given;
        if left == 0 {
            self.check_end()?;
            return Ok(0);
        }
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..most];
        let n = self.body.read(buffer)?;
        if n == 0 {
            return Err(invalid("it is shorter than the directory says"));
        }
        self.crc.update(&buffer[..n]);
        self.given += n as u64;
        Ok(n)
    }
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
