//! Shared libraries: what they ask of the system and of other libraries.
//!
//! Only headers and the tables that are asked for are read, so a library of gigabytes costs some kilobytes where it can
//! be read at any place. A compressed one cannot; [`Passes`] reads it from the front as often as its tables need.

mod elf;
mod machine_code;
mod passes;
mod pe;
mod source;
mod sparse;
mod stated_version;
mod version_resource;

pub use passes::Passes;
pub use stated_version::StatedVersion;
pub(crate) use stated_version::cuda as cuda_release;

use crate::{Bytes, Error};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What kind of library a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Linux: ELF, 64 bit.
    Elf,
    /// Windows: PE, 64 bit.
    Pe,
}

/// What a library asks for and says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// ELF or PE.
    pub format: Format,
    /// The processor: `x86_64`, `aarch64`, or the format's number for others (`machine 40`).
    pub machine: String,
    /// Libraries that must be found for this one to be loaded: ELF's NEEDED, PE's imports; in order, as spelled.
    pub needed: Vec<String>,
    /// Libraries that are loaded when first used: PE's delay-load imports.
    pub delayed: Vec<String>,
    /// ELF's SONAME.
    pub soname: Option<String>,
    /// ELF's RUNPATH and RPATH, in that order, taken apart.
    pub search: Vec<String>,
    /// ELF: is that RPATH alone? The loader then looks there before LD_LIBRARY_PATH, also for what its libraries need.
    pub rpath: bool,
    /// ELF: versions of symbols that are needed, by library: `libc.so.6` → `GLIBC_2.17`.
    pub symbol_versions: BTreeMap<String, BTreeSet<String>>,
    /// The least glibc that has all needed symbols: (2, 17). From the library itself; a wheel's tag may ask for more.
    pub glibc: Option<(u32, u32)>,
    /// PE's version resource, FileVersion: four numbers.
    pub file_version: Option<String>,
    /// PE's version resource, ProductVersion: four numbers.
    pub product_version: Option<String>,
    /// The same as publishers write it for people, which need not be the same number.
    pub file_version_text: Option<String>,
    /// ProductVersion as text.
    pub product_version_text: Option<String>,
    /// PE's version resource, FileDescription: `NVIDIA CUDA Runtime, Version 12.4.127`.
    pub description: Option<String>,
    /// ELF: the version that its own code or data gives, of some libraries of NVIDIA's.
    pub stated_version: Option<StatedVersion>,
    /// Where its device code is: sections with containers. Empty if no section is known for it, which does not mean that
    /// there is no code.
    pub device_code: Vec<Range<u64>>,
}

impl Library {
    fn new(format: Format, machine: String) -> Self {
        Library {
            format,
            machine,
            needed: Vec::new(),
            delayed: Vec::new(),
            soname: None,
            search: Vec::new(),
            rpath: false,
            symbol_versions: BTreeMap::new(),
            glibc: None,
            file_version: None,
            product_version: None,
            file_version_text: None,
            product_version_text: None,
            description: None,
            stated_version: None,
            device_code: Vec::new(),
        }
    }
}

/// Reads a library.
///
/// # Errors
/// [`Error::Format`] if this is not a 64-bit ELF or PE file or a table of it is broken, [`Error::Limit`] if a table is
/// absurdly large, [`Error::Io`] if the source fails.
pub fn read(bytes: &(impl Bytes + ?Sized)) -> Result<Library, Error> {
    let mut library = tables(bytes)?;
    if library.format == Format::Elf {
        library.stated_version = stated_version::find(bytes, &library)?;
    }
    Ok(library)
}

/// All but the version in its code.
fn tables(bytes: &(impl Bytes + ?Sized)) -> Result<Library, Error> {
    let mut magic = [0; 4];
    bytes.read_exact_at(0, &mut magic).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Format("too short for a library".into()),
        _ => Error::Io(e),
    })?;
    match &magic {
        b"\x7fELF" => elf::read(bytes),
        [b'M', b'Z', _, _] => pe::read(bytes),
        _ => Err(Error::Format("neither ELF nor PE".into())),
    }
}

/// Does a path name a shared library: `x.so`, `x.so.12.1`, `x.pyd`, `x.dll`?
///
/// Asked of each of the thousands of files of a package, so nothing is copied.
pub fn is_library(path: &str) -> bool {
    let bytes = path.as_bytes();
    let ends = |bytes: &[u8], end: &[u8]| {
        bytes.len().checked_sub(end.len()).is_some_and(|at| bytes[at..].eq_ignore_ascii_case(end))
    };
    if ends(bytes, b".dll") || ends(bytes, b".pyd") {
        return true;
    }
    // Behind `.so` stand digits and dots alone, a dot first.
    let version = bytes.iter().rev().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let (name, version) = bytes.split_at(bytes.len() - version);
    if !ends(name, b".so") || version.first().is_some_and(|b| *b != b'.') {
        return false;
    }
    let stem = &name[..name.len() - 3];
    stem.last().is_some_and(|b| *b != b'/')
}

/// Text of a name in a table; bytes that are not UTF-8 are replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for path in [
            "a/x.so",
            "libcudnn.so.8",
            "libz.so.1.2.3",
            "a.pyd",
            "A.DLL",
            "libé.SO.2",
            "_C.cpython-312-x86_64-linux-gnu.so",
        ] {
            assert!(is_library(path), "{path}");
        }
        for path in
            ["x.so.txt", ".so", "a/.so.1", "x.so1", "x.so12.1", "1.2", "x.sources", "dll", "x.py", "lib.some"]
        {
            assert!(!is_library(path), "{path}");
        }
    }
}
