//! A captured machine, asked like a live one.

use super::capture::{CapturedKey, CapturedPath};
use super::{
    About, Capture, Cpu, DpkgPackage, Family, Kind, Machine, PciDevice, Ran, Refusal, RegistryKey, nvml,
};
use crate::library::LibraryFacts;
use crate::place;
use crate::python::{self, SiteReport};
use data_encoding::BASE64;
use nvml_report::NvmlReport;
use std::collections::{BTreeMap, BTreeSet};

/// A captured machine.
#[derive(Debug)]
pub struct Replay {
    capture: Capture,
    /// Captured paths, by the form that is one for equal paths.
    paths: BTreeMap<String, usize>,
    /// Directories, with the names in them.
    directories: BTreeMap<String, BTreeSet<String>>,
    keys: BTreeMap<String, usize>,
    /// Keys below a key, as they are spelled.
    below: BTreeMap<String, BTreeSet<String>>,
}

/// A chain of links longer than this is a circle.
const LINKS: usize = 40;

impl Replay {
    /// Makes a machine of a capture.
    pub fn new(capture: Capture) -> Self {
        let family = capture.family;
        let mut out = Replay {
            paths: BTreeMap::new(),
            directories: BTreeMap::new(),
            keys: BTreeMap::new(),
            below: BTreeMap::new(),
            capture,
        };
        for (index, path) in out.capture.paths.iter().enumerate() {
            out.paths.insert(place::key(family, &path.at), index);
            let directory = path.kind == Some(Kind::Directory) || path.site.is_some();
            if directory && path.link.is_none() {
                out.directories.entry(place::key(family, &path.at)).or_default();
            }
            let mut at = &*path.at;
            while let Some(parent) = place::parent(family, at) {
                let names = out.directories.entry(place::key(family, parent)).or_default();
                let new = names.insert(place::name(family, at).to_owned());
                at = parent;
                if !new {
                    break;
                }
            }
        }
        for (index, key) in out.capture.registry.iter().enumerate() {
            out.keys.insert(key.key.to_lowercase(), index);
            let mut at = &*key.key;
            while let Some((parent, name)) = at.rsplit_once('\\') {
                out.below.entry(parent.to_lowercase()).or_default().insert(name.to_owned());
                at = parent;
            }
        }
        out
    }

    /// The capture.
    pub fn capture(&self) -> &Capture {
        &self.capture
    }

    fn captured(&self, path: &str) -> Option<&CapturedPath> {
        self.paths.get(&place::key(self.capture.family, path)).map(|i| &self.capture.paths[*i])
    }

    /// The path behind all links, those of the directories on the way included.
    fn behind(&self, path: &str) -> Result<String, Refusal> {
        let family = self.capture.family;
        let mut path = place::trim(family, path).to_owned();
        'again: for _ in 0..LINKS {
            let mut parts = vec![path.clone()];
            while let Some(parent) = place::parent(family, parts.last().map_or("", String::as_str)) {
                parts.push(parent.to_owned());
            }
            // From the top: a link of a directory changes everything below.
            for part in parts.iter().rev() {
                let Some(link) = self.captured(part).and_then(|c| c.link.as_deref()) else { continue };
                let target = match place::is_absolute(family, link) {
                    true => link.to_owned(),
                    false => place::join(family, place::parent(family, part).unwrap_or(""), link),
                };
                path = place::normal(family, &format!("{target}{}", &path[part.len()..]));
                continue 'again;
            }
            let key = place::key(family, &path);
            let there = self.paths.contains_key(&key) || self.directories.contains_key(&key);
            return if there { Ok(path) } else { Err(Refusal::NotFound) };
        }
        Err(Refusal::Other("too many links".into()))
    }
}

impl Machine for Replay {
    fn family(&self) -> Family {
        self.capture.family
    }

    fn arch(&self) -> String {
        self.capture.arch.clone()
    }

    fn named_python(&self) -> Option<String> {
        self.capture.python.clone()
    }

    fn cpu(&self) -> Cpu {
        self.capture.cpu.clone().unwrap_or_default()
    }

    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
        let all = self.capture.variables.iter().filter(|(name, _)| wanted(name));
        all.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn directory(&self) -> Option<String> {
        self.capture.directory.clone()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let path = self.behind(path)?;
        let Some(found) = self.captured(&path) else { return Err(Refusal::Other("not a file".into())) };
        if let Some(refused) = &found.refused {
            return Err(refused.clone());
        }
        if let Some(text) = &found.text {
            return Ok(text.clone().into_bytes());
        }
        match &found.base64 {
            Some(text) => BASE64.decode(text.as_bytes()).map_err(|e| Refusal::Other(e.to_string())),
            None => Err(Refusal::Other("its contents were not captured".into())),
        }
    }

    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal> {
        let mut out = self.read(path)?;
        out.truncate(bytes);
        Ok(out)
    }

    fn about(&self, path: &str) -> Result<About, Refusal> {
        let link = self.captured(path).and_then(|c| c.link.clone());
        let path = self.behind(path)?;
        let Some(found) = self.captured(&path) else {
            return Ok(About { kind: Kind::Directory, bytes: 0, link });
        };
        let kind = match found.kind {
            Some(kind) => kind,
            None if found.site.is_some() => Kind::Directory,
            None => Kind::File,
        };
        let length = || {
            let text = found.text.as_ref().map(|t| t.len() as u64);
            found.bytes.or(text).or_else(|| self.read(&path).ok().map(|b| b.len() as u64)).unwrap_or(0)
        };
        Ok(About { kind, bytes: if kind == Kind::File { length() } else { 0 }, link })
    }

    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        let path = self.behind(directory)?;
        if let Some(refused) = self.captured(&path).and_then(|c| c.refused.clone()) {
            return Err(refused);
        }
        let names = self.directories.get(&place::key(self.capture.family, &path));
        let names = names.ok_or_else(|| Refusal::Other("not a directory".into()))?;
        Ok(names.iter().filter(|n| wanted(n)).cloned().collect())
    }

    fn resolved(&self, path: &str) -> Result<String, Refusal> {
        let path = self.behind(path)?;
        // However Windows is asked, it says how the path is spelled.
        Ok(self.captured(&path).map_or(path, |c| place::trim(self.capture.family, &c.at).to_owned()))
    }

    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal> {
        let path = self.behind(path)?;
        let Some(found) = self.captured(&path) else { return Err(Refusal::NotFound) };
        match (&found.refused, &found.library) {
            (Some(refused), _) => Err(refused.clone()),
            (None, Some(library)) => Ok(library.clone()),
            (None, None) => Err(Refusal::Other("its headers were not captured".into())),
        }
    }

    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal> {
        let path = self.behind(site)?;
        match self.captured(&path).and_then(|c| c.site.as_ref()) {
            Some(report) => Ok(report.clone()),
            // Of a capture that has the files themselves.
            None => python::read_site(self, &path),
        }
    }

    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal> {
        if let Some(why) = self.captured(crate::loader_cache::PATH).and_then(|c| c.refused.clone()) {
            return Err(why);
        }
        match self.capture.loader_cache.is_empty() {
            true => Err(Refusal::NotFound),
            false => Ok(self.capture.loader_cache.clone()),
        }
    }

    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal> {
        let wanted = key.trim_end_matches('\\').to_lowercase();
        let keys = self.below.get(&wanted);
        let found: Option<&CapturedKey> = self.keys.get(&wanted).map(|i| &self.capture.registry[*i]);
        if let Some(refused) = found.and_then(|f| f.refused.clone()) {
            return Err(refused);
        }
        if found.is_none() && keys.is_none() {
            return Err(Refusal::NotFound);
        }
        Ok(RegistryKey {
            values: found.map(|f| f.values.clone()).unwrap_or_default(),
            keys: keys.into_iter().flatten().cloned().collect(),
        })
    }

    fn pci(&self) -> Result<Vec<PciDevice>, Refusal> {
        let mut out = self.capture.pci.clone().ok_or(Refusal::NotFound)?;
        out.sort_unstable();
        Ok(out)
    }

    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
        let all = self.capture.dpkg.as_ref().ok_or(Refusal::NotFound)?;
        let mut out: Vec<DpkgPackage> = all.iter().filter(|p| wanted(&p.name)).cloned().collect();
        out.sort_unstable();
        Ok(out)
    }

    fn nvml(&self) -> NvmlReport {
        self.capture.nvml.clone().unwrap_or_else(nvml::none)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
        let asked = || std::iter::once(program).chain(arguments.iter().copied());
        let found = self.capture.programs.iter().find(|p| p.run.iter().map(String::as_str).eq(asked()));
        match found {
            Some(found) => match &found.refused {
                Some(refused) => Err(refused.clone()),
                None => {
                    Ok(Ran { code: found.code, stdout: found.stdout.clone(), stderr: found.stderr.clone() })
                }
            },
            None => Err(Refusal::NotFound),
        }
    }
}
