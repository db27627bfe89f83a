//! A remote file that is watched: how much came, and what ended it.

use crate::inspect::Progress;
use artifact::Bytes;
use index::FetchError;
use std::io;
use std::sync::{Mutex, PoisonError};

/// A remote file. After the first failure nothing more is asked for: a reader that goes on to the next member would
/// only wait again.
pub(super) struct Watched<'p, B> {
    inner: B,
    progress: &'p Progress,
    failure: Mutex<Option<FetchError>>,
}

impl<'p, B: Bytes> Watched<'p, B> {
    pub(super) fn new(inner: B, progress: &'p Progress) -> Self {
        Watched { inner, progress, failure: Mutex::new(None) }
    }

    /// What ended it, if it did not go well.
    pub(super) fn failure(&self) -> Option<FetchError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<B: Bytes> Bytes for Watched<'_, B> {
    fn size(&self) -> io::Result<u64> {
        self.inner.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*failure {
            return Err(known.clone().into());
        }
        match self.inner.read_at(offset, buffer) {
            Ok(n) => {
                self.progress.step(n as u64);
                Ok(n)
            }
            Err(error) => {
                *failure = error.get_ref().and_then(|e| e.downcast_ref::<FetchError>()).cloned();
                Err(error)
            }
        }
    }
}
