//! A site into a directory.

use crate::Site;
use kb_core::diag::Diagnostic;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that says that a directory is a site of kb, which the next one may replace.
pub const MARKER: &str = ".kb-site";

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Files.
    pub files: usize,
    /// Bytes of all of them.
    pub bytes: usize,
}

/// Writes a site. It is made beside `out` and put into its place when it is whole, so that whoever stops it in between
/// leaves the earlier site as it was.
///
/// # Errors
/// If `out` is there and is neither empty nor an earlier site, or cannot be written.
pub fn write(site: &Site, out: &Path) -> Result<Written, Diagnostic> {
    let fail = |error: io::Error| {
        Diagnostic::error("unwritable", format!("{}: the site cannot be written: {error}", out.display()))
    };
    check(out)?;
    let (parent, name) = place(out).map_err(fail)?;
    fs::create_dir_all(&parent).map_err(fail)?;
    let (fresh, old) = (parent.join(beside(&name, "new")), parent.join(beside(&name, "old")));
    // What an earlier run left behind when it was stopped.
    for rest in [&fresh, &old] {
        if rest.join(MARKER).exists() {
            fs::remove_dir_all(rest).map_err(fail)?;
        }
    }
    let target = parent.join(&name);
    let written = fill(site, &fresh).and_then(|written| put(&fresh, &target, &old).map(|()| written));
    if written.is_err() {
        drop(fs::remove_dir_all(&fresh));
    }
    written.map_err(fail)
}

/// May this directory be replaced?
///
/// # Errors
/// If something of somebody else's is in it.
fn check(out: &Path) -> Result<(), Diagnostic> {
    let foreign = match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_some() && !out.join(MARKER).is_file(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    if foreign {
        return Err(Diagnostic::error(
            "not-a-site",
            format!("{}: this is no empty directory and no earlier site", out.display()),
        )
        .help(format!("name a new directory; a site of kb has the file {MARKER} in it")));
    }
    Ok(())
}

/// The directory that `out` stands in, and its name there.
fn place(out: &Path) -> io::Result<(PathBuf, OsString)> {
    let whole = match fs::canonicalize(out) {
        Ok(path) => path,
        Err(_) => std::path::absolute(out)?,
    };
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => Ok((parent.to_owned(), name.to_owned())),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no directory with a name")),
    }
}

fn beside(name: &OsString, what: &str) -> OsString {
    let mut out = OsString::from(".");
    out.push(name);
    out.push(format!(".{what}"));
    out
}

fn fill(site: &Site, dir: &Path) -> io::Result<Written> {
    fs::create_dir(dir)?;
    fs::write(dir.join(MARKER), "a site of kb: the next `kb site build` replaces everything here\n")?;
    let mut written = Written { files: 0, bytes: 0 };
    let mut made: &str = "";
    for (path, bytes) in site {
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        if parent != made {
            fs::create_dir_all(dir.join(parent))?;
            made = parent;
        }
        fs::write(dir.join(path), bytes)?;
        written.files += 1;
        written.bytes += bytes.len();
    }
    Ok(written)
}

/// Puts the new directory into the place of the old one.
fn put(fresh: &Path, target: &Path, old: &Path) -> io::Result<()> {
    if target.join(MARKER).is_file() {
        fs::rename(target, old)?;
        if let Err(error) = fs::rename(fresh, target) {
            // The earlier site comes back.
            drop(fs::rename(old, target));
            return Err(error);
        }
        return fs::remove_dir_all(old);
    }
    if target.exists() {
        fs::remove_dir(target)?;
    }
    fs::rename(fresh, target)
}
