//! Answers kept on disk: nothing is asked for twice, and an import that was stopped goes on where it was.

use crate::{Fetch, FetchError};
use artifact::Bytes;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Whole answers ([`Fetch::get`]) by address in a directory; ranges are passed on, [`Segments`] keeps those.
pub struct Cached<F> {
    inner: F,
    directory: PathBuf,
    /// Older answers are asked for again.
    max_age: Duration,
}

impl<F: Fetch> Cached<F> {
    /// Keeps answers in `directory`. One that is older than `max_age` is replaced, not used.
    pub fn new(inner: F, directory: impl Into<PathBuf>, max_age: Duration) -> Self {
        Cached { inner, directory: directory.into(), max_age }
    }

    /// What answers.
    pub fn inner(&self) -> &F {
        &self.inner
    }
}

impl<F: Fetch> Fetch for Cached<F> {
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        let path = self.directory.join(file_name(url));
        let age = fs::metadata(&path).and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if age.is_some_and(|age| age <= self.max_age)
            && let Ok(bytes) = fs::read(&path)
        {
            return Ok(bytes);
        }
        let bytes = self.inner.get(url, accept)?;
        write(&path, &bytes).map_err(|e| FetchError::Answer {
            url: url.to_owned(),
            why: format!("it cannot be kept in {}: {e}", path.display()),
        })?;
        Ok(bytes)
    }
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        self.inner.range(url, range)
    }
}

/// An address as the name of a file.
fn file_name(url: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
    url.chars().map(plain).collect()
}

/// Numbers the files that this program is writing.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Writes a file as a whole or not at all, so that an interruption leaves no half of one. Makes the directory.
///
/// # Errors
/// What the file system reports.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    // A name of its own: another program may write the same file at the same time.
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    let part = PathBuf::from(part);
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .inspect_err(|_| drop(fs::remove_file(&part)))
}

/// Ranges of one file in a directory: what was read once is not asked for again.
pub struct Segments<B> {
    inner: B,
    directory: PathBuf,
    kept: Mutex<Vec<Range<u64>>>,
}

impl<B: Bytes> Segments<B> {
    /// Keeps what is read of `inner` in `directory`, which is made when there is something to keep.
    pub fn new(inner: B, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        let names = fs::read_dir(&directory).into_iter().flatten().flatten();
        // One that is not as long as its name says was damaged: those bytes are asked for again.
        let whole = |e: fs::DirEntry| {
            let range = range_of(&e.file_name().to_string_lossy())?;
            let length = e.metadata().ok().filter(fs::Metadata::is_file)?.len();
            (length == range.end.checked_sub(range.start)?).then_some(range)
        };
        let mut kept: Vec<Range<u64>> = names.filter_map(whole).collect();
        kept.sort_by_key(|r| (r.start, r.end));
        Segments { inner, directory, kept: Mutex::new(kept) }
    }

    fn path(&self, range: &Range<u64>) -> PathBuf {
        self.directory.join(format!("{}-{}.bin", range.start, range.end))
    }

    fn held(&self, offset: u64) -> Option<Range<u64>> {
        let kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.iter().filter(|r| r.contains(&offset)).max_by_key(|r| r.end).cloned()
    }
}

fn range_of(name: &str) -> Option<Range<u64>> {
    let (start, end) = name.strip_suffix(".bin")?.split_once('-')?;
    Some(start.parse().ok()?..end.parse().ok()?)
}

impl<B: Bytes> Bytes for Segments<B> {
    fn size(&self) -> io::Result<u64> {
        self.inner.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(range) = self.held(offset) {
            let file = fs::File::open(self.path(&range))?;
            let n = Bytes::read_at(&file, offset - range.start, buffer)?;
            if n > 0 {
                return Ok(n);
            }
        }
        let n = self.inner.read_at(offset, buffer)?;
        if n > 0 {
            let range = offset..offset + n as u64;
            write(&self.path(&range), buffer.get(..n).unwrap_or_default())?;
            self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(range);
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct Counting(Vec<u8>, Cell<u32>);
    impl Bytes for Counting {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.set(self.1.get() + 1);
            self.0.read_at(offset, buffer)
        }
    }

    #[test]
    fn what_was_read_is_not_asked_for_again() {
        let directory = std::env::temp_dir().join(format!("kb-segments-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        let data: Vec<u8> = (0..1000u32).map(|n| n as u8).collect();
        let first = Segments::new(Counting(data.clone(), Cell::new(0)), &directory);
        let mut buffer = [0; 100];
        first.read_exact_at(200, &mut buffer).unwrap();
        first.read_exact_at(210, &mut buffer[..50]).unwrap();
        assert_eq!(first.inner.1.get(), 1);
        // Also by the next program.
        let second = Segments::new(Counting(data.clone(), Cell::new(0)), &directory);
        second.read_exact_at(250, &mut buffer).unwrap();
        assert_eq!(second.inner.1.get(), 1, "only what lies behind 300");
        assert_eq!(buffer, data[250..350]);
        // What was cut is asked for again, and is whole then.
        fs::write(directory.join("200-300.bin"), b"cut").unwrap();
        let third = Segments::new(Counting(data.clone(), Cell::new(0)), &directory);
        third.read_exact_at(200, &mut buffer).unwrap();
        assert_eq!((third.inner.1.get(), &buffer[..]), (1, &data[200..300]));
        fs::remove_dir_all(&directory).unwrap();
    }
}
