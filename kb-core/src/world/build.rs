//! Builds: what can be installed. A version alone is not one: 2.9.1 from PyPI and 2.9.1 from the CUDA 12.6 index are
//! different files with different code.

use super::{Facts, Interpreters, Stated};
use crate::fact::FactId;
use crate::platform::Platform;
use crate::version::{ComputeTarget, CudaVersion, CudnnVersion, Dotted, VersionSet};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use crate::pep::Requirement;

/// What a build computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BuildKind {
    /// NVIDIA GPUs.
    Cuda,
    /// No GPU at all.
    Cpu,
    /// AMD GPUs.
    Rocm,
    /// A wheel whose own code is not judged: a library beside a framework, or NVIDIA's libraries themselves.
    Plain,
}

/// Where a build's CUDA libraries come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Libraries {
    /// They are in the wheel.
    Bundled,
    /// pip pulls NVIDIA's wheels.
    NvidiaWheels,
    /// A toolkit on the machine.
    System,
}

impl Libraries {
    /// The word used in data and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Libraries::Bundled => "bundled",
            Libraries::NvidiaWheels => "nvidia-wheels",
            Libraries::System => "system",
        }
    }
}

/// A list of targets; a dozen fit in place.
pub type Targets = smallvec::SmallVec<[ComputeTarget; 12]>;

/// What one source says of a build's device code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DeviceCode {
    /// Machine code.
    pub sass: Targets,
    /// PTX; `None` when the source does not say.
    pub ptx: Option<Targets>,
}

/// Which interpreters a package's files are for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PythonFacts {
    /// The package whose files they are: the build's own, or one that it pins.
    pub package: CompactString,
    /// Tags of the files: `cp312`, `cp313t`, `py3`, `cp38-abi3`.
    pub tags: Vec<CompactString>,
    /// The build's own channel, or another channel of the same release.
    pub own_channel: bool,
    /// Interpreters with which the package is asked for: every one for the build's own, and where no marker says
    /// otherwise.
    pub when: Interpreters,
    /// The fact.
    pub fact: FactId,
}

/// What one package leaves of the interpreters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PythonLimit<'a> {
    /// The build's own package, or one that it pins.
    pub package: &'a str,
    /// Interpreters that it serves.
    pub fits: Interpreters,
    /// Interpreters about which nobody knows: no list of the channel's own files, and what else there is contradicts
    /// itself or leaves them out.
    pub open: Interpreters,
}

/// One thing that can be installed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Index of the package.
    pub package: u16,
    /// Index into [`PackageWorld::releases`](super::PackageWorld::releases); higher is newer.
    pub release: u32,
    /// Index of the channel.
    pub channel: u16,
    /// What it runs on; `None` for any.
    pub platform: Option<Platform>,
    /// The extra that makes it this build: `jax[cuda12]`.
    pub extra: Option<CompactString>,
    /// The label in its version: `cu126`.
    pub label: Option<CompactString>,
    /// What it computes with.
    pub kind: BuildKind,
    /// The CUDA release it was made with.
    pub cuda: Option<Stated<CudaVersion>>,
    /// The cuDNN release it was made with.
    pub cudnn: Option<Stated<CudnnVersion>>,
    /// Where its CUDA libraries come from.
    pub libraries: Option<Stated<Libraries>>,
    /// `experimental`, `planned`.
    pub status: Option<CompactString>,
    /// What the vendor serves by default.
    pub default: bool,
    /// Its device code, the value that is followed.
    pub device_code: Option<Stated<DeviceCode>>,
    /// Facts that say it exists and what it was made with.
    pub facts: Facts,
    /// Interpreters, by file. Builds of one release share them.
    #[serde(skip)]
    pub python: Arc<Vec<PythonFacts>>,
    /// Interpreters, as documented.
    pub python_documented: Option<Stated<VersionSet>>,
    /// Interpreters that can install it, all of the above together; everyone where nothing is known.
    pub interpreters: Interpreters,
    /// The same with those about which nobody knows.
    pub interpreters_open: Interpreters,
    /// The least glibc of its files.
    pub glibc: Option<(Dotted, FactId)>,
    /// Requirements that matter here, with the fact.
    #[serde(skip)]
    pub requires: Arc<Vec<(Requirement, FactId)>>,
    /// Are its requirements known (read from its metadata)?
    pub requires_known: bool,
    /// Two of its requirements that no release satisfies at once, by position; the same one twice when it rules out
    /// the build itself. Only what pinned packages require in turn can do that. Further pairs are here where they clash
    /// for other interpreters.
    pub requires_clashes: smallvec::SmallVec<[(u16, u16); 1]>,
    /// Its requirement on cuDNN only follows from the release that it was made with.
    pub cudnn_implied: bool,
    /// Capabilities its vendor names.
    pub compute_documented: Option<Stated<VersionSet>>,
    /// CUDA releases it accepts from outside.
    pub accepts_cuda: Option<Stated<VersionSet>>,
    /// cuDNN releases it accepts from outside.
    pub accepts_cudnn: Option<Stated<VersionSet>>,
}

impl Build {
    /// A build that lives on NVIDIA's wheels and whose requirements nobody has read still needs a cuDNN: one that its
    /// vendor names, or one not older than it was made with and of the same major.
    pub(super) fn imply_cudnn(&mut self) {
        let pulls = self.libraries.as_ref().is_some_and(|l| l.value == Libraries::NvidiaWheels);
        if !pulls || self.requires.iter().any(|(r, _)| r.name.starts_with("nvidia-cudnn-cu")) {
            return;
        }
        let major = match (&self.cuda, &self.accepts_cuda) {
            (Some(cuda), _) => Some(cuda.value.major()),
            (None, Some(range)) => range.value.lowest().map(|v| v.major()),
            _ => None,
        };
        let (range, fact) = match (&self.accepts_cudnn, &self.cudnn) {
            (Some(accepts), _) => (accepts.value.to_string(), accepts.facts.first().copied()),
            (None, Some(made)) if made.value.len() == 4 => {
                self.cudnn_implied = true;
                (format!(">={}, <{}", made.value, made.value.major() + 1), made.facts.first().copied())
            }
            _ => return,
        };
        if let (Some(major), Some(fact)) = (major, fact)
            && let Ok(requirement) = format!("nvidia-cudnn-cu{major}{range}").parse()
        {
            Arc::make_mut(&mut self.requires).push((requirement, fact));
        }
    }
}

impl Build {
    /// What limits the interpreters that can install it, each with the package that it comes from. `id` is the
    /// build's own package. A wheel for one interpreter settles it; one that any Python 3 accepts is held to what its
    /// metadata asks for. Without files of the channel the documented range and the files of the same release
    /// elsewhere count, where they agree. A package that it pins has to have a file as well, for those interpreters
    /// with which it is asked for.
    pub(crate) fn python_limits<'a>(&'a self, id: &'a str) -> Vec<PythonLimit<'a>> {
        let (mut own, mut exact, mut sibling) = (None, Interpreters::NONE, None);
        // By package and marker: two pins of one package for different interpreters are two limits.
        let mut pinned: Vec<(&str, Interpreters, Interpreters)> = Vec::new();
        let add = |set: &mut Option<Interpreters>, more| {
            *set = Some(set.map_or(more, |s: Interpreters| s.or(more)))
        };
        for files in self.python.iter() {
            let set = Interpreters::of_tags(&files.tags);
            if *files.package != *id {
                let same = |(p, when, _): &&mut (&str, Interpreters, Interpreters)| {
                    **p == *files.package && *when == files.when
                };
                match pinned.iter_mut().find(same) {
                    Some((.., known)) => *known = known.or(set),
                    None => pinned.push((&files.package, files.when, set)),
                }
            } else if files.own_channel {
                add(&mut own, set);
                if files.tags.iter().any(|t| t.starts_with("cp") && !t.ends_with("abi3")) {
                    exact = exact.or(set);
                }
            } else {
                add(&mut sibling, set);
            }
        }
        let documented = self.python_documented.as_ref().map(|d| Interpreters::of_range(&d.value));
        let settled = |set| Some((set, Interpreters::NONE));
        let itself = match (own, documented, sibling) {
            (Some(own), Some(documented), _) => settled(exact.or(own.and(documented))),
            (Some(own), None, _) => settled(own),
            (None, Some(documented), Some(sibling)) => {
                let both = documented.and(sibling);
                Some((both, documented.or(sibling).and(both.complement())))
            }
            (None, Some(documented), None) => settled(documented),
            // A file that is missing on another channel says nothing of this one.
            (None, None, Some(sibling)) => Some((sibling, sibling.complement())),
            (None, None, None) => None,
        };
        let pinned = pinned.into_iter().map(|(package, when, set)| PythonLimit {
            package,
            fits: set.or(when.complement()),
            open: Interpreters::NONE,
        });
        pinned.chain(itself.map(|(fits, open)| PythonLimit { package: id, fits, open })).collect()
    }

    /// Interpreters for which two of its requirements clash.
    pub(crate) fn clashing(&self) -> Interpreters {
        let when = |at: u16| self.requires.get(usize::from(at)).map_or(Interpreters::NONE, |(r, _)| r.when);
        let both = self.requires_clashes.iter().map(|(a, b)| when(*a).and(when(*b)));
        both.fold(Interpreters::NONE, Interpreters::or)
    }
}
