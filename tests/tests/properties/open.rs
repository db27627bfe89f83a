//! Defects of the engine that these properties found and that are not repaired yet.
//!
//! Each has a kept case in `tests/worlds/open/`. As long as the property fails on that case, other cases that touch
//! the same spot are passed over; once it holds, nothing is passed over any more, and the entry can be taken out.

use super::model::*;

pub struct Open {
    /// The file's name without ending.
    pub name: &'static str,
    /// Properties that run into it.
    pub properties: &'static [&'static str],
    pub says: &'static str,
    /// Could this case run into it?
    pub touches: fn(&Case) -> bool,
}

pub const OPEN: &[Open] = &[
    Open {
        name: "family-by-floors",
        properties: &["brute-force"],
        says: "libraries: whether two CUDA releases of one major serve each other is read off the rows of least drivers; without one they do not",
        touches: |case| {
            let floor = |c: &Cuda| {
                case.world
                    .floors
                    .iter()
                    .any(|f| f.major == c.version.0 && f.windows == (case.question.os != Os::Linux))
            };
            (case.question.cuda.is_some() || case.question.toolkit.is_some())
                && !case.world.cudas.iter().all(floor)
        },
    },
    Open {
        name: "bare-capability",
        properties: &["brute-force", "proposals"],
        says: "gpu-driver: the first branch of a capability is not looked at when the capability is given alone and belongs to no architecture",
        touches: |case| {
            let alone = |c: Cap| {
                !case.world.gpus.iter().any(|g| g.cap == Some(c))
                    && case.world.cap_first.iter().any(|(f, _)| *f == c)
            };
            case.question.hardware.iter().any(|h| matches!(h, Hardware::Bare(c) if alone(*c)))
        },
    },
    Open {
        name: "requirements-of-pins",
        properties: &["sat", "brute-force"],
        says: "world::build follow_pins: what a pinned package requires is dropped where the build requires the same package itself",
        touches: required_twice,
    },
    Open {
        name: "requirements-of-pins-proposed",
        properties: &["proposals"],
        says: "the same, in what is proposed",
        touches: required_twice,
    },
    Open {
        name: "newest-level-is-a-lower-bound",
        properties: &["brute-force"],
        says: "ptx-driver: of a driver newer than every known branch it is only known that it reads at least what the newest known one reads; the engine says no to newer PTX",
        touches: |case| {
            let newest = |d: Driver| match d {
                Driver::Future | Driver::Between(_) => true,
                Driver::Of(branch, _) => {
                    !case.world.branches[branch].windows && case.question.os != Os::Linux
                }
            };
            case.question.driver.is_some_and(newest)
        },
    },
    Open {
        name: "classes-without-release",
        properties: &["sat", "brute-force"],
        says: "solve::environment: builds that differ only in their release stand for each other, though another package of the question requires one of the releases",
        touches: |case| {
            let wanted = |p: usize| case.question.wants.iter().any(|(w, _)| *w == p);
            case.world.packages.iter().enumerate().any(|(p, package)| {
                let requires = package.releases.iter().filter_map(|r| r.requires.as_ref()).flatten();
                wanted(p)
                    && requires
                        .clone()
                        .any(|(other, spec)| *spec != Spec::Any && *other != LIB_AT && wanted(*other))
            })
        },
    },
    Open {
        name: "selected-boards",
        properties: &["brute-force", "proposals"],
        says: "ptx-driver, driver-path: a forward-compatibility package for selected boards counts as certain for PTX, and for every GPU but the first",
        touches: |case| {
            let selected = |h: &Hardware| matches!(h, Hardware::Board(i) if case.world.gpus[*i].segment == Segment::Workstation);
            !case.world.forward.is_empty()
                && case.question.driver.is_some()
                && case.question.hardware.iter().any(selected)
        },
    },
    Open {
        name: "no-common-python",
        // The oracles leave an interpreter that is not named to each package on its own, as the engine does.
        properties: &[],
        says: "solve::environment: packages, and a build and what it pins, fit together though no Python has a file of each",
        touches: |_| false,
    },
    Open {
        name: "module-facts-order",
        properties: &["shuffled"],
        says: "one-environment: the facts about a shared module stand in the order of their rows",
        touches: |case| case.world.packages.iter().filter(|p| p.same_module).count() > 1,
    },
    Open {
        name: "level-not-recorded",
        properties: &["newer-driver"],
        says: "driver-path, ptx-driver: a branch whose CUDA release is not recorded is less than an older one whose release is",
        touches: |case| {
            // Of a Windows number that belongs to no branch that is known nothing is recorded either.
            case.world
                .branches
                .iter()
                .any(|b| b.cuda.is_none() || !b.windows && case.question.os != Os::Linux)
        },
    },
];

/// Does a release require one package in two ways, itself and through what it pins, or another release of itself?
fn required_twice(case: &Case) -> bool {
    let list = |p: usize, r: Rel| -> Vec<(usize, Spec)> {
        case.world
            .packages
            .get(p)
            .and_then(|p| p.releases.get(usize::from(r) - 1)?.requires.clone())
            .unwrap_or_default()
    };
    case.world.packages.iter().enumerate().any(|(p, package)| {
        (1..=package.releases.len() as Rel).any(|r| {
            let mut seen = vec![(p, r)];
            let mut all: Vec<(usize, Spec)> = Vec::new();
            let mut at = 0;
            while let Some((p, r)) = seen.get(at).copied() {
                at += 1;
                all.push((p, Spec::Eq(r)));
                for (other, spec) in list(p, r) {
                    all.push((other, spec));
                    if let Spec::Eq(r) = spec
                        && !seen.contains(&(other, r))
                    {
                        seen.push((other, r));
                    }
                }
            }
            all.iter().enumerate().any(|(i, (p, s))| all[i + 1..].iter().any(|(q, t)| p == q && s != t))
        })
    })
}
