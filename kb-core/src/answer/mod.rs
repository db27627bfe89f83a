//! The answer: plain fields, schema version 1. Keys are only ever added; `schema` goes up when one changes meaning.

pub(crate) mod explain;
pub(crate) mod relax;
pub(crate) mod sentence;
pub mod words;

use serde::Serialize;
use std::collections::BTreeMap;

/// The three outcomes of every question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It works, as far as sources tell.
    Fits,
    /// It does not work.
    Conflict,
    /// Facts are missing.
    Unknown,
}

impl Verdict {
    /// The exit code that goes with it: 0 fits, 1 conflict, 3 unknown.
    pub fn exit_code(self) -> i32 {
        match self {
            Verdict::Fits => 0,
            Verdict::Conflict => 1,
            Verdict::Unknown => 3,
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// 1.
    pub schema: u32,
    /// `solve` or `check`.
    pub command: String,
    /// Over all wants.
    pub verdict: Verdict,
    /// The question as understood.
    pub request: BTreeMap<&'static str, serde_value::Plain>,
    /// One for each want; for several wants a first one with `*` for all of them together.
    pub answers: Vec<Item>,
    /// What is in the way, when the verdict is a conflict.
    pub conflict: Option<Conflict>,
    /// The data behind the answer.
    pub kb: KbInfo,
}

/// Plain values for the echo of a request.
pub mod serde_value {
    use serde::Serialize;

    /// A string, a list of strings, or nothing.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
    #[serde(untagged)]
    pub enum Plain {
        /// Nothing was said.
        None,
        /// One value.
        One(String),
        /// Several.
        Many(Vec<String>),
    }
}

/// The answer for one want.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Item {
    /// As it was asked.
    pub want: String,
    /// For this want.
    pub verdict: Verdict,
    /// As sure as the weakest link; absent when nothing fits.
    pub grade: Option<&'static str>,
    /// The sentence that sums it up.
    pub says: String,
    /// What to install.
    pub stack: Vec<Component>,
    /// How its code runs on the (first) GPU.
    pub device_code: Option<Runs>,
    /// What it asks of the driver.
    pub driver: Option<DriverNeed>,
    /// Nicer choices that something removed.
    pub limits: Vec<Limit>,
    /// The links, in the order of the chain.
    pub steps: Vec<Step>,
    /// Commands.
    pub install: Vec<Install>,
    /// The sources of the steps.
    pub sources: Vec<SourceRef>,
    /// Disputes that the answer touches.
    pub disputes: Vec<DisputeRef>,
    /// Facts that would decide what is unknown.
    pub missing: Vec<String>,
    /// Other builds that fit as well, best first.
    pub also_fits: Vec<Component>,
    /// Why this want on its own does not fit.
    pub conflict: Option<Conflict>,
    /// Changes that make it fit, where nothing is in the way and yet too little is known, and in an overview.
    #[serde(rename = "try", skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
}

/// A part of a stack.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Component {
    /// Package id, `python`.
    pub component: String,
    /// Its version.
    pub version: Option<String>,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The extra to ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
    /// `cuda` or `cpu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// CUDA release it was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuda: Option<String>,
    /// cuDNN release it was made with or pulls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cudnn: Option<String>,
    /// `bundled`, `nvidia-wheels`, `system`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub libraries: Option<String>,
    /// For `python`: the versions it accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepts: Option<Vec<String>>,
}

/// How code runs on a GPU.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Runs {
    /// Catalogue id, or `null` for a bare capability.
    pub gpu: Option<String>,
    /// `8.6`.
    pub compute_capability: String,
    /// `sass 8.6`, `ptx 8.0`, `run-time`.
    pub runs: Option<String>,
}

/// What a build asks of the driver.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DriverNeed {
    /// Least driver on this system, all links considered.
    pub minimum: Option<String>,
    /// The driver that supports its CUDA release natively.
    pub native: Option<String>,
    /// `native`, `minor-version`, `forward-package`.
    pub path: Option<&'static str>,
    /// The branch beyond which the GPU is no longer supported.
    pub below: Option<String>,
    /// The driver of the question.
    pub have: Option<String>,
}

/// Something that keeps a nicer choice away.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Limit {
    /// `nvidia-driver`, `gpu`, `python`, `channel` …
    pub by: String,
    /// What there is.
    pub have: Option<String>,
    /// What it would take.
    pub needs: Option<String>,
    /// What that would open.
    pub would_allow: String,
    /// As a sentence.
    pub says: String,
}

/// A link of the chain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Step {
    /// As a sentence.
    pub says: String,
    /// `pass`, `unknown`, `fail`.
    pub outcome: &'static str,
    /// The facts it stands on.
    pub facts: Vec<String>,
    /// The rule that combined them.
    pub rule: Option<&'static str>,
}

/// A command.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Install {
    /// `pip`, `uv`, `conda`, `docker`.
    pub tool: String,
    /// `bash`, `powershell`, `cmd`.
    pub shell: String,
    /// Ready to run.
    pub command: String,
}

/// A source of a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct SourceRef {
    /// File name in `sources/`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    pub kind: &'static str,
    /// Where in it.
    pub locator: Option<String>,
    /// When it was read.
    pub read_on: Option<String>,
    /// Its address.
    pub address: Option<String>,
}

/// A dispute that an answer touches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DisputeRef {
    /// `<relation>/<name>`; `null` when no file settles it.
    pub id: Option<String>,
    /// The facts that are followed.
    pub followed: Vec<String>,
    /// The facts that say otherwise.
    pub against: Vec<String>,
}

/// A conflict.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conflict {
    /// Links that together rule everything out; none can be left out.
    pub core: Vec<Step>,
    /// Further links that do not hold either.
    pub also: Vec<Step>,
    /// Smallest changes that make it fit.
    #[serde(rename = "try")]
    pub attempts: Vec<Attempt>,
    /// The sources of the core.
    pub sources: Vec<SourceRef>,
}

/// A change that makes it fit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Attempt {
    /// `nvidia-driver>=525.60.13`, `torch==2.14.1+cu126`.
    pub change: String,
    /// `driver`, `version`, `python`, `os`, `gpu`, `channel`, `cuda`, `cudnn`, `environments`.
    pub kind: &'static str,
    /// What then fits.
    pub then: String,
    /// As a sentence.
    pub says: String,
    /// A command, where one does it.
    pub command: Option<String>,
}

/// The data behind an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KbInfo {
    /// The data's version.
    pub version: String,
    /// How many facts.
    pub facts: usize,
    /// The newest date at which a fact was read.
    pub newest_fact: String,
}
