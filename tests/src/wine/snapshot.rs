//! What is in a prefix at one time, to be compared with another.

use super::registry::{Hive, values};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Files and values of a prefix.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// By path below the prefix: what tells a file from a changed one.
    files: BTreeMap<String, String>,
    /// By hive, key and name.
    values: BTreeMap<String, String>,
}

impl Snapshot {
    /// Everything below `dir`, in which nothing runs.
    pub(super) fn of(dir: &Path) -> Result<Snapshot, String> {
        let mut out = Snapshot { files: BTreeMap::new(), values: BTreeMap::new() };
        for hive in Hive::ALL {
            let path = dir.join(hive.file());
            let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let found = values(&String::from_utf8_lossy(&bytes));
            out.values
                .extend(found.into_iter().map(|(key, value)| (format!(r"{}\{key}", hive.short()), value)));
        }
        out.gather(dir, dir)?;
        // Wine's own: the registry is compared by its values, the others say that a server ran.
        out.files.retain(|path, _| path.contains('/') || !(path.ends_with(".reg") || path == "wineserver"));
        Ok(out)
    }

    fn gather(&mut self, root: &Path, dir: &Path) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", dir.display());
        for entry in std::fs::read_dir(dir).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let about = path.symlink_metadata().map_err(failed)?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let state = if about.is_symlink() {
                format!("link to {}", std::fs::read_link(&path).map_err(failed)?.display())
            } else if about.is_dir() {
                "directory".to_owned()
            } else {
                state(&path, &about).map_err(failed)?
            };
            self.files.insert(name, state);
            if about.is_dir() {
                self.gather(root, &path)?;
            }
        }
        Ok(())
    }

    /// What a later snapshot has more, less or otherwise: a sentence each, files first. What Wine itself writes when a
    /// program ends is not in it if a program ran before the first snapshot as well.
    pub fn changes(&self, later: &Snapshot) -> Vec<String> {
        let mut out = differences(&self.files, &later.files);
        out.extend(differences(&self.values, &later.values));
        out
    }
}

/// Size, time and contents. Of a file that is shared with the template (which is most of 700 MB) its identity stands for
/// the contents: whoever changes it in place changes its time too.
fn state(path: &Path, about: &std::fs::Metadata) -> std::io::Result<String> {
    let contents = if about.nlink() > 1 {
        format!("file {}", about.ino())
    } else {
        format!("SHA-256 {:x}", Sha256::digest(std::fs::read(path)?))
    };
    Ok(format!("{} bytes of {}.{:09}, {contents}", about.size(), about.mtime(), about.mtime_nsec()))
}

fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let mut out = Vec::new();
    for (name, now) in after {
        match before.get(name) {
            Some(then) if then == now => {}
            Some(then) => out.push(format!("{name}: {then} → {now}")),
            None => out.push(format!("{name}: new, {now}")),
        }
    }
    out.extend(before.keys().filter(|name| !after.contains_key(*name)).map(|name| format!("{name}: gone")));
    out
}
