//! Several packages in one environment, put to a SAT solver for packages (resolvo) as well.
//!
//! In a world without gaps everything is a package: the GPU's capability, the driver, the interpreter and the CUDA
//! major have a "version" each, of which one is installed; builds depend on those that serve them. Nothing of the
//! rules is shared with the engine or the other oracle but the data.

use super::generate;
use super::model::*;
use super::runner::{ask, worlds};
use kb_core::answer::Verdict;
use resolvo::utils::{Pool, VersionSet};
use resolvo::{
    Candidates, Condition, ConditionId, Dependencies, DependencyProvider, Interner, KnownDependencies,
    NameId, Problem, SolvableId, Solver, SolverCache, StringId, VersionSetId, VersionSetUnionId,
};
use std::collections::HashMap;
use std::fmt::Display;

/// A set of versions by listing them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Listed(Vec<u32>);

impl VersionSet for Listed {
    type V = u32;
}

impl Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Packages with numbered versions; each version lists what it needs and what it rules out.
#[derive(Default)]
struct Index {
    pool: Pool<Listed, String>,
    versions: HashMap<NameId, Vec<SolvableId>>,
    needs: HashMap<SolvableId, Vec<VersionSetId>>,
}

impl Index {
    fn name(&self, name: &str) -> NameId {
        self.pool.intern_package_name(name.to_owned())
    }

    fn add(&mut self, name: &str, version: u32) -> SolvableId {
        let id = self.name(name);
        let solvable = self.pool.intern_solvable(id, version);
        self.versions.entry(id).or_default().push(solvable);
        solvable
    }

    fn set(&self, name: &str, versions: impl IntoIterator<Item = u32>) -> VersionSetId {
        self.pool.intern_version_set(self.name(name), Listed(versions.into_iter().collect()))
    }
}

impl Interner for Index {
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

impl DependencyProvider for Index {
    async fn filter_candidates(
        &self,
        candidates: &[SolvableId],
        version_set: VersionSetId,
        inverse: bool,
    ) -> Vec<SolvableId> {
        let set = self.pool.resolve_version_set(version_set);
        candidates
            .iter()
            .copied()
            .filter(|c| set.0.contains(&self.pool.resolve_solvable(*c).record) != inverse)
            .collect()
    }
    async fn get_candidates(&self, name: NameId) -> Option<Candidates> {
        Some(Candidates { candidates: self.versions.get(&name)?.clone(), ..Candidates::default() })
    }
    async fn sort_candidates(&self, _: &SolverCache<Self>, solvables: &mut [SolvableId]) {
        solvables.sort_by_key(|s| std::cmp::Reverse(self.pool.resolve_solvable(*s).record));
    }
    async fn get_dependencies(&self, solvable: SolvableId) -> Dependencies {
        Dependencies::Known(KnownDependencies {
            requirements: self.needs.get(&solvable).into_iter().flatten().map(|v| (*v).into()).collect(),
            constrains: Vec::new(),
        })
    }
}

fn number(cap: Cap) -> u32 {
    u32::from(cap.0) * 10 + u32::from(cap.1)
}

const CAPS: [Cap; 7] = [(7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (12, 0)];

/// The package that stands for the release of a package in the environment.
fn marker(package: usize) -> String {
    format!("release-of-{}", super::render::name(package))
}

/// The packages with builds that a release pins, and that those pin in turn.
fn pins(world: &World, package: usize, release: Rel) -> Vec<(usize, Rel)> {
    let mut out = vec![(package, release)];
    let mut at = 0;
    while at < out.len() {
        let (p, r) = out[at];
        at += 1;
        for (other, spec) in world.packages[p].releases[usize::from(r) - 1].requires.iter().flatten() {
            if let (true, Spec::Eq(r)) = (*other != LIB_AT, *spec)
                && !out.contains(&(*other, r))
            {
                out.push((*other, r));
            }
        }
    }
    out.remove(0);
    out
}

/// The world and the question as an index of packages, and what has to be installed.
fn index(case: &Case) -> (Index, Vec<VersionSetId>) {
    let (world, question) = (&case.world, &case.question);
    let mut index = Index::default();
    let mut root = Vec::new();
    let name = super::render::name;
    // The machine. A driver that was not named is any driver.
    let drivers: Vec<u32> = world.branches.iter().flat_map(|b| MINORS.map(|m| b.number * 100 + m)).collect();
    for driver in &drivers {
        index.add("driver", *driver);
    }
    index.add("driver", 0);
    let have = question.driver.map_or(0, |d| match d {
        Driver::Of(b, minor) => world.branches[b].number * 100 + minor,
        _ => unreachable!("not in a world without gaps"),
    });
    root.push(index.set("driver", [have]));
    for python in generate::PYTHONS {
        index.add("python", python);
    }
    // An interpreter that was not named is any one.
    root.push(match question.python {
        Some(python) => index.set("python", [python]),
        None => index.set("python", generate::PYTHONS),
    });
    for major in [11, 12, 13] {
        index.add("cuda-major", major);
    }
    for module in 0..3 {
        index.add("owner-of-module", module);
    }
    // Each GPU is a package of its own, whose version is its capability.
    let boards: Vec<(String, Cap, Option<&Arch>)> = question
        .hardware
        .iter()
        .enumerate()
        .map(|(i, h)| match h {
            Hardware::Board(g) => {
                (format!("gpu-{i}"), world.gpus[*g].cap.unwrap(), Some(&world.archs[world.gpus[*g].arch]))
            }
            Hardware::Bare(cap) => {
                let arch = world.gpus.iter().find(|g| g.cap == Some(*cap)).map(|g| &world.archs[g.arch]);
                (format!("gpu-{i}"), *cap, arch)
            }
        })
        .collect();
    for (board, cap, _) in &boards {
        for cap in CAPS {
            index.add(board, number(cap));
        }
        root.push(index.set(board, [number(*cap)]));
    }
    // Libraries without builds.
    for r in 1..=LIB_RELEASES {
        let id = index.add(name(LIB_AT), u32::from(r));
        let needs = vec![index.set(&marker(LIB_AT), [u32::from(r)])];
        index.needs.insert(id, needs);
    }
    let floor = |cuda: usize| {
        let floor = world
            .floors
            .iter()
            .find(|f| f.major == world.cudas[cuda].version.0 && !f.windows)
            .expect("no gaps");
        world.branches[floor.driver.0].number * 100 + floor.driver.1
    };
    let meant = !boards.is_empty() || question.driver.is_some();
    for (p, package) in world.packages.iter().enumerate() {
        for (r, release) in package.releases.iter().enumerate() {
            let number_of = |b: usize| (r as u32 + 1) * 10 + b as u32;
            for (b, build) in release.builds.iter().enumerate() {
                let listed: Vec<&Build> = release
                    .builds
                    .iter()
                    .filter(|o| o.channel == build.channel && o.files.is_some())
                    .collect();
                let has_file = listed.is_empty()
                    || listed.iter().any(|o| {
                        o.platform == build.platform || o.platform == Plat::Any || build.platform == Plat::Any
                    });
                let dead = build.platform == Plat::Windows
                    || !has_file
                    || build.kind == Kind::Rocm && !question.no_gpu
                    || build.kind == Kind::Cpu && meant;
                if dead {
                    continue;
                }
                let id = index.add(name(p), number_of(b));
                let mut needs = Vec::new();
                if let Some((minors, _)) = &build.files {
                    needs.push(index.set("python", minors.iter().copied()));
                }
                if let (Kind::Cuda, Some(cuda)) = (build.kind, build.cuda) {
                    needs.push(index.set("cuda-major", [world.cudas[cuda].version.0]));
                    let (sass, ptx) = build.code.as_ref().expect("no gaps");
                    let ptx = ptx.as_ref().expect("no gaps");
                    for (board, cap, arch) in boards.iter().filter(|_| !question.no_gpu) {
                        let native = |c: &&Cap| {
                            sass.iter().any(
                                |(t, s)| if *s == Some('a') { t == *c } else { t.0 == c.0 && t.1 <= c.1 },
                            )
                        };
                        let compiled = |c: &&Cap| {
                            ptx.iter().any(|(t, s)| match s {
                                None => t <= *c,
                                Some('a') => t == *c,
                                _ => t.0 == c.0 && t.1 <= c.1,
                            })
                        };
                        let runs = CAPS.iter().filter(|c| native(c) || compiled(c)).map(|c| number(*c));
                        needs.push(index.set(board, runs));
                        // A driver of a branch that can translate it, where it has to.
                        if !native(&cap) {
                            let made = &world.cudas[cuda];
                            let reads = |b: &&Branch| {
                                let level = &world.cudas[b.cuda.expect("no gaps")];
                                level.version >= made.version || level.isa >= made.isa
                            };
                            let on = world
                                .branches
                                .iter()
                                .filter(reads)
                                .flat_map(|b| MINORS.map(|m| b.number * 100 + m));
                            needs.push(index.set("driver", on.chain([0])));
                        }
                        // A driver named by nobody must exist: between the branch that the build needs and the last one.
                        if let (Some(last), None) = (arch.and_then(|a| a.last), question.driver)
                            && floor(cuda) / 100 > world.branches[last].number
                        {
                            needs.push(index.set("driver", []));
                        }
                    }
                    if !question.no_gpu {
                        let least = floor(cuda);
                        needs.push(
                            index.set("driver", drivers.iter().copied().filter(|d| *d >= least).chain([0])),
                        );
                    }
                }
                for (_, cap, arch) in &boards {
                    let (first, last) = arch.map_or((None, None), |a| (a.first, a.last));
                    // The board's branches, where they are known; else those whose toolkit, or an older one's, targets it.
                    let knows = |at: usize| {
                        let inferred = world.branches[..=at].iter().any(|b| {
                            let targets =
                                world.cudas[b.cuda.expect("no gaps")].targets.as_ref().expect("no gaps");
                            targets.iter().any(|(t, s)| {
                                if *s == Some('a') { t == cap } else { t.0 == cap.0 && t.1 <= cap.1 }
                            })
                        });
                        (first.is_some_and(|f| at >= f) || first.is_none() && inferred)
                            && last.is_none_or(|l| at <= l)
                    };
                    let on = (0..world.branches.len())
                        .filter(|b| knows(*b))
                        .flat_map(|b| MINORS.map(|m| world.branches[b].number * 100 + m));
                    needs.push(index.set("driver", on.chain([0])));
                    // One that nobody named must exist for all boards at once.
                    let apart = boards.iter().any(|(_, _, other)| {
                        let other = other.and_then(|a| a.first);
                        matches!((last, other), (Some(last), Some(first)) if first > last)
                    });
                    if apart && question.driver.is_none() {
                        needs.push(index.set("driver", []));
                    }
                }
                if package.same_module {
                    needs.push(index.set("owner-of-module", [p as u32]));
                }
                // Which release of each package the environment has, installed or to be installed.
                needs.push(index.set(&marker(p), [r as u32 + 1]));
                for (other, release) in pins(world, p, r as Rel + 1) {
                    let files = world.packages[other].releases[usize::from(release) - 1].builds.iter();
                    let near = files.filter(|o| {
                        o.platform == build.platform || o.platform == Plat::Any || build.platform == Plat::Any
                    });
                    let minors: Vec<u32> =
                        near.filter_map(|o| o.files.as_ref()).flat_map(|(m, _)| m.clone()).collect();
                    if !minors.is_empty() {
                        needs.push(index.set("python", minors));
                    }
                }
                index.needs.insert(id, needs);
            }
        }
    }
    for p in 0..4 {
        let count = if p == LIB_AT { LIB_RELEASES } else { world.packages[p].releases.len() as u8 };
        for r in 1..=count {
            let id = index.add(&marker(p), u32::from(r));
            let requires =
                world.packages.get(p).and_then(|p| p.releases[usize::from(r) - 1].requires.as_ref());
            let mut needs = Vec::new();
            for (other, spec) in requires.into_iter().flatten() {
                needs.push(index.set(&marker(*other), (1..=9u8).filter(|r| spec.accepts(*r)).map(u32::from)));
            }
            index.needs.insert(id, needs);
        }
    }
    for (p, spec) in &question.wants {
        let open: Vec<u32> = if *p == LIB_AT {
            (1..=LIB_RELEASES).filter(|r| spec.accepts(*r)).map(u32::from).collect()
        } else {
            (1..=9u32)
                .filter(|r| spec.accepts(*r as Rel))
                .flat_map(|r| (0..9).map(move |b| r * 10 + b))
                .collect()
        };
        root.push(index.set(name(*p), open));
    }
    (index, root)
}

fn satisfiable(case: &Case) -> bool {
    let (index, root) = index(case);
    let mut solver = Solver::new(index);
    let problem = Problem::new().requirements(root.into_iter().map(Into::into).collect());
    solver.solve(problem).is_ok()
}

#[test]
fn one_environment_is_satisfiable_when_a_solver_for_packages_says_so() {
    worlds("sat", generate::whole(), |case| {
        let Some(answer) = ask(case)? else { return Ok(()) };
        let expected = satisfiable(case);
        match answer.verdict {
            Verdict::Fits if expected => Ok(()),
            // Nothing is recorded of the plain library, so it is never more than unknown.
            Verdict::Unknown if expected && case.question.wants.iter().any(|(p, _)| *p == LIB_AT) => Ok(()),
            Verdict::Conflict if !expected => Ok(()),
            other => Err(format!(
                "resolvo says {}, the engine {other:?}; {}",
                if expected { "satisfiable" } else { "not satisfiable" },
                serde_json::to_string_pretty(&answer).unwrap()
            )),
        }
    });
}
