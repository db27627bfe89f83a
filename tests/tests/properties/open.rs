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
        name: "python-of-pinned",
        properties: &["brute-force", "proposals", "sat"],
        says: "build-platform: a file of a package that is pinned decides for the build itself, and each channel's file of it must fit",
        touches: pins_and_python,
    },
    Open {
        name: "python-of-pinned-order",
        properties: &["shuffled"],
        says: "build-platform: of several files of a pinned package the first in the order of the rows is told",
        touches: pins_and_python,
    },
    Open {
        name: "level-not-recorded",
        properties: &["newer-driver"],
        says: "driver-path, ptx-driver: a branch whose CUDA release is not recorded is less than an older one whose release is",
        touches: |case| case.world.branches.iter().any(|b| b.cuda.is_none()),
    },
];

fn pins_and_python(case: &Case) -> bool {
    let requires = case.world.packages.iter().flat_map(|p| &p.releases).filter_map(|r| r.requires.as_ref());
    case.question.python.is_some() && requires.flatten().any(|(p, s)| *p != LIB_AT && matches!(s, Spec::Eq(_)))
}
