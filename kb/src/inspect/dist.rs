//! An installed distribution: what its `.dist-info` or `.egg-info` says of it.

use super::Inspected;
use artifact::installed::{is_info, is_required};
use artifact::wheel::{Metadata, Record, RecordRow, Tag, WheelFile};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes of a text file at most.
const TEXT: u64 = 4 << 20;

/// Bytes of a RECORD at most: 300,000 files.
const RECORD: u64 = 32 << 20;

/// An installed distribution.
pub(super) struct Dist {
    /// Its `.dist-info` or `.egg-info`.
    pub info: PathBuf,
    /// METADATA or PKG-INFO.
    pub metadata: Metadata,
    /// Tags of the wheel that was installed.
    tags: Vec<Tag>,
    /// Which files are its own.
    pub files: Files,
    /// What could not be read, with the reason.
    not_read: Vec<(String, String)>,
}

/// How it is known which files a distribution has.
pub(super) enum Files {
    /// RECORD lists them.
    Record(Vec<RecordRow>),
    /// Everything of these names, beside the `.dist-info`.
    Tops(Vec<String>),
}

impl Dist {
    /// Reads `info`. Never fails: what cannot be read is said.
    pub(super) fn read(info: &Path) -> Dist {
        let mut not_read = Vec::new();
        let mut small = |name: &str| {
            let unread = |why: io::Error| not_read.push((name.to_owned(), why.to_string()));
            text(&info.join(name), TEXT).map_err(unread).ok()
        };
        let egg = file_name(info).ends_with(".egg-info");
        let metadata = match (egg, info.is_file()) {
            (true, true) => text(info, TEXT).ok(),
            (true, false) => small("PKG-INFO"),
            _ => small("METADATA"),
        };
        let tags = if egg { None } else { small("WHEEL") }.map(|b| WheelFile::parse(&b).tags);
        let metadata = metadata.map(|b| Metadata::parse(&b)).unwrap_or_default();
        let files = match text(&info.join("RECORD"), RECORD) {
            Ok(bytes) => Files::Record(Record::parse(&bytes).rows),
            Err(_) => Files::Tops(tops(info, metadata.name.as_deref())),
        };
        Dist { info: info.to_owned(), metadata, tags: tags.unwrap_or_default(), files, not_read }
    }

    /// Its name, as it is stated, else as its directory is called.
    pub(super) fn name(&self) -> String {
        self.metadata.name.clone().unwrap_or_else(|| stem(&self.info).to_owned())
    }

    /// Tells what it says of itself.
    pub(super) fn describe(&self, out: &mut Inspected) {
        out.name.clone_from(&self.metadata.name);
        out.version.clone_from(&self.metadata.version);
        out.requires_python.clone_from(&self.metadata.requires_python);
        let requires = self.metadata.requires_dist.iter();
        out.requires = requires.filter(|r| is_required(r)).cloned().collect();
        for tag in &self.tags {
            for (list, value) in [(&mut out.python, &tag.python), (&mut out.platform, &tag.platform)] {
                if !list.contains(value) {
                    list.push(value.clone());
                }
            }
        }
        out.not_read.extend(self.not_read.iter().cloned());
    }
}

/// Distributions of a directory, by what is directly in it; in the order of names.
pub(super) fn infos(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().filter_map(Result::ok);
    let mut out: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| is_info(&file_name(p))).collect();
    out.sort();
    out
}

/// Names that a distribution without RECORD is taken to have: those of `top_level.txt`, else its own; and where
/// wheel-repair tools put libraries.
fn tops(info: &Path, name: Option<&str>) -> Vec<String> {
    let own = name.unwrap_or_else(|| stem(info)).replace(['-', '.'], "_");
    let listed = text(&info.join("top_level.txt"), TEXT).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let plain = |l: &&str| !l.is_empty() && !l.contains(['/', '\\', ':']) && *l != "." && *l != "..";
    let mut out: Vec<String> = listed.lines().map(str::trim).filter(plain).map(str::to_owned).collect();
    if out.is_empty() {
        out.push(own.clone());
        out.push(own.to_lowercase());
    }
    out.push(format!("{own}.libs"));
    out.sort();
    out.dedup();
    out
}

/// What stands before the version: `torch` of `torch-2.5.1.dist-info`.
fn stem(info: &Path) -> &str {
    let name = info.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    name.split('-').next().unwrap_or(name)
}

/// The last part of a path.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A small text file.
pub(super) fn small(path: &Path) -> io::Result<Vec<u8>> {
    text(path, TEXT)
}

/// A regular file's bytes; one that is too long is not read.
fn text(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // What blocks when it is opened (a pipe, a device) is not opened.
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut out = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut out)?;
    if out.len() as u64 > most {
        return Err(io::Error::other(format!("more than {most} bytes")));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let info = Path::new("/nowhere/nvidia_nccl_cu12-2.20.5.dist-info");
        assert_eq!(tops(info, None), ["nvidia_nccl_cu12", "nvidia_nccl_cu12.libs"]);
        assert_eq!(tops(info, Some("PyYAML")), ["PyYAML", "PyYAML.libs", "pyyaml"]);
        assert_eq!(Dist::read(info).name(), "nvidia_nccl_cu12");
    }
}
