//! cuDNN: releases, the CUDA releases they were listed with, the capabilities they hold code for.

use super::read::rows;
use crate::fact::FactId;
use crate::kb::Kb;
use crate::version::{CudnnVersion, VersionSet};

/// A release of cuDNN.
#[derive(Clone, Debug)]
pub struct CudnnRelease<'kb> {
    /// `8.9.7`.
    pub version: CudnnVersion,
    /// `8.9.7.29`, where known.
    pub full: Option<CudnnVersion>,
    /// CUDA releases or majors it was built for: `11`, `12`, `10.2`.
    pub cuda_builds: Vec<&'kb str>,
    /// Withdrawn by its publisher.
    pub yanked: bool,
    /// The fact.
    pub fact: FactId,
}

/// A row of a support matrix.
#[derive(Clone, Debug)]
pub struct CudnnPair<'kb> {
    /// Releases of cuDNN it covers.
    pub cudnn: &'kb VersionSet,
    /// CUDA releases it lists.
    pub cuda: &'kb VersionSet,
    /// `cuda11`, `cuda12` …
    pub build: Option<&'kb str>,
    /// Capabilities it lists.
    pub compute: Option<&'kb VersionSet>,
    /// Read in the edition for these releases, or inherited from an earlier one.
    pub listed: bool,
    /// The fact.
    pub fact: FactId,
}

/// The capabilities that a range of releases holds code for.
#[derive(Clone, Debug)]
pub struct CudnnFloor<'kb> {
    /// Releases.
    pub cudnn: &'kb VersionSet,
    /// `cuda11`, `cuda12`, `cuda13`, `any`.
    pub build: &'kb str,
    /// Capabilities.
    pub compute: &'kb VersionSet,
    /// The fact.
    pub fact: FactId,
}

/// Everything about cuDNN.
#[derive(Clone, Debug, Default)]
pub struct CudnnFacts<'kb> {
    /// Sorted by version.
    pub releases: Vec<CudnnRelease<'kb>>,
    /// Support matrices.
    pub pairs: Vec<CudnnPair<'kb>>,
    /// Floors.
    pub floors: Vec<CudnnFloor<'kb>>,
}

impl<'kb> CudnnFacts<'kb> {
    pub(super) fn read(kb: &'kb Kb) -> Self {
        let mut releases: Vec<_> = rows(kb, "cudnn-release", ["cudnn", "full", "cuda-builds", "yanked"])
            .filter_map(|(fact, row)| {
                Some(CudnnRelease {
                    version: CudnnVersion(row.version(0)?),
                    full: row.version(1).map(CudnnVersion),
                    cuda_builds: row.texts(2),
                    yanked: row.flag(3),
                    fact,
                })
            })
            .collect();
        releases.sort_by_key(|r| r.version);
        let pairs = rows(kb, "cudnn-cuda", ["cudnn", "cuda", "build", "compute", "basis"])
            .filter_map(|(fact, row)| {
                Some(CudnnPair {
                    cudnn: row.range(0)?,
                    cuda: row.range(1)?,
                    build: row.text(2),
                    compute: row.range(3),
                    listed: row.text(4) != Some("inherited"),
                    fact,
                })
            })
            .collect();
        let floors = rows(kb, "cudnn-compute", ["cudnn", "build", "compute"])
            .filter_map(|(fact, row)| {
                Some(CudnnFloor {
                    cudnn: row.range(0)?,
                    build: row.text(1).unwrap_or("any"),
                    compute: row.range(2)?,
                    fact,
                })
            })
            .collect();
        CudnnFacts { releases, pairs, floors }
    }

    /// The release that a version names, with or without its build number.
    pub fn release(&self, version: CudnnVersion) -> Option<&CudnnRelease<'kb>> {
        let wanted = version.prefix(3);
        self.releases.iter().find(|r| r.version.prefix(3).cmp_number(&wanted).is_eq())
    }
}
