//! What is known of each GPU: capability, first and last driver branch, the branches that list it.

use super::read::rows;
use super::{Facts, Stated, prefer};
use crate::fact::FactId;
use crate::kb::Kb;
use crate::value::{Branch, Value};
use crate::version::{ComputeCapability, DriverVersion};

/// The driver branches that know an architecture or a capability.
#[derive(Clone, Debug, Default)]
pub struct ArchRange {
    /// The first branch that knows it.
    pub first: Option<Stated<Branch>>,
    /// The last branch that does; `None` means that no end is known.
    pub last: Option<Stated<Branch>>,
}

/// Facts about one GPU of the catalogue.
#[derive(Clone, Debug, Default)]
pub struct GpuFacts {
    /// What it can execute.
    pub capability: Option<Stated<ComputeCapability>>,
    /// What other chips that were sold under its name can execute.
    pub others: Vec<ComputeCapability>,
    /// Branches whose device table lists the board, each with the first driver that does (`None`: the whole branch).
    pub listed: Vec<(Branch, Option<DriverVersion>)>,
    /// The fact behind `listed`.
    pub listed_by: Option<FactId>,
    /// Branches that know its architecture.
    pub range: ArchRange,
}

pub(super) fn read(kb: &Kb) -> Vec<GpuFacts> {
    let index: std::collections::HashMap<&str, usize> =
        kb.gpus.iter().enumerate().map(|(i, g)| (&*g.id, i)).collect();
    let mut out = vec![GpuFacts::default(); kb.gpus.len()];
    let mut claims: Vec<Vec<(ComputeCapability, FactId)>> = vec![Vec::new(); kb.gpus.len()];
    for (id, row) in rows(kb, "gpu-compute-capability", ["gpu", "compute-capability", "others"]) {
        if let (Some(gpu), Some(target)) = (row.text(0).and_then(|t| index.get(t)), row.compute(1)) {
            claims[*gpu].push((target.capability, id));
            out[*gpu].others.extend(row.computes(2).unwrap_or_default().iter().map(|t| t.capability));
        }
    }
    for (gpu, claims) in out.iter_mut().zip(&claims) {
        gpu.capability = prefer(kb, claims);
        let own = gpu.capability.as_ref().map(|c| c.value);
        gpu.others.sort_unstable();
        gpu.others.dedup();
        gpu.others.retain(|c| Some(*c) != own);
    }
    for (id, row) in rows(kb, "gpu-driver", ["gpu", "listed"]) {
        let Some(gpu) = row.text(0).and_then(|t| index.get(t)) else { continue };
        let listed = row.list(1).unwrap_or_default().iter().filter_map(|v| match v {
            Value::BranchSince(branch, since) => Some((*branch, since.map(DriverVersion))),
            Value::Branch(branch) => Some((*branch, None)),
            _ => None,
        });
        out[*gpu].listed = listed.collect();
        out[*gpu].listed_by = Some(id);
    }
    let ranges = ranges(kb);
    for (gpu, facts) in kb.gpus.iter().zip(&mut out) {
        facts.range = ranges.of(Some(&gpu.architecture), facts.capability.as_ref().map(|c| c.value));
    }
    out
}

/// First and last branches by architecture and by capability.
pub(crate) struct Ranges<'kb> {
    by_architecture: Vec<(&'kb str, ArchRange)>,
    by_capability: Vec<(ComputeCapability, Stated<Branch>)>,
    architecture_of: Vec<(ComputeCapability, &'kb str)>,
}

impl Ranges<'_> {
    /// The range for an architecture; a capability that came later than its architecture narrows the start.
    pub(crate) fn of(&self, architecture: Option<&str>, capability: Option<ComputeCapability>) -> ArchRange {
        let architecture = architecture.or_else(|| {
            let capability = capability?;
            self.architecture_of.iter().find(|(c, _)| *c == capability).map(|(_, a)| *a)
        });
        let mut range = self
            .by_architecture
            .iter()
            .find(|(name, _)| Some(*name) == architecture)
            .map(|(_, range)| range.clone())
            .unwrap_or_default();
        let own =
            capability.and_then(|c| self.by_capability.iter().find(|(k, _)| *k == c)).map(|(_, first)| first);
        if let Some(own) = own
            && range.first.as_ref().is_none_or(|first| first.value < own.value)
        {
            range.first = Some(own.clone());
        }
        range
    }
}

pub(crate) fn ranges(kb: &Kb) -> Ranges<'_> {
    let mut names: Vec<&str> = Vec::new();
    let mut firsts: Vec<Vec<(Branch, FactId)>> = Vec::new();
    let mut lasts: Vec<Vec<(Branch, FactId)>> = Vec::new();
    for (id, row) in rows(kb, "arch-driver", ["architecture", "first-branch", "last-branch"]) {
        let Some(name) = row.text(0) else { continue };
        let at = names.iter().position(|n| *n == name).unwrap_or_else(|| {
            names.push(name);
            firsts.push(Vec::new());
            lasts.push(Vec::new());
            names.len() - 1
        });
        firsts[at].extend(row.branch(1).map(|b| (b, id)));
        lasts[at].extend(row.branch(2).map(|b| (b, id)));
    }
    let by_architecture = names
        .into_iter()
        .zip(firsts.iter().zip(&lasts))
        .map(|(name, (first, last))| (name, ArchRange { first: prefer(kb, first), last: prefer(kb, last) }))
        .collect();
    let mut capabilities: Vec<(ComputeCapability, Vec<(Branch, FactId)>)> = Vec::new();
    for (id, row) in rows(kb, "capability-driver", ["compute-capability", "first-branch"]) {
        let (Some(target), Some(branch)) = (row.compute(0), row.branch(1)) else { continue };
        match capabilities.iter_mut().find(|(c, _)| *c == target.capability) {
            Some((_, claims)) => claims.push((branch, id)),
            None => capabilities.push((target.capability, vec![(branch, id)])),
        }
    }
    let by_capability =
        capabilities.iter().filter_map(|(c, claims)| Some((*c, prefer(kb, claims)?))).collect();
    let architecture_of = rows(kb, "arch-info", ["compute-capability", "architecture"])
        .filter_map(|(_, row)| Some((row.compute(0)?.capability, row.text(1)?)))
        .collect();
    Ranges { by_architecture, by_capability, architecture_of }
}

impl GpuFacts {
    /// The facts that give the capability.
    pub fn capability_facts(&self) -> Facts {
        self.capability.as_ref().map(|c| c.facts.clone()).unwrap_or_default()
    }
}
