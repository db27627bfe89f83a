//! Packages: releases and builds, joined from everything that tables say of them.

use super::build::{Build, BuildKind, DeviceCode, Libraries, PythonFacts};
use super::files::Files;
use super::read::rows;
use super::stored::Stored;
use super::{Facts, Interpreters, Stated, prefer};
use crate::fact::FactId;
use crate::kb::Kb;
use crate::pep::{self, Version};
use crate::platform::Platform;
use crate::version::{CudaVersion, CudnnVersion, VersionSet};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

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
#[serde(from = "Stored", into = "Stored")]
pub struct PackageWorld {
    /// Oldest first.
    pub releases: Vec<Release>,
    /// All builds, in no particular order of merit.
    pub builds: Vec<Build>,
    /// The platform whose builds were read; `None` means all.
    pub(super) only: Option<Platform>,
}

/// Everything one relation says about a package, with its version range resolved to positions in the release list.
pub(super) struct Scope<'kb> {
    pub(super) releases: std::rc::Rc<[u32]>,
    /// `Some(None)` for a channel that the catalogue does not have.
    pub(super) channel: Option<Option<u16>>,
    pub(super) platform: Option<Platform>,
    pub(super) extra: Option<&'kb str>,
}

impl Scope<'_> {
    pub(super) fn covers(&self, build: &Build) -> bool {
        self.channel.is_none_or(|c| c == Some(build.channel))
            && (self.platform.is_none() || build.platform.is_none() || self.platform == build.platform)
            && self.releases.binary_search(&build.release).is_ok()
            && self.extra.is_none_or(|e| Some(e) == build.extra.as_deref())
    }
}

/// Positions of the releases in each `pep440-range` that was met: tables repeat their ranges.
pub(super) type Ranges<'kb> = std::cell::RefCell<std::collections::HashMap<&'kb str, std::rc::Rc<[u32]>>>;

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
            world.read_device_code(kb, &ranges, id);
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
    pub(super) fn elsewhere(&self, platform: Option<&str>) -> bool {
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
    pub(super) fn scope<'kb, const N: usize>(
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
                python: Arc::default(),
                python_documented: None,
                interpreters: Interpreters::ALL,
                interpreters_open: Interpreters::ALL,
                glibc: None,
                requires: Arc::default(),
                requires_known: false,
                requires_clashes: Default::default(),
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
            // What a library pins is judged by itself.
            if claims.is_empty() && build.kind != BuildKind::Plain {
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
            let mut wanted: Vec<(&'kb str, CompactString, Interpreters)> = vec![(id, own, Interpreters::ALL)];
            for (requirement, _) in build.requires.iter() {
                if let (Some(version), Some(package)) = (requirement.exact(), kb.package(&requirement.name)) {
                    wanted.push((&kb.packages[package].id, version.to_string().into(), requirement.when));
                }
            }
            for (name, version, when) in &wanted {
                for file in files.of(name, version) {
                    if file.platform.is_some() && build.platform.is_some() && file.platform != build.platform
                    {
                        continue;
                    }
                    let own_channel = *name != id || file.channel == channel;
                    Arc::make_mut(&mut build.python).push(PythonFacts {
                        package: (*name).into(),
                        tags: file.python.iter().map(|t| CompactString::from(*t)).collect(),
                        own_channel,
                        when: *when,
                        fact: file.fact,
                    });
                    if *name == id && own_channel {
                        build.glibc = build.glibc.or(file.glibc.map(|g| (g, file.fact)));
                    }
                }
            }
        }
        for build in &mut self.builds {
            Arc::make_mut(&mut build.python).sort_by_cached_key(|files| kb.fact_name(files.fact));
        }
        let claims = self.documented(kb, ranges, id, "package-python", "python");
        for (build, claims) in self.builds.iter_mut().zip(&claims) {
            build.python_documented = prefer(kb, claims).map(Stated::cloned);
            let (mut fits, mut open) = (Interpreters::ALL, Interpreters::ALL);
            for limit in build.python_limits(id) {
                fits = fits.and(limit.fits);
                open = open.and(limit.fits.or(limit.open));
            }
            // Where it clashes with all of them, that is what is said of it.
            let consistent = build.clashing().complement();
            if !open.and(consistent).is_empty() {
                (fits, open) = (fits.and(consistent), open.and(consistent));
            }
            (build.interpreters, build.interpreters_open) = (fits, open);
        }
    }

    /// For each build the ranges that a column of a relation states for it.
    fn documented<'kb>(
        &self,
        kb: &'kb Kb,
        ranges: &Ranges<'kb>,
        id: &str,
        relation: &str,
        column: &'static str,
    ) -> Vec<Vec<(&'kb VersionSet, FactId)>> {
        let mut out = vec![Vec::new(); self.builds.len()];
        let columns = ["package", "versions", "channel", "platform", "variant", column];
        for (fact, row) in rows(kb, relation, columns) {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let Some(range) = row.range(5) else { continue };
            let scope = self.scope(kb, ranges, &row);
            for (build, claims) in self.builds.iter().zip(&mut out) {
                if scope.covers(build) {
                    claims.push((range, fact));
                }
            }
        }
        out
    }

    fn read_documented<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        let compute = self.documented(kb, ranges, id, "package-compute", "compute");
        let cuda = self.documented(kb, ranges, id, "package-cuda", "cuda");
        let cudnn = self.documented(kb, ranges, id, "package-cuda", "cudnn");
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

#[derive(Clone, Default)]
struct Claims {
    cuda: Vec<(CudaVersion, FactId)>,
    cudnn: Vec<(CudnnVersion, FactId)>,
    libraries: Vec<(Libraries, FactId)>,
}

pub(super) fn read_releases(kb: &Kb, id: &str) -> Vec<Release> {
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
