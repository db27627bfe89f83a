//! Where the bytes of a file come from.

use std::fs::File;
use std::io;
use std::sync::Arc;

/// A file that can be read at any place: memory, a file on disk, or ranges of a remote one.
///
/// Readers of this crate ask for few ranges. A source for which every range costs a round trip goes into
/// [`Blocks`](crate::Blocks), which joins and keeps them.
pub trait Bytes {
    /// The length in bytes. Cheap: asked often.
    ///
    /// # Errors
    /// What the source reports.
    fn size(&self) -> io::Result<u64>;

    /// Reads bytes from `offset` into `buffer` and says how many; 0 only at the end or for an empty buffer.
    ///
    /// # Errors
    /// What the source reports.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Fills all of `buffer` from `offset`.
    ///
    /// # Errors
    /// What the source reports; [`io::ErrorKind::UnexpectedEof`] when the file ends before.
    fn read_exact_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match self.read_at(offset, buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    buffer = buffer.get_mut(n..).unwrap_or_default();
                    offset = offset.saturating_add(n as u64);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl Bytes for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|o| self.get(o..)).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

impl Bytes for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl Bytes for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }
    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _offset: u64, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<B: Bytes + ?Sized> Bytes for &B {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl<B: Bytes + ?Sized> Bytes for Box<B> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl<B: Bytes + ?Sized> Bytes for Arc<B> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

/// A part of another source, counted from its own beginning: a member stored in a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Window<B> {
    inner: B,
    start: u64,
    length: u64,
}

impl<B: Bytes> Window<B> {
    /// The `length` bytes of `inner` from `start` on; what lies behind the end of `inner` reads as nothing.
    pub fn new(inner: B, start: u64, length: u64) -> Self {
        Window { inner, start, length: length.min(u64::MAX - start) }
    }
}

impl<B: Bytes> Bytes for Window<B> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.length)
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(offset);
        let n = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if n == 0 {
            return Ok(0);
        }
        self.inner.read_at(self.start + offset, &mut buffer[..n])
    }
}

/// [`Bytes`] read from front to back, as [`io::Read`] and [`io::Seek`].
#[derive(Clone, Debug)]
pub struct Cursor<B> {
    inner: B,
    position: u64,
}

impl<B: Bytes> Cursor<B> {
    /// A reader that begins at offset 0.
    pub fn new(inner: B) -> Self {
        Cursor { inner, position: 0 }
    }
}

impl<B: Bytes> io::Read for Cursor<B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read_at(self.position, buffer)?;
        self.position = self.position.saturating_add(n as u64);
        Ok(n)
    }
}

impl<B: Bytes> io::Seek for Cursor<B> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let place = match to {
            io::SeekFrom::Start(n) => Some(n),
            io::SeekFrom::Current(n) => self.position.checked_add_signed(n),
            io::SeekFrom::End(n) => self.inner.size()?.checked_add_signed(n),
        };
        self.position = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_window_counts_from_its_own_beginning_and_stops_at_its_end() {
        let window = Window::new(b"0123456789".to_vec(), 3, 4);
        let mut text = String::new();
        Cursor::new(&window).read_to_string(&mut text).unwrap();
        assert_eq!(text, "3456");
        assert_eq!(window.size().unwrap(), 4);
        assert!(window.read_exact_at(2, &mut [0; 3]).is_err());
    }

    #[test]
    fn offsets_behind_the_end_read_nothing() {
        let data: &[u8] = b"abc";
        assert_eq!(data.read_at(u64::MAX, &mut [0; 2]).unwrap(), 0);
        assert_eq!(Window::new(data, u64::MAX, 9).read_at(0, &mut [0; 2]).unwrap(), 0);
        assert_eq!(data.read_at(1, &mut [0; 9]).unwrap(), 2);
    }
}
