//! Which copy of a library would be loaded: the order in which the loader of a system looks, as far as it follows from
//! files, variables and what is known of frameworks.
//!
//! What is already loaded is taken before all of this and cannot be known beforehand: a program that imports two
//! frameworks uses the copy of the first for both, where it has the same name.

mod linux;
mod windows;

use super::look::Look;
use super::requester::Requester;
use crate::machine::Family;
use crate::place;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::collections::BTreeSet;
use std::fmt;

/// By which rule a place is looked at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// A variable of a framework's own names the directory: `FLAGS_cudnn_dir`.
    Variable(String),
    /// A package loads all libraries of the directory by their whole paths when it is imported.
    Loaded(String),
    /// RPATH of the library that asks, or of the program.
    Rpath(String),
    /// LD_LIBRARY_PATH.
    LdLibraryPath,
    /// RUNPATH of the library that asks.
    Runpath(String),
    /// `/etc/ld.so.cache`.
    LoaderCache,
    /// A directory that the loader knows without being told.
    Default,
    /// The directory of the DLL that asks.
    Beside(String),
    /// The directory of the program.
    Application,
    /// A package adds the directory with `os.add_dll_directory`.
    Added(String),
    /// `C:\Windows\System32`.
    System32,
    /// `C:\Windows\System`, `C:\Windows`.
    Windows,
    /// A package puts the directory before PATH.
    BeforePath(String),
    /// PATH. What the DLLs of an extension module need is not looked for there since Python 3.8.
    Path,
    /// A directory that is built into a package, or that it tries last.
    BuiltIn(String),
    /// Nobody looks there: a wheel of NVIDIA's.
    WheelFolder,
    /// Nobody looks there: a CUDA toolkit.
    Toolkit,
    /// Nobody looks there: the libraries of a conda environment.
    Conda,
    /// Nobody looks there: where cuDNN's own installer for Windows puts it.
    CudnnInstaller,
}

impl Rule {
    /// Its name: `runpath`.
    pub fn id(&self) -> &'static str {
        match self {
            Rule::Variable(_) => "variable",
            Rule::Loaded(_) => "loaded",
            Rule::Rpath(_) => "rpath",
            Rule::LdLibraryPath => "ld-library-path",
            Rule::Runpath(_) => "runpath",
            Rule::LoaderCache => "loader-cache",
            Rule::Default => "default",
            Rule::Beside(_) => "beside",
            Rule::Application => "application",
            Rule::Added(_) => "added",
            Rule::System32 => "system32",
            Rule::Windows => "windows",
            Rule::BeforePath(_) => "before-path",
            Rule::Path => "path",
            Rule::BuiltIn(_) => "built-in",
            Rule::WheelFolder => "wheel-folder",
            Rule::Toolkit => "toolkit",
            Rule::Conda => "conda",
            Rule::CudnnInstaller => "cudnn-installer",
        }
    }

    /// What it belongs to: a library, a package, a variable.
    pub fn of(&self) -> Option<&str> {
        match self {
            Rule::Variable(of)
            | Rule::Loaded(of)
            | Rule::Rpath(of)
            | Rule::Runpath(of)
            | Rule::Beside(of)
            | Rule::Added(of)
            | Rule::BeforePath(of)
            | Rule::BuiltIn(of) => Some(of),
            _ => None,
        }
    }
}

/// As the method of an observation: `RUNPATH of libtorch_cuda.so`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Variable(of) => f.write_str(of),
            Rule::Loaded(of) => write!(f, "loaded by {of}"),
            Rule::Rpath(of) => write!(f, "RPATH of {of}"),
            Rule::LdLibraryPath => f.write_str("LD_LIBRARY_PATH"),
            Rule::Runpath(of) => write!(f, "RUNPATH of {of}"),
            Rule::LoaderCache => f.write_str("ld.so cache"),
            Rule::Default => f.write_str("default directory"),
            Rule::Beside(of) => write!(f, "directory of {of}"),
            Rule::Application => f.write_str("application directory"),
            Rule::Added(of) => write!(f, "add_dll_directory of {of}"),
            Rule::System32 => f.write_str("System32"),
            Rule::Windows => f.write_str("Windows directory"),
            Rule::BeforePath(of) => write!(f, "before PATH by {of}"),
            Rule::Path => f.write_str("PATH"),
            Rule::BuiltIn(of) => write!(f, "built into {of}"),
            Rule::WheelFolder => f.write_str("wheel folder"),
            Rule::Toolkit => f.write_str("toolkit"),
            Rule::Conda => f.write_str("conda environment"),
            Rule::CudnnInstaller => f.write_str("cuDNN installer"),
        }
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.id())?;
        map.serialize_entry("of", &self.of())?;
        map.end()
    }
}

/// A place that is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// By which rule.
    pub rule: Rule,
    /// The directory; `None` is the loader's cache.
    pub directory: Option<String>,
}

/// A copy of what is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Candidate {
    /// The file, as it is found.
    pub path: String,
    /// The file behind links, where that is another.
    pub resolved: Option<String>,
    /// By which rule it is found.
    pub rule: Rule,
    /// The processor it is for, where that was read and is not that of the machine. Linux goes on to the next place;
    /// Windows ends with an error.
    pub other_processor: Option<String>,
    /// Its version, as exactly as is known.
    pub version: Option<String>,
    /// How the version is known.
    pub version_method: Option<&'static str>,
    /// Is it the one that is taken?
    pub wins: bool,
}

/// Where a file is looked for, and what is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Search {
    /// The file.
    pub name: String,
    /// Who asks: a library, an interpreter, `process`; for programs `shell`.
    pub asks: String,
    /// What is there, in order, each copy once.
    pub candidates: Vec<Candidate>,
    /// The places, in order.
    pub places: Vec<Step>,
}

impl Search {
    /// The copy that is taken.
    pub fn first(&self) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.wins)
    }
}

/// The places where `requester` looks for a library (`cudnn`), in order, each directory once.
pub(super) fn steps(look: &Look<'_>, requester: &Requester<'_>, library: &str) -> Vec<Step> {
    let mut out = match look.family {
        Family::Linux => linux::steps(look, requester, library),
        Family::Windows => windows::steps(look, requester, library),
        Family::Macos => Vec::new(),
    };
    let mut seen = BTreeSet::new();
    out.retain(|s| seen.insert(s.directory.as_deref().map(|d| place::key(look.family, d))));
    out
}

/// Looks for a file on behalf of `requester`.
pub(super) fn search(look: &Look<'_>, requester: &Requester<'_>, name: &str) -> Search {
    let library = super::name::parsed(name).map(|n| n.library).unwrap_or_default();
    let places = steps(look, requester, &library);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut won = false;
    for step in &places {
        for path in paths(look, step, name) {
            let Some(real) = look.resolved(&path) else { continue };
            if !seen.insert(place::key(look.family, &real)) {
                continue;
            }
            let other = if won { None } else { other_processor(look, &path) };
            // What is not for this processor is passed over on Linux, and the end on Windows.
            let wins = !won && (other.is_none() || look.family == Family::Windows);
            won |= wins;
            candidates.push(Candidate {
                resolved: (place::key(look.family, &real) != place::key(look.family, &path)).then_some(real),
                path,
                rule: step.rule.clone(),
                other_processor: other,
                version: None,
                version_method: None,
                wins,
            });
        }
    }
    Search { name: name.to_owned(), asks: requester.name(), candidates, places }
}

/// Files of a name at a place: in a directory one at most, in the cache any number.
pub(super) fn paths(look: &Look<'_>, step: &Step, name: &str) -> Vec<String> {
    match &step.directory {
        Some(directory) => look.file(directory, name).into_iter().collect(),
        None => look.cache().iter().filter(|(n, _)| n == name).map(|(_, path)| path.clone()).collect(),
    }
}

fn other_processor(look: &Look<'_>, path: &str) -> Option<String> {
    let machine = look.library(path)?.machine.clone();
    (!machine.is_empty() && machine != look.arch).then_some(machine)
}
