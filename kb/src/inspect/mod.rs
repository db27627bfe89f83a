//! What files and directories say of themselves, in one shape for wheels, libraries and directories; wheels also where
//! they are elsewhere.

mod carried;
mod cudnn;
mod declared;
mod directory;
mod dist;
mod family;
mod file;
mod part;
mod place;
mod progress;
mod record;
#[cfg(feature = "remote")]
pub(crate) mod remote;
mod runs;
mod site;
mod target;
mod wheel;

pub(crate) use carried::Carried;
pub(crate) use cudnn::{Cudnn, cudnn};
pub(crate) use declared::{Declared, differs};
pub(crate) use progress::Progress;
pub(crate) use record::{Fault, Recorded, Wrong};
pub(crate) use runs::{Run, Says, runs_on};
pub(crate) use site::Site;
pub(crate) use target::Target;

use artifact::Error;
use artifact::code::{Count, DeviceCode, USUAL, dominant};
use artifact::stated::{Stated, Variant};
use kb_core::version::ComputeTarget;
use part::Part;
use site::Installed;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a file or a directory holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inspected {
    /// As it was typed; of a wheel that is elsewhere its name.
    pub file: String,
    /// Where it is, if it is elsewhere.
    pub url: Option<String>,
    /// `wheel`, `library`, `directory` or `package`: one of several in a directory.
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
    /// Targets that files declare.
    pub declared: Vec<Declared>,
    /// Libraries with device code.
    pub libraries: Vec<Found>,
    /// Libraries of CUDA, cuDNN and their kin that travel with it, or are linked into its own.
    pub bundles: Vec<Carried>,
    /// Libraries of that family that its own libraries ask for.
    pub needs: BTreeSet<String>,
    /// How its files compare with RECORD, of an installed package.
    pub recorded: Option<Recorded>,
    /// Names of a directory and of the one around it: of an unpacked archive they say more than its files.
    pub folders: Vec<String>,
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

    /// The package's own libraries with device code.
    pub(crate) fn own(&self) -> impl Iterator<Item = &Found> {
        self.libraries.iter().filter(|l| !artifact::code::is_bundled(&l.path))
    }

    /// The libraries that decide: one, or one of each variant of which one is loaded.
    pub(crate) fn deciding(&self) -> Vec<&Found> {
        let variants: Vec<&Found> = self.libraries.iter().filter(|l| l.variant.is_some()).collect();
        if variants.is_empty() { self.dominant().into_iter().collect() } else { variants }
    }

    /// Has it to do with GPUs: device code, CUDA's libraries, versions of CUDA's family that it states? What could not
    /// be read may have.
    pub(crate) fn is_for_gpus(&self) -> bool {
        let cuda =
            |(what, ..): &(&str, String, String)| matches!(*what, "cuda" | "cudnn" | "nccl" | "tensorrt");
        !self.libraries.is_empty()
            || !self.bundles.is_empty()
            || !self.needs.is_empty()
            || !self.declared.is_empty()
            || self.stated.iter().any(cuda)
            || self.code_unread
    }

    /// Takes what a file states.
    fn state(&mut self, member: &str, stated: &Stated) {
        // That NCCL is NCCL is said where its version is, not as what it was made with.
        let itself = artifact::bundled::name(member).is_some();
        let values = [
            ("cuda", &stated.cuda),
            ("cudnn", &stated.cudnn),
            ("nccl", if itself { &None } else { &stated.nccl }),
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
        if let Some(targets) = &stated.targets {
            self.declared.push(Declared {
                member: member.to_owned(),
                sass: targets.sass.clone(),
                ptx: targets.ptx.clone(),
                unread: targets.unread.clone(),
            });
        }
    }

    /// Takes a library that is a part of the whole.
    fn library(&mut self, part: &Part<'_>) {
        let Part { path, bundled, .. } = *part;
        self.bundles.extend(carried::of(path, part.tables.get(), part.texts.as_ref()));
        for why in [unread(&part.code), unread(&part.tables)].into_iter().flatten() {
            if !self.not_read.iter().any(|(p, w)| p == path && *w == why) {
                self.not_read.push((path.to_owned(), why));
            }
        }
        let cut = part.code.get().is_some_and(|c| c.truncated);
        if cut {
            self.not_read.push((path.to_owned(), "the file ends inside device code".to_owned()));
        }
        self.code_unread |= !bundled && (cut || matches!(part.code, artifact::Reading::NotRead(_)));
        if let Some(code) = part.code.get().filter(|c| c.entries() > 0) {
            let variant = part.variant.as_ref().and_then(|v| match v {
                Variant::Cuda(said) => Some(format!("CUDA {}", said.value)),
                Variant::Rocm(_) | Variant::Cpu => None,
            });
            self.libraries.push(Found { path: path.to_owned(), bundled, variant, code: code.clone() });
        }
        if let Some(tables) = part.tables.get().filter(|_| !bundled) {
            let asked = tables.needed.iter().chain(&tables.delayed);
            self.needs.extend(asked.filter(|n| family::is_of(n)).cloned());
            self.glibc = self.glibc.max(tables.glibc);
        }
    }

    /// Takes a library, and what texts in it state.
    fn library_and_texts(&mut self, part: &Part<'_>) {
        self.library(part);
        if let Some(texts) = &part.texts {
            self.state(part.path, texts);
        }
    }
}

fn unread<T>(reading: &artifact::Reading<T>) -> Option<String> {
    match reading {
        artifact::Reading::NotRead(why) => Some(why.clone()),
        _ => None,
    }
}

/// What is wanted of files of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Device code.
    pub code: bool,
    /// Contents of installed files compared with RECORD, not only their sizes.
    pub verify: bool,
}

/// What one argument names.
#[derive(Clone, Debug)]
pub(crate) enum Inspection {
    /// A file, a package, a directory that is judged as a whole.
    One(Box<Inspected>),
    /// Installed packages.
    Site(Site),
}

/// Inspects a wheel, a library or a directory of this machine. A directory with several environments in it gives one
/// part for each.
///
/// # Errors
/// If it is none of these, or cannot be read at all.
pub(crate) fn inspect(path: &Path, wanted: Wanted, progress: &Progress) -> Result<Vec<Inspection>, Error> {
    // What blocks when it is opened (a pipe, a device) is not opened.
    let about = std::fs::metadata(path).map_err(Error::Io)?;
    if about.is_dir() {
        return inspect_directory(path, wanted, progress);
    }
    if !about.is_file() {
        return Err(Error::Format("neither a file nor a directory".to_owned()));
    }
    Ok(vec![one(path, file::read(path, wanted, progress)?)])
}

fn inspect_directory(path: &Path, wanted: Wanted, progress: &Progress) -> Result<Vec<Inspection>, Error> {
    // Not `\\?\C:\…`, which the system's own canonical paths are on Windows: it is shown.
    let whole = dunce::canonicalize(path).map_err(Error::Io)?;
    let name = dist::file_name(&whole);
    if let Some(root) = whole.parent().filter(|_| artifact::installed::is_info(&name))
        && let Some(about) = Installed::read(root).of_info(&name, wanted, progress)
    {
        return Ok(vec![one(path, about)]);
    }
    let site = |place: &Path| Inspection::Site(Installed::read(place).all(place, wanted, progress));
    match dist::infos(path).len() {
        0 => {}
        1 => {
            let installed = Installed::read(path);
            let about = directory::walk(path, Some((&installed, 0, "")), wanted, progress)?;
            return Ok(vec![one(path, about)]);
        }
        _ => return Ok(vec![site(path)]),
    }
    let places = place::environment(path);
    if !places.is_empty() {
        return Ok(places.iter().map(|place| site(place)).collect());
    }
    if let Some((root, prefix)) = place::around(path) {
        let installed = Installed::read(&root);
        let owners = installed.owners(&prefix);
        if let [owner] = owners[..] {
            let about = directory::walk(path, Some((&installed, owner, &prefix)), wanted, progress)?;
            return Ok(vec![one(path, about)]);
        }
        if !owners.is_empty() {
            return Ok(vec![Inspection::Site(installed.some(&owners, &prefix, path, wanted, progress))]);
        }
    }
    Ok(vec![one(path, directory::walk(path, None, wanted, progress)?)])
}

fn one(path: &Path, about: Inspected) -> Inspection {
    Inspection::One(Box::new(Inspected { file: path.display().to_string(), ..about }))
}
