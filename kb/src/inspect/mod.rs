//! What files and directories say of themselves, in one shape for wheels, libraries and directories; wheels also where
//! they are elsewhere.

mod directory;
mod family;
mod file;
mod progress;
#[cfg(feature = "remote")]
pub(crate) mod remote;
mod runs;
mod target;
mod wheel;

pub(crate) use progress::Progress;
pub(crate) use runs::{Run, Says, runs_on};
pub(crate) use target::Target;

use artifact::Error;
use artifact::code::{Count, DeviceCode, USUAL, dominant};
use artifact::library::Library;
use artifact::stated::{Stated, Variant};
use kb_core::version::ComputeTarget;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a file or a directory holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inspected {
    /// As it was typed; of a wheel that is elsewhere its name.
    pub file: String,
    /// Where it is, if it is elsewhere.
    pub url: Option<String>,
    /// `wheel`, `library` or `directory`.
    pub kind: &'static str,
    /// Bytes, of a file.
    pub bytes: Option<u64>,
    /// SHA-256 of a file; if it is elsewhere, as the index or the address states it.
    pub sha256: Option<String>,
    /// Bytes that were fetched, and in how many requests.
    pub fetched: Option<(u64, u64)>,
    /// Whether it was withdrawn by its publisher; an index says it.
    pub yanked: Option<bool>,
    /// Device code was not looked for.
    pub no_code: bool,
    /// Neither were the tables of libraries.
    pub no_tables: bool,
    /// Bytes of the list of members that were not read, so that not all libraries are known.
    pub unlisted: u64,
    /// The package's name as it is stated.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Python tags, in order; of a release in an index those of all its wheels for the platform.
    pub python: Vec<String>,
    /// Platform tags, or the format and processor of a library.
    pub platform: Vec<String>,
    /// `Requires-Python`.
    pub requires_python: Option<String>,
    /// What pip installs beside it, of the CUDA chain.
    pub requires: Vec<String>,
    /// Versions that files state: what, which, and the member that says it.
    pub stated: Vec<(&'static str, String, String)>,
    /// Libraries with device code.
    pub libraries: Vec<Found>,
    /// Libraries of CUDA, cuDNN and their kin that travel with it.
    pub bundles: Vec<String>,
    /// Libraries of that family that its own libraries ask for.
    pub needs: BTreeSet<String>,
    /// The least glibc that its own libraries ask for.
    pub glibc: Option<(u32, u32)>,
    /// What was not read, with the reason.
    pub not_read: Vec<(String, String)>,
    /// Some of its own device code could not be read, so that another library may decide.
    pub code_unread: bool,
    /// Further remarks: id of the sentence and a number.
    pub notes: Vec<(&'static str, usize)>,
}

/// A library with device code.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its path inside what is inspected.
    pub path: String,
    /// Only carried, not the package's own.
    pub bundled: bool,
    /// Of which of several builds it is: `CUDA 12.4`.
    pub variant: Option<String>,
    /// Its code.
    pub code: DeviceCode,
}

impl Found {
    /// Targets of machine code that most of the kernels have.
    pub(crate) fn sass(&self) -> Vec<ComputeTarget> {
        self.code.usual(&self.code.sass, USUAL)
    }

    /// The same for PTX.
    pub(crate) fn ptx(&self) -> Vec<ComputeTarget> {
        self.code.usual(&self.code.ptx, USUAL)
    }

    /// Targets of machine code that only some kernels have.
    pub(crate) fn few_sass(&self) -> Vec<ComputeTarget> {
        rest(&self.code.sass, &self.sass())
    }

    /// The same for PTX.
    pub(crate) fn few_ptx(&self) -> Vec<ComputeTarget> {
        rest(&self.code.ptx, &self.ptx())
    }
}

fn rest(all: &BTreeMap<ComputeTarget, Count>, usual: &[ComputeTarget]) -> Vec<ComputeTarget> {
    all.keys().filter(|t| !usual.contains(t)).copied().collect()
}

impl Inspected {
    /// The library that decides.
    pub(crate) fn dominant(&self) -> Option<&Found> {
        let path = dominant(self.libraries.iter().map(|l| (l.path.as_str(), &l.code)))?.0;
        self.libraries.iter().find(|l| l.path == path)
    }

    /// The libraries that decide: one, or one of each variant of which one is loaded.
    pub(crate) fn deciding(&self) -> Vec<&Found> {
        let variants: Vec<&Found> = self.libraries.iter().filter(|l| l.variant.is_some()).collect();
        if variants.is_empty() { self.dominant().into_iter().collect() } else { variants }
    }

    /// Takes what a file states.
    fn state(&mut self, member: &str, stated: &Stated) {
        let values = [
            ("cuda", &stated.cuda),
            ("cudnn", &stated.cudnn),
            ("nccl", &stated.nccl),
            ("tensorrt", &stated.tensorrt),
            ("rocm", &stated.rocm),
            ("torch", &stated.torch),
        ];
        for (what, value) in values {
            self.stated.extend(value.iter().map(|v| (what, v.value.clone(), member.to_owned())));
        }
        if let Some(version) = &stated.version {
            self.version.get_or_insert_with(|| version.value.clone());
        }
    }

    /// Takes a library that is a part of the whole.
    fn library(
        &mut self,
        path: &str,
        bundled: bool,
        variant: Option<&Variant>,
        code: &artifact::Reading<DeviceCode>,
        tables: &artifact::Reading<Library>,
    ) {
        if family::is_of(path) {
            self.bundles.push(path.to_owned());
        }
        for why in [unread(code), unread(tables)].into_iter().flatten() {
            if !self.not_read.iter().any(|(p, w)| p == path && *w == why) {
                self.not_read.push((path.to_owned(), why));
            }
        }
        if code.get().is_some_and(|c| c.truncated) {
            self.not_read.push((path.to_owned(), "the file ends inside device code".to_owned()));
        }
        let cut = code.get().is_some_and(|c| c.truncated);
        self.code_unread |= !bundled && (cut || matches!(code, artifact::Reading::NotRead(_)));
        if let Some(code) = code.get().filter(|c| c.entries() > 0) {
            let variant = variant.and_then(|v| match v {
                Variant::Cuda(said) => Some(format!("CUDA {}", said.value)),
                Variant::Rocm(_) | Variant::Cpu => None,
            });
            self.libraries.push(Found { path: path.to_owned(), bundled, variant, code: code.clone() });
        }
        if let Some(tables) = tables.get().filter(|_| !bundled) {
            let asked = tables.needed.iter().chain(&tables.delayed);
            self.needs.extend(asked.filter(|n| family::is_of(n)).cloned());
            self.glibc = self.glibc.max(tables.glibc);
        }
    }
}

fn unread<T>(reading: &artifact::Reading<T>) -> Option<String> {
    match reading {
        artifact::Reading::NotRead(why) => Some(why.clone()),
        _ => None,
    }
}

/// A library's device code, if it is wanted, and its tables.
fn code_and_tables(
    bytes: &impl artifact::Bytes,
    code: bool,
) -> (artifact::Reading<DeviceCode>, artifact::Reading<Library>) {
    if code {
        artifact::describe_library(bytes)
    } else {
        (artifact::Reading::NotAsked, artifact::library::read(bytes).into())
    }
}

/// Inspects a wheel, a library or a directory of this machine, with device code or without.
///
/// # Errors
/// If it is none of these, or cannot be read at all.
pub(crate) fn inspect(path: &Path, code: bool, progress: &Progress) -> Result<Inspected, Error> {
    // What blocks when it is opened (a pipe, a device) is not opened.
    let about = std::fs::metadata(path).map_err(Error::Io)?;
    let mut out = if about.is_dir() {
        directory::read(path, code, progress)?
    } else if about.is_file() {
        file::read(path, code, progress)?
    } else {
        return Err(Error::Format("neither a file nor a directory".to_owned()));
    };
    out.file = path.display().to_string();
    Ok(out)
}
