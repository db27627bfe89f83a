//! Several packages in one environment: a search over builds, grouped by what matters between packages.

use super::classes::{Class, classes, required};
use super::{Solved, installer, verdict};
use crate::answer::Verdict;
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::rule::build_platform::no_common_python;
use crate::rule::one_environment::{Pick, Pythons, between, broken};
use crate::rule::{Context, Edges};
use crate::version::Interpreters;
use std::collections::HashMap;

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

/// Solves all wants in one environment.
pub(crate) fn all<'w>(context: &Context<'w>, solved: &[Solved<'w>]) -> Environment<'w> {
    let required = required(context, solved);
    let taken = installer::takes(context, solved, &required);
    let classes: Vec<Vec<Class<'w>>> =
        solved.iter().zip(&taken).map(|(s, only)| classes(context, s, &required, only.as_ref())).collect();
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
            let edges = links(context, &picks, limit);
            return Environment { picks, edges, verdict: verdict(limit), alone: None };
        }
    }
    // Nothing goes together: show the preferred ones and how they clash.
    let picks: Vec<Pick<'w>> = classes
        .iter()
        .filter_map(|c| c.iter().find(|k| k.outcome != Outcome::Fail).map(|k| k.pick.clone()))
        .collect();
    let edges = links(context, &picks, Outcome::Fail);
    Environment { picks, edges, verdict: Verdict::Conflict, alone: None }
}

/// The interpreters that count where no link may be worse than `limit`.
fn counting<'w>(limit: Outcome) -> fn(&Pick<'w>) -> Interpreters {
    if limit == Outcome::Pass { Pick::interpreters } else { Pick::interpreters_open }
}

fn links<'w>(context: &Context<'w>, picks: &[Pick<'w>], limit: Outcome) -> Vec<Edge<'w>> {
    let pairs = || picks.iter().enumerate().flat_map(|(i, a)| picks[i + 1..].iter().map(move |b| (a, b)));
    // What each pair leaves of the interpreters counts together.
    let out = pairs().fold(Interpreters::NONE, |set, (a, b)| set.or(broken(context, a, b)));
    let pythons = Pythons::of(context, picks, counting(limit)).broken(out);
    let mut edges: Vec<Edge<'w>> = pairs().flat_map(|(a, b)| between(context, a, b, pythons)).collect();
    edges.extend(python(context, picks, out));
    edges
}

/// Without an interpreter in the question some interpreter has to serve all; with those in `out` they do not go together.
fn python<'w>(context: &Context<'w>, picks: &[Pick<'w>], out: Interpreters) -> Option<Edge<'w>> {
    if context.request.python.is_some() {
        return None;
    }
    let all =
        |of: fn(&Pick<'w>) -> Interpreters| picks.iter().fold(Interpreters::ALL, |set, p| set.and(of(p)));
    let limits: Vec<(String, Interpreters)> =
        picks.iter().map(|p| (p.label.clone(), p.interpreters_open())).collect();
    let needed = no_common_python(&limits);
    if needed.is_none() && !all(Pick::interpreters).within(out) {
        return None;
    }
    let involved =
        picks.iter().filter(|p| needed.as_ref().is_none_or(|n| n.iter().any(|(label, _)| *label == p.label)));
    let facts = involved.filter_map(|p| p.build).flat_map(|b| {
        b.python
            .iter()
            .map(|f| f.fact)
            .chain(b.python_documented.iter().flat_map(|d| d.facts.iter().copied()))
    });
    let facts = facts.collect();
    let (outcome, reason) = match needed {
        Some(needed) => (Outcome::Fail, Reason::NoCommonPython { needed }),
        // All of them are out: the links say why.
        None if all(Pick::interpreters_open).within(out) => return None,
        None => (Outcome::Unknown, Reason::CommonPythonUnknown),
    };
    Some(Edge { rule: RuleId::BuildPlatform, outcome, facts, reason })
}

/// A class of a want, both by position.
type At = (usize, usize);

struct Search<'a, 'w> {
    context: &'a Context<'w>,
    classes: &'a [Vec<Class<'w>>],
    /// How pairs go together, and the interpreters with which they do not.
    known: HashMap<(At, At, Outcome), (Outcome, Interpreters)>,
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
            let mut left = match self.context.request.python {
                Some(_) => Interpreters::ALL,
                None => python.and(counting(limit)(&self.classes[at][index].pick)),
            };
            let mut goes = true;
            for (before, other) in chosen.iter().enumerate() {
                let (outcome, broken) = self.pair((before, *other), (at, index), limit);
                goes &= outcome <= limit;
                if self.context.request.python.is_none() {
                    left = left.and(broken.complement());
                }
                if !goes {
                    break;
                }
            }
            goes &= !left.is_empty();
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

    fn pair(&mut self, first: At, second: At, limit: Outcome) -> (Outcome, Interpreters) {
        if let Some(known) = self.known.get(&(first, second, limit)) {
            return *known;
        }
        let (a, b) = (&self.classes[first.0][first.1].pick, &self.classes[second.0][second.1].pick);
        let pythons = Pythons::of(self.context, [a, b], counting(limit));
        let edges: Edges<'_> = between(self.context, a, b, pythons);
        let outcome = edges.iter().map(|e| e.outcome).max().unwrap_or(Outcome::Pass);
        let out = (outcome, broken(self.context, a, b));
        self.known.insert((first, second, limit), out);
        out
    }
}
