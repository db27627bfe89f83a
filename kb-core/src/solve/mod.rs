//! Deciding: for one want the graph already holds every build with every link, so the choice is the first that fits;
//! for several in one environment a search over builds that differ in what matters between packages.

pub(crate) mod absence;
mod classes;
pub(crate) mod core;
pub(crate) mod environment;
mod installer;
pub(crate) mod system;

use crate::answer::Verdict;
use crate::graph::{Candidate, Graph};
use crate::reason::Outcome;
use crate::request::Want;
use crate::rule::Context;

/// What came out for one want.
#[derive(Debug)]
pub(crate) struct Solved<'w> {
    pub(crate) want: Want,
    pub(crate) graph: Graph<'w>,
    pub(crate) verdict: Verdict,
}

impl<'w> Solved<'w> {
    /// The chosen build, if there is one that fits or may fit.
    pub(crate) fn choice(&self) -> Option<&Candidate<'w>> {
        self.graph.best()
    }
}

/// Solves one want.
pub(crate) fn one<'w>(context: &Context<'w>, want: &Want) -> Solved<'w> {
    let graph = Graph::build(context, want);
    let verdict = match graph.best().map(|c| c.outcome) {
        Some(Outcome::Pass) => Verdict::Fits,
        Some(Outcome::Unknown) => Verdict::Unknown,
        None if graph.candidates.is_empty() && absence::of(context, want).is_none() => Verdict::Unknown,
        _ => Verdict::Conflict,
    };
    Solved { want: want.clone(), graph, verdict }
}

/// The verdict that goes with an outcome.
pub(crate) fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Pass => Verdict::Fits,
        Outcome::Unknown => Verdict::Unknown,
        Outcome::Fail => Verdict::Conflict,
    }
}
