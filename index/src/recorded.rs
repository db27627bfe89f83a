//! Recorded bytes in place of an index: what tests run on.

use crate::cached::write;
use crate::{Fetch, FetchError};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

/// A directory of recorded answers: `<file>/<start>-<end>.bin` for ranges of the file that an address ends in, and
/// `<project>.json` for index pages. Anything else does not exist.
pub struct Recorded {
    directory: PathBuf,
}

impl Recorded {
    /// The answers in a directory.
    pub fn new(directory: impl Into<PathBuf>) -> Recorded {
        Recorded { directory: directory.into() }
    }
}

/// The last part of an address that is not empty.
fn last(url: &str) -> &str {
    url.trim_end_matches('/').rsplit('/').next().unwrap_or(url)
}

impl Fetch for Recorded {
    fn get(&self, url: &str, _accept: &str) -> Result<Vec<u8>, FetchError> {
        fs::read(self.directory.join(format!("{}.json", last(url))))
            .map_err(|_| FetchError::NotFound(url.to_owned()))
    }

    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        let directory = self.directory.join(last(url));
        let mut out = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let names = fs::read_dir(&directory).map_err(|_| FetchError::NotFound(url.to_owned()))?;
            let held = names.flatten().find_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let (start, end) = name.strip_suffix(".bin")?.split_once('-')?;
                let (start, end): (u64, u64) = (start.parse().ok()?, end.parse().ok()?);
                (start <= at && at < end).then(|| (entry.path(), start, end))
            });
            let Some((path, start, end)) = held else {
                let why = format!("byte {at} is not recorded");
                return Err(FetchError::Answer { url: url.to_owned(), why });
            };
            let missing = |e: std::io::Error| FetchError::Answer { url: url.to_owned(), why: e.to_string() };
            let bytes = fs::read(path).map_err(missing)?;
            let until = end.min(range.end);
            let part = usize::try_from(at - start).ok().zip(usize::try_from(until - start).ok());
            let Some(part) = part.and_then(|(a, b)| bytes.get(a..b)) else {
                let why = "a recorded file is shorter than its name says".to_owned();
                return Err(FetchError::Answer { url: url.to_owned(), why });
            };
            out.extend_from_slice(part);
            at = until;
        }
        Ok(out)
    }
}

/// Passes requests on and writes the answers where [`Recorded`] finds them.
pub struct Recording<F> {
    inner: F,
    directory: PathBuf,
}

impl<F: Fetch> Recording<F> {
    /// Records what `inner` answers into a directory.
    pub fn new(inner: F, directory: impl Into<PathBuf>) -> Self {
        Recording { inner, directory: directory.into() }
    }

    fn keep(&self, url: &str, path: PathBuf, bytes: &[u8]) -> Result<(), FetchError> {
        write(&path, bytes).map_err(|e| FetchError::Answer { url: url.to_owned(), why: e.to_string() })
    }
}

impl<F: Fetch> Fetch for Recording<F> {
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        let bytes = self.inner.get(url, accept)?;
        self.keep(url, self.directory.join(format!("{}.json", last(url))), &bytes)?;
        Ok(bytes)
    }
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        let bytes = self.inner.range(url, range.clone())?;
        let name = format!("{}-{}.bin", range.start, range.end);
        self.keep(url, self.directory.join(last(url)).join(name), &bytes)?;
        Ok(bytes)
    }
}
