//! The index for resolvo.

use crate::Index;
use resolvo::utils::{Pool, VersionSet};
use resolvo::{
    Candidates, Condition, ConditionId, Dependencies, DependencyProvider, Interner, KnownDependencies,
    NameId, Problem, SolvableId, Solver, SolverCache, StringId, VersionSetId, VersionSetUnionId,
};
use std::collections::HashMap;
use std::fmt::Display;

/// A set of versions by listing them, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Listed(Vec<u32>);

impl VersionSet for Listed {
    type V = u32;
}

impl Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// What resolvo asks.
pub struct Provider {
    pool: Pool<Listed, String>,
    versions: HashMap<NameId, Vec<SolvableId>>,
    needs: HashMap<SolvableId, Vec<VersionSetId>>,
    root: Vec<VersionSetId>,
}

/// The index as resolvo reads it.
pub fn provider(index: &Index) -> Provider {
    let pool: Pool<Listed, String> = Pool::default();
    let set = |(name, versions): &crate::Need| {
        let mut versions = versions.clone();
        versions.sort_unstable();
        pool.intern_version_set(pool.intern_package_name(name.clone()), Listed(versions))
    };
    let mut versions: HashMap<NameId, Vec<SolvableId>> = HashMap::new();
    let mut needs = HashMap::new();
    for (name, list) in &index.packages {
        let id = pool.intern_package_name(name.clone());
        for (version, wanted) in list {
            let solvable = pool.intern_solvable(id, *version);
            versions.entry(id).or_default().push(solvable);
            needs.insert(solvable, wanted.iter().map(set).collect::<Vec<_>>());
        }
    }
    let root = index.root.iter().map(set).collect();
    Provider { pool, versions, needs, root }
}

/// How many packages the first answer installs; `None` when there is none.
pub fn solve(provider: Provider) -> Option<usize> {
    let root = provider.root.clone();
    let mut solver = Solver::new(provider);
    let problem = Problem::new().requirements(root.into_iter().map(Into::into).collect());
    solver.solve(problem).ok().map(|found| found.len())
}

impl Interner for Provider {
    type NameId = NameId;
    type SolvableId = SolvableId;

    fn display_solvable(&self, solvable: SolvableId) -> impl Display + '_ {
        self.pool.resolve_solvable(solvable).record
    }
    fn display_name(&self, name: NameId) -> impl Display + '_ {
        self.pool.resolve_package_name(name)
    }
    fn display_version_set(&self, version_set: VersionSetId) -> impl Display + '_ {
        self.pool.resolve_version_set(version_set)
    }
    fn display_string(&self, string_id: StringId) -> impl Display + '_ {
        self.pool.resolve_string(string_id)
    }
    fn version_set_name(&self, version_set: VersionSetId) -> NameId {
        self.pool.resolve_version_set_package_name(version_set)
    }
    fn solvable_name(&self, solvable: SolvableId) -> NameId {
        self.pool.resolve_solvable(solvable).name
    }
    fn version_sets_in_union(&self, union: VersionSetUnionId) -> impl Iterator<Item = VersionSetId> {
        self.pool.resolve_version_set_union(union)
    }
    fn resolve_condition(&self, condition: ConditionId) -> Condition {
        self.pool.resolve_condition(condition).clone()
    }
}

impl DependencyProvider for Provider {
    async fn filter_candidates(
        &self,
        candidates: &[SolvableId],
        version_set: VersionSetId,
        inverse: bool,
    ) -> Vec<SolvableId> {
        let set = self.pool.resolve_version_set(version_set);
        let inside = |c: &SolvableId| set.0.binary_search(&self.pool.resolve_solvable(*c).record).is_ok();
        candidates.iter().copied().filter(|c| inside(c) != inverse).collect()
    }
    async fn get_candidates(&self, name: NameId) -> Option<Candidates> {
        Some(Candidates { candidates: self.versions.get(&name)?.clone(), ..Candidates::default() })
    }
    async fn sort_candidates(&self, _: &SolverCache<Self>, solvables: &mut [SolvableId]) {
        solvables.sort_by_key(|s| std::cmp::Reverse(self.pool.resolve_solvable(*s).record));
    }
    async fn get_dependencies(&self, solvable: SolvableId) -> Dependencies {
        let requirements = self.needs.get(&solvable).into_iter().flatten().map(|v| (*v).into()).collect();
        Dependencies::Known(KnownDependencies { requirements, constrains: Vec::new() })
    }
}
