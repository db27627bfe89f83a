//! What the readers of files find, before it is compared with the catalogue.

use super::marker::{Applies, Environment};
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;

/// A sentence of the word tables: its id, and the values of its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sentence {
    id: &'static str,
    values: Vec<(&'static str, String)>,
}

impl Sentence {
    /// A sentence without places.
    pub(crate) fn new(id: &'static str) -> Sentence {
        Sentence { id, values: Vec::new() }
    }

    /// Fills a place.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Sentence {
        self.values.push((name, value.into()));
        self
    }

    /// The sentence in a language.
    pub(crate) fn say(&self, speaker: &Speaker<'_>) -> String {
        speaker.say(self.id, &self.values)
    }
}

/// A line that takes no part in the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LeftOut {
    /// The file; none for an argument.
    pub file: Option<String>,
    /// Its line, counted from 1, where the format has lines.
    pub line: Option<usize>,
    /// As written.
    pub text: String,
    /// Why.
    pub why: Sentence,
    /// Is it named one by one? Packages that kb does not know are counted in one sentence.
    pub named: bool,
}

impl LeftOut {
    /// Something of the file that was named, without a line.
    pub(super) fn new(text: impl Into<String>, why: Sentence) -> LeftOut {
        LeftOut { file: None, line: None, text: text.into(), why, named: true }
    }

    /// `requirements.txt:3`.
    pub(crate) fn place(&self) -> Option<String> {
        let line = self.line.map(|n| format!(":{n}")).unwrap_or_default();
        self.file.as_ref().map(|file| format!("{file}{line}"))
    }
}

/// Where a requirement is to come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Origin {
    /// pip, uv and their like take it from an index.
    #[default]
    Index,
    /// conda takes it from its channels.
    Conda,
    /// A base image has it already.
    Image,
}

/// A requirement as written, without comment and marker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Asked {
    /// `torch==2.9.1+cu126`.
    pub text: String,
    /// Where it stands, if not in the file that was named.
    pub file: Option<String>,
    /// The line.
    pub line: Option<usize>,
    /// Does its marker hang on what was not said?
    pub open: bool,
    /// Where it comes from.
    pub origin: Origin,
}

impl From<String> for Asked {
    fn from(text: String) -> Self {
        Asked { text, ..Asked::default() }
    }
}

/// What a format's reader finds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// Requirements that count here.
    pub requirements: Vec<Asked>,
    /// Addresses of pip's indexes; the first replaces PyPI where `replaces` is set.
    pub indexes: Vec<String>,
    /// Was `--index-url` given?
    pub replaces: bool,
    /// Is PyPI named, so that nothing has to be assumed?
    pub names_pypi: bool,
    /// Is there an index of which cannot be said which it is?
    pub open_index: bool,
    /// Channels of conda, by name or address.
    pub conda_channels: Vec<String>,
    /// Lines that cannot be judged, or are for another machine.
    pub left_out: Vec<LeftOut>,
    /// Lines that are wrong.
    pub mistakes: Vec<Diagnostic>,
    /// A CUDA release that the file sets up by other means than a package.
    pub cuda: Option<String>,
}

impl Found {
    /// Does something with this marker count? What is for another machine is noted as left out; `Open` counts.
    pub(super) fn judge(&mut self, applies: Applies, text: &str, environment: &Environment) -> bool {
        if applies == Applies::No {
            self.left_out.push(LeftOut::new(text, environment.not_here()));
        }
        applies != Applies::No
    }
}
