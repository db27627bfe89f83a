//! Python environments: where they are, and what is installed in them. Nothing in them is run or imported.

use crate::{Sink, Wanted};

/// A Python environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// `venv`, `conda`, `uv`, `pyenv`, `pipx`, `store`, `system`.
    pub kind: &'static str,
    /// Its directory: `sys.prefix`.
    pub root: String,
    /// Where its interpreter stands, links not followed.
    pub interpreter: String,
    /// The directory of the interpreter behind all links: `sys.base_prefix`.
    pub base: String,
    /// `3.12.4`, or `3.12` where no more is known.
    pub version: Option<String>,
    /// Directories in which packages are installed, in the order of `sys.path`: its own first, that of the user where it
    /// counts.
    pub sites: Vec<String>,
}

/// The environments that are wanted: one, unless all are.
pub(crate) fn environments(_sink: &mut Sink<'_>, _wanted: &Wanted) -> Vec<Environment> {
    Vec::new()
}

/// Looks into an environment.
pub(crate) fn observe(_sink: &mut Sink<'_>, _environment: &Environment) {}
