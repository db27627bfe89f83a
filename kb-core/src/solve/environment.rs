//! Several packages in one environment: a search over builds, grouped by what matters between packages.

use super::{Solved, verdict};
use crate::answer::Verdict;
use crate::graph::Graph;
use crate::pep::{Requirement, Version};
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{Intent, Want};
use crate::rule::build_platform::no_common_python;
use crate::rule::one_environment::{Pick, between, cuda_of};
use crate::rule::{Context, Edges};
use crate::world::{Build, Interpreters};
use std::collections::{HashMap, HashSet};

/// What came out for all wants together.
#[derive(Debug)]
pub(crate) struct Environment<'w> {
    /// One per want: the chosen ones when it fits or may fit, else the preferred ones, which clash.
    pub(crate) picks: Vec<Pick<'w>>,
    /// Links between them.
    pub(crate) edges: Vec<Edge<'w>>,
    /// Over all.
    pub(crate) verdict: Verdict,
    /// A want that does not fit even on its own.
    pub(crate) alone: Option<usize>,
}

/// A build or release that stands for all that behave the same towards other packages.
struct Class<'w> {
    pick: Pick<'w>,
    outcome: Outcome,
}

/// Solves all wants in one environment.
pub(crate) fn all<'w>(context: &Context<'w>, solved: &[Solved<'w>]) -> Environment<'w> {
    let required = required(context, solved);
    let classes: Vec<Vec<Class<'w>>> = solved.iter().map(|s| classes(context, s, &required)).collect();
    if let Some(alone) = classes.iter().position(|c| c.iter().all(|k| k.outcome == Outcome::Fail)) {
        let picks = classes.iter().filter_map(|c| c.first().map(|k| k.pick.clone())).collect();
        return Environment { picks, edges: Vec::new(), verdict: Verdict::Conflict, alone: Some(alone) };
    }
    let mut search = Search { context, classes: &classes, known: HashMap::new() };
    for limit in [Outcome::Pass, Outcome::Unknown] {
        let mut chosen = Vec::with_capacity(classes.len());
        if search.extend(&mut chosen, Interpreters::ALL, limit) {
            let picks: Vec<Pick<'w>> =
                chosen.iter().enumerate().map(|(i, c)| classes[i][*c].pick.clone()).collect();
            let edges = links(context, &picks);
            return Environment { picks, edges, verdict: verdict(limit), alone: None };
        }
    }
    // Nothing goes together: show the preferred ones and how they clash.
    let picks: Vec<Pick<'w>> = classes
        .iter()
        .filter_map(|c| c.iter().find(|k| k.outcome != Outcome::Fail).map(|k| k.pick.clone()))
        .collect();
    let edges = links(context, &picks);
    Environment { picks, edges, verdict: Verdict::Conflict, alone: None }
}

fn links<'w>(context: &Context<'w>, picks: &[Pick<'w>]) -> Vec<Edge<'w>> {
    let mut out = Vec::new();
    for (i, a) in picks.iter().enumerate() {
        for b in &picks[i + 1..] {
            out.extend(between(context, a, b));
        }
    }
    out.extend(python(context, picks));
    out
}

/// Without an interpreter in the question some interpreter has to serve all.
fn python<'w>(context: &Context<'w>, picks: &[Pick<'w>]) -> Option<Edge<'w>> {
    if context.request.python.is_some() {
        return None;
    }
    let limits: Vec<(String, Interpreters)> =
        picks.iter().map(|p| (p.label.clone(), interpreters(p))).collect();
    let needed = no_common_python(&limits)?;
    let involved = picks.iter().filter(|p| needed.iter().any(|(label, _)| *label == p.label));
    let facts = involved.filter_map(|p| p.build).flat_map(|b| {
        b.python
            .iter()
            .map(|f| f.fact)
            .chain(b.python_documented.iter().flat_map(|d| d.facts.iter().copied()))
    });
    Some(Edge {
        rule: RuleId::BuildPlatform,
        outcome: Outcome::Fail,
        facts: facts.collect(),
        reason: Reason::NoCommonPython { needed },
    })
}

fn interpreters(pick: &Pick<'_>) -> Interpreters {
    pick.build.map_or(Interpreters::ALL, |b| b.interpreters)
}

struct Search<'a, 'w> {
    context: &'a Context<'w>,
    classes: &'a [Vec<Class<'w>>],
    known: HashMap<(usize, usize, usize, usize), Outcome>,
}

impl Search<'_, '_> {
    /// Depth first, in the order of preference; no link may be worse than `limit`, and `python` is what the chosen
    /// ones leave of the interpreters.
    fn extend(&mut self, chosen: &mut Vec<usize>, python: Interpreters, limit: Outcome) -> bool {
        let at = chosen.len();
        if at == self.classes.len() {
            return true;
        }
        for index in 0..self.classes[at].len() {
            if self.classes[at][index].outcome > limit {
                continue;
            }
            let left = match self.context.request.python {
                Some(_) => Interpreters::ALL,
                None => python.and(interpreters(&self.classes[at][index].pick)),
            };
            let goes = !left.is_empty()
                && (0..at).all(|before| self.pair(before, chosen[before], at, index) <= limit);
            if goes {
                chosen.push(index);
                if self.extend(chosen, left, limit) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }

    fn pair(&mut self, i: usize, a: usize, j: usize, b: usize) -> Outcome {
        if let Some(known) = self.known.get(&(i, a, j, b)) {
            return *known;
        }
        let edges: Edges<'_> = between(self.context, &self.classes[i][a].pick, &self.classes[j][b].pick);
        let outcome = edges.iter().map(|e| e.outcome).max().unwrap_or(Outcome::Pass);
        self.known.insert((i, a, j, b), outcome);
        outcome
    }
}

/// The builds of a want, one for each behaviour towards other packages, in the order of preference; those that fit
/// before those about which too little is known.
fn classes<'w>(context: &Context<'w>, solved: &Solved<'w>, required: &Required<'_>) -> Vec<Class<'w>> {
    let mut out: Vec<Class<'w>> = Vec::new();
    let mut seen: HashSet<(Outcome, Signature)> = HashSet::new();
    let graph: &Graph<'w> = &solved.graph;
    // The newest release that installs and runs at all: one that the machine rules out is no clash between packages.
    let newest = newest_only(context, &solved.want)
        .then(|| {
            let runs = |c: &&crate::graph::Candidate<'_>| c.outcome != Outcome::Fail;
            graph.candidates.iter().filter(runs).map(|c| c.build.release).max()
        })
        .flatten();
    for candidate in graph.candidates.iter().filter(|c| newest.is_none_or(|n| c.build.release == n)) {
        let version = candidate.package.release(candidate.build).version();
        let of_it = required.get(&usize::from(candidate.build.package));
        let accepted = of_it.into_iter().flatten().map(|r| r.accepts(version)).collect();
        let python =
            if context.request.python.is_some() { Interpreters::ALL } else { candidate.build.interpreters };
        let signature = Signature { text: signature(candidate.build), accepted, python };
        if !seen.insert((candidate.outcome, signature)) {
            continue;
        }
        out.push(Class {
            pick: Pick {
                package: usize::from(candidate.build.package),
                version: Some(candidate.package.release(candidate.build).version().clone()),
                build: Some(candidate.build),
                label: crate::answer::sentence::build_name(context.world, candidate.build),
            },
            outcome: candidate.outcome,
        });
    }
    if graph.candidates.is_empty()
        && context.world.everywhere().package(solved.want.package).builds.is_empty()
    {
        out.extend(unrecorded(context, &solved.want));
    }
    out
}

/// In a check of several packages a name without a version is what the installer takes: the newest. pip does not see
/// the clashes that are judged here, so it would not step back to an older release.
fn newest_only(context: &Context<'_>, want: &Want) -> bool {
    context.request.intent == Intent::Check && want.requirement.versions().is_none() && want.label.is_none()
}

/// For each package of the question, what builds of other packages require of it.
type Required<'a> = HashMap<usize, Vec<&'a Requirement>>;

fn required<'a>(context: &Context<'_>, solved: &'a [Solved<'_>]) -> Required<'a> {
    let built = solved.iter().flat_map(|s| &s.graph.candidates).map(|c| usize::from(c.build.package));
    let asked: HashSet<usize> = solved.iter().map(|s| s.want.package).chain(built).collect();
    let mut out = Required::new();
    for candidate in solved.iter().flat_map(|s| &s.graph.candidates) {
        for (requirement, _) in &candidate.build.requires {
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
    python: Interpreters,
}

/// What matters to other packages: CUDA major, and what is required of others.
fn signature(build: &Build) -> String {
    let mut parts: Vec<String> =
        build.requires.iter().map(|(r, _)| format!("{}{}", r.name, r.specifier)).collect();
    parts.sort();
    parts.dedup();
    let major = cuda_of(build).map(|(c, _)| c.major()).unwrap_or_default();
    let libraries = build.libraries.as_ref().map(|l| l.value.word()).unwrap_or_default();
    format!("{} {major} {libraries} {} {}", build.package, build.requires_known, parts.join(" "))
}

/// A package of which no build is recorded anywhere: what others require of it can still be held against its releases,
/// newest first, or against the version that was asked for.
fn unrecorded<'w>(context: &Context<'w>, want: &Want) -> Vec<Class<'w>> {
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
    if newest_only(context, want) {
        versions.truncate(1);
    }
    let class = |version: Option<Version>| {
        let label = version.as_ref().map_or_else(|| id.to_string(), |v| format!("{id} {v}"));
        Class { pick: Pick { package: want.package, version, build: None, label }, outcome: Outcome::Unknown }
    };
    versions.into_iter().map(class).collect()
}
