//! The core of a conflict: links that together rule out every build, none of which can be left out.

use crate::graph::{Candidate, Graph};
use crate::reason::{Edge, Outcome, Reason, RuleId};
use std::collections::BTreeMap;

/// A group of links that fail for the same reason, shown by one of them.
#[derive(Debug)]
pub(crate) struct Group<'g, 'w> {
    /// The build that the shown link belongs to: the most preferred one of the group.
    pub(crate) candidate: &'g Candidate<'w>,
    /// The shown link.
    pub(crate) edge: &'g Edge<'w>,
    /// Positions of the builds that this reason rules out.
    pub(crate) rules_out: Vec<usize>,
}

/// A core, and the failing links that are not needed for it.
#[derive(Debug, Default)]
pub(crate) struct Core<'g, 'w> {
    pub(crate) needed: Vec<Group<'g, 'w>>,
    pub(crate) further: Vec<Group<'g, 'w>>,
}

/// Finds an irreducible core of a graph in which every build fails.
///
/// Each failing link rules out the builds it belongs to; links with the same cause are one group. Groups are chosen
/// greedily (the one that rules out most first, in the order of the chain among equals), then every group without
/// which the rest still rules out everything is dropped.
pub(crate) fn of<'g, 'w>(graph: &'g Graph<'w>) -> Core<'g, 'w> {
    let mut groups: BTreeMap<(RuleId, String), Group<'g, 'w>> = BTreeMap::new();
    for (at, candidate) in graph.candidates.iter().enumerate() {
        for edge in graph.edges(candidate).into_iter().filter(|e| e.outcome == Outcome::Fail) {
            groups
                .entry((edge.rule, cause(edge)))
                .or_insert_with(|| Group { candidate, edge, rules_out: Vec::new() })
                .rules_out
                .push(at);
        }
    }
    let mut groups: Vec<Group<'g, 'w>> = groups.into_values().collect();
    groups.sort_by_key(|g| (std::cmp::Reverse(g.rules_out.len()), g.edge.rule));
    let total = graph.candidates.len();
    let mut open: Vec<bool> = vec![true; total];
    let mut needed: Vec<Group<'g, 'w>> = Vec::new();
    let mut further: Vec<Group<'g, 'w>> = Vec::new();
    while open.iter().any(|o| *o) && !groups.is_empty() {
        let gain = |g: &Group<'_, '_>| g.rules_out.iter().filter(|i| open[**i]).count();
        let best = (0..groups.len()).max_by_key(|i| (gain(&groups[*i]), std::cmp::Reverse(*i))).unwrap_or(0);
        if gain(&groups[best]) == 0 {
            break;
        }
        let group = groups.remove(best);
        for i in &group.rules_out {
            open[*i] = false;
        }
        needed.push(group);
    }
    further.extend(groups);
    let mut at = 0;
    while at < needed.len() {
        let covered = |skip: usize| {
            (0..total).all(|c| needed.iter().enumerate().any(|(i, g)| i != skip && g.rules_out.contains(&c)))
        };
        if needed.len() > 1 && covered(at) {
            further.push(needed.remove(at));
        } else {
            at += 1;
        }
    }
    needed.sort_by_key(|g| g.rules_out.first().copied());
    further.sort_by_key(|g| (g.edge.rule, g.rules_out.first().copied()));
    Core { needed, further }
}

/// What a failing link is about, without the build it belongs to.
fn cause(edge: &Edge<'_>) -> String {
    match &edge.reason {
        Reason::NoCode { gpu, .. }
        | Reason::CannotCompile { gpu, .. }
        | Reason::ToolkitCannotTarget { gpu, .. }
        | Reason::ToolkitCannot { gpu, .. }
        | Reason::NotDocumented { gpu, .. }
        | Reason::CudnnNoCode { gpu, .. }
        | Reason::CudnnNoneFits { gpu, .. }
        | Reason::BranchTooOld { gpu, .. }
        | Reason::BranchTooNew { gpu, .. } => (*gpu).to_owned(),
        Reason::NoBranchLeft { gpu, cuda, .. } => format!("{gpu} {}", cuda.major()),
        Reason::DriverBelow { cuda, .. } => format!("cuda {}", cuda.major()),
        Reason::PtxTooNew { .. } => "ptx".to_owned(),
        Reason::PythonNoFile { .. } | Reason::PythonOutside { .. } | Reason::NoCommonPython { .. } => {
            "python".to_owned()
        }
        Reason::OtherCuda { .. } => "cuda".to_owned(),
        Reason::Advisory { index, .. } => index.to_string(),
        Reason::CpuBuild { .. }
        | Reason::CpuBuildExtra { .. }
        | Reason::CpuBuildElsewhere { .. }
        | Reason::CpuBuildSince { .. } => "cpu".to_owned(),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}
