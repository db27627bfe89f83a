//! Files that belong to a library and do not stand beside it.

use super::copies::Copy;
use super::look::Look;
use super::name::{known, parsed};
use crate::machine::Family;
use crate::place;
use artifact::bundled::is_same;

/// The files that a major version of a library consists of, as the knowledge base lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileSet {
    /// The library: `cudnn`.
    pub library: String,
    /// Its major version.
    pub major: u64,
    /// The manner of system.
    pub family: Family,
    /// Names as programs ask for them.
    pub files: Vec<String>,
}

/// Files of `sets` that are missing beside a copy, with the directory.
pub(super) fn missing(look: &Look<'_>, copy: &Copy, sets: &[FileSet]) -> Vec<(String, String)> {
    let file = place::name(look.family, &copy.path);
    let (Some(library), Some(name)) = (known(file), parsed(file)) else { return Vec::new() };
    let major = name.version.and_then(|v| v.value.split('.').next()?.parse::<u64>().ok());
    let set = sets.iter().find(|s| {
        s.library.eq_ignore_ascii_case(library) && Some(s.major) == major && s.family == look.family
    });
    // The parts are loaded from where the file itself is.
    let (Some(set), Some(directory)) = (set, place::parent(look.family, &copy.resolved)) else {
        return Vec::new();
    };
    let names = look.names(directory);
    let absent = set.files.iter().filter(|f| !names.iter().any(|n| is_same(f, n)));
    absent.map(|f| (f.clone(), directory.to_owned())).collect()
}
