//! Where an import takes its bytes: an index, and a cache in front of it.

use crate::packages::Package;
use crate::read::{self, Reading};
use crate::releases::{self, Release, Wheel};
use artifact::Blocks;
use index::{Cached, Fetch, PYPI, Project, RemoteFile, Segments};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An index, with what was read of it before.
pub struct Source<F> {
    fetch: Cached<F>,
    cache: PathBuf,
}

/// A wheel that was read, or why it was not.
pub type Read = Result<Reading, NotRead>;

/// Why a wheel was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRead {
    /// Its bytes cannot be had, for now. Nothing follows from that.
    Unreachable(String),
    /// It is not what a wheel is: another reading would find the same.
    Content(String),
}

impl std::fmt::Display for NotRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotRead::Unreachable(why) | NotRead::Content(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotRead {}

impl<F: Fetch> Source<F> {
    /// Keeps what it reads in `cache`. Index pages older than `max_age` are asked for again; wheels never change.
    pub fn new(fetch: F, cache: &Path, max_age: Duration) -> Self {
        Source { fetch: Cached::new(fetch, cache.join("pages"), max_age), cache: cache.to_owned() }
    }

    /// What answers.
    pub fn fetch(&self) -> &F {
        self.fetch.inner()
    }

    /// The final releases of a package.
    ///
    /// # Errors
    /// If the index does not answer.
    pub fn releases(&self, package: &Package) -> Result<Vec<Release>, String> {
        let project = Project::fetch(&self.fetch, PYPI, &package.name).map_err(|e| e.to_string())?;
        Ok(releases::of(&project, package))
    }

    /// The whole of a wheel on the server; ranges of it are not kept.
    ///
    /// # Errors
    /// If the index does not say how large it is.
    pub fn remote(&self, wheel: &Wheel) -> Result<RemoteFile<&F>, String> {
        let size = wheel
            .file
            .size
            .ok_or_else(|| format!("the index does not give the size of {}", wheel.file.name))?;
        Ok(RemoteFile::new(self.fetch.inner(), wheel.file.url.clone(), size))
    }

    /// What a wheel states, from few ranges of it, which are kept.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn read(&self, wheel: &Wheel) -> Read {
        let remote = self.remote(wheel).map_err(NotRead::Content)?;
        let kept = Segments::new(remote, self.directory(wheel));
        read::wheel(&Blocks::new(kept)).map_err(|e| match e {
            artifact::Error::Io(e) => NotRead::Unreachable(e.to_string()),
            other => NotRead::Content(other.to_string()),
        })
    }

    /// Where ranges of a wheel are kept, by checksum: a file of another content is another file.
    fn directory(&self, wheel: &Wheel) -> PathBuf {
        let key = wheel.file.sha256.as_deref().unwrap_or(&wheel.file.name);
        self.cache.join("wheels").join(key.get(..2).unwrap_or("_")).join(key)
    }
}
