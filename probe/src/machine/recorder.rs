//! A machine whose answers are kept.

use super::capture::{Capture, CapturedKey, CapturedPath, CapturedProgram};
use super::{About, Cpu, DpkgPackage, Family, Kind, Machine, PciDevice, Ran, Refusal, RegistryKey, nvml};
use crate::library::LibraryFacts;
use crate::place;
use crate::python::SiteReport;
use data_encoding::BASE64;
use nvml_report::NvmlReport;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Asks another machine and keeps what it answers. That nothing is there is not kept: it follows from what is.
pub struct Recorder<'m> {
    machine: &'m dyn Machine,
    variables: RefCell<BTreeMap<String, String>>,
    paths: RefCell<BTreeMap<String, CapturedPath>>,
    keys: RefCell<BTreeMap<String, CapturedKey>>,
    programs: RefCell<BTreeMap<Vec<String>, CapturedProgram>>,
    loader_cache: RefCell<Vec<(String, String)>>,
    pci: RefCell<Option<Vec<PciDevice>>>,
    dpkg: RefCell<Option<Vec<DpkgPackage>>>,
    nvml: RefCell<Option<NvmlReport>>,
}

impl<'m> Recorder<'m> {
    /// Keeps what `machine` answers from now on.
    pub fn new(machine: &'m dyn Machine) -> Self {
        Recorder {
            machine,
            variables: RefCell::default(),
            paths: RefCell::default(),
            keys: RefCell::default(),
            programs: RefCell::default(),
            loader_cache: RefCell::default(),
            pci: RefCell::default(),
            dpkg: RefCell::default(),
            nvml: RefCell::default(),
        }
    }

    /// What was asked for until now, with its answers.
    pub fn capture(&self) -> Capture {
        let mut out = Capture::new(self.family(), self.arch());
        out.cpu = Some(self.machine.cpu());
        out.variables = self.variables.borrow().clone();
        out.directory = self.machine.directory();
        out.paths = self.paths.borrow().values().cloned().collect();
        out.registry = self.keys.borrow().values().cloned().collect();
        out.programs = self.programs.borrow().values().cloned().collect();
        out.pci = self.pci.borrow().clone();
        out.dpkg = self.dpkg.borrow().clone();
        out.nvml = self.nvml.borrow().clone();
        out.loader_cache = self.loader_cache.borrow().clone();
        out
    }

    /// Keeps something about a path, and where its links lead.
    fn keep(&self, path: &str, change: impl FnOnce(&mut CapturedPath)) {
        let about = match self.machine.about(path) {
            Ok(about) => about,
            Err(Refusal::NotFound) => return,
            Err(why) => {
                let mut paths = self.paths.borrow_mut();
                let entry = entry(&mut paths, self.family(), path);
                entry.refused = Some(why);
                return;
            }
        };
        let family = self.family();
        match self.machine.resolved(path) {
            Ok(real) if place::key(family, &real) != place::key(family, path) => {
                self.link(path, about.link.as_deref(), &real);
                self.keep_plain(&real, &About { link: None, ..about }, change);
            }
            // Windows finds a path however it is spelled, and says how it is.
            Ok(real) => self.keep_plain(&real, &about, change),
            Err(_) => self.keep_plain(path, &about, change),
        }
    }

    /// A path that leads elsewhere: by a link of its own, or by one of a directory above it.
    fn link(&self, path: &str, own: Option<&str>, real: &str) {
        let family = self.family();
        if own.is_some() {
            // To its end in one step: what is in between says nothing about the machine.
            entry(&mut self.paths.borrow_mut(), family, path).link = Some(real.to_owned());
            return;
        }
        let mut at = path;
        while let Some(parent) = place::parent(family, at) {
            if self.machine.about(parent).is_ok_and(|a| a.link.is_some()) {
                if let Ok(real) = self.machine.resolved(parent) {
                    entry(&mut self.paths.borrow_mut(), family, parent).link = Some(real);
                }
                return;
            }
            at = parent;
        }
    }

    fn keep_plain(&self, path: &str, about: &About, change: impl FnOnce(&mut CapturedPath)) {
        let mut paths = self.paths.borrow_mut();
        let entry = entry(&mut paths, self.family(), path);
        match about.kind {
            Kind::File => {
                entry.bytes.get_or_insert(about.bytes);
            }
            kind => entry.kind = Some(kind),
        }
        change(entry);
        if entry.text.is_some() || entry.base64.is_some() {
            entry.bytes = None;
        }
    }
}

fn entry<'p>(
    paths: &'p mut BTreeMap<String, CapturedPath>,
    family: Family,
    path: &str,
) -> &'p mut CapturedPath {
    let at = place::trim(family, path).to_owned();
    paths.entry(place::key(family, path)).or_insert_with(|| CapturedPath { at, ..CapturedPath::default() })
}

fn keep_contents(entry: &mut CapturedPath, bytes: &[u8]) {
    (entry.text, entry.base64) = match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(BASE64.encode(bytes))),
    };
}

/// Is a library one that observations ask for? The hundreds of others that a machine has are nobody's business.
fn is_of_the_chain(name: &str) -> bool {
    ["cu", "nv", "nccl", "dxcore", "stdc++", "gomp", "libz.", "libc.", "mpi", "hip", "roc", "onednn"]
        .iter()
        .any(|piece| name.contains(piece))
}

impl Machine for Recorder<'_> {
    fn family(&self) -> Family {
        self.machine.family()
    }

    fn arch(&self) -> String {
        self.machine.arch()
    }

    fn cpu(&self) -> Cpu {
        self.machine.cpu()
    }

    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
        let answer = self.machine.variables(wanted);
        self.variables.borrow_mut().extend(answer.clone());
        answer
    }

    fn directory(&self) -> Option<String> {
        self.machine.directory()
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let answer = self.machine.read(path);
        self.keep(path, |entry| match &answer {
            Ok(bytes) => keep_contents(entry, bytes),
            Err(why) => entry.refused = Some(why.clone()),
        });
        answer
    }

    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal> {
        let answer = self.machine.head(path, bytes);
        self.keep(path, |entry| match &answer {
            // Of a file that was read before, all is known.
            Ok(_) if entry.text.is_some() || entry.base64.is_some() => {}
            Ok(bytes) => keep_contents(entry, bytes),
            Err(why) => entry.refused = Some(why.clone()),
        });
        answer
    }

    fn about(&self, path: &str) -> Result<About, Refusal> {
        let answer = self.machine.about(path);
        self.keep(path, |_| {});
        answer
    }

    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        let answer = self.machine.list(directory, wanted);
        self.keep(directory, |entry| {
            if let Err(why) = &answer {
                entry.refused = Some(why.clone());
            }
        });
        for name in answer.iter().flatten() {
            self.keep(&place::join(self.family(), directory, name), |_| {});
        }
        answer
    }

    fn resolved(&self, path: &str) -> Result<String, Refusal> {
        let answer = self.machine.resolved(path);
        self.keep(path, |_| {});
        answer
    }

    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal> {
        let answer = self.machine.library(path);
        self.keep(path, |entry| match &answer {
            Ok(facts) => entry.library = Some(facts.clone()),
            Err(why) => entry.refused = Some(why.clone()),
        });
        answer
    }

    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal> {
        let answer = self.machine.distributions(site);
        self.keep(site, |entry| match &answer {
            Ok(report) => entry.site = Some(report.clone()),
            Err(why) => entry.refused = Some(why.clone()),
        });
        answer
    }

    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal> {
        let answer = self.machine.loader_cache();
        if let Ok(entries) = &answer {
            let kept = entries.iter().filter(|(name, _)| is_of_the_chain(name)).cloned().collect();
            *self.loader_cache.borrow_mut() = kept;
        }
        if let Err(why) = &answer {
            self.keep(crate::loader_cache::PATH, |entry| entry.refused = Some(why.clone()));
        }
        answer
    }

    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal> {
        let answer = self.machine.registry(key);
        let (values, refused) = match &answer {
            Ok(found) => (found.values.clone(), None),
            Err(Refusal::NotFound) => return answer,
            Err(why) => (BTreeMap::new(), Some(why.clone())),
        };
        let mut keys = self.keys.borrow_mut();
        let name = key.trim_end_matches('\\');
        // The keys below are known by their names, even where they are not asked for.
        for below in answer.iter().flat_map(|k| &k.keys) {
            let path = format!("{name}\\{below}");
            keys.entry(path.to_lowercase()).or_insert(CapturedKey {
                key: path,
                values: BTreeMap::new(),
                refused: None,
            });
        }
        keys.insert(name.to_lowercase(), CapturedKey { key: name.to_owned(), values, refused });
        answer
    }

    fn pci(&self) -> Result<Vec<PciDevice>, Refusal> {
        let answer = self.machine.pci();
        if let Ok(devices) = &answer {
            self.pci.replace(Some(devices.clone()));
        }
        answer
    }

    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
        let answer = self.machine.dpkg(wanted);
        if let Ok(packages) = &answer {
            let mut kept = self.dpkg.borrow_mut();
            let kept = kept.get_or_insert_default();
            kept.extend(packages.iter().filter(|p| !kept.contains(p)).cloned().collect::<Vec<_>>());
            kept.sort();
        }
        answer
    }

    fn nvml(&self) -> NvmlReport {
        let answer = self.machine.nvml();
        if !nvml::is_none(&answer) {
            self.nvml.replace(Some(answer.clone()));
        }
        answer
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
        let answer = self.machine.run(program, arguments);
        if answer != Err(Refusal::NotFound) {
            let run: Vec<String> =
                std::iter::once(program).chain(arguments.iter().copied()).map(str::to_owned).collect();
            let (ran, refused) = match &answer {
                Ok(ran) => (ran.clone(), None),
                Err(why) => (Ran::default(), Some(why.clone())),
            };
            let kept = CapturedProgram {
                run: run.clone(),
                code: ran.code,
                stdout: ran.stdout,
                stderr: ran.stderr,
                refused,
            };
            self.programs.borrow_mut().insert(run, kept);
        }
        answer
    }
}
