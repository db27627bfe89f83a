//! cuDNN against the GPU, the CUDA release and the build.
//!
//! cuDNN drops GPUs on its own schedule: from 9.11 on its CUDA 12 builds hold nothing below 7.5, so a framework build
//! with code for a V100 stops working when its cuDNN is newer than that. The chain has several hops, which no package
//! resolver sees.

use super::{Context, OnHand, Sink, join, one};
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{GpuTarget, Policy, Request};
use crate::version::{ComputeCapability, CudaVersion, CudnnVersion, Dotted, VersionSet};
use crate::world::{Build, BuildKind, Facts, Libraries, PackageWorld, View};

/// Which cuDNN will be in use with a build, as far as it can be told.
enum InUse<'w> {
    /// This one.
    Exactly(CudnnVersion, Facts),
    /// One that satisfies the requirement; pip chooses.
    From(&'w pep440_rs::VersionSpecifiers, &'w str, Facts),
    /// Nothing is said of it.
    Unsaid,
}

fn in_use<'w>(context: &Context<'w>, build: &'w Build, hand: OnHand) -> InUse<'w> {
    if let Some(cudnn) = hand.cudnn
        && build.libraries.as_ref().is_none_or(|l| l.value != Libraries::Bundled)
    {
        // What its publisher made it with stays the publisher's choice when somebody says it aloud.
        let made = build.cudnn.as_ref().filter(|made| same(made.value, cudnn));
        return InUse::Exactly(cudnn, made.map(|m| m.facts.clone()).unwrap_or_default());
    }
    // A cuDNN wheel that the question pins beside the framework.
    for want in &context.request.wants {
        if want.requirement.name.starts_with("nvidia-cudnn-cu")
            && build.requires.iter().any(|(r, _)| r.name == want.requirement.name)
            && let Some(version) = want.requirement.exact()
            && let Some(cudnn) = crate::pep::dotted(version).map(CudnnVersion)
        {
            return InUse::Exactly(cudnn, Facts::new());
        }
    }
    if let (Some(made), true) = (&build.cudnn, build.cudnn_implied) {
        return InUse::Exactly(made.value, made.facts.clone());
    }
    if let Some((requirement, fact)) = cudnn_requirement(context.request, build) {
        if let Some(version) = requirement.exact()
            && let Some(cudnn) = crate::pep::dotted(version).map(CudnnVersion)
        {
            return InUse::Exactly(cudnn, one(*fact));
        }
        if let Some(versions) = requirement.versions() {
            return InUse::From(versions, &requirement.specifier, one(*fact));
        }
    }
    match &build.cudnn {
        Some(made) => InUse::Exactly(made.value, made.facts.clone()),
        None => InUse::Unsaid,
    }
}

/// Is it the release that a build was made with, as far as that is known? A major number alone names none.
fn same(made: CudnnVersion, cudnn: CudnnVersion) -> bool {
    let parts = made.len().min(cudnn.len()).min(3);
    parts >= 2 && made.prefix(parts).cmp_number(&cudnn.prefix(parts)).is_eq()
}

/// The number under which a release is on PyPI: `9.12.0` is 9.12.0.46.
pub(super) fn on_pypi(world: View<'_>, cudnn: CudnnVersion) -> Option<pep440_rs::Version> {
    let full = world.cudnn.release(cudnn).filter(|_| cudnn.len() == 3).and_then(|r| r.full);
    full.unwrap_or(cudnn).to_string().parse().ok()
}

/// Does a requirement on a cuDNN wheel accept a release that the question leaves open?
pub(super) fn accepts(
    context: &Context<'_>,
    requirement: &crate::pep::Requirement,
    cudnn: CudnnVersion,
) -> bool {
    let at = context.cudnn.iter().position(|c| *c == cudnn);
    let version = at.and_then(|at| context.cudnn_on_pypi[at].as_ref());
    version.is_some_and(|v| requirement.accepts(v))
        || cudnn.len() < 4
            && requirement.exact().is_some_and(|exact| {
                let mut parts = exact.release().iter();
                (0..cudnn.len()).all(|i| parts.next() == Some(&u64::from(cudnn.part(i))))
            })
}

/// The requirement on a cuDNN wheel, of the build itself or of something it pulls.
pub(crate) fn cudnn_requirement<'w>(
    request: &Request,
    build: &'w Build,
) -> Option<&'w (crate::pep::Requirement, crate::fact::FactId)> {
    let holds = |r: &crate::pep::Requirement| r.holds(request.python, build.interpreters);
    build.requires.iter().find(|(r, _)| r.name.starts_with("nvidia-cudnn-cu") && holds(r))
}

fn number(target: &GpuTarget) -> Dotted {
    Dotted::new(&[u32::from(target.capability.major), u32::from(target.capability.minor)])
}

/// Is the GPU one that the CUDA release of the build cannot target?
fn newer_than_toolkit(context: &Context<'_>, build: &Build, target: &GpuTarget) -> bool {
    let can = build.cuda.as_ref().and_then(|c| context.world.toolkit.can_compile(c.value, target.capability));
    can.is_some_and(|(can, _)| !can)
}

/// The capabilities that a release of cuDNN holds code for in its build for a CUDA major.
pub(crate) fn floor<'w>(
    world: View<'w>,
    cudnn: CudnnVersion,
    cuda_major: Option<u32>,
) -> Option<(&'w VersionSet, crate::fact::FactId)> {
    let build = cuda_major.map(|m| format!("cuda{m}"));
    world
        .cudnn
        .floors
        .iter()
        .find(|f| {
            f.cudnn.contains(&cudnn.0) && (f.build == "any" || build.as_deref().is_none_or(|b| b == f.build))
        })
        .map(|f| (f.compute, f.fact))
}

/// Could a release of cuDNN hold code for a capability at all? A floor says from where on there is code, not up to
/// where: the CUDA releases that its matrix lists must be able to target the GPU. A release without a matrix is not
/// doubted.
fn knew(world: View<'_>, cudnn: CudnnVersion, capability: &Dotted) -> bool {
    let short = cudnn.prefix(3);
    let mut rows = world.cudnn.pairs.iter().filter(|p| p.cudnn.contains(&short)).peekable();
    let target = ComputeCapability::new(capability.major() as u8, capability.minor() as u8);
    rows.peek().is_none()
        || rows.any(|p| {
            // Newest first: mostly one of those settles it.
            world.toolkit.targets.iter().rev().any(|(cuda, targets, _)| {
                targets.iter().any(|t| t.sass_runs_on(target))
                    && p.cuda.overlaps(&VersionSet::starting_with(cuda.prefix(2)))
            })
        })
}

/// What the releases around one without a table of its own say: cuDNN only ever drops old GPUs, so code that an older
/// and a newer release hold was there in between.
enum Between {
    /// Both have code for the GPU.
    Held(Facts),
    /// The older has, the newer has not: somewhere in between it went.
    Dropped(Facts),
    /// One of them is missing.
    Open,
}

fn between(world: View<'_>, cudnn: CudnnVersion, capability: &Dotted) -> Between {
    let known = || {
        world
            .cudnn
            .releases
            .iter()
            .filter_map(|r| floor(world, r.version, None).map(|(set, fact)| (r.version, set, fact)))
    };
    let older =
        known().rfind(|(v, ..)| v.cmp_number(&cudnn).is_lt()).filter(|(v, ..)| knew(world, *v, capability));
    let newer = known().find(|(v, ..)| v.cmp_number(&cudnn).is_gt());
    match (older, newer) {
        (Some((_, before, a)), Some((_, after, b))) if before.contains(capability) => {
            let facts = join([&one(a), &one(b)]);
            if after.contains(capability) { Between::Held(facts) } else { Between::Dropped(facts) }
        }
        _ => Between::Open,
    }
}

/// What is known of a release's code for a capability.
#[derive(Clone, Debug)]
pub(crate) enum Code<'w> {
    /// It has some.
    Held(Facts),
    /// It has none; the capabilities that it has code for.
    Absent(&'w VersionSet, crate::fact::FactId),
    /// Somewhere around this release it went.
    Dropped(Facts),
    /// The GPU is newer than the release.
    Newer,
    /// Nobody knows.
    Open,
}

/// Looks it up; builds by the dozen share a release of cuDNN, so what was found is kept for the question.
pub(crate) fn code<'w>(
    context: &Context<'w>,
    cudnn: CudnnVersion,
    cuda_major: Option<u32>,
    capability: ComputeCapability,
) -> Code<'w> {
    let key = (cudnn, cuda_major, capability);
    // Builds of one release stand together: what they share was found last.
    if let Some((_, known)) = context.cudnn_code.borrow().iter().rfind(|(k, _)| *k == key) {
        return known.clone();
    }
    let world = context.world;
    let number = Dotted::new(&[u32::from(capability.major), u32::from(capability.minor)]);
    let found = match floor(world, cudnn, cuda_major) {
        // A floor says from where on there is code, not up to where.
        Some((range, _)) if range.contains(&number) && !knew(world, cudnn, &number) => Code::Newer,
        Some((range, fact)) if range.contains(&number) => Code::Held(one(fact)),
        Some((range, fact)) => Code::Absent(range, fact),
        None => match between(world, cudnn, &number) {
            Between::Held(facts) => Code::Held(facts),
            Between::Dropped(facts) => Code::Dropped(facts),
            Between::Open => Code::Open,
        },
    };
    context.cudnn_code.borrow_mut().push((key, found.clone()));
    found
}

/// cuDNN's code against the GPU.
pub(super) fn gpu<'w>(
    context: &Context<'w>,
    build: &'w Build,
    target: &'w GpuTarget,
    out: &mut Sink<'_, 'w>,
) {
    let world = context.world;
    let gpu = &*target.label;
    let capability = target.capability;
    let board = target.gpu.map(|i| world.gpus[i].capability_facts()).unwrap_or_default();
    let major = build.cuda.as_ref().map(|c| c.value.major());
    match in_use(context, build, out.hand) {
        // A build that carries one like its neighbours do, made before the GPU's time.
        InUse::Unsaid => {
            let package = world.package(usize::from(build.package));
            if let Some(made) = &build.cuda
                && newer_than_toolkit(context, build, target)
                && package.builds.iter().any(|b| b.cudnn.is_some())
            {
                let reason = Reason::OwnCudnnUnknown { cuda: made.value, gpu, capability };
                out.unknown(RuleId::CudnnGpu, reason, join([&board, &made.facts]));
            }
        }
        InUse::Exactly(cudnn, facts) => match code(context, cudnn, major, capability) {
            Code::Held(known) => {
                let facts = join([&board, &facts, &known]);
                if newer_than_toolkit(context, build, target) {
                    out.unknown(RuleId::CudnnGpu, Reason::CudnnCodeUnknown { cudnn, gpu, capability }, facts);
                } else {
                    let pulled = build.libraries.as_ref().is_some_and(|l| l.value == Libraries::NvidiaWheels);
                    let reason = if pulled && out.hand.newer_cudnn {
                        Reason::CudnnChoose { cudnn, gpu, capability }
                    } else {
                        Reason::CudnnHasCode { cudnn, gpu, capability }
                    };
                    out.pass(RuleId::CudnnGpu, reason, facts);
                }
            }
            Code::Absent(range, fact) => {
                let facts = join([&board, &facts, &one(fact)]);
                out.fail(RuleId::CudnnGpu, Reason::CudnnNoCode { cudnn, gpu, capability, range }, facts);
            }
            Code::Dropped(known) => {
                let facts = join([&board, &facts, &known]);
                out.unknown(RuleId::CudnnGpu, Reason::CudnnCodeUnknown { cudnn, gpu, capability }, facts);
            }
            // A pair that the build's publisher chose is not doubted for want of a table; one that the user chose is.
            Code::Open if facts.is_empty() || newer_than_toolkit(context, build, target) => {
                let facts = join([&board, &facts]);
                out.unknown(RuleId::CudnnGpu, Reason::CudnnCodeUnknown { cudnn, gpu, capability }, facts);
            }
            Code::Newer => {
                let facts = join([&board, &facts]);
                out.unknown(RuleId::CudnnGpu, Reason::CudnnCodeUnknown { cudnn, gpu, capability }, facts);
            }
            Code::Open => {}
        },
        InUse::From(versions, wanted, facts) => {
            let mut dropped: Option<(&'w VersionSet, crate::fact::FactId)> = None;
            let mut newest_fits = true;
            for release in world.cudnn.releases.iter().rev().filter(|r| !r.yanked) {
                let full = release.full.unwrap_or(release.version);
                let inside =
                    full.to_string().parse::<pep440_rs::Version>().is_ok_and(|v| versions.contains(&v));
                if !inside {
                    continue;
                }
                match floor(world, full, major) {
                    Some((range, fact)) if !range.contains(&number(target)) => {
                        newest_fits = false;
                        dropped = dropped.or(Some((range, fact)));
                    }
                    Some((_, fact)) => {
                        let facts = join([&board, &facts, &one(fact), &one(release.fact)]);
                        let reason = if newest_fits {
                            Reason::CudnnHasCode { cudnn: full, gpu, capability }
                        } else {
                            Reason::CudnnChoose { cudnn: full, gpu, capability }
                        };
                        out.pass(RuleId::CudnnGpu, reason, facts);
                        return;
                    }
                    None => return,
                }
            }
            if let Some((range, fact)) = dropped {
                let reason =
                    Reason::CudnnNoneFits { wanted: wanted.to_owned(), gpu, capability, range: Some(range) };
                out.fail(RuleId::CudnnGpu, reason, join([&board, &facts, &one(fact)]));
            }
        }
    }
}

/// A wheel of cuDNN itself: its code against the GPUs, its release against the toolkit of the question.
pub(super) fn wheel<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    out: &mut Sink<'_, 'w>,
) {
    let request = context.request;
    let id = &*context.world.kb.packages[usize::from(build.package)].id;
    let Some(major) = id.strip_prefix("nvidia-cudnn-cu").and_then(|m| m.parse::<u32>().ok()) else { return };
    let Ok(cudnn) = package.release(build).text.parse::<CudnnVersion>() else { return };
    if let Some(cuda) = out.hand.toolkit.or(out.hand.cuda) {
        let edge = pair(context, cudnn, cuda);
        out.put(RuleId::CudnnCuda, edge.outcome, edge.reason, edge.facts);
    }
    for gpu in request.gpus() {
        let edge = crate::solve::system::cudnn_gpu(context, cudnn, Some(CudaVersion::new(&[major])), gpu);
        out.put(edge.rule, edge.outcome, edge.reason, edge.facts);
    }
}

/// A cuDNN and a CUDA release that the question names, for a build that takes both from the system.
pub(super) fn cuda<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let Some(cudnn) = out.hand.cudnn else { return };
    if build.libraries.as_ref().is_none_or(|l| l.value != Libraries::System) {
        return;
    }
    let cuda = out.hand.cuda.or(build.cuda.as_ref().map(|c| c.value));
    if let Some(cuda) = cuda {
        let edge = pair(context, cudnn, cuda);
        out.put(RuleId::CudnnCuda, edge.outcome, edge.reason, edge.facts);
    }
}

/// What is known of a pair of cuDNN and CUDA. Kept for the builds that share it, as less than a whole link.
#[derive(Debug)]
pub(crate) struct Paired {
    outcome: Outcome,
    how: How,
    facts: Facts,
}

#[derive(Debug)]
enum How {
    Listed,
    Tested,
    /// The CUDA releases that it has builds for.
    NoBuild(String),
    /// The CUDA releases of the same major that it is listed with.
    Unlisted(String),
}

impl Paired {
    fn edge<'w>(&self, cudnn: CudnnVersion, cuda: CudaVersion) -> Edge<'w> {
        let reason = match &self.how {
            How::Listed => Reason::CudnnListed { cudnn, cuda },
            How::Tested => Reason::CudnnTested { cudnn, cuda },
            How::NoBuild(builds) => Reason::CudnnNoBuild { cudnn, cuda, builds: builds.clone() },
            How::Unlisted(listed) => Reason::CudnnUnlisted { cudnn, cuda, listed: listed.clone() },
        };
        Edge { rule: RuleId::CudnnCuda, outcome: self.outcome, reason, facts: self.facts.clone() }
    }
}

/// Is a cuDNN release listed with a CUDA release?
pub(crate) fn pair<'w>(context: &Context<'w>, cudnn: CudnnVersion, cuda: CudaVersion) -> Edge<'w> {
    if let Some((_, known)) = context.cudnn_pairs.borrow().iter().find(|(k, _)| *k == (cudnn, cuda)) {
        return known.edge(cudnn, cuda);
    }
    let found = look_up_pair(context, cudnn, cuda);
    let edge = found.edge(cudnn, cuda);
    context.cudnn_pairs.borrow_mut().push(((cudnn, cuda), found));
    edge
}

fn look_up_pair(context: &Context<'_>, cudnn: CudnnVersion, cuda: CudaVersion) -> Paired {
    let (world, policy) = (context.world, context.request.policy);
    let found = |outcome, how, facts| Paired { outcome, how, facts };
    if let Some(release) = world.cudnn.release(cudnn) {
        let major = cuda.major().to_string();
        let has_build = release.cuda_builds.iter().any(|b| b.split('.').next() == Some(major.as_str()));
        if !release.cuda_builds.is_empty() && !has_build {
            let builds = release.cuda_builds.join(", ");
            return found(Outcome::Fail, How::NoBuild(builds), one(release.fact));
        }
    }
    let short = CudnnVersion(cudnn.prefix(3));
    let wanted = cuda.prefix(2);
    let inside = |set: &VersionSet| {
        set.contains(&cuda.0) || set.overlaps(&VersionSet::starting_with(wanted)) && cuda.len() <= 2
    };
    let rows: Vec<_> = world.cudnn.pairs.iter().filter(|p| p.cudnn.contains(&short.0)).collect();
    if let Some(row) = rows.iter().find(|p| inside(p.cuda)) {
        return found(Outcome::Pass, How::Listed, one(row.fact));
    }
    // Somebody builds with this very pair: tested, though not listed.
    if policy == Policy::Tested
        && let Some(facts) = tested(world, cudnn, cuda)
    {
        return found(Outcome::Pass, How::Tested, facts);
    }
    let mut listed: Vec<String> = rows
        .iter()
        .filter(|p| p.cuda.lowest().is_none_or(|l| l.major() == cuda.major()))
        .map(|p| p.cuda.to_string())
        .collect();
    listed.dedup();
    let facts: Facts = rows.iter().map(|p| p.fact).take(3).collect();
    let outcome = if policy == Policy::Listed && !rows.is_empty() { Outcome::Fail } else { Outcome::Unknown };
    found(outcome, How::Unlisted(listed.join("; ")), facts)
}

/// Builds of frameworks that were made with exactly this pair.
fn tested(world: View<'_>, cudnn: CudnnVersion, cuda: CudaVersion) -> Option<Facts> {
    for index in 0..world.kb.packages.len() {
        if world.kb.packages[index].main.is_none() {
            continue;
        }
        for build in &world.package(index).builds {
            let (Some(made), Some(with)) = (&build.cuda, &build.cudnn) else { continue };
            if same(with.value, cudnn) && made.value.prefix(2).cmp_number(&cuda.prefix(2)).is_eq() {
                return Some(with.facts.clone());
            }
        }
    }
    None
}

/// The cuDNN in use against the one the build was made with: same major, not older.
pub(super) fn build<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let (Some(asked), Some(text)) = (&context.request.cudnn, &context.request.cudnn_text) else { return };
    match build.libraries.as_ref().map(|l| l.value) {
        Some(libraries @ (Libraries::Bundled | Libraries::NvidiaWheels)) => {
            let pulled = cudnn_requirement(context.request, build);
            // The wheel that pip pulls can be pinned, so the question's cuDNN may be that one.
            if libraries == Libraries::NvidiaWheels
                && let Some((requirement, fact)) = pulled
                && let Some(version) = out.hand.cudnn
            {
                let reason = |fits: bool| {
                    let (by, wants, have) = (
                        requirement.name.to_string(),
                        requirement.specifier.to_string(),
                        version.to_string(),
                    );
                    if fits {
                        Reason::PinFits { by, wants, have }
                    } else {
                        Reason::PinBroken { by, wants, have }
                    }
                };
                if accepts(context, requirement, version) {
                    out.pass(RuleId::CudnnBuild, reason(true), one(*fact));
                } else {
                    out.fail(RuleId::CudnnBuild, reason(false), one(*fact));
                }
                return;
            }
            out.pass(
                RuleId::CudnnBuild,
                Reason::CudnnNotUsed { have: text.clone(), libraries },
                build.facts.clone(),
            );
        }
        Some(Libraries::System) | None => {
            if let Some(accepted) = &build.accepts_cudnn
                && !out.hand.cudnn.map_or_else(
                    || accepted.value.overlaps(asked),
                    |cudnn| accepted.value.overlaps(&super::on_hand::whole(cudnn)),
                )
            {
                let reason = Reason::CudnnOutside { have: text.clone(), range: &accepted.value };
                out.fail(RuleId::CudnnBuild, reason, accepted.facts.clone());
                return;
            }
            let (Some(have), Some(made)) = (out.hand.cudnn, &build.cudnn) else {
                if build.cudnn.is_none() && build.accepts_cudnn.is_none() && build.kind == BuildKind::Cuda {
                    out.unknown(
                        RuleId::CudnnBuild,
                        Reason::CudnnUseUnknown { have: text.clone() },
                        build.facts.clone(),
                    );
                }
                return;
            };
            // A build that only prints its major number says nothing about minor ones.
            let parts = have.len().min(made.value.len()).min(3);
            if have.major() != made.value.major() {
                out.fail(
                    RuleId::CudnnBuild,
                    Reason::CudnnOtherMajor { have, made: made.value },
                    made.facts.clone(),
                );
            } else if have.prefix(parts).cmp_number(&made.value.prefix(parts)).is_lt() {
                out.fail(
                    RuleId::CudnnBuild,
                    Reason::CudnnOlder { have, made: made.value },
                    made.facts.clone(),
                );
            } else {
                out.pass(
                    RuleId::CudnnBuild,
                    Reason::CudnnFits { have, made: made.value },
                    made.facts.clone(),
                );
            }
        }
    }
}
