//! A log as it is reasoned about: what was seen, on which system, about which package and which build of it.

use crate::diagnosis::Of;
use crate::seen::Seen;
use crate::system::System;
use crate::{Hit, Line};
use kb_core::catalog::{Package, PackageKind};
use kb_core::kb::Kb;
use kb_core::pep;
use kb_core::platform::{Arch, Os, Platform};
use kb_core::request::resolve::{self, GpuMatch};
use kb_core::version::{ComputeCapability, CudaVersion, DriverVersion};
use kb_core::world::{Build, PackageWorld, View};

/// Everything about one log.
#[derive(Debug)]
pub struct Case<'a> {
    /// The facts.
    pub world: View<'a>,
    /// What was seen.
    pub seen: &'a Seen,
    /// The messages.
    pub hits: &'a [Hit],
    /// The lines that were kept.
    pub lines: &'a [Line<'a>],
    /// The system.
    pub system: System,
    /// The package that it is about, by its index.
    pub package: Option<usize>,
    /// A text or a machine.
    pub of: Of,
}

/// A value and the lines it stands on.
#[derive(Clone, PartialEq, Debug)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Lines that show it.
    pub lines: Vec<usize>,
}

/// The directory in which Python installs packages, in a path.
const INSTALLED: &str = "site-packages";

impl<'a> Case<'a> {
    /// Puts a log together.
    pub fn new(world: View<'a>, seen: &'a Seen, hits: &'a [Hit], lines: &'a [Line<'a>]) -> Self {
        let system = System::of(seen, lines);
        let mut out = Case { world, seen, hits, lines, system, package: None, of: Of::Text };
        out.package = out.subject();
        out
    }

    /// The facts.
    pub fn kb(&self) -> &'a Kb {
        self.world.kb
    }

    /// Was a message printed? `*` at the end stands for any.
    pub fn message(&self, id: &str) -> impl Iterator<Item = &'a Hit> {
        let (start, any) = match id.strip_suffix('*') {
            Some(start) => (start.to_owned(), true),
            None => (id.to_owned(), false),
        };
        let signatures = &self.kb().signatures;
        self.hits.iter().filter(move |h| {
            let id = &*signatures[h.signature].id;
            if any { id.starts_with(&start) } else { id == start }
        })
    }

    /// The package that the log is about: what a message says it is from, else a framework that is installed, else one
    /// whose files the log names.
    fn subject(&self) -> Option<usize> {
        let kb = self.kb();
        let framework = |name: &str| {
            let index = kb.package(name).or_else(|| resolve::known_package(kb, name))?;
            matches!(kb.packages[index].kind, PackageKind::Framework | PackageKind::Library).then_some(index)
        };
        if let Some(found) = self.seen.first("framework").and_then(|o| framework(&o.value)) {
            return Some(self.installed_sibling(found));
        }
        let mut counts: Vec<(usize, usize)> = Vec::new();
        let mut add = |index: usize, weight: usize| match counts.iter_mut().find(|(i, _)| *i == index) {
            Some((_, count)) => *count += weight,
            None => counts.push((index, weight)),
        };
        for hit in self.hits {
            let signature = &kb.signatures[hit.signature];
            let weight = match (signature.harmless, &signature.states) {
                (true, _) => 1,
                (false, Some(_)) => 8,
                (false, None) => 6,
            };
            // Several print the same: the one that is there, else the first.
            let mut emitters = signature.emitted_by.iter().filter_map(|e| framework(e));
            let first = emitters.clone().next();
            let there = emitters.find(|p| self.seen.package(&kb.packages[*p].id).is_some());
            if let Some(index) = there.or(first) {
                add(index, weight);
            }
        }
        for (name, _) in self.seen.packages() {
            if let Some(index) = framework(name) {
                add(index, if kb.packages[index].kind == PackageKind::Framework { 3 } else { 1 });
            }
        }
        for index in self.imported() {
            add(index, 2);
        }
        // What an installer was asked for, where nothing is installed.
        if counts.is_empty() {
            let wanted =
                |text: &str| crate::check::python::requirement(text).and_then(|r| framework(&r.name));
            return self.hits.iter().find_map(|hit| wanted(&hit.text));
        }
        // The first of the strongest.
        let best = counts.iter().map(|c| c.1).max()?;
        let found = counts.iter().find(|c| c.1 == best)?.0;
        Some(self.installed_sibling(found))
    }

    /// The main frameworks whose installed files the log names, as the catalogue orders them.
    fn imported(&self) -> Vec<usize> {
        let packages = &self.kb().packages;
        let mut found: Vec<usize> = Vec::new();
        for line in self.lines.iter().take(5000) {
            for (at, _) in line.text.match_indices(INSTALLED) {
                let path = line.text[at + INSTALLED.len()..].trim_start_matches(['/', '\\']);
                let module = path.split(['/', '\\']).next().unwrap_or(path);
                let of = |p: &Package| p.main.is_some() && p.import_name.as_deref() == Some(module);
                found.extend(packages.iter().position(of).filter(|p| !found.contains(p)));
            }
        }
        found.sort_by_key(|p| packages[*p].main);
        found
    }

    /// A message of paddlepaddle-gpu in an environment that has paddlepaddle alone is about that.
    fn installed_sibling(&self, index: usize) -> usize {
        let kb = self.kb();
        let id = &*kb.packages[index].id;
        if self.seen.package(id).is_some() {
            return index;
        }
        let sibling = kb.packages.iter().position(|p| {
            (p.gpu_package.as_deref() == Some(id)
                || kb.packages[index].gpu_package.as_deref() == Some(&*p.id))
                && self.seen.package(&p.id).is_some()
        });
        sibling.unwrap_or(index)
    }

    /// The id of the package that the log is about.
    pub fn subject_id(&self) -> Option<&'a str> {
        self.package.map(|p| &*self.kb().packages[p].id)
    }

    /// The system, Linux where nothing tells: drivers and builds are numbered by it.
    pub fn os(&self) -> Os {
        self.system.os.unwrap_or(Os::Linux)
    }

    /// The platform whose builds count.
    pub fn platform(&self) -> Platform {
        Platform { os: self.os().build_os(), arch: self.system.arch.unwrap_or(Arch::X86_64) }
    }

    /// The builds of a package on the platform.
    pub fn builds(&self, package: usize) -> &'a PackageWorld {
        self.world.from(self.platform()).package(package)
    }

    /// The version of a package as it was observed, under its own name or another one that the catalogue has for it.
    pub fn version_of(&self, id: &str) -> Option<At<String>> {
        let kb = self.kb();
        let aliases = kb.package(id).map(|p| &kb.packages[p].aliases[..]).unwrap_or_default();
        let aliased = || aliases.iter().find_map(|alias| self.seen.package(alias));
        let found = self.seen.package(id).or_else(aliased)?;
        Some(At { value: found.value.clone(), lines: found.line.into_iter().collect() })
    }

    /// The installed build of a package, told by its version: `2.3.1+cu121`, `2.6.2.post117`, `2.9.1` from PyPI.
    pub fn build_of(&self, package: usize) -> Option<At<&'a Build>> {
        let kb = self.kb();
        let version = self.version_of(&kb.packages[package].id)?;
        let build = self.build_of_version(package, &version.value)?;
        Some(At { value: build, lines: version.lines })
    }

    /// The build that a version names.
    pub fn build_of_version(&self, package: usize, version: &str) -> Option<&'a Build> {
        let (public, label) = match version.split_once('+') {
            Some((public, label)) => (public, Some(label)),
            None => (version, None),
        };
        let world = self.builds(package);
        let wanted: pep::Version = public.parse().ok()?;
        let of_release = |wanted: &pep::Version| {
            let release = world.releases.iter().position(|r| r.version() == wanted)?;
            let release = u32::try_from(release).ok()?;
            Some(world.builds.iter().filter(move |b| b.release == release && b.extra.is_none()))
        };
        let channel_is = |b: &Build, id: &str| &*self.kb().channels[usize::from(b.channel)].id == id;
        match label {
            Some(label) => of_release(&wanted)?.find(|b| b.label.as_deref() == Some(label)),
            None => {
                if let Some(builds) = of_release(&wanted) {
                    let all: Vec<&Build> = builds.collect();
                    let pypi = all.iter().find(|b| channel_is(b, "pypi"));
                    return pypi.or_else(|| all.iter().find(|b| b.default)).or(all.first()).copied();
                }
                // 2.6.2.post117 is 2.6.2 of the channel that the label names.
                let (release, post) = public.split_once(".post")?;
                let builds = of_release(&release.parse().ok()?)?;
                let channel = format!("paddle-post{post}");
                builds.into_iter().find(|b| channel_is(b, &channel))
            }
        }
    }

    /// The installed build of the package that the log is about.
    pub fn build(&self) -> Option<At<&'a Build>> {
        self.build_of(self.package?)
    }

    /// The CUDA release that the build was made with: what the log says, else what its version says in the facts.
    pub fn framework_cuda(&self) -> Option<At<CudaVersion>> {
        // A label in the version of another package is about that one.
        let others = |line: Option<usize>| {
            let subject = self.subject_id();
            self.seen.packages().any(|(name, o)| o.line == line && line.is_some() && Some(name) != subject)
                && !self.seen.packages().any(|(name, o)| o.line == line && Some(name) == subject)
        };
        let of_subject = self.seen.of("framework-cuda").filter(|o| !others(o.line));
        let seen = of_subject.into_iter().find_map(|o| Some((o.value.parse().ok()?, o.line)));
        if let Some((value, line)) = seen {
            return Some(At { value, lines: line.into_iter().collect() });
        }
        let build = self.build()?;
        Some(At { value: build.value.cuda.as_ref()?.value, lines: build.lines })
    }

    /// The driver.
    pub fn driver(&self) -> Option<At<DriverVersion>> {
        self.parsed("driver")
    }

    /// The highest CUDA release that the driver serves, as it was printed.
    pub fn level(&self) -> Option<At<CudaVersion>> {
        self.parsed("cuda-driver-level")
    }

    /// The same, where it was not printed that of the driver.
    pub fn level_served(&self) -> Option<At<CudaVersion>> {
        self.level().or_else(|| {
            let driver = self.driver()?;
            let native = self.world.driver.info(driver.value, self.os()).cuda.filter(|n| !n.at_least)?;
            Some(At { value: native.cuda, lines: driver.lines })
        })
    }

    /// The first value of a name that is a version.
    pub fn parsed<T: std::str::FromStr>(&self, what: &str) -> Option<At<T>> {
        let (value, line) = self.seen.of(what).find_map(|o| Some((o.value.parse().ok()?, o.line)))?;
        Some(At { value, lines: line.into_iter().collect() })
    }

    /// What the GPUs can execute: as printed, else by their names. The first of several.
    pub fn capability(&self) -> Option<At<ComputeCapability>> {
        if let Some(found) = self.parsed("compute-capability") {
            return Some(found);
        }
        self.seen.of("gpu").find_map(|o| {
            let index = self.gpu(&o.value)?;
            let value = self.world.gpus[index].capability.as_ref()?.value;
            Some(At { value, lines: o.line.into_iter().collect() })
        })
    }

    /// A GPU of the catalogue by a name as tools print it.
    pub fn gpu(&self, name: &str) -> Option<usize> {
        match resolve::gpu(self.kb(), name) {
            GpuMatch::Gpu(index) => Some(index),
            _ => None,
        }
    }

    /// The first line of a number.
    pub fn line(&self, number: usize) -> Option<&str> {
        let at = self.lines.binary_search_by_key(&number, |l| l.number).ok()?;
        Some(&self.lines[at].text)
    }
}
