//! A directory as a whole: an unpacked package, a package's own directory inside `site-packages`, an unpacked archive.

use super::dist::{Dist, file_name, small};
use super::part::Part;
use super::site::Installed;
use super::{Inspected, Progress, Wanted};
use artifact::installed::is_info;
use artifact::{Error, library, stated};
use std::fs::{DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};

/// Libraries that are read at most.
pub(super) const LIBRARIES: usize = 2_000;

/// Files that are looked at.
const FILES: usize = 300_000;

/// Directories below each other.
const DEPTH: usize = 64;

/// What is worth reading, with the path inside.
#[derive(Default)]
struct Walk {
    libraries: Vec<(String, PathBuf)>,
    stated: Vec<(String, PathBuf)>,
    packages: Vec<PathBuf>,
    unread: Vec<(String, String)>,
    files: usize,
    links: usize,
    cut: bool,
}

/// The distribution that a directory belongs to: one of these, and what the directory is called there.
pub(super) type Owner<'i> = (&'i Installed, usize, &'i str);

/// Reads a directory, whatever it is. Without an owner it may hold a description of its own.
pub(super) fn walk(
    path: &Path,
    owner: Option<Owner<'_>>,
    wanted: Wanted,
    progress: &Progress,
) -> Result<Inspected, Error> {
    // The directory's own name may be the package's: `torch/version.py` is known, `version.py` is not.
    let whole = path.canonicalize().map_err(Error::Io)?;
    let mut walk = Walk::default();
    walk.directory(path, "", &file_name(&whole), 0).map_err(Error::Io)?;
    let mut out = Inspected { kind: "directory", no_code: !wanted.code, ..Inspected::default() };
    out.folders = whole.ancestors().take(2).map(file_name).collect();
    let several = owner.is_none() && walk.packages.len() > 1;
    if let Some((installed, index, prefix)) = owner {
        installed.describe(index, prefix, &mut out, wanted, progress);
    } else if let [package] = walk.packages.as_slice() {
        Dist::read(package).describe(&mut out);
    } else if several {
        out.notes.push(("ui-inspect-several", walk.packages.len()));
    }
    let nothing = walk.libraries.is_empty() && walk.stated.is_empty() && walk.packages.is_empty();
    if nothing && walk.unread.is_empty() {
        return Err(Error::Format("there is no library and no package in this directory".to_owned()));
    }
    let named = (out.name.clone(), out.version.clone());
    walk.read(&mut out, "", &file_name(&whole), wanted, progress);
    if several {
        (out.name, out.version) = named;
    }
    Ok(out)
}

/// Adds what is in a directory that is a part of a package; `inside` is its path in that.
pub(super) fn read_into(out: &mut Inspected, path: &Path, inside: &str, wanted: Wanted, progress: &Progress) {
    let mut walk = Walk::default();
    if let Err(why) = walk.directory(path, "", inside, 0) {
        out.not_read.push((inside.to_owned(), why.to_string()));
    }
    walk.read(out, &format!("{inside}/"), inside, wanted, progress);
}

/// Adds what a small file states; `full` is its path from where packages begin.
pub(super) fn state(out: &mut Inspected, inside: &str, full: &str, path: &Path) {
    match small(path) {
        Ok(bytes) => stated::read(full, &bytes).iter().for_each(|stated| out.state(inside, stated)),
        Err(why) => out.not_read.push((inside.to_owned(), why.to_string())),
    }
}

impl Walk {
    /// Reads what was found; `before` is put before paths that are shown, `own` is the name of the directory.
    fn read(self, out: &mut Inspected, before: &str, own: &str, wanted: Wanted, progress: &Progress) {
        // A library may be in a directory that could not be read.
        out.code_unread |= !self.unread.is_empty();
        out.not_read.extend(self.unread);
        for (inside, path) in &self.stated {
            state(out, &format!("{before}{inside}"), &format!("{own}/{inside}"), path);
        }
        for (inside, path) in self.libraries.iter().take(LIBRARIES) {
            let (shown, full) = (format!("{before}{inside}"), format!("{own}/{inside}"));
            match File::open(path) {
                Ok(file) => {
                    out.library_and_texts(&Part::read(&file, &shown, &full, wanted.code));
                    progress.step(file.metadata().map_or(0, |m| m.len()));
                }
                Err(why) => {
                    out.not_read.push((shown, why.to_string()));
                    out.code_unread = true;
                }
            }
        }
        out.code_unread |= self.cut || self.libraries.len() > LIBRARIES;
        if self.libraries.len() > LIBRARIES {
            out.notes.push(("ui-inspect-more-libraries", LIBRARIES));
        }
        if self.cut {
            out.notes.push(("ui-inspect-more-files", FILES));
        }
        if self.links > 0 {
            out.notes.push(("ui-inspect-links", self.links));
        }
    }

    /// Goes through a directory in the order of names; `inside` is its path from the first one.
    fn directory(&mut self, path: &Path, inside: &str, own: &str, depth: usize) -> io::Result<()> {
        let mut entries: Vec<DirEntry> = std::fs::read_dir(path)?.filter_map(Result::ok).collect();
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            if self.files >= FILES {
                self.cut = true;
                return Ok(());
            }
            self.files += 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let inside = if inside.is_empty() { name.clone() } else { format!("{inside}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if is_info(&name) {
                    self.packages.push(entry.path());
                } else if depth >= DEPTH {
                    self.unread.push((inside, format!("more than {DEPTH} directories deep")));
                } else if let Err(why) = self.directory(&entry.path(), &inside, own, depth + 1) {
                    self.unread.push((inside, why.to_string()));
                }
            } else if !kind.is_file() {
                self.links += 1;
            } else if library::is_library(&name) {
                self.libraries.push((inside, entry.path()));
            } else if stated::is_known(&format!("{own}/{inside}")) {
                self.stated.push((inside, entry.path()));
            }
        }
        Ok(())
    }
}
