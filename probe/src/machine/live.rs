//! The machine that the program runs on.

use super::{
    About, Cpu, DpkgPackage, Family, Kind, LARGEST_FILE, Machine, PciDevice, Ran, Refusal, RegistryKey,
    command, cpu, dpkg, nvml, pci,
};
use crate::library::{self, LibraryFacts};
use crate::loader_cache;
use crate::python::{self, SiteReport};
use nvml_report::NvmlReport;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// The machine that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Live;

impl Machine for Live {
    fn family(&self) -> Family {
        Family::here()
    }

    fn arch(&self) -> String {
        std::env::consts::ARCH.to_owned()
    }

    fn cpu(&self) -> Cpu {
        cpu::here(self)
    }

    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
        let text = |t: std::ffi::OsString| t.to_string_lossy().into_owned();
        let all = std::env::vars_os().map(|(name, value)| (text(name), value));
        all.filter(|(name, _)| wanted(name)).map(|(name, value)| (name, text(value))).collect()
    }

    fn directory(&self) -> Option<String> {
        std::env::current_dir().ok().map(shown)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        // A pipe or a device of that name would never end, or wait.
        let about = fs::metadata(path)?;
        if !about.is_file() {
            return Err(Refusal::Other("not a file".into()));
        }
        // Room for all of it and for noticing the end. Files below `/proc` say that they have no bytes.
        let length = usize::try_from(about.len().min(LARGEST_FILE)).unwrap_or(0);
        let mut out = Vec::with_capacity(length + 32);
        File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut out)?;
        if out.len() as u64 > LARGEST_FILE { Err(Refusal::TooLarge) } else { Ok(out) }
    }

    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal> {
        if !fs::metadata(path)?.is_file() {
            return Err(Refusal::Other("not a file".into()));
        }
        let mut out = Vec::new();
        File::open(path)?.take(bytes as u64).read_to_end(&mut out)?;
        Ok(out)
    }

    fn about(&self, path: &str) -> Result<About, Refusal> {
        let own = fs::symlink_metadata(path)?;
        let link = if own.is_symlink() { fs::read_link(path).ok().map(shown) } else { None };
        let behind = if own.is_symlink() { fs::metadata(path)? } else { own };
        let kind = match behind.file_type() {
            t if t.is_file() => Kind::File,
            t if t.is_dir() => Kind::Directory,
            _ => Kind::Other,
        };
        Ok(About { kind, bytes: if kind == Kind::File { behind.len() } else { 0 }, link })
    }

    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        let mut out = Vec::new();
        for entry in fs::read_dir(directory)? {
            // An entry that vanishes meanwhile is none.
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if wanted(&name) {
                out.push(name.into_owned());
            }
        }
        out.sort_unstable();
        Ok(out)
    }

    fn resolved(&self, path: &str) -> Result<String, Refusal> {
        let path = shown(fs::canonicalize(path)?);
        // The form that Windows gives for whole paths is not one that people write.
        Ok(match (path.strip_prefix(r"\\?\UNC\"), path.strip_prefix(r"\\?\")) {
            (Some(share), _) => format!(r"\\{share}"),
            (None, Some(rest)) => rest.to_owned(),
            (None, None) => path,
        })
    }

    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal> {
        if !fs::metadata(path)?.is_file() {
            return Err(Refusal::NotFound);
        }
        library::facts(&File::open(path)?)
    }

    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal> {
        python::read_site(self, site)
    }

    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal> {
        let bytes = self.read(loader_cache::PATH)?;
        loader_cache::read(&bytes, std::env::consts::ARCH).map_err(|e| Refusal::Other(e.to_owned()))
    }

    #[cfg(windows)]
    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal> {
        super::registry::read(key)
    }

    #[cfg(not(windows))]
    fn registry(&self, _key: &str) -> Result<RegistryKey, Refusal> {
        Err(Refusal::NotFound)
    }

    fn pci(&self) -> Result<Vec<PciDevice>, Refusal> {
        pci::list(Path::new(pci::DEVICES))
    }

    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
        dpkg::list(Path::new(dpkg::STATUS), wanted)
    }

    fn nvml(&self) -> NvmlReport {
        nvml::read()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
        command::run(program, arguments)
    }
}

fn shown(path: impl AsRef<Path>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}
