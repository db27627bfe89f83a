//! What a wheel states in text, from few ranges of it: no library is looked into.

use crate::describe::{LARGEST_STATED, dist_info};
use crate::stated::{self, expected, variant};
use crate::wheel::{Archive, Entry, FileName, Metadata, Record, WheelFile};
use crate::{Bytes, Error, Limits, Reading, Wheel, WheelLibrary, code, library};

/// What a wheel states in text.
#[derive(Clone, Debug)]
pub struct Versions {
    /// What was read. RECORD is not; libraries are listed, if all members were, and not read.
    pub wheel: Wheel,
    /// Bytes of the list of members that were not read, as what is stated was found before. Not 0: `entries` and
    /// `libraries` are not all there is, and `libraries` is empty.
    pub unread: u64,
}

/// Reads METADATA, WHEEL and the files that state versions, with as little else as it takes: of any wheel less than a
/// million bytes, over a source in [`Blocks::small`](crate::Blocks::small).
///
/// # Errors
/// As [`describe_wheel`](crate::describe_wheel).
pub fn describe_versions(
    bytes: &(impl Bytes + ?Sized),
    name: &str,
    limits: Limits,
) -> Result<Versions, Error> {
    let file_name = FileName::parse(name);
    let expected = file_name.as_ref().map(|n| expected(&n.package)).unwrap_or_default();
    let (archive, unread) = Archive::open_ends(bytes, limits, |entries| enough(entries, expected))?;
    let mut wheel = Wheel::listed(file_name, &archive);
    texts(&archive, &mut wheel, false);
    if unread == 0 {
        let libraries = archive.entries().iter().filter(|e| library::is_library(&e.path));
        wheel.libraries = libraries.map(listed).collect();
    }
    Ok(Versions { wheel, unread })
}

/// METADATA, and one of the files that the package can have; a package of which none is known may have any.
fn enough(entries: &[Entry], expected: &[&str]) -> bool {
    let has = |end: &str| entries.iter().any(|e| e.path == end || e.path.ends_with(&format!("/{end}")));
    has_metadata(entries) && expected.iter().any(|e| has(e))
}

fn has_metadata(entries: &[Entry]) -> bool {
    entries.iter().any(|e| e.path.ends_with(".dist-info/METADATA"))
}

fn listed(entry: &Entry) -> WheelLibrary {
    WheelLibrary {
        path: entry.path.clone(),
        size: entry.size,
        bundled: code::is_bundled(&entry.path),
        variant: variant(&entry.path),
        code: Reading::NotAsked,
        tables: Reading::NotAsked,
    }
}

/// Reads the small files of a wheel: those of `.dist-info`, of which RECORD is the long one, and those that state
/// versions.
pub(crate) fn texts<B: Bytes + ?Sized>(archive: &Archive<'_, B>, out: &mut Wheel, record: bool) {
    match dist_info(archive.entries()) {
        Ok(directory) => {
            let mut small = |file: &str| {
                let path = format!("{directory}/{file}");
                archive.small(&path).map_err(|e| out.not_read.push((path, e.to_string()))).ok()
            };
            out.metadata = small("METADATA").map(|b| Metadata::parse(&b));
            out.wheel = small("WHEEL").map(|b| WheelFile::parse(&b));
            if record {
                out.record = small("RECORD").map(|b| Record::parse(&b));
            }
        }
        Err(why) => out.not_read.push(("METADATA".to_owned(), why.to_owned())),
    }
    for entry in archive.entries() {
        if stated::is_known(&entry.path) {
            if entry.size > LARGEST_STATED {
                out.not_read
                    .push((entry.path.clone(), format!("{} bytes, too long for such a file", entry.size)));
                continue;
            }
            match archive.small(&entry.path) {
                Ok(bytes) => {
                    out.stated.extend(stated::read(&entry.path, &bytes).map(|s| (entry.path.clone(), s)))
                }
                Err(e) => out.not_read.push((entry.path.clone(), e.to_string())),
            }
        }
    }
}
