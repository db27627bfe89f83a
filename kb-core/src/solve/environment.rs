//! Several packages in one environment: a search over builds, grouped by what matters between packages.

use super::classes::{Class, classes, required};
use super::{Solved, installer, verdict};
use crate::answer::Verdict;
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::rule::build_platform::no_common_python;
use crate::rule::one_environment::{Pick, between};
use crate::rule::{Context, Edges};
use crate::world::Interpreters;
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
