//! A library that is a part of what is inspected, as it was read.

use artifact::code::{DeviceCode, is_bundled};
use artifact::library::Library;
use artifact::stated::{self, Stated, Variant};
use artifact::{Bytes, Cursor, Reading, WheelLibrary};

/// A library and what was read of it.
pub(super) struct Part<'a> {
    /// Its path inside what is inspected.
    pub path: &'a str,
    /// Only carried, not the package's own.
    pub bundled: bool,
    /// Of which of several builds it is.
    pub variant: Option<Variant>,
    /// Its device code.
    pub code: Reading<DeviceCode>,
    /// Its tables.
    pub tables: Reading<Library>,
    /// What texts in it state.
    pub texts: Option<Stated>,
}

impl<'a> Part<'a> {
    /// Reads a library. `full` is its path from where the package's own directories begin: that is what its name means.
    pub(super) fn read(bytes: &impl Bytes, path: &'a str, full: &str, code: bool) -> Part<'a> {
        let (found, tables) = if code {
            artifact::describe_library(bytes)
        } else {
            (Reading::NotAsked, artifact::library::read(bytes).into())
        };
        Part {
            path,
            bundled: is_bundled(full),
            variant: stated::variant(path),
            code: found,
            tables,
            texts: texts(bytes, path, code),
        }
    }

    /// A library of a wheel.
    pub(super) fn of_wheel(library: &'a WheelLibrary, stated: &[(String, Stated)]) -> Part<'a> {
        let texts = stated.iter().find(|(path, _)| *path == library.path).map(|(_, said)| said.clone());
        Part {
            path: &library.path,
            bundled: library.bundled,
            variant: library.variant.clone(),
            code: library.code.clone(),
            tables: library.tables.clone(),
            texts,
        }
    }
}

/// What texts in a library state. Without device code the largest libraries are left out: that is what takes time.
fn texts(bytes: &impl Bytes, path: &str, code: bool) -> Option<Stated> {
    if !code && !stated::states_targets(path) {
        return None;
    }
    let mut strings = stated::strings(path)?;
    // What was not read to its end states nothing; that it was not is said of its code.
    strings.read(&mut Cursor::new(bytes)).ok()?;
    Some(strings.finish()).filter(|said| *said != Stated::default())
}
