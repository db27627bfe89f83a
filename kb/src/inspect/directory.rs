//! A directory: `site-packages`, or an unpacked package.

use super::{Inspected, Progress, code_and_tables, family};
use artifact::code::is_bundled;
use artifact::wheel::{Metadata, WheelFile};
use artifact::{Error, library, stated};
use std::fs::{DirEntry, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Libraries that are read at most, and files that are looked at.
const LIBRARIES: usize = 2_000;
const FILES: usize = 300_000;

/// Directories below each other.
const DEPTH: usize = 64;

/// Bytes of a text file at most.
const TEXT: u64 = 4 << 20;

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

pub(super) fn read(path: &Path, code: bool, progress: &Progress) -> Result<Inspected, Error> {
    // The directory's own name may be the package's: `torch/version.py` is known, `version.py` is not.
    let own = path.canonicalize().map_err(Error::Io)?;
    let own = own.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut walk = Walk::default();
    walk.directory(path, "", &own, 0).map_err(Error::Io)?;
    let mut out =
        Inspected { kind: "directory", not_read: walk.unread, no_code: !code, ..Inspected::default() };
    if let [package] = walk.packages.as_slice() {
        describe(&mut out, package);
    } else if walk.packages.len() > 1 {
        out.notes.push(("ui-inspect-several", walk.packages.len()));
    }
    let alone = walk.packages.len() < 2;
    for (inside, path) in &walk.stated {
        match text(path) {
            Ok(bytes) => {
                let known = stated::read(&format!("{own}/{inside}"), &bytes);
                let (name, version) = (out.name.clone(), out.version.clone());
                known.iter().for_each(|stated| out.state(inside, stated));
                if !alone {
                    (out.name, out.version) = (name, version);
                }
            }
            Err(why) => out.not_read.push((inside.clone(), why.to_string())),
        }
    }
    for (inside, path) in walk.libraries.iter().take(LIBRARIES) {
        match File::open(path) {
            Ok(file) => {
                progress.step(file.metadata().map_or(0, |m| m.len()));
                let (code, tables) = code_and_tables(&file, code);
                let bundled = is_bundled(&format!("{own}/{inside}"));
                out.library(inside, bundled, stated::variant(inside).as_ref(), &code, &tables);
            }
            Err(why) => out.not_read.push((inside.clone(), why.to_string())),
        }
    }
    out.code_unread |= walk.cut || walk.libraries.len() > LIBRARIES;
    if walk.libraries.len() > LIBRARIES {
        out.notes.push(("ui-inspect-more-libraries", LIBRARIES));
    }
    if walk.cut {
        out.notes.push(("ui-inspect-more-files", FILES));
    }
    if walk.links > 0 {
        out.notes.push(("ui-inspect-links", walk.links));
    }
    let nothing = walk.libraries.is_empty() && walk.stated.is_empty() && walk.packages.is_empty();
    if nothing && out.not_read.is_empty() {
        return Err(Error::Format("there is no library and no package in this directory".to_owned()));
    }
    Ok(out)
}

impl Walk {
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
                if name.ends_with(".dist-info") {
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

/// Reads a `.dist-info` directory.
fn describe(out: &mut Inspected, package: &Path) {
    let mut small = |name: &str| {
        let unread = |why: io::Error| out.not_read.push((name.to_owned(), why.to_string()));
        text(&package.join(name)).map_err(unread).ok()
    };
    let metadata = small("METADATA").map(|b| Metadata::parse(&b)).unwrap_or_default();
    let wheel = small("WHEEL").map(|b| WheelFile::parse(&b)).unwrap_or_default();
    out.name = metadata.name;
    out.version = metadata.version;
    out.requires_python = metadata.requires_python;
    out.requires = metadata.requires_dist.into_iter().filter(|r| family::is_required(r)).collect();
    for tag in wheel.tags {
        for (list, value) in [(&mut out.python, tag.python), (&mut out.platform, tag.platform)] {
            if !list.contains(&value) {
                list.push(value);
            }
        }
    }
}

/// A regular file's bytes; one that is too long is not read.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    // What blocks when it is opened (a pipe, a device) is not opened.
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut out = Vec::new();
    File::open(path)?.take(TEXT + 1).read_to_end(&mut out)?;
    if out.len() as u64 > TEXT {
        return Err(io::Error::other(format!("more than {TEXT} bytes")));
    }
    Ok(out)
}
