//! Builds that behave the same towards other packages, so that a search has to try one of them only.

use super::Solved;
use crate::answer::Verdict;
use crate::answer::sentence::build_name;
use crate::graph::Graph;
use crate::pep::{Requirement, Version};
use crate::reason::Outcome;
use crate::request::Want;
use crate::rule::Context;
use crate::rule::one_environment::{Pick, cuda_of};
use crate::world::{Build, BuildKind, Interpreters};
use std::collections::{HashMap, HashSet};

/// A build or release that stands for all that behave the same towards other packages.
pub(super) struct Class<'w> {
    pub(super) pick: Pick<'w>,
    pub(super) outcome: Outcome,
}

/// The builds of a want, one for each behaviour towards other packages, in the order of preference; those that fit
/// before those about which too little is known.
/// With `only`, those of this release.
pub(super) fn classes<'w>(
    context: &Context<'w>,
    solved: &Solved<'w>,
    required: &Required<'_>,
    only: Option<&Version>,
) -> Vec<Class<'w>> {
    let mut out: Vec<Class<'w>> = Vec::new();
    let mut seen: HashSet<(Outcome, Signature)> = HashSet::new();
    let graph: &Graph<'w> = &solved.graph;
    for candidate in &graph.candidates {
        let version = candidate.package.release(candidate.build).version();
        if only.is_some_and(|o| o != version) {
            continue;
        }
        let of_it = required.get(&usize::from(candidate.build.package));
        let accepted = of_it.into_iter().flatten().map(|r| r.accepts(version)).collect();
        let python = if context.request.python.is_some() {
            [Interpreters::ALL; 2]
        } else {
            [candidate.build.interpreters, candidate.build.interpreters_open]
        };
        let signature = Signature { text: signature(candidate.build), accepted, python };
        if !seen.insert((candidate.outcome, signature)) {
            continue;
        }
        let plain = candidate.build.kind == BuildKind::Plain;
        let local = solved.want.label.clone().filter(|_| plain);
        out.push(Class {
            pick: Pick {
                package: usize::from(candidate.build.package),
                version: Some(version.clone()),
                build: Some(candidate.build),
                label: match &local {
                    Some(local) => format!("{}+{local}", build_name(context.world, candidate.build)),
                    None => build_name(context.world, candidate.build),
                },
                local,
            },
            outcome: candidate.outcome,
        });
    }
    if graph.candidates.is_empty() && solved.verdict == Verdict::Unknown {
        let releases = unrecorded(context, &solved.want);
        out.extend(releases.filter(|c| only.is_none() || c.pick.version.as_ref() == only));
    }
    out
}

/// For each package of the question, what builds of other packages require of it.
pub(super) type Required<'a> = HashMap<usize, Vec<&'a Requirement>>;

pub(super) fn required<'a>(context: &Context<'_>, solved: &'a [Solved<'_>]) -> Required<'a> {
    let built = solved.iter().flat_map(|s| &s.graph.candidates).map(|c| usize::from(c.build.package));
    let asked: HashSet<usize> = solved.iter().map(|s| s.want.package).chain(built).collect();
    let mut out = Required::new();
    for candidate in solved.iter().flat_map(|s| &s.graph.candidates) {
        for (requirement, _) in candidate.build.requires.iter() {
            let Some(package) = context.world.kb.package(&requirement.name).filter(|p| asked.contains(p))
            else {
                continue;
            };
            let known = out.entry(package).or_default();
            if !known.contains(&requirement) {
                known.push(requirement);
            }
        }
    }
    out
}

/// Builds with equal signatures stand for each other.
#[derive(PartialEq, Eq, Hash)]
struct Signature {
    text: String,
    /// For each requirement that a build of the question has of this package: is this release inside?
    accepted: Vec<bool>,
    /// Those that can install it, and with those about which nobody knows.
    python: [Interpreters; 2],
}

/// What matters to other packages: CUDA major, and what is required of others.
fn signature(build: &Build) -> String {
    let mut parts: Vec<String> = build.requires.iter().map(|(r, _)| r.to_string()).collect();
    parts.sort();
    parts.dedup();
    let major = cuda_of(build).map(|(c, _)| c.major()).unwrap_or_default();
    let libraries = build.libraries.as_ref().map(|l| l.value.word()).unwrap_or_default();
    format!("{} {major} {libraries} {} {}", build.package, build.requires_known, parts.join(" "))
}

/// A package of which no build is recorded anywhere: what others require of it can still be held against its releases,
/// newest first, or against the version that was asked for.
fn unrecorded<'w>(context: &Context<'w>, want: &Want) -> impl Iterator<Item = Class<'w>> {
    let id = &context.world.kb.packages[want.package].id;
    let exact = want.requirement.exact();
    let open = |r: &&crate::world::Release| {
        want.requirement.accepts(r.version()) && (exact == Some(r.version()) || !r.yanked && !r.prerelease)
    };
    let releases = context.world.package(want.package).releases.iter().rev().filter(open);
    let mut versions: Vec<Option<Version>> = releases.map(|r| Some(r.version().clone())).collect();
    if versions.is_empty() {
        versions.push(exact.cloned());
    }
    let package = want.package;
    versions.into_iter().map(move |version| {
        let label = version.as_ref().map_or_else(|| id.to_string(), |v| format!("{id} {v}"));
        Class { pick: Pick { package, version, build: None, label, local: None }, outcome: Outcome::Unknown }
    })
}
