//! Where the library is for the tests that load it.

use std::path::{Path, PathBuf};

/// The shared library: Cargo builds it beside the program of the test that depends on this crate.
///
/// # Errors
/// If it is not there.
pub fn library() -> Result<PathBuf, String> {
    let name = format!("{}fake_nvml{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let places =
        own.ancestors().skip(1).take(2).flat_map(|dir| [dir.join(&name), dir.join("deps").join(&name)]);
    let found = places.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| format!("{name} is not beside {}", own.display()))
}

/// Writes a copy of the library that has no function of these names, as an older one.
///
/// In its table of symbols the last letter of each name is another one, so that the loader does not find it.
///
/// # Errors
/// If the file cannot be written, or has no such function.
pub fn older(copy: &Path, without: &[&str]) -> Result<(), String> {
    let mut bytes = std::fs::read(library()?).map_err(|e| e.to_string())?;
    for name in without {
        let entry = [b"\0", name.as_bytes(), b"\0"].concat();
        let places: Vec<usize> =
            bytes.windows(entry.len()).enumerate().filter(|(_, w)| *w == entry).map(|(at, _)| at).collect();
        if places.is_empty() {
            return Err(format!("there is no {name} in the library"));
        }
        for at in places {
            bytes[at + name.len()] = b'!';
        }
    }
    std::fs::write(copy, bytes).map_err(|e| e.to_string())
}
