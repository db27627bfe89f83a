//! What one wheel states, from few ranges of it: bytes to facts, without device code.

use artifact::stated::{self, Stated};
use artifact::wheel::{Archive, Kind, Metadata};
use artifact::{Bytes, Error, Limits};

/// What a wheel states.
#[derive(Clone, Debug)]
pub struct Reading {
    /// METADATA.
    pub metadata: Metadata,
    /// Files that state versions, by path.
    pub stated: Vec<(String, Stated)>,
    /// All its files.
    pub files: Vec<Member>,
}

/// A file in a wheel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where it is installed, below site-packages.
    pub path: String,
    /// Bytes, unpacked.
    pub size: u64,
    /// Checksum.
    pub crc32: u32,
}

/// Bytes of a file that states versions, at most.
const LARGEST_STATED: u64 = 1 << 20;

/// Reads a wheel's directory, METADATA and the files that state versions.
///
/// # Errors
/// If it is not a wheel, or a file of these cannot be read: half of what a wheel states is not what it states.
pub(crate) fn wheel(bytes: &(impl Bytes + ?Sized)) -> Result<Reading, Error> {
    let archive = Archive::open(bytes, Limits::default())?;
    let metadata = archive
        .entries()
        .iter()
        .find(|e| e.path.ends_with(".dist-info/METADATA") && e.path.matches('/').count() == 1)
        .ok_or_else(|| Error::Missing("METADATA".to_owned()))?;
    let metadata = Metadata::parse(&archive.small(&metadata.path)?);
    let mut found = Vec::new();
    for entry in archive.entries() {
        if entry.kind == Kind::File && stated::is_known(&entry.path) && entry.size <= LARGEST_STATED {
            let bytes = archive.small(&entry.path)?;
            found.extend(stated::read(&entry.path, &bytes).map(|s| (entry.path.clone(), s)));
        }
    }
    let files = archive.entries().iter().filter(|e| e.kind == Kind::File).map(|e| Member {
        path: installed(&e.path).to_owned(),
        size: e.size,
        crc32: e.crc32,
    });
    Ok(Reading { metadata, stated: found, files: files.collect() })
}

/// Where a member is installed: `x-1.data/purelib/a/b.py` becomes `a/b.py`.
fn installed(path: &str) -> &str {
    let below = |part: &str| {
        path.split_once(".data/")
            .and_then(|(top, rest)| (!top.contains('/')).then_some(rest)?.strip_prefix(part))
    };
    below("purelib/").or_else(|| below("platlib/")).unwrap_or(path)
}

impl Reading {
    /// The first value that a file states, of whatever `pick` looks for.
    pub(crate) fn stated<T>(&self, pick: impl Fn(&Stated) -> Option<T>) -> Option<T> {
        self.stated.iter().find_map(|(_, s)| pick(s))
    }
}

#[cfg(test)]
mod tests {
    use super::installed;

    #[test]
    fn data_directories_are_installed_beside_the_rest() {
        assert_eq!(installed("x-1.data/purelib/a/b.py"), "a/b.py");
        assert_eq!(installed("x-1.data/scripts/b"), "x-1.data/scripts/b");
        assert_eq!(installed("a/b.data/purelib/c"), "a/b.data/purelib/c");
    }
}
