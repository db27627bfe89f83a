//! A package as it is written: lists that builds share are there once, and builds name them by position.

use super::build::{Build, PythonFacts, Requirement};
use super::package::{PackageWorld, Release};
use crate::fact::FactId;
use crate::platform::Platform;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    releases: Vec<Release>,
    /// With the positions of its interpreters and its requirements.
    builds: Vec<(Build, u32, u32)>,
    only: Option<Platform>,
    python: Vec<Vec<PythonFacts>>,
    requires: Vec<Vec<(Requirement, FactId)>>,
}

impl From<PackageWorld> for Stored {
    fn from(package: PackageWorld) -> Stored {
        let (mut python, mut requires) = (Vec::new(), Vec::new());
        let builds = package.builds.into_iter().map(|build| {
            let files = position(&mut python, &build.python);
            let needs = position(&mut requires, &build.requires);
            (build, files, needs)
        });
        let builds = builds.collect();
        Stored { releases: package.releases, builds, only: package.only, python, requires }
    }
}

/// Where a list stands among those that were met; a new one is added.
fn position<T: Clone + PartialEq>(lists: &mut Vec<Vec<T>>, list: &[T]) -> u32 {
    let at = lists.iter().position(|l| l == list).unwrap_or_else(|| {
        lists.push(list.to_vec());
        lists.len() - 1
    });
    at as u32
}

impl From<Stored> for PackageWorld {
    fn from(stored: Stored) -> PackageWorld {
        let python: Vec<Arc<Vec<PythonFacts>>> = stored.python.into_iter().map(Arc::new).collect();
        let requires: Vec<Arc<Vec<(Requirement, FactId)>>> =
            stored.requires.into_iter().map(Arc::new).collect();
        let builds = stored.builds.into_iter().map(|(mut build, files, needs)| {
            build.python = python.get(files as usize).cloned().unwrap_or_default();
            build.requires = requires.get(needs as usize).cloned().unwrap_or_default();
            build
        });
        PackageWorld { releases: stored.releases, builds: builds.collect(), only: stored.only }
    }
}
