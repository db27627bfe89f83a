//! What an import has read of a package: its releases, and what the wheels of each state.

use crate::packages::Package;
use crate::read::Reading;
use crate::releases::Release;
use pep440_rs::Version;
use std::collections::BTreeMap;

/// A package as it was read.
pub struct Held {
    /// What `packages.toml` says of it.
    pub package: Package,
    /// Its final releases, oldest first.
    pub releases: Vec<Release>,
    /// What wheels state, by release and platform. A wheel that could not be read is not here.
    pub readings: BTreeMap<(Version, &'static str), Reading>,
}

impl Held {
    /// Its name, which is its id in the catalogue.
    pub fn name(&self) -> &str {
        &self.package.name
    }

    /// Its versions, oldest first.
    pub fn order(&self) -> Vec<&Version> {
        self.releases.iter().map(|r| &r.version).collect()
    }

    /// What a release's wheel for a platform states; that of the wheel for every platform if there is none of its own.
    pub fn reading(&self, version: &Version, platform: &'static str) -> Option<&Reading> {
        let own = self.readings.get(&(version.clone(), platform));
        own.or_else(|| self.readings.get(&(version.clone(), "any")))
    }

    /// Platforms for which any wheel was read.
    pub fn platforms(&self) -> Vec<&'static str> {
        let mut out: Vec<&'static str> = self.readings.keys().map(|(_, p)| *p).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The address of its page in the index.
    pub fn page(&self) -> String {
        format!("{}{}/", index::PYPI, self.name())
    }
}
