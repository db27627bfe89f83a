//! A question: as it was typed ([`RawRequest`]) and as it is understood ([`Request`]).

mod merge;
pub mod names;
mod parse;
pub(crate) use parse::{cuda_set, cudnn_set, family};
pub mod resolve;
mod respelled;
mod unknown;

use crate::pep::Requirement;
use crate::platform::{Arch, Os};
use crate::version::{ComputeCapability, Dotted, DriverVersion, PythonVersion, VersionSet};
use serde::{Deserialize, Serialize};

/// What was typed, strings only. The same for the command line, JSON, other languages and the browser.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawRequest {
    /// `solve` or `check`.
    pub command: String,
    /// Requirements: `torch`, `'jax[cuda12]==0.9.0'`, `cudnn==8.5.0.96`.
    pub wants: Vec<String>,
    /// GPU names in any usual spelling; `none` for no GPU.
    pub gpus: Vec<String>,
    /// `all` (default) or `any`.
    pub gpus_mode: Option<String>,
    /// `linux`, `windows`, `wsl2`, `macos`.
    pub os: Option<String>,
    /// `x86_64`, `aarch64`.
    pub arch: Option<String>,
    /// `2.35`.
    pub glibc: Option<String>,
    /// `535.104.05`.
    pub driver: Option<String>,
    /// CUDA release or set of them.
    pub cuda: Option<String>,
    /// cuDNN release or set of them.
    pub cudnn: Option<String>,
    /// `3.12`.
    pub python: Option<String>,
    /// Channels to choose from; empty means all.
    pub channels: Vec<String>,
    /// `tested` (default) or `listed`.
    pub policy: Option<String>,
    /// `en`, `zh-Hans`, `zh-Hant`.
    pub lang: Option<String>,
    /// `YYYY-MM-DD`; kb-core has no clock.
    pub today: Option<String>,
    /// Options whose value was taken from the machine or from observations, not typed.
    pub assumed: Vec<String>,
    /// The packages are what an installer is given, from a file or a command line of its own: an extra that is not named
    /// is not installed.
    pub exact_extras: bool,
}

/// What the question is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// Find what fits.
    Solve,
    /// Judge what is stated.
    Check,
}

/// Which evidence is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Only pairs that their vendors list.
    Listed,
    /// Pairs that somebody tested or built as well.
    Tested,
}

/// One GPU of the question.
#[derive(Clone, PartialEq, Debug)]
pub struct GpuTarget {
    /// Its index in the catalogue; `None` when only a capability was given.
    pub gpu: Option<usize>,
    /// What it can execute.
    pub capability: ComputeCapability,
    /// `rtx-3090`, or `compute capability 8.6`.
    pub label: String,
}

/// The hardware of the question.
#[derive(Clone, PartialEq, Debug)]
pub enum Hardware {
    /// Nothing was said: whatever fits.
    Unstated,
    /// No GPU: CPU builds.
    None,
    /// These.
    Gpus {
        /// At least one.
        gpus: Vec<GpuTarget>,
        /// Must every one of them be served, or one of them?
        all: bool,
    },
}

/// One package of the question.
#[derive(Clone, PartialEq, Debug)]
pub struct Want {
    /// As typed.
    pub text: String,
    /// Index in the catalogue; for a family name one of its members' family.
    pub package: usize,
    /// Name, extras, versions.
    pub requirement: Requirement,
    /// `cu126` of `2.9.1+cu126`.
    pub label: Option<String>,
    /// Index of the channel that its version names: `2.6.2.post120` is 2.6.2 of the channel paddle-post120.
    pub channel: Option<usize>,
}

/// The question as understood: ids and sets, no strings that still mean something else.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Solve or check.
    pub intent: Intent,
    /// Frameworks and libraries that are installed as packages.
    pub wants: Vec<Want>,
    /// GPUs.
    pub hardware: Hardware,
    /// Operating system.
    pub os: Os,
    /// Processor.
    pub arch: Arch,
    /// C library.
    pub glibc: Option<Dotted>,
    /// Driver.
    pub driver: Option<DriverVersion>,
    /// The CUDA release in use: the one a build was made with, or the toolkit that a build takes from the system.
    pub cuda: Option<VersionSet>,
    /// A toolkit on the machine (`cuda-toolkit==12.9`).
    pub toolkit: Option<(String, VersionSet)>,
    /// The cuDNN release in use.
    pub cudnn: Option<VersionSet>,
    /// The text of it.
    pub cudnn_text: Option<String>,
    /// Python.
    pub python: Option<PythonVersion>,
    /// Indexes of channels; empty means all.
    pub channels: Vec<usize>,
    /// The packages are what an installer is given: an extra that is not named is not installed.
    pub exact_extras: bool,
    /// Which evidence is enough.
    pub policy: Policy,
    /// The language of the answer.
    pub language: String,
    /// Options that were taken from the machine.
    pub assumed: Vec<String>,
}

impl Request {
    /// The GPUs, if any were named.
    pub fn gpus(&self) -> &[GpuTarget] {
        match &self.hardware {
            Hardware::Gpus { gpus, .. } => gpus,
            _ => &[],
        }
    }

    /// Is a GPU meant? One is named, or something that only serves one: a driver, a CUDA release, cuDNN, a toolkit.
    pub fn means_gpu(&self) -> bool {
        matches!(self.hardware, Hardware::Gpus { .. })
            || self.driver.is_some()
            || self.cuda.is_some()
            || self.cudnn.is_some()
            || self.toolkit.is_some()
    }

    /// The platform whose builds run there.
    pub fn platform(&self) -> crate::platform::Platform {
        crate::platform::Platform { os: self.os.build_os(), arch: self.arch }
    }
}

/// The single version that a set means: `8.5.0.96`, or `12.4.*`, which stands for the release 12.4.
pub(crate) fn exact(set: &VersionSet) -> Option<Dotted> {
    let text = set.to_string();
    text.strip_suffix(".*").unwrap_or(&text).parse().ok()
}
