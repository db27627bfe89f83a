//! The files of a data directory as one sorted value: path and bytes.
//!
//! The loader reads from here and nowhere else, so it is the same for a directory, for a test's strings and for a
//! directory laid over another.

use kb_core::diag::{Diagnostic, Place};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read: 8 MiB.
pub const MAX_FILE: u64 = 8 << 20;

/// Deeper nesting than this is no data directory: its own paths have at most four parts.
const MAX_DEPTH: usize = 12;

/// More entries than this are no data directory, but a disk that was named by mistake.
const MAX_ENTRIES: usize = 20_000;

/// Files by path, relative to the data directory and with `/` between the parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTree {
    files: BTreeMap<String, Vec<u8>>,
    troubles: Vec<Diagnostic>,
}

impl DataTree {
    /// A tree without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads every `*.toml` and `*.md` below a directory, at any depth.
    ///
    /// Hidden files and those whose name starts with `_template` are skipped. What cannot be read is not fatal: it
    /// becomes a diagnostic that the loader hands on ([`DataTree::troubles`]). Only regular files are opened, and of a
    /// directory that cannot be a data directory (20,000 entries, 12 levels) that diagnostic alone is left.
    ///
    /// # Errors
    ///
    /// If `root` itself cannot be listed.
    pub fn from_dir(root: &Path) -> io::Result<Self> {
        let mut tree = Self::new();
        let canonical = root.canonicalize()?;
        std::fs::read_dir(&canonical)?;
        let mut seen = 0;
        if let Err(no_data) = tree.walk(&canonical, "", &mut vec![canonical.clone()], &mut seen) {
            tree = DataTree { files: BTreeMap::new(), troubles: vec![*no_data] };
        }
        Ok(tree)
    }

    /// A tree from paths and texts, in any order; the later of two with one path wins.
    pub fn from_texts<P: Into<String>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        let mut tree = Self::new();
        for (path, text) in files {
            tree.insert(path, text);
        }
        tree
    }

    /// Adds a file, or replaces the one with that path. Paths that [`DataTree::from_dir`] would skip are skipped.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        let path = path.into();
        if is_data(&path) {
            self.files.insert(path, bytes.into());
        }
    }

    /// Takes a file out.
    pub fn remove(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.remove(path)
    }

    /// Lays another tree over this one: of two files with one path the other's wins.
    pub fn overlay(&mut self, other: DataTree) {
        self.files.extend(other.files);
        self.troubles.extend(other.troubles);
    }

    /// The files, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The bytes of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Is there no file at all?
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What could not be read from the directory.
    pub fn troubles(&self) -> &[Diagnostic] {
        &self.troubles
    }

    /// Fails when this cannot be a data directory at all.
    fn walk(
        &mut self,
        dir: &Path,
        prefix: &str,
        above: &mut Vec<PathBuf>,
        seen: &mut usize,
    ) -> Result<(), Box<Diagnostic>> {
        let listed = std::fs::read_dir(dir)
            .and_then(|list| list.take(MAX_ENTRIES + 1).collect::<io::Result<Vec<_>>>());
        let mut entries = match listed {
            Ok(entries) => entries,
            Err(error) => {
                self.trouble("unreadable", prefix, format!("this directory cannot be listed: {error}"));
                return Ok(());
            }
        };
        *seen += entries.len();
        if *seen > MAX_ENTRIES {
            let message =
                format!("there are more than {MAX_ENTRIES} entries in it: this is no data directory");
            return Err(Box::new(no_data_directory(message)));
        }
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(name) = entry.file_name().into_string() else {
                self.trouble(
                    "wrong-encoding",
                    prefix,
                    format!("the name of {:?} is not UTF-8", entry.file_name()),
                );
                continue;
            };
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            let on_disk = entry.path();
            let meta = match std::fs::metadata(&on_disk) {
                Ok(meta) => meta,
                Err(_) if !is_data(&path) => continue,
                Err(error) => {
                    self.trouble("unreadable", &path, format!("this file cannot be read: {error}"));
                    continue;
                }
            };
            if meta.is_dir() {
                if name.starts_with('.') {
                    continue;
                }
                if is_data(&path) {
                    self.trouble("not-a-file", &path, "this is a directory, called like a file".to_owned());
                }
                self.enter(&on_disk, &path, above, seen)?;
            } else if is_data(&path) && !meta.is_file() {
                // A pipe would block, a device never ends.
                self.trouble("not-a-file", &path, "this is a pipe, a socket or a device, no file".to_owned());
            } else if is_data(&path) {
                self.read(&on_disk, path, meta.len());
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        on_disk: &Path,
        path: &str,
        above: &mut Vec<PathBuf>,
        seen: &mut usize,
    ) -> Result<(), Box<Diagnostic>> {
        match on_disk.canonicalize() {
            Ok(real) if above.contains(&real) => {
                self.trouble(
                    "link-loop",
                    path,
                    "this directory leads back into one that contains it".to_owned(),
                );
            }
            Ok(_) if above.len() >= MAX_DEPTH => {
                let message = format!("{path} is {MAX_DEPTH} levels deep: this is no data directory");
                return Err(Box::new(no_data_directory(message)));
            }
            Ok(real) => {
                above.push(real.clone());
                let walked = self.walk(&real, path, above, seen);
                above.pop();
                return walked;
            }
            Err(error) => self.trouble("unreadable", path, format!("this directory cannot be read: {error}")),
        }
        Ok(())
    }

    fn read(&mut self, on_disk: &Path, path: String, length: u64) {
        if length > MAX_FILE {
            self.troubles.push(too_large(&path, length));
            return;
        }
        // The length is what the file system says; what comes may be more (/proc, a file that grows).
        let read = std::fs::File::open(on_disk).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(MAX_FILE + 1).read_to_end(&mut bytes).map(|_| bytes)
        });
        match read {
            Ok(bytes) if bytes.len() as u64 > MAX_FILE => {
                self.troubles.push(too_large(&path, bytes.len() as u64));
            }
            Ok(bytes) => {
                self.files.insert(path, bytes);
            }
            Err(error) => self.trouble("unreadable", &path, format!("this file cannot be read: {error}")),
        }
    }

    fn trouble(&mut self, code: &'static str, path: &str, message: String) {
        self.troubles.push(Diagnostic::error(code, message).at(whole_file(path)));
    }
}

fn no_data_directory(message: String) -> Diagnostic {
    Diagnostic::error("no-data", message).help("name a directory laid out like kb-data/data")
}

/// The place that means a file as a whole.
pub(crate) fn whole_file(path: &str) -> Place {
    Place { path: path.to_owned(), line: 0, column: 0, text: String::new(), length: 0 }
}

/// The message about a file over [`MAX_FILE`].
pub(crate) fn too_large(path: &str, length: u64) -> Diagnostic {
    Diagnostic::error(
        "file-too-large",
        format!("this file has {length} bytes, more than the {MAX_FILE} that are read"),
    )
    .at(whole_file(path))
    .help("split the table: `<source>--<part>.toml` may stand beside it")
}

fn is_data(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let known = name.ends_with(".toml") || name.ends_with(".md");
    known && !hidden && !name.starts_with("_template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_data_files_only() {
        let tree = DataTree::from_texts([
            ("b/x.toml", "1"),
            ("a.md", "2"),
            ("a/_template.toml", "3"),
            (".git/x.toml", "4"),
            ("notes.txt", "5"),
        ]);
        assert_eq!(tree.files().map(|(p, _)| p).collect::<Vec<_>>(), ["a.md", "b/x.toml"]);
    }

    #[test]
    fn the_later_file_wins() {
        let mut tree = DataTree::from_texts([("a.md", "old"), ("b.md", "kept")]);
        tree.overlay(DataTree::from_texts([("a.md", "new")]));
        assert_eq!(tree.get("a.md"), Some(&b"new"[..]));
        assert_eq!(tree.len(), 2);
    }

    #[test]
    fn a_deep_directory_is_no_data() {
        let root = std::env::temp_dir().join(format!("kb-data-deep-{}", std::process::id()));
        std::fs::create_dir_all(root.join("a/b/c/d/e/f/g/h/i/j/k/l/m")).expect("made");
        std::fs::write(root.join("a/x.toml"), "x").expect("written");
        let tree = DataTree::from_dir(&root).expect("listed");
        std::fs::remove_dir_all(&root).expect("removed");
        assert!(tree.is_empty());
        assert_eq!(tree.troubles().iter().map(|t| t.code).collect::<Vec<_>>(), ["no-data"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        let root = std::env::temp_dir().join(format!("kb-data-device-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("made");
        std::os::unix::fs::symlink("/dev/zero", root.join("zero.toml")).expect("linked");
        let tree = DataTree::from_dir(&root).expect("listed");
        std::fs::remove_dir_all(&root).expect("removed");
        assert_eq!(tree.troubles().iter().map(|t| t.code).collect::<Vec<_>>(), ["not-a-file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_linked_into_itself_is_reported() {
        let root = std::env::temp_dir().join(format!("kb-data-tree-{}", std::process::id()));
        std::fs::create_dir_all(root.join("sources")).expect("made");
        std::fs::write(root.join("sources/a.toml"), "x").expect("written");
        let _ = std::os::unix::fs::symlink(&root, root.join("sources/again"));
        let tree = DataTree::from_dir(&root).expect("listed");
        std::fs::remove_dir_all(&root).expect("removed");
        assert_eq!(tree.len(), 1);
        assert_eq!(tree.troubles().len(), 1);
        assert_eq!(tree.troubles()[0].code, "link-loop");
    }
}
