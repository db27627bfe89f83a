//! cuDNN inside what is inspected: which release, for which CUDA, and whether all files are there that the knowledge
//! base lists.

use super::Inspected;
use crate::library_files;
use artifact::bundled::{How, is_same};
use kb_core::decode::{Meaning, decode};
use kb_core::kb::Kb;
use probe::machine::Family;

/// cuDNN, as its files have it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cudnn {
    /// Its versions, each with the file that has it and how that is known. More than one is a mixture.
    pub versions: Vec<(String, String, Option<How>)>,
    /// Its major version.
    pub major: Option<u64>,
    /// The version that the name of the archive or of the package has.
    pub named: Option<String>,
    /// The CUDA that it is for, as that name says.
    pub cuda: Option<String>,
    /// `linux` or `windows`.
    pub os: &'static str,
    /// Files that the knowledge base lists; none if it has no list for this major, or not all files were looked at.
    pub listed: Vec<String>,
    /// Those of them that are not there.
    pub missing: Vec<String>,
}

/// What is said of cuDNN; `None` if none of its libraries is there.
pub(crate) fn cudnn(kb: &Kb, about: &Inspected) -> Option<Cudnn> {
    let of_cudnn = |library: &String| library.to_ascii_lowercase().starts_with("cudnn");
    let own: Vec<_> =
        about.bundles.iter().filter(|c| !c.linked_in && c.library.as_ref().is_some_and(of_cudnn)).collect();
    let first = own.first()?;
    let mut out = Cudnn { os: if is_dll(&first.path) { "windows" } else { "linux" }, ..Cudnn::default() };
    for carried in &own {
        let exact = carried.version.as_ref().filter(|(_, how)| *how != How::AbiName);
        out.version(exact.map(|(version, how)| (version.as_str(), &*carried.path, Some(*how))));
    }
    for (what, version, member) in &about.stated {
        let header = member.ends_with("cudnn_version.h") || member.ends_with("cudnn.h");
        out.version((*what == "cudnn" && header).then_some((version, member, None)));
    }
    let by_name = || own.iter().filter_map(|c| c.version.as_ref()).map(|(version, _)| version).next();
    let first = out.versions.first().map(|(version, ..)| version).or_else(by_name);
    out.major = first.and_then(|v| v.split('.').next()?.parse().ok());
    (out.named, out.cuda) = archive(kb, about).unwrap_or_else(|| package(about));
    let all_seen = !about.notes.iter().any(|(id, _)| id.starts_with("ui-inspect-more-"));
    if let Some(major) = out.major.filter(|_| all_seen) {
        out.listed = listed(kb, major, out.os);
        let there = |file: &str| own.iter().any(|c| is_same(file, &c.path));
        out.missing = out.listed.iter().filter(|file| !there(file)).cloned().collect();
    }
    Some(out)
}

impl Cudnn {
    /// Takes a version, unless it is known: three numbers tell releases apart.
    fn version(&mut self, found: Option<(&str, &str, Option<How>)>) {
        let Some((version, path, how)) = found else { return };
        let release = |v: &str| v.split('.').take(3).map(str::to_owned).collect::<Vec<_>>();
        match self.versions.iter_mut().find(|(known, ..)| release(known) == release(version)) {
            // With its build number it says more.
            Some(known) if version.len() > known.0.len() => {
                *known = (version.to_owned(), path.to_owned(), how);
            }
            Some(_) => {}
            None => self.versions.push((version.to_owned(), path.to_owned(), how)),
        }
    }
}

fn is_dll(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".dll")
}

/// The files of a major on a system, as the knowledge base has them.
fn listed(kb: &Kb, major: u64, os: &str) -> Vec<String> {
    let family = if os == "windows" { Family::Windows } else { Family::Linux };
    let set = library_files::sets(kb).into_iter().find(|s| s.major == major && s.family == family);
    set.map(|s| s.files).unwrap_or_default()
}

/// The version of cuDNN and the CUDA that the name of an archive says.
fn archive(kb: &Kb, about: &Inspected) -> Option<(Option<String>, Option<String>)> {
    about.folders.iter().find_map(|folder| {
        let read = decode(kb, folder).into_iter().find(|d| d.kind == "cudnn-archive")?;
        let mean = |key| match read.means.get(key)? {
            Meaning::Text(text) => Some(text.clone()),
            Meaning::Number(number) => Some(number.to_string()),
            Meaning::Flag(_) | Meaning::List(_) => None,
        };
        Some((mean("version"), mean("cuda").or_else(|| mean("cuda_major"))))
    })
}

/// The same of a package of cuDNN.
fn package(about: &Inspected) -> (Option<String>, Option<String>) {
    let name = about.name.as_deref().unwrap_or_default().to_ascii_lowercase().replace('_', "-");
    match name.strip_prefix("nvidia-cudnn-cu") {
        Some(major) if !major.is_empty() && major.bytes().all(|b| b.is_ascii_digit()) => {
            (about.version.clone(), Some(major.to_owned()))
        }
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture() {
        let mut out = Cudnn::default();
        for version in ["9.1.0", "9.1.0.70", "9.2.1"] {
            out.version(Some((version, "x", None)));
        }
        let versions: Vec<_> = out.versions.iter().map(|(v, ..)| v.as_str()).collect();
        assert_eq!(versions, ["9.1.0.70", "9.2.1"]);
    }
}
