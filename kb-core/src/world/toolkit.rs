//! CUDA toolkits: what their compilers can target, which PTX version they write.

use super::read::rows;
use crate::fact::FactId;
use crate::kb::Kb;
use crate::version::{ComputeCapability, ComputeTarget, CudaVersion, Dotted};

/// Everything about toolkits.
#[derive(Clone, Debug, Default)]
pub struct ToolkitFacts {
    /// Targets of each toolkit's compiler; complete lists.
    pub targets: Vec<(CudaVersion, Vec<ComputeTarget>, FactId)>,
    /// The newest PTX version each toolkit writes.
    pub ptx: Vec<(CudaVersion, Dotted, FactId)>,
    /// Every release that is known, `12.8.0`.
    pub releases: Vec<(CudaVersion, FactId)>,
}

impl ToolkitFacts {
    pub(super) fn read(kb: &Kb) -> Self {
        let mut targets: Vec<_> = rows(kb, "toolkit-targets", ["toolkit", "targets"])
            .filter_map(|(fact, row)| Some((CudaVersion(row.version(0)?), row.computes(1)?, fact)))
            .collect();
        targets.sort_by_key(|(v, _, _)| *v);
        let mut ptx: Vec<_> = rows(kb, "toolkit-ptx", ["toolkit", "isa"])
            .filter_map(|(fact, row)| Some((CudaVersion(row.version(0)?), row.version(1)?, fact)))
            .collect();
        ptx.sort_by_key(|(v, _, _)| *v);
        let mut releases: Vec<_> = rows(kb, "cuda-release", ["toolkit"])
            .filter_map(|(fact, row)| Some((CudaVersion(row.version(0)?), fact)))
            .collect();
        releases.sort();
        ToolkitFacts { targets, ptx, releases }
    }

    /// Toolkits and the targets of their compilers, oldest first.
    pub fn targets(&self) -> &[(CudaVersion, Vec<ComputeTarget>, FactId)] {
        &self.targets
    }

    /// The targets of a toolkit's compiler.
    pub fn of(&self, cuda: CudaVersion) -> Option<&(CudaVersion, Vec<ComputeTarget>, FactId)> {
        let wanted = cuda.prefix(2);
        self.targets.iter().find(|(v, _, _)| v.prefix(2).cmp_number(&wanted).is_eq())
    }

    /// Can this toolkit's compiler make machine code that runs on `capability`? `None` when its targets are unknown.
    pub fn can_compile(&self, cuda: CudaVersion, capability: ComputeCapability) -> Option<(bool, FactId)> {
        let (_, targets, fact) = self.of(cuda)?;
        Some((targets.iter().any(|t| t.sass_runs_on(capability)), *fact))
    }

    /// The newest toolkit whose compiler can target a capability.
    pub fn last_for(&self, capability: ComputeCapability) -> Option<CudaVersion> {
        self.targets
            .iter()
            .rev()
            .find(|(_, t, _)| t.iter().any(|t| t.sass_runs_on(capability)))
            .map(|(v, ..)| *v)
    }

    /// The newest PTX version that a toolkit of this release writes, or a driver of this level reads.
    pub fn ptx_isa(&self, cuda: CudaVersion) -> Option<(Dotted, FactId)> {
        let wanted = cuda.prefix(2);
        self.ptx
            .iter()
            .find(|(v, _, _)| v.prefix(2).cmp_number(&wanted).is_eq())
            .map(|(_, isa, fact)| (*isa, *fact))
    }
}
