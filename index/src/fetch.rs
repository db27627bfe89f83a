//! Bytes of an address: live, recorded, or kept on disk.

use crate::FetchError;
use std::ops::Range;

/// Where bytes come from. The rest of the program cannot tell a live index from recorded bytes.
pub trait Fetch {
    /// All of an address. `accept` is the media type that is asked for.
    ///
    /// # Errors
    /// [`FetchError`] if there is no answer or not the one asked for.
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError>;

    /// The bytes of a range, all of them.
    ///
    /// # Errors
    /// [`FetchError`] if there is no answer, or if it is not exactly that range.
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError>;

    /// The same of a file that should have `size` bytes.
    ///
    /// # Errors
    /// As [`Fetch::range`], and [`FetchError::Size`] where it is known to have another size.
    fn range_of(&self, url: &str, range: Range<u64>, size: u64) -> Result<Vec<u8>, FetchError> {
        let _ = size;
        self.range(url, range)
    }
}

impl<F: Fetch + ?Sized> Fetch for &F {
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        (**self).get(url, accept)
    }
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        (**self).range(url, range)
    }
    fn range_of(&self, url: &str, range: Range<u64>, size: u64) -> Result<Vec<u8>, FetchError> {
        (**self).range_of(url, range, size)
    }
}
