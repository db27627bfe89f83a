//! Drivers: branches, what they support natively, and the least driver of each CUDA release.

use super::read::rows;
use super::{ArchRange, Facts, Stated, prefer};
use crate::fact::FactId;
use crate::kb::Kb;
use crate::platform::Os;
use crate::value::Branch;
use crate::version::{ComputeCapability, CudaVersion, Dotted, DriverVersion, VersionSet};

/// A driver branch.
#[derive(Clone, Debug)]
pub struct BranchFacts {
    /// Its number.
    pub branch: Branch,
    /// The CUDA release it supports natively.
    pub cuda: Option<CudaVersion>,
    /// First parts of the Windows driver versions that belong to it.
    pub windows_families: Vec<i64>,
    /// The fact.
    pub fact: FactId,
}

/// The CUDA release that a driver supports natively.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NativeCuda {
    /// The release.
    pub cuda: CudaVersion,
    /// Of the driver's own branch none is recorded; this is the one of the nearest older branch, so the driver
    /// supports at least it.
    pub at_least: bool,
}

impl NativeCuda {
    /// Does the driver support this release natively? `None` when nobody knows.
    pub fn reaches(self, cuda: CudaVersion) -> Option<bool> {
        let reaches = self.cuda.cmp_number(&cuda.prefix(2)).is_ge();
        (reaches || !self.at_least).then_some(reaches)
    }
}

/// A driver as far as it is known.
#[derive(Clone, Debug)]
pub struct DriverInfo {
    /// What was given.
    pub version: DriverVersion,
    /// Its branch, if it can be told.
    pub branch: Option<Branch>,
    /// A branch newer than every branch that is known.
    pub future: bool,
    /// The CUDA release it supports natively.
    pub cuda: Option<NativeCuda>,
    /// The Linux driver of the same release, where a Windows number was given and the pair is recorded.
    pub linux_pair: Option<DriverVersion>,
    /// The facts that tell.
    pub facts: Facts,
}

/// The least driver for a set of CUDA releases on one system.
#[derive(Clone, Debug)]
pub struct Floor<'kb> {
    /// The releases it holds for.
    pub toolkit: &'kb VersionSet,
    /// `linux` or `windows`.
    pub os: &'kb str,
    /// The driver.
    pub driver: DriverVersion,
    /// The fact.
    pub fact: FactId,
}

/// A forward-compatibility package: a newer user-mode driver beside an older kernel driver.
#[derive(Clone, Debug)]
pub struct ForwardPackage<'kb> {
    /// `cuda-compat-12-8`.
    pub package: &'kb str,
    /// The CUDA release it brings.
    pub toolkit: CudaVersion,
    /// Branches it runs on.
    pub compatible: Vec<Branch>,
    /// The fact.
    pub fact: FactId,
}

/// Everything about drivers.
#[derive(Clone, Debug)]
pub struct DriverFacts<'kb> {
    /// Sorted by number.
    pub branches: Vec<BranchFacts>,
    /// Branches whose device table was read, with the first driver of it and the fact.
    pub tables: Vec<(Branch, DriverVersion, FactId)>,
    /// Least drivers.
    pub floors: Vec<Floor<'kb>>,
    /// Forward-compatibility packages, newest last.
    pub forward: Vec<ForwardPackage<'kb>>,
    /// For each segment of GPUs: `yes`, `no` or `selected`, and the fact.
    pub forward_classes: Vec<(&'kb str, &'kb str, FactId)>,
    /// Drivers that came with toolkits: toolkit, system, driver.
    toolkit_drivers: Vec<(CudaVersion, &'kb str, Stated<DriverVersion>)>,
    releases: Vec<(&'kb str, DriverVersion, Branch, Option<DriverVersion>, FactId)>,
    ranges: std::sync::Arc<RangesOwned>,
}

type RangesOwned = Vec<(ComputeCapability, ArchRange)>;

impl<'kb> DriverFacts<'kb> {
    pub(super) fn read(kb: &'kb Kb) -> Self {
        let mut branches: Vec<BranchFacts> =
            rows(kb, "driver-branch", ["branch", "cuda", "windows-families"])
                .filter_map(|(fact, row)| {
                    Some(BranchFacts {
                        branch: row.branch(0)?,
                        cuda: row.version(1).map(CudaVersion),
                        windows_families: row.integers(2),
                        fact,
                    })
                })
                .collect();
        // Several tables speak of a branch, and not all of them say which CUDA release it supports.
        branches.sort_by_key(|b| (b.branch, b.cuda.is_none()));
        branches.dedup_by(|later, first| {
            let same = later.branch == first.branch;
            if same {
                first.windows_families.append(&mut later.windows_families);
            }
            same
        });
        let mut tables: Vec<_> = rows(kb, "open-kernel-branch", ["branch", "first"])
            .filter_map(|(fact, row)| Some((row.branch(0)?, DriverVersion(row.version(1)?), fact)))
            .collect();
        tables.sort();
        let floors = rows(kb, "cuda-minimum-driver", ["toolkit", "os", "driver"])
            .filter_map(|(fact, row)| {
                Some(Floor {
                    toolkit: row.range(0)?,
                    os: row.text(1)?,
                    driver: DriverVersion(row.version(2)?),
                    fact,
                })
            })
            .collect();
        let mut forward: Vec<ForwardPackage<'kb>> =
            rows(kb, "cuda-forward", ["package", "toolkit", "compatible"])
                .filter_map(|(fact, row)| {
                    Some(ForwardPackage {
                        package: row.text(0)?,
                        toolkit: CudaVersion(row.version(1)?),
                        compatible: row.branches(2),
                        fact,
                    })
                })
                .collect();
        forward.sort_by_key(|f| f.toolkit);
        let forward_classes = rows(kb, "cuda-forward-class", ["segment", "eligible"])
            .filter_map(|(fact, row)| Some((row.text(0)?, row.text(1)?, fact)))
            .collect();
        type Claims<'kb> = (CudaVersion, &'kb str, Vec<(DriverVersion, FactId)>);
        let mut claims: Vec<Claims<'kb>> = Vec::new();
        for (fact, row) in rows(kb, "cuda-toolkit-driver", ["toolkit", "os", "driver"]) {
            let (Some(toolkit), Some(os), Some(driver)) = (row.version(0), row.text(1), row.version(2))
            else {
                continue;
            };
            let toolkit = CudaVersion(toolkit);
            match claims.iter_mut().find(|(t, o, _)| *t == toolkit && *o == os) {
                Some((_, _, list)) => list.push((DriverVersion(driver), fact)),
                None => claims.push((toolkit, os, vec![(DriverVersion(driver), fact)])),
            }
        }
        let mut toolkit_drivers: Vec<_> =
            claims.iter().filter_map(|(t, o, list)| Some((*t, *o, prefer(kb, list)?))).collect();
        toolkit_drivers.sort_by_key(|(t, o, _)| (*t, *o));
        let releases = rows(kb, "driver-release", ["os", "driver", "branch", "paired-with"])
            .filter_map(|(fact, row)| {
                Some((
                    row.text(0)?,
                    DriverVersion(row.version(1)?),
                    row.branch(2)?,
                    row.version(3).map(DriverVersion),
                    fact,
                ))
            })
            .collect();
        let ranges = super::gpu::ranges(kb);
        let mut capabilities: Vec<ComputeCapability> = rows(kb, "arch-info", ["compute-capability"])
            .chain(rows(kb, "capability-driver", ["compute-capability"]))
            .filter_map(|(_, row)| Some(row.compute(0)?.capability))
            .collect();
        capabilities.sort();
        capabilities.dedup();
        let capabilities = capabilities.into_iter().map(|c| (c, ranges.of(None, Some(c)))).collect();
        DriverFacts {
            branches,
            tables,
            floors,
            forward,
            forward_classes,
            toolkit_drivers,
            releases,
            ranges: std::sync::Arc::new(capabilities),
        }
    }

    /// Every capability that is known.
    pub fn capabilities(&self) -> Vec<ComputeCapability> {
        self.ranges.iter().map(|(c, _)| *c).collect()
    }

    /// The newest recorded driver of a branch on a system: what somebody means who says "driver 535".
    pub fn newest_of_branch(&self, branch: Branch, os: Os) -> Option<DriverVersion> {
        self.releases
            .iter()
            .filter(|(o, _, b, ..)| *o == os.driver_os() && *b == branch)
            .map(|(_, v, ..)| *v)
            .max_by(|a, b| a.cmp_number(b))
    }

    /// The branches that know a capability, whatever the board.
    pub fn range_of(&self, capability: ComputeCapability) -> ArchRange {
        self.ranges.iter().find(|(c, _)| *c == capability).map(|(_, r)| r.clone()).unwrap_or_default()
    }

    /// What is known of a driver version on a system.
    pub fn info(&self, version: DriverVersion, os: Os) -> DriverInfo {
        let mut info = DriverInfo {
            version,
            branch: None,
            future: false,
            cuda: None,
            linux_pair: None,
            facts: Facts::new(),
        };
        let driver_os = os.driver_os();
        let release =
            self.releases.iter().find(|(o, v, ..)| *o == driver_os && v.cmp_number(&version).is_eq());
        if let Some((_, _, branch, pair, fact)) = release {
            info.branch = Some(*branch);
            info.facts.push(*fact);
            if driver_os == "windows" {
                // The pair is recorded on either side.
                info.linux_pair = pair.or_else(|| {
                    self.releases
                        .iter()
                        .find(|(o, _, _, p, _)| {
                            *o == "linux" && p.is_some_and(|p| p.cmp_number(&version).is_eq())
                        })
                        .map(|(_, v, ..)| *v)
                });
            }
        } else if driver_os == "windows" {
            let family = i64::from(version.major());
            if let Some(found) = self.branches.iter().find(|b| b.windows_families.contains(&family)) {
                info.branch = Some(found.branch);
            }
        } else if let Ok(number) = u16::try_from(version.major()) {
            info.branch = Some(Branch(number));
        }
        let newest = self.branches.last();
        let newest_family = self.branches.iter().flat_map(|b| b.windows_families.iter().copied()).max();
        let beyond = match (info.branch, newest) {
            (Some(branch), Some(newest)) => branch > newest.branch,
            (None, Some(_)) => newest_family.is_some_and(|f| i64::from(version.major()) > f),
            _ => false,
        };
        info.future = beyond;
        let own = info.branch.and_then(|b| self.branch(b));
        // A branch supports what older ones do: without its own release recorded, at least that of the nearest older.
        let older = |b: &&BranchFacts| {
            b.cuda.is_some()
                && match info.branch {
                    Some(branch) => b.branch < branch,
                    None => {
                        let families = b.windows_families.iter();
                        families.max().is_some_and(|f| *f < i64::from(version.major()))
                    }
                }
        };
        let stated = own.filter(|b| b.cuda.is_some());
        let level = stated.or_else(|| self.branches.iter().rev().find(older));
        info.cuda = level.and_then(|b| b.cuda).map(|cuda| NativeCuda { cuda, at_least: stated.is_none() });
        for known in own.into_iter().chain(level) {
            if !info.facts.contains(&known.fact) {
                info.facts.push(known.fact);
            }
        }
        info
    }

    /// The least driver with which programs of a CUDA release start, among the sources' values the one followed.
    pub fn floor(&self, kb: &Kb, cuda: CudaVersion, os: Os) -> Option<Stated<DriverVersion>> {
        let claims: Vec<(DriverVersion, FactId)> = self
            .floors
            .iter()
            .filter(|f| f.os == os.driver_os() && f.toolkit.contains(&cuda.0))
            .map(|f| (f.driver, f.fact))
            .collect();
        prefer(kb, &claims)
    }

    /// The driver that came with a CUDA release: all its features, without minor-version compatibility. For a
    /// two-part version the first release of it counts.
    pub fn native(&self, cuda: CudaVersion, os: Os) -> Option<&Stated<DriverVersion>> {
        self.toolkit_drivers
            .iter()
            .filter(|(t, o, _)| *o == os.driver_os() && t.starts_with(&cuda.prefix(2)))
            .find(|(t, _, _)| cuda.len() < 3 || t.0.cmp_number(&cuda.0).is_eq())
            .or_else(|| {
                self.toolkit_drivers
                    .iter()
                    .find(|(t, o, _)| *o == os.driver_os() && t.starts_with(&cuda.prefix(2)))
            })
            .map(|(_, _, d)| d)
    }

    /// The first branch that supports a CUDA release natively.
    pub fn first_branch_with(&self, cuda: CudaVersion) -> Option<&BranchFacts> {
        let wanted = cuda.prefix(2);
        self.branches.iter().find(|b| b.cuda.is_some_and(|c| c.cmp_number(&wanted).is_ge()))
    }

    /// A known branch.
    pub fn branch(&self, branch: Branch) -> Option<&BranchFacts> {
        self.branches.binary_search_by_key(&branch, |b| b.branch).ok().map(|i| &self.branches[i])
    }

    /// The first driver of a branch on a system, as far as recorded.
    pub fn first_of_branch(&self, branch: Branch, os: Os) -> Option<DriverVersion> {
        let released = self
            .releases
            .iter()
            .filter(|(o, _, b, ..)| *o == os.driver_os() && *b == branch)
            .map(|(_, v, ..)| *v)
            .min_by(|a, b| a.cmp_number(b));
        let tag = (os.driver_os() == "linux")
            .then(|| self.tables.iter().find(|(b, ..)| *b == branch).map(|(_, v, _)| *v))
            .flatten();
        released.into_iter().chain(tag).min_by(|a: &DriverVersion, b: &DriverVersion| a.cmp_number(b))
    }
}

impl std::ops::Deref for Floor<'_> {
    type Target = Dotted;
    fn deref(&self) -> &Dotted {
        &self.driver
    }
}
