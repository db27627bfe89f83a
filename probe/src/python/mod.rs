//! Python environments: where they are, and what is installed in them. Nothing in them is run or imported.

mod all;
mod conda;
mod find;
mod installed;
mod look;
mod pyenv;
mod read_site;
mod report;
mod sites;
mod version;
mod windows;

pub(crate) use read_site::read_site;
pub use report::{DistReport, Installed, SiteReport, Unread};

use crate::{Sink, Wanted};

/// A Python environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// `venv`, `conda`, `uv`, `pyenv`, `pipx`, `store`, `embedded` (Windows' zip file), `system`; `directory` for packages
    /// without an interpreter.
    pub kind: &'static str,
    /// Its directory: `sys.prefix`.
    pub root: String,
    /// Where its interpreter stands, links not followed. Empty for a `directory`.
    pub interpreter: String,
    /// The directory of the interpreter behind all links: `sys.base_prefix`.
    pub base: String,
    /// `3.12.4`, or `3.12` where no more is known.
    pub version: Option<String>,
    /// Directories in which packages are installed and that exist, in the order of `sys.path`: those of PYTHONPATH first,
    /// then that of the user where it counts (in a virtual environment behind its own), then its own.
    pub sites: Vec<String>,
    /// What names it: a variable, `PATH`, `registry`, `directory`, `given`.
    pub found_by: &'static str,
    /// What its version is from.
    pub version_by: &'static str,
    /// `CPython`, `PyPy`.
    pub implementation: &'static str,
    /// CPython's tag for what is compiled for it: `cp312`, `cp313t` without the global lock.
    pub abi: Option<String>,
    /// 32 or 64, where that is known.
    pub bits: Option<u32>,
    /// Its packages are those of the system: pip refuses to change them.
    pub externally_managed: bool,
}

/// The environments that are wanted: one, unless all are.
pub(crate) fn environments(sink: &mut Sink<'_>, wanted: &Wanted) -> Vec<Environment> {
    let named = wanted.python.clone().or_else(|| sink.machine.named_python());
    let mut out: Vec<Environment> = match &named {
        Some(given) => find::given(sink, given).into_iter().collect(),
        None => find::started(sink).into_iter().collect(),
    };
    if wanted.all_pythons {
        all::find(sink, &mut out);
    }
    out
}

/// Looks into an environment.
pub(crate) fn observe(sink: &mut Sink<'_>, wanted: &Wanted, environment: &Environment) {
    let root = Some(&*environment.root);
    sink.see("environment", environment.kind, environment.found_by, root);
    if !environment.interpreter.is_empty() {
        sink.see("interpreter", &*environment.interpreter, environment.found_by, root);
    }
    if let Some(version) = &environment.version {
        sink.see("python", &**version, environment.version_by, root);
    }
    if environment.bits == Some(32) {
        sink.see("arch", "x86", "headers", Some(&environment.interpreter));
    }
    installed::observe(sink, wanted, std::slice::from_ref(environment));
}
