//! Several installed distributions in one directory, each judged by itself.

use super::dist::{Dist, Files, file_name, infos};
use super::part::Part;
use super::record::check;
use super::{Inspected, Progress, Wanted, directory, file, place};
use artifact::installed::{is_info, is_inside};
use artifact::wheel::RecordRow;
use artifact::{library, stated};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

/// What a directory of installed packages holds.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The directory, as it was typed or found below that.
    pub directory: String,
    /// Packages that have to do with GPUs.
    pub packages: Vec<Inspected>,
    /// Names of the others.
    pub others: Vec<String>,
}

/// The distributions of a directory, and who lists which file.
pub(super) struct Installed {
    root: PathBuf,
    dists: Vec<Dist>,
    /// Which distributions list a file; only of files that several do.
    shared: HashMap<String, Vec<usize>>,
}

impl Installed {
    /// Reads what distributions say of themselves.
    pub(super) fn read(root: &Path) -> Installed {
        let dists: Vec<Dist> = infos(root).iter().map(|info| Dist::read(info)).collect();
        let mut first: HashMap<&str, usize> = HashMap::new();
        let mut shared: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, dist) in dists.iter().enumerate() {
            for row in rows(dist, "") {
                match first.get(&*row.path) {
                    Some(other) if *other != index => {
                        let owners = shared.entry(row.path.clone()).or_insert_with(|| vec![*other]);
                        if owners.last() != Some(&index) {
                            owners.push(index);
                        }
                    }
                    Some(_) => {}
                    None => drop(first.insert(&row.path, index)),
                }
            }
        }
        Installed { root: root.to_owned(), dists, shared }
    }

    /// Inspects every distribution, and what belongs to none.
    pub(super) fn all(&self, shown: &Path, wanted: Wanted, progress: &Progress) -> Site {
        let mut out = Site { directory: place::text(shown), packages: Vec::new(), others: Vec::new() };
        for index in 0..self.dists.len() {
            let about = self.one(index, "", shown, wanted, progress);
            out.take(about, self.dists[index].name());
        }
        for path in self.unclaimed() {
            let read = match path.is_dir() {
                true => directory::walk(&path, None, wanted, progress),
                false => file::read(&path, wanted, progress),
            };
            if let Ok(mut about) = read {
                about.file = place::text(&shown.join(file_name(&path)));
                out.take(about, file_name(&path));
            }
        }
        out
    }

    /// Inspects those of `owners`, and of them what is below `prefix`.
    pub(super) fn some(
        &self,
        owners: &[usize],
        prefix: &str,
        shown: &Path,
        wanted: Wanted,
        progress: &Progress,
    ) -> Site {
        let mut out = Site { directory: place::text(shown), packages: Vec::new(), others: Vec::new() };
        for index in owners {
            let beside = place::shown(&self.root, shown, prefix);
            let about = self.one(*index, prefix, &beside, wanted, progress);
            out.take(about, self.dists[*index].name());
        }
        out
    }

    /// Inspects the distribution of this `.dist-info`.
    pub(super) fn of_info(&self, info: &str, wanted: Wanted, progress: &Progress) -> Option<Inspected> {
        let index = self.dists.iter().position(|d| file_name(&d.info) == info)?;
        Some(self.one(index, "", &self.root, wanted, progress))
    }

    /// The distributions with files below `prefix`; the one with most of them first. Files of a single one, but for a
    /// tenth, make it the owner: others put something beside them.
    pub(super) fn owners(&self, prefix: &str) -> Vec<usize> {
        let top = prefix.split('/').next().unwrap_or(prefix);
        let files = |dist: &Dist| match &dist.files {
            Files::Record(_) => rows(dist, prefix).count(),
            Files::Tops(tops) => usize::from(tops.iter().any(|t| t == top)),
        };
        let mut counted: Vec<(usize, usize)> =
            self.dists.iter().map(files).enumerate().filter(|(_, n)| *n > 0).collect();
        counted.sort_by_key(|(index, n)| (std::cmp::Reverse(*n), *index));
        let all: usize = counted.iter().map(|(_, n)| n).sum();
        match counted.first() {
            Some((index, n)) if n * 10 >= all * 9 => vec![*index],
            _ => counted.into_iter().map(|(index, _)| index).collect(),
        }
    }

    /// Tells what a distribution says of itself, and whether its files below `prefix` are those that it lists.
    pub(super) fn describe(
        &self,
        index: usize,
        prefix: &str,
        out: &mut Inspected,
        wanted: Wanted,
        progress: &Progress,
    ) {
        let Some(dist) = self.dists.get(index) else { return };
        dist.describe(out);
        if matches!(dist.files, Files::Record(_)) {
            let also = |path: &str| {
                let others = self.shared.get(path).into_iter().flatten().filter(|i| **i != index);
                others.filter_map(|i| self.dists.get(*i)).map(named).collect()
            };
            out.recorded = Some(check(&self.root, rows(dist, prefix), also, wanted.verify, progress));
        }
    }

    fn one(
        &self,
        index: usize,
        prefix: &str,
        shown: &Path,
        wanted: Wanted,
        progress: &Progress,
    ) -> Inspected {
        let mut out = Inspected { kind: "package", no_code: !wanted.code, ..Inspected::default() };
        self.describe(index, prefix, &mut out, wanted, progress);
        let Some(dist) = self.dists.get(index) else { return out };
        out.file = place::text(&shown.join(file_name(&dist.info)));
        match &dist.files {
            Files::Record(_) => self.listed(dist, prefix, &mut out, wanted, progress),
            Files::Tops(tops) => {
                let mut found = 0;
                for path in tops.iter().map(|t| self.root.join(t)).filter(|p| p.is_dir()) {
                    found += 1;
                    directory::read_into(&mut out, &path, &file_name(&path), wanted, progress);
                }
                out.notes.push(("ui-inspect-no-record", found));
            }
        }
        out
    }

    /// Reads the files that RECORD lists: libraries, and those that state versions. Nothing else is opened.
    fn listed(&self, dist: &Dist, prefix: &str, out: &mut Inspected, wanted: Wanted, progress: &Progress) {
        let paths: BTreeSet<&str> = rows(dist, prefix).map(|r| &*r.path).collect();
        let (mut libraries, mut links) = (0, 0);
        for path in paths {
            let (is_library, is_known) = (library::is_library(path), stated::is_known(path));
            if !is_library && !is_known {
                continue;
            }
            let whole = self.root.join(path);
            match std::fs::symlink_metadata(&whole) {
                // That it is missing is said where RECORD is compared.
                Err(_) => continue,
                Ok(about) if about.is_symlink() => {
                    links += 1;
                    continue;
                }
                Ok(about) if !about.is_file() => continue,
                Ok(_) => {}
            }
            if is_known {
                directory::state(out, path, path, &whole);
                continue;
            }
            libraries += 1;
            if libraries > directory::LIBRARIES {
                continue;
            }
            match File::open(&whole) {
                Ok(file) => {
                    out.library_and_texts(&Part::read(&file, path, path, wanted.code));
                    progress.step(file.metadata().map_or(0, |m| m.len()));
                }
                Err(why) => {
                    out.not_read.push((path.to_owned(), why.to_string()));
                    out.code_unread = true;
                }
            }
        }
        if libraries > directory::LIBRARIES {
            out.code_unread = true;
            out.notes.push(("ui-inspect-more-libraries", directory::LIBRARIES));
        }
        if links > 0 {
            out.notes.push(("ui-inspect-links", links));
        }
    }

    /// What is in the directory and belongs to no distribution: directories and libraries.
    fn unclaimed(&self) -> Vec<PathBuf> {
        let mut claimed: BTreeSet<&str> = BTreeSet::from(["__pycache__", "bin", "Scripts"]);
        for dist in &self.dists {
            match &dist.files {
                Files::Record(_) => {
                    claimed.extend(rows(dist, "").filter_map(|r| r.path.split('/').next()));
                }
                Files::Tops(tops) => claimed.extend(tops.iter().map(String::as_str)),
            }
        }
        let mut out = BTreeMap::new();
        for entry in std::fs::read_dir(&self.root).into_iter().flatten().filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            let wanted = kind.is_dir() || kind.is_file() && library::is_library(&name);
            // Of an editable installation, or of one with names that RECORD does not have as they are.
            if wanted && !claimed.contains(&*name) && !is_info(&name) && !name.starts_with('~') {
                out.insert(name, entry.path());
            }
        }
        out.into_values().collect()
    }
}

impl Site {
    /// Takes a package: shown if it has to do with GPUs, else only counted.
    fn take(&mut self, about: Inspected, name: String) {
        if about.is_for_gpus() {
            self.packages.push(about);
        } else if about.kind == "package" {
            self.others.push(name);
        }
    }
}

/// The rows of a distribution's RECORD below `prefix` that stay below its directory.
fn rows<'d>(dist: &'d Dist, prefix: &'d str) -> impl Iterator<Item = &'d RecordRow> {
    let rows = match &dist.files {
        Files::Record(rows) => rows.as_slice(),
        Files::Tops(_) => &[],
    };
    let below = move |path: &str| {
        prefix.is_empty() || path.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/'))
    };
    rows.iter().filter(move |row| below(&row.path) && is_inside(&row.path))
}

/// `nvidia-nccl-cu13 2.28.3`
fn named(dist: &Dist) -> String {
    let version = dist.metadata.version.clone().unwrap_or_default();
    format!("{} {version}", dist.name()).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Fault;

    const WANTED: Wanted = Wanted { code: true, verify: false };

    fn installed() -> Installed {
        let site = "../tests/cases/inspect/files/env/lib/python3.12/site-packages";
        Installed::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(site))
    }

    #[test]
    fn who_owns_a_directory() {
        let installed = installed();
        let owners = |prefix: &str| -> Vec<String> {
            installed.owners(prefix).into_iter().map(|i| installed.dists[i].name()).collect()
        };
        assert_eq!(owners("torch"), ["torch"]);
        assert_eq!(owners("oldkernels"), ["old-kernels"]);
        assert_eq!(owners("nvidia/cudnn"), ["nvidia-cudnn-cu12"]);
        assert_eq!(owners("nvidia/nccl"), ["nvidia-nccl-cu12", "nvidia-nccl-cu13"]);
        assert!(owners("handmade").is_empty() && owners("tor").is_empty());
    }

    #[test]
    fn who_else_lists_a_file() {
        let progress = Progress::start("");
        let site = installed().all(Path::new("s"), WANTED, &progress);
        let nccl = site.packages.iter().find(|p| p.name.as_deref() == Some("nvidia-nccl-cu12"));
        let wrong = nccl.and_then(|p| p.recorded.clone()).expect("a RECORD").wrong;
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].also, ["nvidia-nccl-cu13 2.28.3"]);
        assert!(matches!(wrong[0].fault, Fault::Size { is, says } if is + 16 == says));
        assert_eq!(site.others, ["filelock"]);
        // Contents are compared only where that is wanted.
        let torch = |verify| {
            let about =
                installed().of_info("torch-2.5.1+cu124.dist-info", Wanted { verify, ..WANTED }, &progress);
            let wrong = about.and_then(|a| a.recorded).expect("a RECORD").wrong;
            wrong.into_iter().map(|w| w.path).collect::<Vec<_>>()
        };
        assert_eq!(torch(false), ["torch/lib/libshm.so"]);
        assert_eq!(torch(true), ["torch/version.py", "torch/lib/libshm.so"]);
    }
}
