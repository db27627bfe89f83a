//! Names that carry versions: what `cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip`, `cu124`, `8907`,
//! `cudart64_110.dll`, `573.76` or an image's tag say.
//!
//! Each kind of name has a small hand-written reader in a file of its own. A reader says what is written in the
//! name; what the knowledge base adds (a release that exists, the package that brings a file) is looked up and said
//! as a note. Nothing here is guessed: what a name does not say is not in [`Decoded::means`].
//!
//! Sources of the grammars: the relations `cudnn-archive-pattern`, `cuda-installer`, `tensorrt-release`,
//! `runtime-library` and `cudnn-files`, PEP 427 and 440 for wheels, and the version formulas in the rule notes
//! `get-version-int` and `nccl-version-code`.

mod channel;
mod compute_target;
mod conda;
mod cuda_installer;
mod cuda_repository;
mod cudnn_archive;
mod docker_tag;
mod driver;
mod error_code;
mod integer;
mod label;
mod library;
mod library_names;
mod lookup;
mod name;
mod release;
mod requirement;
mod tensorrt_archive;
mod text;
mod wheel;
mod wheel_tags;

#[cfg(test)]
mod tests;

use crate::kb::Kb;
use name::Name;
use serde::Serialize;
use std::collections::BTreeMap;

/// The longest input, in bytes, that is looked at: no real name comes near it.
pub const LONGEST: usize = 4096;

/// One value that a name carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Meaning {
    /// A version, an id, a word.
    Text(String),
    /// A whole number, such as a major version.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// Several of one kind.
    List(Vec<String>),
}

impl From<&str> for Meaning {
    fn from(v: &str) -> Self {
        Meaning::Text(v.to_owned())
    }
}
impl From<String> for Meaning {
    fn from(v: String) -> Self {
        Meaning::Text(v)
    }
}
impl From<u64> for Meaning {
    fn from(v: u64) -> Self {
        Meaning::Number(v)
    }
}
impl From<bool> for Meaning {
    fn from(v: bool) -> Self {
        Meaning::Flag(v)
    }
}
impl From<Vec<String>> for Meaning {
    /// One value stands alone; several are a list.
    fn from(mut v: Vec<String>) -> Self {
        if v.len() == 1 { Meaning::Text(v.remove(0)) } else { Meaning::List(v) }
    }
}

/// The places of a sentence and what stands in them.
pub type Values = Vec<(&'static str, String)>;

/// One reading of a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decoded {
    /// What kind of name it is: `cudnn-archive`, `wheel`, `library` …
    pub kind: &'static str,
    /// What the name says, under `snake_case` keys; only what is written in it or follows from facts.
    pub means: BTreeMap<&'static str, Meaning>,
    /// How the publisher spells it, where that is known; decoding it gives the same kind and canonical form.
    pub canonical: Option<String>,
    /// The id of the sentence that says what it is (`decode-…` in the words of each language).
    pub sentence: &'static str,
    /// The values of the sentence's places.
    pub values: Values,
    /// More sentences, in the order in which they are best read.
    pub notes: Vec<(&'static str, Values)>,
}

impl Decoded {
    /// Is the form known, and nothing else? Such a reading says only that there is no entry.
    pub fn without_entry(&self) -> bool {
        matches!(self.sentence, "decode-cuda-error-unknown" | "decode-cuda-error-name-unknown")
    }

    fn new(kind: &'static str, sentence: &'static str) -> Self {
        Decoded {
            kind,
            means: BTreeMap::new(),
            canonical: None,
            sentence,
            values: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a meaning.
    fn mean(&mut self, key: &'static str, value: impl Into<Meaning>) {
        self.means.insert(key, value.into());
    }

    /// Adds a meaning and the same text as a value of the sentence.
    fn say(&mut self, key: &'static str, value: impl Into<String>) {
        let value = value.into();
        self.values.push((key, value.clone()));
        self.mean(key, value);
    }

    /// Adds a sentence with one place.
    fn note(&mut self, id: &'static str, key: &'static str, value: impl Into<String>) {
        self.notes.push((id, vec![(key, value.into())]));
    }

    /// Adds `cuda` and `cuda_major`, and the sentence about them.
    fn cuda(&mut self, cuda: &text::Cuda) {
        self.mean("cuda_major", cuda.major());
        if let text::Cuda::Release(release) = cuda {
            self.mean("cuda", release.as_str());
        }
        self.note("decode-for-cuda", "cuda", cuda.shown());
    }

    /// Sets the canonical form, and says so where the name differs from it.
    fn spelled(&mut self, canonical: String, given: &str) {
        if canonical != given {
            self.note("decode-spelling", "canonical", canonical.clone());
        }
        self.canonical = Some(canonical);
    }
}

/// Reads a name.
///
/// Gives every reading, best first; nothing when the name is not recognised, is empty or is longer than
/// [`LONGEST`]. Never fails and never panics; the work grows linearly with the name and with the facts.
pub fn decode(kb: &Kb, name: &str) -> Vec<Decoded> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let Some(name) = Name::new(name) else { return Vec::new() };
    if let Some(mut found) = file(kb, &name) {
        if name.renamed {
            found.notes.push(("decode-renamed", Vec::new()));
        }
        if name.unfinished {
            found.notes.push(("decode-unfinished", Vec::new()));
        }
        return vec![found];
    }
    let mut out = Vec::new();
    out.extend(docker_tag::read(kb, &name));
    if out.is_empty() {
        out.extend(channel::read(kb, &name));
        out.extend(conda::read(kb, &name));
    }
    if out.is_empty() {
        out.extend(requirement::read(kb, &name));
    }
    out.extend(error_code::read(kb, &name));
    let mut numbers = integer::read(kb, &name);
    numbers.extend(compute_target::read(kb, &name));
    numbers.extend(driver::read(kb, &name));
    numbers.extend(release::read(kb, &name));
    // A reading that names something which exists comes before one that is only possible.
    numbers.sort_by_key(|d| d.means.get("known") != Some(&Meaning::Flag(true)));
    out.extend(numbers);
    out
}

/// The readers of file names; a name is at most one of these.
fn file(kb: &Kb, name: &Name) -> Option<Decoded> {
    cudnn_archive::read(kb, name)
        .or_else(|| cuda_repository::read(name))
        .or_else(|| cuda_installer::read(kb, name))
        .or_else(|| tensorrt_archive::read(kb, name))
        .or_else(|| wheel::read(kb, name))
        .or_else(|| driver::installer(kb, name))
        .or_else(|| library::read(kb, name))
}
