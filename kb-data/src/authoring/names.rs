//! The ids that others may point to, and the messages about pointers into nothing.

use super::near::near;
use kb_core::diag::Diagnostic;
use std::collections::BTreeSet;

/// Every id that exists, gathered before anything points to one.
#[derive(Default)]
pub(super) struct Names {
    /// In the final order: a source's position here is its index.
    pub(super) sources: Vec<Box<str>>,
    pub(super) relations: BTreeSet<Box<str>>,
    pub(super) gpus: BTreeSet<Box<str>>,
    pub(super) packages: BTreeSet<Box<str>>,
    pub(super) channels: BTreeSet<Box<str>>,
}

impl Names {
    /// The index of a source.
    pub(super) fn source(&self, id: &str) -> Result<u16, Diagnostic> {
        match self.sources.binary_search_by(|s| (**s).cmp(id)) {
            Ok(index) => Ok(index as u16),
            Err(_) => {
                Err(dangling("dangling-source", "source", id, self.sources.iter(), "sources/<id>.toml"))
            }
        }
    }

    /// Does a relation exist?
    pub(super) fn relation(&self, id: &str) -> Result<(), Diagnostic> {
        find("dangling-relation", "relation", id, &self.relations, "relations/<id>.md")
    }

    /// Does a GPU exist?
    pub(super) fn gpu(&self, id: &str) -> Result<(), Diagnostic> {
        find("dangling-gpu", "GPU", id, &self.gpus, "catalog/gpus/<architecture>.toml")
    }

    /// Does a package exist?
    pub(super) fn package(&self, id: &str) -> Result<(), Diagnostic> {
        find("dangling-package", "package", id, &self.packages, "catalog/packages/<id>.toml")
    }

    /// Does a channel exist?
    pub(super) fn channel(&self, id: &str) -> Result<(), Diagnostic> {
        find("dangling-channel", "channel", id, &self.channels, "catalog/channels/<id>.toml")
    }
}

fn find(
    code: &'static str,
    what: &str,
    id: &str,
    known: &BTreeSet<Box<str>>,
    place: &str,
) -> Result<(), Diagnostic> {
    if known.contains(id) { Ok(()) } else { Err(dangling(code, what, id, known.iter(), place)) }
}

/// The message about an id that nothing has.
pub(super) fn dangling<'a>(
    code: &'static str,
    what: &str,
    id: &str,
    known: impl Iterator<Item = &'a Box<str>>,
    place: &str,
) -> Diagnostic {
    let near = near(id, known.map(|k| &**k));
    let out = Diagnostic::error(code, format!("no {what} is called `{id}`"));
    let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
    out.help(format!("to add one, write {}", place.replace("<id>", id)))
}
