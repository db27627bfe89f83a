//! Which CUDA toolkit and which cuDNN stand for what the question says of them.
//!
//! `--cudnn 9` and `--cuda '>=11.2, <12'` are sets of releases, and what is not stated is free: a build fits if it
//! fits with some release of the set. So every release that could serve a build is tried; a wider set is never stricter
//! than a narrower one.

use super::Context;
use super::cudnn::{accepts, cudnn_requirement};
use crate::reason::{Outcome, RuleId};
use crate::request::exact;
use crate::version::{CudaVersion, CudnnVersion, Dotted, VersionSet};
use crate::world::{Build, BuildKind, Libraries, View};

/// One release of each, out of what the question leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OnHand {
    /// The CUDA release that was asked for.
    pub(crate) cuda: Option<CudaVersion>,
    /// The toolkit that is installed.
    pub(crate) toolkit: Option<CudaVersion>,
    /// cuDNN.
    pub(crate) cudnn: Option<CudnnVersion>,
    /// The set holds a newer cuDNN that the build accepts as well: an installer would take that one.
    pub(crate) newer_cudnn: bool,
}

/// The releases that a set of CUDA releases stands for, newest first. A release with its minor number is itself, with
/// whichever update.
pub(super) fn cuda_releases(world: View<'_>, set: Option<&VersionSet>) -> Vec<CudaVersion> {
    let Some(set) = set else { return Vec::new() };
    let single = exact(set).map(CudaVersion);
    if let Some(single) = single.filter(|v| v.len() >= 2) {
        return vec![single];
    }
    let inside = world.toolkit.releases.iter().rev().map(|(v, _)| *v).filter(|v| set.contains(&v.0));
    let mut out: Vec<CudaVersion> = inside
        .map(|v| Some(CudaVersion(v.prefix(2))).filter(|minor| set.contains(&minor.0)).unwrap_or(v))
        .collect();
    out.dedup();
    if out.is_empty() {
        out.extend(single);
    }
    out
}

/// The same for cuDNN, whose releases have three numbers and a build number.
pub(super) fn cudnn_releases(world: View<'_>, set: Option<&VersionSet>) -> Vec<CudnnVersion> {
    let Some(set) = set else { return Vec::new() };
    let single = exact(set).map(CudnnVersion);
    if let Some(single) = single.filter(|v| v.len() >= 3) {
        return vec![single];
    }
    let inside = |yanked: bool| {
        let known = world.cudnn.releases.iter().rev().filter(move |r| r.yanked == yanked);
        known
            .filter(|r| set.contains(&r.version.0) || r.full.is_some_and(|f| set.contains(&f.0)))
            .map(|r| r.version)
    };
    let mut out: Vec<CudnnVersion> = inside(false).chain(inside(true)).collect();
    if out.is_empty() {
        out.extend(single);
    }
    out
}

/// Does it depend on the choice what a rule finds of a build?
pub(super) fn decides(rule: RuleId, build: &Build) -> bool {
    match rule {
        RuleId::CudnnGpu | RuleId::CudnnCuda | RuleId::CudnnBuild | RuleId::Libraries | RuleId::Advisory => {
            true
        }
        RuleId::DeviceCode | RuleId::PtxDriver | RuleId::DriverPath => of_machine(build),
        _ => false,
    }
}

/// Does it take CUDA from the machine?
fn of_machine(build: &Build) -> bool {
    build.kind == BuildKind::Plain || build.libraries.as_ref().is_some_and(|l| l.value == Libraries::System)
}

/// The choices that a build leaves, in the order in which they are tried: what it was made with, then newest first.
/// What could not be loaded beside the build anyway is left out, unless there is nothing else.
pub(super) fn choices(context: &Context<'_>, build: &Build) -> Vec<OnHand> {
    let libraries = build.libraries.as_ref().map(|l| l.value);
    let cuda = |all: &[CudaVersion]| {
        if !of_machine(build) {
            // Such a build is of one release, and the whole set is held against that.
            return vec![all.first().copied()];
        }
        let serves = |v: Dotted| super::libraries::serves(build, CudaVersion(v)) != Some(Outcome::Fail);
        let all = all.iter().map(|v| v.0).collect();
        let chosen = narrowed(all, &serves, build.cuda.as_ref().map(|c| c.value.0));
        chosen.into_iter().map(|v| v.map(CudaVersion)).collect()
    };
    let all: Vec<Dotted> = context.cudnn.iter().map(|v| v.0).collect();
    let cudnn = if libraries == Some(Libraries::Bundled) {
        vec![all.first().copied()]
    } else {
        let pulled =
            cudnn_requirement(context.request, build).filter(|_| libraries == Some(Libraries::NvidiaWheels));
        let serves = |v: Dotted| match pulled {
            Some((requirement, _)) => accepts(context, requirement, CudnnVersion(v)),
            None => {
                let stated = build.accepts_cudnn.as_ref();
                stated.is_none_or(|s| s.value.overlaps(&whole(CudnnVersion(v))))
                    && build.cudnn.as_ref().is_none_or(|made| {
                        let parts = v.len().min(made.value.len()).min(3);
                        v.major() == made.value.major()
                            && v.prefix(parts).cmp_number(&made.value.prefix(parts)).is_ge()
                    })
            }
        };
        let made = build.cudnn.as_ref().filter(|_| pulled.is_none()).map(|c| c.value.0);
        narrowed(all, &serves, made)
    };
    let newest = cudnn.iter().flatten().copied().max_by(Dotted::cmp_number);
    let mut out = Vec::new();
    for toolkit in cuda(&context.toolkit) {
        for cuda in cuda(&context.cuda) {
            for cudnn in &cudnn {
                let newer_cudnn = cudnn.zip(newest).is_some_and(|(c, n)| c.cmp_number(&n).is_lt());
                out.push(OnHand { cuda, toolkit, cudnn: cudnn.map(CudnnVersion), newer_cudnn });
            }
        }
    }
    out
}

/// A release of cuDNN as a set: with whichever build number where it has none.
pub(super) fn whole(cudnn: CudnnVersion) -> VersionSet {
    if cudnn.len() < 4 { VersionSet::starting_with(cudnn.0) } else { VersionSet::exactly(cudnn.0) }
}

/// Those that serve, the release that the build was made with in front; the first of all where none does.
fn narrowed(all: Vec<Dotted>, serves: &dyn Fn(Dotted) -> bool, made: Option<Dotted>) -> Vec<Option<Dotted>> {
    if all.len() < 2 {
        return vec![all.first().copied()];
    }
    let own = |v: &Dotted| {
        made.is_some_and(|made| {
            let parts = v.len().min(made.len());
            v.prefix(parts).cmp_number(&made.prefix(parts)).is_eq()
        })
    };
    let mut out = Vec::new();
    for front in [true, false] {
        out.extend(all.iter().copied().filter(|v| own(v) == front && serves(*v)).map(Some));
    }
    if out.is_empty() { vec![all.first().copied()] } else { out }
}
