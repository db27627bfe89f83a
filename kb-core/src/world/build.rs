//! Builds: what can be installed. A version alone is not one: 2.9.1 from PyPI and 2.9.1 from the CUDA 12.6 index are
//! different files with different code.

use super::read::rows;
use super::{Facts, Interpreters, Stated, prefer};
use crate::fact::FactId;
use crate::kb::Kb;
use crate::pep::{self, Version};
use crate::platform::Platform;
use crate::version::{ComputeTarget, CudaVersion, CudnnVersion, Dotted, VersionSet};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::OnceLock;

pub use crate::pep::Requirement;

/// What a build computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BuildKind {
    /// NVIDIA GPUs.
    Cuda,
    /// No GPU at all.
    Cpu,
    /// AMD GPUs.
    Rocm,
    /// A wheel whose own code is not judged: a library beside a framework, or NVIDIA's libraries themselves.
    Plain,
}

/// Where a build's CUDA libraries come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Libraries {
    /// They are in the wheel.
    Bundled,
    /// pip pulls NVIDIA's wheels.
    NvidiaWheels,
    /// A toolkit on the machine.
    System,
}

impl Libraries {
    /// The word used in data and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Libraries::Bundled => "bundled",
            Libraries::NvidiaWheels => "nvidia-wheels",
            Libraries::System => "system",
        }
    }
}

/// A list of targets; a dozen fit in place.
pub type Targets = smallvec::SmallVec<[ComputeTarget; 12]>;

/// What one source says of a build's device code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DeviceCode {
    /// Machine code.
    pub sass: Targets,
    /// PTX; `None` when the source does not say.
    pub ptx: Option<Targets>,
}

/// Which interpreters a package's files are for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PythonFacts {
    /// The package whose files they are: the build's own, or one that it pins.
    pub package: CompactString,
    /// Tags of the files: `cp312`, `cp313t`, `py3`, `cp38-abi3`.
    pub tags: Vec<CompactString>,
    /// The build's own channel, or another channel of the same release.
    pub own_channel: bool,
    /// The fact.
    pub fact: FactId,
}

/// One thing that can be installed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Index of the package.
    pub package: u16,
    /// Index into [`PackageWorld::releases`]; higher is newer.
    pub release: u32,
    /// Index of the channel.
    pub channel: u16,
    /// What it runs on; `None` for any.
    pub platform: Option<Platform>,
    /// The extra that makes it this build: `jax[cuda12]`.
    pub extra: Option<CompactString>,
    /// The label in its version: `cu126`.
    pub label: Option<CompactString>,
    /// What it computes with.
    pub kind: BuildKind,
    /// The CUDA release it was made with.
    pub cuda: Option<Stated<CudaVersion>>,
    /// The cuDNN release it was made with.
    pub cudnn: Option<Stated<CudnnVersion>>,
    /// Where its CUDA libraries come from.
    pub libraries: Option<Stated<Libraries>>,
    /// `experimental`, `planned`.
    pub status: Option<CompactString>,
    /// What the vendor serves by default.
    pub default: bool,
    /// Its device code, the value that is followed.
    pub device_code: Option<Stated<DeviceCode>>,
    /// Facts that say it exists and what it was made with.
    pub facts: Facts,
    /// Interpreters, by file.
    pub python: Vec<PythonFacts>,
    /// Interpreters, as documented.
    pub python_documented: Option<Stated<VersionSet>>,
    /// Interpreters that can install it, all of the above together; everyone where nothing is known.
    pub interpreters: Interpreters,
    /// The least glibc of its files.
    pub glibc: Option<(Dotted, FactId)>,
    /// Requirements that matter here, with the fact.
    pub requires: Vec<(Requirement, FactId)>,
    /// Are its requirements known (read from its metadata)?
    pub requires_known: bool,
    /// Two of its requirements that no release satisfies at once, by position; the same one twice when it rules out
    /// the build itself. Only what pinned packages require in turn can do that.
    pub requires_clash: Option<(u16, u16)>,
    /// Its requirement on cuDNN only follows from the release that it was made with.
    pub cudnn_implied: bool,
    /// Capabilities its vendor names.
    pub compute_documented: Option<Stated<VersionSet>>,
    /// CUDA releases it accepts from outside.
    pub accepts_cuda: Option<Stated<VersionSet>>,
    /// cuDNN releases it accepts from outside.
    pub accepts_cudnn: Option<Stated<VersionSet>>,
}

/// A release of a package.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Release {
    /// Its version without a local label, as files are named.
    pub text: CompactString,
    /// A pre-release or development release.
    pub prerelease: bool,
    #[serde(skip)]
    parsed: OnceLock<Version>,
    /// Withdrawn by its publisher.
    pub yanked: bool,
    /// The fact, when the release comes from an index.
    pub fact: Option<FactId>,
}

impl Release {
    fn new(text: &str, version: Version, yanked: bool, fact: Option<FactId>) -> Release {
        Release {
            text: text.into(),
            prerelease: version.any_prerelease(),
            parsed: OnceLock::from(version),
            yanked,
            fact,
        }
    }

    /// Its version.
    pub fn version(&self) -> &Version {
        // Only texts that were read as versions become releases.
        self.parsed.get_or_init(|| Version::from_str(&self.text).unwrap_or_else(|_| Version::new([0])))
    }
}

impl PartialEq for Release {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.yanked, self.fact) == (&other.text, other.yanked, other.fact)
    }
}

/// A package's releases, oldest first, and its builds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PackageWorld {
    /// Oldest first.
    pub releases: Vec<Release>,
    /// All builds, in no particular order of merit.
    pub builds: Vec<Build>,
    /// The platform whose builds were read; `None` means all.
    only: Option<Platform>,
}

/// Everything one relation says about a package, with its version range resolved to positions in the release list.
struct Scope<'kb> {
    releases: std::rc::Rc<[u32]>,
    /// `Some(None)` for a channel that the catalogue does not have.
    channel: Option<Option<u16>>,
    platform: Option<Platform>,
    extra: Option<&'kb str>,
}

impl Scope<'_> {
    fn covers(&self, build: &Build) -> bool {
        self.channel.is_none_or(|c| c == Some(build.channel))
            && (self.platform.is_none() || build.platform.is_none() || self.platform == build.platform)
            && self.releases.binary_search(&build.release).is_ok()
            && self.extra.is_none_or(|e| Some(e) == build.extra.as_deref())
    }
}

/// Positions of the releases in each `pep440-range` that was met: tables repeat their ranges.
type Ranges<'kb> = std::cell::RefCell<std::collections::HashMap<&'kb str, std::rc::Rc<[u32]>>>;

impl Build {
    /// A build that lives on NVIDIA's wheels and whose requirements nobody has read still needs a cuDNN: one that its
    /// vendor names, or one not older than it was made with and of the same major.
    fn imply_cudnn(&mut self) {
        let pulls = self.libraries.as_ref().is_some_and(|l| l.value == Libraries::NvidiaWheels);
        if !pulls || self.requires.iter().any(|(r, _)| r.name.starts_with("nvidia-cudnn")) {
            return;
        }
        let major = match (&self.cuda, &self.accepts_cuda) {
            (Some(cuda), _) => Some(cuda.value.major()),
            (None, Some(range)) => range.value.lowest().map(|v| v.major()),
            _ => None,
        };
        let (range, fact) = match (&self.accepts_cudnn, &self.cudnn) {
            (Some(accepts), _) => (accepts.value.to_string(), accepts.facts.first().copied()),
            (None, Some(made)) if made.value.len() == 4 => {
                self.cudnn_implied = true;
                (format!(">={}, <{}", made.value, made.value.major() + 1), made.facts.first().copied())
            }
            _ => return,
        };
        if let (Some(major), Some(fact)) = (major, fact)
            && let Ok(requirement) = format!("nvidia-cudnn-cu{major}{range}").parse()
        {
            self.requires.push((requirement, fact));
        }
    }
}

impl Build {
    /// What limits the interpreters that can install it, each with the package that it comes from. `id` is the
    /// build's own package. A wheel for one interpreter settles it; one that any Python 3 accepts is held to what its
    /// metadata asks for; without files the documented range counts, or the files of the same release elsewhere. A
    /// package that it pins has to have a file as well.
    pub(crate) fn python_limits<'a>(&'a self, id: &'a str) -> Vec<(&'a str, Interpreters)> {
        let (mut own, mut exact, mut sibling) = (None, Interpreters::NONE, None);
        let mut out: Vec<(&str, Interpreters)> = Vec::new();
        let add = |set: &mut Option<Interpreters>, more| {
            *set = Some(set.map_or(more, |s: Interpreters| s.or(more)))
        };
        for files in &self.python {
            let set = Interpreters::of_tags(&files.tags);
            if *files.package != *id {
                match out.iter_mut().find(|(package, _)| **package == *files.package) {
                    Some((_, known)) => *known = known.or(set),
                    None => out.push((&files.package, set)),
                }
            } else if files.own_channel {
                add(&mut own, set);
                if files.tags.iter().any(|t| t.starts_with("cp") && !t.ends_with("abi3")) {
                    exact = exact.or(set);
                }
            } else {
                add(&mut sibling, set);
            }
        }
        let documented = self.python_documented.as_ref().map(|d| Interpreters::of_range(&d.value));
        let itself = match (own, documented) {
            (Some(own), Some(documented)) => Some(exact.or(own.and(documented))),
            (Some(set), None) | (None, Some(set)) => Some(set),
            (None, None) => sibling,
        };
        out.extend(itself.map(|set| (id, set)));
        out
    }
}

impl PackageWorld {
    /// Joins what is known of a package; with a platform only the builds for it.
    pub(super) fn read<'kb>(kb: &'kb Kb, package: usize, only: Option<Platform>, files: &Files<'kb>) -> Self {
        let elsewhere = |text: Option<&str>| match (only, text.and_then(Platform::parse)) {
            (Some(only), Some(platform)) => platform != only,
            _ => false,
        };
        let id = &*kb.packages[package].id;
        let mut releases = read_releases(kb, id);
        let made: Vec<_> = rows(
            kb,
            "build-made-with",
            [
                "package",
                "versions",
                "channel",
                "platform",
                "variant",
                "kind",
                "cuda",
                "cudnn",
                "libraries",
                "local-label",
                "status",
                "default",
            ],
        )
        .filter(|(_, row)| row.text(0) == Some(id))
        .collect();
        let images: Vec<_> = rows(kb, "image", ["package", "version", "cuda", "cudnn", "tag"])
            .filter(|(_, row)| row.text(0) == Some(id))
            .collect();
        let named = made
            .iter()
            .filter_map(|(_, row)| row.text(1))
            .chain(images.iter().filter_map(|(_, row)| row.text(1)));
        add_named(&mut releases, named);
        let ranges = Ranges::default();
        let mut world = PackageWorld { releases, builds: Vec::new(), only };
        if made.is_empty() && images.is_empty() {
            if world.releases.is_empty() {
                let requires = rows(kb, "build-requires", ["package", "versions"]);
                let own = requires.filter(|(_, row)| row.text(0) == Some(id));
                add_named(&mut world.releases, own.filter_map(|(_, row)| row.text(1)));
            }
            world.add_plain(kb, package, id, &ranges, files);
            world.read_requires(kb, &ranges, id);
            world.share_requires(kb, &ranges, id);
            world.read_python(kb, &ranges, id, files);
            return world;
        }
        let mut claims: Vec<Claims> = Vec::new();
        for (fact, row) in &made {
            let Some(channel) = row.text(2).and_then(|c| kb.channel(c)).filter(|_| !elsewhere(row.text(3)))
            else {
                continue;
            };
            let platforms: Vec<Option<Platform>> = match row.text(3) {
                None | Some("any") => vec![None],
                Some(text) => vec![Platform::parse(text)],
            };
            for release in world.matching(&ranges, row.text(1).unwrap_or("*")).iter().copied() {
                for platform in &platforms {
                    let at =
                        world.find_or_add(package, release, channel, *platform, row.text(4), &mut claims);
                    let build = &mut world.builds[at];
                    build.facts.push(*fact);
                    build.label = build.label.take().or(row.text(9).map(Into::into));
                    build.status = build.status.take().or(row.text(10).map(Into::into));
                    build.default |= row.flag(11);
                    build.kind = match row.text(5) {
                        Some("cpu") => BuildKind::Cpu,
                        Some("rocm") => BuildKind::Rocm,
                        _ => build.kind,
                    };
                    claims[at].cuda.extend(row.version(6).map(|v| (CudaVersion(v), *fact)));
                    claims[at].cudnn.extend(row.version(7).map(|v| (CudnnVersion(v), *fact)));
                    let libraries = match row.text(8) {
                        Some("bundled") => Some(Libraries::Bundled),
                        Some("nvidia-wheels") => Some(Libraries::NvidiaWheels),
                        Some("system") => Some(Libraries::System),
                        _ => None,
                    };
                    claims[at].libraries.extend(libraries.map(|l| (l, *fact)));
                }
            }
        }
        if let Some(docker) = kb.channel("docker").filter(|_| !elsewhere(Some("linux-x86_64"))) {
            for (fact, row) in &images {
                let Some(version) = row.text(1).and_then(|v| Version::from_str(v).ok()) else { continue };
                let Some(release) = world.releases.iter().position(|r| *r.version() == version) else {
                    continue;
                };
                let linux = Platform::parse("linux-x86_64");
                let at = world.find_or_add(package, release as u32, docker, linux, row.text(4), &mut claims);
                let build = &mut world.builds[at];
                build.facts.push(*fact);
                claims[at].cuda.extend(row.version(2).map(|v| (CudaVersion(v), *fact)));
                claims[at].cudnn.extend(row.version(3).map(|v| (CudnnVersion(v), *fact)));
                claims[at].libraries.push((Libraries::Bundled, *fact));
            }
        }
        for (build, claims) in world.builds.iter_mut().zip(&claims) {
            build.cuda = prefer(kb, &claims.cuda);
            build.cudnn = prefer(kb, &claims.cudnn);
            build.libraries = prefer(kb, &claims.libraries);
            build.facts.sort();
            build.facts.dedup();
        }
        world.drop_missing_files(kb, id, files);
        world.read_requires(kb, &ranges, id);
        world.lend_requires();
        world.add_extras();
        world.follow_pins(kb, id);
        world.read_device_code(kb, &ranges, id);
        world.read_python(kb, &ranges, id, files);
        world.read_documented(kb, &ranges, id);
        world
    }

    /// Is a row about a platform that was not asked for?
    fn elsewhere(&self, platform: Option<&str>) -> bool {
        matches!((self.only, platform.and_then(Platform::parse)), (Some(only), Some(p)) if p != only)
    }

    /// Positions of the releases in a `pep440-range`.
    fn matching<'kb>(&self, ranges: &Ranges<'kb>, range: &'kb str) -> std::rc::Rc<[u32]> {
        if let Some(known) = ranges.borrow().get(range) {
            return known.clone();
        }
        let found: std::rc::Rc<[u32]> = if range == "*" {
            (0..self.releases.len() as u32).collect()
        } else {
            let alternatives = pep::alternatives(range);
            let inside =
                self.releases.iter().enumerate().filter(|(_, r)| pep::contains(&alternatives, r.version()));
            inside.map(|(i, _)| i as u32).collect()
        };
        ranges.borrow_mut().insert(range, found.clone());
        found
    }

    /// Where a row applies; the columns after the package are versions, channel, platform, extra or variant.
    fn scope<'kb, const N: usize>(
        &self,
        kb: &Kb,
        ranges: &Ranges<'kb>,
        row: &super::read::Cells<'kb, N>,
    ) -> Scope<'kb> {
        Scope {
            releases: self.matching(ranges, row.text(1).unwrap_or("*")),
            channel: row.text(2).map(|c| kb.channel(c).map(|i| i as u16)),
            platform: row.text(3).and_then(Platform::parse),
            extra: row.text(4),
        }
    }

    fn find_or_add(
        &mut self,
        package: usize,
        release: u32,
        channel: usize,
        platform: Option<Platform>,
        extra: Option<&str>,
        claims: &mut Vec<Claims>,
    ) -> usize {
        let found = self.builds.iter().rposition(|b| {
            b.release == release
                && usize::from(b.channel) == channel
                && b.platform == platform
                && b.extra.as_deref() == extra
        });
        found.unwrap_or_else(|| {
            self.builds.push(Build {
                package: package as u16,
                release,
                channel: channel as u16,
                platform,
                extra: extra.map(Into::into),
                label: None,
                kind: BuildKind::Cuda,
                cuda: None,
                cudnn: None,
                libraries: None,
                status: None,
                default: false,
                device_code: None,
                facts: Facts::new(),
                python: Vec::new(),
                python_documented: None,
                interpreters: Interpreters::ALL,
                glibc: None,
                requires: Vec::new(),
                requires_known: false,
                requires_clash: None,
                cudnn_implied: false,
                compute_documented: None,
                accepts_cuda: None,
                accepts_cudnn: None,
            });
            claims.push(Claims::default());
            self.builds.len() - 1
        })
    }

    /// A package that nobody says anything of but its files and what they require: one build for each release, channel
    /// and platform.
    fn add_plain<'kb>(
        &mut self,
        kb: &'kb Kb,
        package: usize,
        id: &str,
        ranges: &Ranges<'kb>,
        files: &Files<'kb>,
    ) {
        let mut claims = Vec::new();
        let mut add = |world: &mut Self, release, channel, platform, fact| {
            let at = world.find_or_add(package, release, channel, platform, None, &mut claims);
            world.builds[at].kind = BuildKind::Plain;
            if !world.builds[at].facts.contains(&fact) {
                world.builds[at].facts.push(fact);
            }
        };
        for release in 0..self.releases.len() as u32 {
            let text = self.releases[release as usize].text.clone();
            for file in files.of(id, &text) {
                let Some(channel) = kb.channel(file.channel) else { continue };
                if self.only.is_some() && file.platform.is_some() && file.platform != self.only {
                    continue;
                }
                add(self, release, channel, file.platform, file.fact);
            }
        }
        for (fact, row) in rows(kb, "build-requires", ["package", "versions", "channel", "platform"]) {
            if row.text(0) != Some(id) {
                continue;
            }
            // One platform's metadata was read, which says nothing of the files for others.
            let Some(channel) = row.text(2).and_then(|c| kb.channel(c)) else { continue };
            for release in self.matching(ranges, row.text(1).unwrap_or("*")).iter().copied() {
                let listed =
                    self.builds.iter().any(|b| b.release == release && usize::from(b.channel) == channel);
                if !listed {
                    add(self, release, channel, None, fact);
                }
            }
        }
    }

    /// A complete list of files decides which platforms a release has: no file, no build.
    fn drop_missing_files<'kb>(&mut self, kb: &'kb Kb, id: &str, files: &Files<'kb>) {
        let releases = &self.releases;
        self.builds.retain(|b| {
            let channel = &*kb.channels[usize::from(b.channel)].id;
            let mut known = false;
            for file in
                files.of(id, &releases[b.release as usize].text).iter().filter(|f| f.channel == channel)
            {
                known = true;
                if b.platform.is_none() || file.platform.is_none() || file.platform == b.platform {
                    return true;
                }
            }
            !known
        });
    }

    fn read_requires<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        let uses_cudnn = rows(kb, "build-requires", ["package", "requires"]).any(|(_, row)| {
            row.text(0) == Some(id) && row.texts(1).iter().any(|t| t.starts_with("nvidia-cudnn"))
        });
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "channel", "platform", "extra", "requires"])
        {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let mut scope = self.scope(kb, ranges, &row);
            let extra = scope.extra.take();
            let parsed: Vec<Requirement> = row.texts(5).iter().filter_map(|t| t.parse().ok()).collect();
            // An extra that brings CUDA libraries makes a build of its own.
            let mut additions = Vec::new();
            for build in &mut self.builds {
                if !scope.covers(build) {
                    continue;
                }
                match extra {
                    None => {
                        build.requires_known = true;
                        build.requires.extend(parsed.iter().map(|r| (r.clone(), fact)));
                    }
                    Some(extra) if build.extra.as_deref() == Some(extra) => {
                        build.requires_known = true;
                        build.requires.extend(parsed.iter().map(|r| (r.clone(), fact)));
                    }
                    Some(extra) => {
                        // One that brings cuDNN alone still leaves CUDA to the system, and the other way round where
                        // some other extra of the package brings cuDNN.
                        let any = |test: fn(&str) -> bool| parsed.iter().any(|r| test(&r.name));
                        let brings = any(|n| n.starts_with("nvidia-cuda-runtime") || n == "cuda-toolkit")
                            && (!uses_cudnn || any(|n| n.starts_with("nvidia-cudnn")));
                        if brings && build.extra.is_none() && build.kind == BuildKind::Cuda {
                            additions.push((build.release, build.channel, build.platform, extra));
                        }
                    }
                }
            }
            for (release, channel, platform, extra) in additions {
                let exists = self.builds.iter().any(|b| {
                    b.release == release
                        && b.channel == channel
                        && b.platform == platform
                        && b.extra.as_deref() == Some(extra)
                });
                let base = self.builds.iter().find(|b| {
                    b.release == release
                        && b.channel == channel
                        && b.platform == platform
                        && b.extra.is_none()
                });
                if let (false, Some(base)) = (exists, base) {
                    let mut build = base.clone();
                    build.extra = Some(extra.into());
                    build.requires_known = true;
                    build.libraries = Some(Stated {
                        value: Libraries::NvidiaWheels,
                        facts: std::iter::once(fact).collect(),
                        against: Facts::new(),
                        dispute: None,
                    });
                    build.requires.extend(parsed.iter().map(|r| (r.clone(), fact)));
                    self.builds.push(build);
                }
            }
        }
    }

    /// One release of a plain package asks for the same on all platforms, its markers aside: where the metadata of a
    /// platform's wheel has not been read, that of another one's stands.
    fn share_requires<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "channel", "platform", "extra", "requires"])
        {
            if row.text(0) != Some(id) || row.text(4).is_some() {
                continue;
            }
            let mut scope = self.scope(kb, ranges, &row);
            scope.platform = None;
            for build in self.builds.iter_mut().filter(|b| !b.requires_known && scope.covers(b)) {
                build.requires_known = true;
                build.requires.extend(row.texts(5).iter().filter_map(|t| Some((t.parse().ok()?, fact))));
            }
        }
    }

    /// One release made with one CUDA release for one platform asks for the same wherever it is served: a project
    /// uploads one file to several channels. Where the metadata of one of them was read, it stands for the others.
    fn lend_requires(&mut self) {
        let alike = |a: &Build, b: &Build| {
            let cuda = |x: &Build| x.cuda.as_ref().map(|c| c.value.prefix(2));
            let cudnn = |x: &Build| x.cudnn.as_ref().map(|c| c.value);
            (a.release, a.platform, &a.extra) == (b.release, b.platform, &b.extra)
                && cuda(a).is_some()
                && cuda(a) == cuda(b)
                && (cudnn(a).is_none() || cudnn(b).is_none() || cudnn(a) == cudnn(b))
        };
        for at in 0..self.builds.len() {
            let build = &self.builds[at];
            if build.requires_known || build.kind != BuildKind::Cuda {
                continue;
            }
            let lender = self.builds.iter().find(|b| b.requires_known && alike(b, build));
            if let Some(requires) = lender.map(|b| b.requires.clone()) {
                self.builds[at].requires_known = true;
                self.builds[at].requires = requires;
            }
        }
    }

    /// What exactly pinned packages require in turn: `jax[cuda12]` pins its plugin, which asks for the libraries.
    fn follow_pins(&mut self, kb: &Kb, id: &str) {
        let mut all: std::collections::HashMap<&str, Vec<_>> = std::collections::HashMap::new();
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "platform", "extra", "requires"])
        {
            let versions = std::cell::OnceCell::<Vec<pep440_rs::VersionSpecifiers>>::new();
            all.entry(row.text(0).unwrap_or_default()).or_default().push((fact, row, versions));
        }
        let mut releases = std::collections::HashMap::new();
        for build in &mut self.builds {
            let mut at = 0;
            while at < build.requires.len() {
                at += 1;
                let Some(rows) = all.get(&*build.requires[at - 1].0.name) else { continue };
                let requirement = build.requires[at - 1].0.clone();
                let Some(version) = requirement.exact() else { continue };
                for (fact, row, versions) in rows {
                    let versions =
                        versions.get_or_init(|| pep::alternatives(row.text(1).unwrap_or_default()));
                    let platform =
                        row.text(2).is_none_or(|p| p == "any" || Platform::parse(p) == build.platform);
                    let extra = row.text(3).is_none_or(|e| requirement.extras.iter().any(|x| x == e));
                    if !platform || !extra || !pep::contains(versions, version) {
                        continue;
                    }
                    for further in row.texts(4).iter().filter_map(|t| t.parse::<Requirement>().ok()) {
                        if !build.requires.iter().any(|(r, _)| *r == further) {
                            build.requires.push((further, *fact));
                        }
                    }
                }
            }
            let own = self.releases[build.release as usize].version();
            build.requires_clash = clash(kb, id, own, &build.requires, &mut releases);
        }
    }

    /// An extra's build has its base's requirements as well.
    fn add_extras(&mut self) {
        let bases: Vec<Build> = self.builds.iter().filter(|b| b.extra.is_none()).cloned().collect();
        for build in self.builds.iter_mut().filter(|b| b.extra.is_some()) {
            let base = bases.iter().find(|b| {
                b.release == build.release && b.channel == build.channel && b.platform == build.platform
            });
            for (requirement, fact) in base.into_iter().flat_map(|b| &b.requires) {
                if !build.requires.iter().any(|(r, f)| f == fact && r.name == requirement.name) {
                    build.requires.push((requirement.clone(), *fact));
                }
            }
        }
    }

    fn read_device_code<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        let columns = ["package", "versions", "channel", "platform", "variant", "sass", "ptx"];
        let mut claims: Vec<Vec<(DeviceCode, FactId)>> = vec![Vec::new(); self.builds.len()];
        // A package that the build pins exactly and that carries its code, as JAX's plugins do.
        let mut carried: Vec<Vec<(DeviceCode, FactId)>> = claims.clone();
        for (fact, row) in rows(kb, "build-device-code", columns) {
            let Some(package) = row.text(0).filter(|_| !self.elsewhere(row.text(3))) else { continue };
            let code = || DeviceCode {
                sass: row.computes(5).unwrap_or_default().into(),
                ptx: row.computes(6).map(Into::into),
            };
            if package == id {
                let scope = self.scope(kb, ranges, &row);
                for (build, claims) in self.builds.iter().zip(&mut claims) {
                    if scope.covers(build) {
                        claims.push((code(), fact));
                    }
                }
                continue;
            }
            if !self.builds.iter().any(|b| b.requires.iter().any(|(r, _)| r.name == package)) {
                continue;
            }
            let range = pep::alternatives(row.text(1).unwrap_or_default());
            for (build, carried) in self.builds.iter().zip(&mut carried) {
                let mut pinned =
                    build.requires.iter().filter(|(r, _)| r.name == package).filter_map(|(r, _)| r.exact());
                let platform = row.text(3).is_none_or(|p| p == "any" || Platform::parse(p) == build.platform);
                if platform && pinned.any(|v| pep::contains(&range, v)) {
                    carried.push((code(), fact));
                }
            }
        }
        for ((build, mut claims), carried) in self.builds.iter_mut().zip(claims).zip(carried) {
            if claims.is_empty() {
                claims = carried;
            }
            // Who lists the same machine code and says nothing of PTX does not contradict who does.
            let known: Vec<DeviceCode> =
                claims.iter().map(|(c, _)| c.clone()).filter(|c| c.ptx.is_some()).collect();
            for (code, _) in claims.iter_mut().filter(|(c, _)| c.ptx.is_none()) {
                if let Some(same) = known.iter().find(|k| k.sass == code.sass) {
                    *code = same.clone();
                }
            }
            build.device_code = prefer(kb, &claims);
        }
    }

    fn read_python<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &'kb str, files: &Files<'kb>) {
        for build in &mut self.builds {
            let channel = &*kb.channels[usize::from(build.channel)].id;
            let own = self.releases[build.release as usize].text.clone();
            let mut wanted: Vec<(&'kb str, CompactString)> = vec![(id, own)];
            for (requirement, _) in &build.requires {
                if let (Some(version), Some(package)) = (requirement.exact(), kb.package(&requirement.name)) {
                    wanted.push((&kb.packages[package].id, version.to_string().into()));
                }
            }
            for (name, version) in &wanted {
                for file in files.of(name, version) {
                    if file.platform.is_some() && build.platform.is_some() && file.platform != build.platform
                    {
                        continue;
                    }
                    let own_channel = *name != id || file.channel == channel;
                    build.python.push(PythonFacts {
                        package: (*name).into(),
                        tags: file.python.iter().map(|t| CompactString::from(*t)).collect(),
                        own_channel,
                        fact: file.fact,
                    });
                    if *name == id && own_channel {
                        build.glibc = build.glibc.or(file.glibc.map(|g| (g, file.fact)));
                    }
                }
            }
        }
        for build in &mut self.builds {
            build.python.sort_by_cached_key(|files| kb.fact_name(files.fact));
        }
        let mut claims: Vec<Vec<(&'kb VersionSet, FactId)>> = vec![Vec::new(); self.builds.len()];
        for (fact, row) in
            rows(kb, "package-python", ["package", "versions", "channel", "platform", "variant", "python"])
        {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let scope = self.scope(kb, ranges, &row);
            let Some(range) = row.range(5) else { continue };
            for (build, claims) in self.builds.iter().zip(&mut claims) {
                if scope.covers(build) {
                    claims.push((range, fact));
                }
            }
        }
        for (build, claims) in self.builds.iter_mut().zip(&claims) {
            build.python_documented = prefer(kb, claims).map(Stated::cloned);
            let limits = build.python_limits(id);
            build.interpreters = limits.iter().fold(Interpreters::ALL, |set, (_, own)| set.and(*own));
        }
    }

    fn read_documented<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        let mut compute: Vec<Vec<(&'kb VersionSet, FactId)>> = vec![Vec::new(); self.builds.len()];
        for (fact, row) in
            rows(kb, "package-compute", ["package", "versions", "channel", "platform", "variant", "compute"])
        {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let scope = self.scope(kb, ranges, &row);
            let Some(range) = row.range(5) else { continue };
            for (build, claims) in self.builds.iter().zip(&mut compute) {
                if scope.covers(build) {
                    claims.push((range, fact));
                }
            }
        }
        let mut cuda: Vec<Vec<(&'kb VersionSet, FactId)>> = vec![Vec::new(); self.builds.len()];
        let mut cudnn = cuda.clone();
        for (fact, row) in rows(
            kb,
            "package-cuda",
            ["package", "versions", "channel", "platform", "variant", "cuda", "cudnn"],
        ) {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let scope = self.scope(kb, ranges, &row);
            for (i, build) in self.builds.iter().enumerate() {
                if scope.covers(build) {
                    cuda[i].extend(row.range(5).map(|r| (r, fact)));
                    cudnn[i].extend(row.range(6).map(|r| (r, fact)));
                }
            }
        }
        for (i, build) in self.builds.iter_mut().enumerate() {
            build.compute_documented = prefer(kb, &compute[i]).map(Stated::cloned);
            build.accepts_cuda = prefer(kb, &cuda[i]).map(Stated::cloned);
            build.accepts_cudnn = prefer(kb, &cudnn[i]).map(Stated::cloned);
            build.imply_cudnn();
        }
    }

    /// The release of a build.
    pub fn release(&self, build: &Build) -> &Release {
        &self.releases[build.release as usize]
    }
}

/// A wheel's file: who can install it.
#[derive(Clone, Debug)]
pub(super) struct File<'kb> {
    channel: &'kb str,
    platform: Option<Platform>,
    python: std::sync::Arc<[&'kb str]>,
    glibc: Option<Dotted>,
    fact: FactId,
}

/// All files, by package and version.
#[derive(Clone, Debug, Default)]
pub(super) struct Files<'kb> {
    by_release: std::collections::HashMap<&'kb str, std::collections::HashMap<&'kb str, Vec<File<'kb>>>>,
}

impl<'kb> Files<'kb> {
    pub(super) fn read(kb: &'kb Kb) -> Self {
        let mut files = Files::default();
        for (fact, row) in
            rows(kb, "wheel-files", ["package", "versions", "channel", "platform", "python", "glibc"])
        {
            let (Some(package), Some(channel)) = (row.text(0), row.text(2)) else { continue };
            let platform = row.text(3).and_then(Platform::parse);
            let file = File { channel, platform, python: row.texts(4).into(), glibc: row.version(5), fact };
            let releases = files.by_release.entry(package).or_default();
            for version in row.texts(1) {
                releases.entry(version).or_default().push(file.clone());
            }
        }
        files
    }

    fn of(&self, package: &str, version: &str) -> &[File<'kb>] {
        self.by_release.get(package).and_then(|v| v.get(version)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[derive(Clone, Default)]
struct Claims {
    cuda: Vec<(CudaVersion, FactId)>,
    cudnn: Vec<(CudnnVersion, FactId)>,
    libraries: Vec<(Libraries, FactId)>,
}

/// The first requirement that rules out the build itself, or two that no release of their package satisfies at once.
fn clash(
    kb: &Kb,
    id: &str,
    own: &Version,
    requires: &[(Requirement, FactId)],
    releases: &mut std::collections::HashMap<CompactString, Vec<Release>>,
) -> Option<(u16, u16)> {
    for (i, (first, _)) in requires.iter().enumerate() {
        if first.name == id && !first.accepts(own) {
            return Some((i as u16, i as u16));
        }
        let later = requires.iter().enumerate().skip(i + 1);
        for (j, (second, _)) in later.filter(|(_, (r, _))| r.name == first.name) {
            let known = releases.entry(first.name.clone()).or_insert_with(|| read_releases(kb, &first.name));
            if !first.meets(second, known.iter().map(Release::version)) {
                return Some((i as u16, j as u16));
            }
        }
    }
    None
}

fn read_releases(kb: &Kb, id: &str) -> Vec<Release> {
    let mut out: Vec<Release> = rows(kb, "release", ["package", "version", "yanked"])
        .filter(|(_, row)| row.text(0) == Some(id))
        .filter_map(|(fact, row)| {
            let text = row.text(1)?;
            Some(Release::new(text, Version::from_str(text).ok()?, row.flag(2), Some(fact)))
        })
        .collect();
    out.sort_by(|a, b| a.version().cmp(b.version()));
    out.dedup_by(|a, b| a.version() == b.version());
    out
}

/// Releases that no index lists, but that a table names one by one.
fn add_named<'a>(releases: &mut Vec<Release>, ranges: impl Iterator<Item = &'a str>) {
    let mut named: Vec<Version> = Vec::new();
    for range in ranges {
        if let Ok(version) = Version::from_str(range) {
            named.push(version);
        }
        for alternative in pep::alternatives(range) {
            for clause in alternative.iter() {
                if *clause.operator() == pep440_rs::Operator::Equal {
                    named.push(clause.version().clone());
                }
            }
        }
    }
    named.sort();
    named.dedup();
    for version in named {
        if !releases.iter().any(|r| *r.version() == version) {
            let text = version.to_string();
            releases.push(Release::new(&text, version, false, None));
        }
    }
    releases.sort_by(|a, b| a.version().cmp(b.version()));
}
