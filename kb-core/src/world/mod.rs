//! The facts as the rules read them: typed, joined, with every value still carrying its fact.
//!
//! [`World`] borrows a [`Kb`]; making one costs a fraction of a millisecond, and the builds of a package are joined
//! when they are first asked for.

mod build;
mod cudnn;
mod driver;
mod files;
mod gpu;
mod package;
pub(crate) mod read;
mod requires;
mod stored;
mod toolkit;

pub(crate) use build::PythonLimit;
pub use build::{Build, BuildKind, DeviceCode, Libraries, PythonFacts, Requirement, Targets};
pub use cudnn::{CudnnFacts, CudnnFloor, CudnnPair, CudnnRelease};
pub use driver::{BranchFacts, DriverFacts, DriverInfo, Floor, NativeCuda};
pub use gpu::{ArchRange, GpuFacts};
pub use package::{PackageWorld, Release};
pub use toolkit::ToolkitFacts;

use crate::fact::FactId;
use crate::kb::Kb;
use crate::platform::Platform;
pub use crate::version::Interpreters;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// The facts behind a value.
pub type Facts = SmallVec<[FactId; 3]>;

/// A value together with the facts that state it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stated<T> {
    /// The value that is followed.
    pub value: T,
    /// The facts that state it, strongest first.
    pub facts: Facts,
    /// Facts that state something else.
    pub against: Facts,
    /// The dispute file that settles it, as an index into [`Kb::disputes`]; `None` also where the stronger truth of a
    /// ranked relation is followed.
    pub dispute: Option<usize>,
}

impl<T: Clone> Stated<&T> {
    /// The same with a value of its own.
    pub(crate) fn cloned(self) -> Stated<T> {
        Stated { value: self.value.clone(), facts: self.facts, against: self.against, dispute: self.dispute }
    }
}

/// The typed view of a knowledge base.
#[derive(Debug)]
pub struct World<'kb> {
    /// The facts themselves.
    pub kb: &'kb Kb,
    /// For each GPU of the catalogue.
    pub gpus: Vec<GpuFacts>,
    /// Driver branches, versions and floors.
    pub driver: DriverFacts<'kb>,
    /// CUDA toolkits.
    pub toolkit: ToolkitFacts,
    /// cuDNN releases and what they fit.
    pub cudnn: CudnnFacts<'kb>,
    packages: Vec<[OnceLock<PackageWorld>; SLOTS]>,
    files: OnceLock<files::Files<'kb>>,
    joined: Option<Joined>,
}

/// Packages that were joined before: by index in [`Kb::packages`] and platform. `None` for a pair that was not.
pub type Joined = fn(usize, Platform) -> Option<PackageWorld>;

/// A borrowed [`World`], as the rules see it.
///
/// The packages of a world are joined when first asked for, which ties its own lifetime parameter down; behind this
/// view facts, question and answer can share one lifetime.
#[derive(Clone, Copy)]
pub struct View<'w> {
    /// The facts themselves.
    pub kb: &'w Kb,
    /// For each GPU of the catalogue.
    pub gpus: &'w [GpuFacts],
    /// Driver branches, versions and floors.
    pub driver: &'w DriverFacts<'w>,
    /// CUDA toolkits.
    pub toolkit: &'w ToolkitFacts,
    /// cuDNN releases and what they fit.
    pub cudnn: &'w CudnnFacts<'w>,
    /// The platform whose builds are seen; `None` means all.
    pub platform: Option<Platform>,
    packages: &'w dyn Packages,
}

impl<'w> View<'w> {
    /// The releases and builds of a package, by its index in [`Kb::packages`].
    pub fn package(&self, index: usize) -> &'w PackageWorld {
        self.packages.package(index, self.platform)
    }

    /// The same, seen from one platform.
    pub fn from(&self, platform: Platform) -> View<'w> {
        View { platform: Some(platform), ..*self }
    }

    /// The same with the builds of every platform.
    pub fn everywhere(&self) -> View<'w> {
        View { platform: None, ..*self }
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("version", &self.kb.version).finish_non_exhaustive()
    }
}

trait Packages {
    fn package(&self, index: usize, platform: Option<Platform>) -> &PackageWorld;
}

impl Packages for World<'_> {
    fn package(&self, index: usize, platform: Option<Platform>) -> &PackageWorld {
        World::package(self, index, platform)
    }
}

impl<'kb> World<'kb> {
    /// Joins the facts.
    pub fn new(kb: &'kb Kb) -> Self {
        World {
            kb,
            gpus: gpu::read(kb),
            driver: DriverFacts::read(kb),
            toolkit: ToolkitFacts::read(kb),
            cudnn: CudnnFacts::read(kb),
            packages: kb.packages.iter().map(|_| Default::default()).collect(),
            files: OnceLock::new(),
            joined: None,
        }
    }

    /// The same for a Kb whose packages were joined before, as those of the data that is compiled in.
    pub fn with_joined(kb: &'kb Kb, joined: Joined) -> Self {
        World { joined: Some(joined), ..World::new(kb) }
    }

    /// The world as the rules see it, with the builds of every platform.
    pub fn view(&self) -> View<'_> {
        self.seen_from(None)
    }

    /// The world as the rules see it from one platform: only builds that run there are joined.
    pub fn seen_from(&self, platform: Option<Platform>) -> View<'_> {
        View {
            kb: self.kb,
            gpus: &self.gpus,
            driver: &self.driver,
            toolkit: &self.toolkit,
            cudnn: &self.cudnn,
            platform,
            packages: self,
        }
    }

    /// The releases and builds of a package, by its index in [`Kb::packages`]; with a platform only its builds.
    pub fn package(&self, index: usize, platform: Option<Platform>) -> &PackageWorld {
        let slot = platform.and_then(|p| Platform::WORDS.iter().position(|w| Platform::parse(w) == Some(p)));
        let slot = slot.map_or(0, |s| s + 1);
        let only = platform.filter(|_| slot > 0);
        self.packages[index][slot].get_or_init(|| {
            let before = only.and_then(|platform| self.joined.and_then(|joined| joined(index, platform)));
            before.unwrap_or_else(|| {
                let files = self.files.get_or_init(|| files::Files::read(self.kb));
                PackageWorld::read(self.kb, index, only, files)
            })
        })
    }
}

/// One for all platforms, and one for each.
const SLOTS: usize = Platform::WORDS.len() + 1;

/// Chooses among values that several facts state for one key.
///
/// A dispute file decides; without one the strongest kind of source does (device code, measured, artifact, vendor
/// document …), and among equals the first table. All facts stay in the result.
pub(crate) fn prefer<T: PartialEq + Clone>(kb: &Kb, claims: &[(T, FactId)]) -> Option<Stated<T>> {
    let (_, first) = claims.first()?;
    let disagree = claims.iter().any(|(v, _)| *v != claims[0].0);
    if !disagree {
        let facts = by_strength(kb, claims.iter().map(|(_, f)| *f));
        return Some(Stated { value: claims[0].0.clone(), facts, against: Facts::new(), dispute: None });
    }
    let relation = kb.table(*first).relation;
    let ranked = kb.relation(*first).ranked;
    let source_of = |f: FactId| kb.table(f).source;
    let mut chosen = None;
    for (index, dispute) in kb.disputes.iter().enumerate().filter(|(_, d)| d.relation == relation) {
        let Some(prefer) = dispute.prefer else { continue };
        let Some((value, fact)) =
            claims.iter().find(|(_, f)| source_of(*f) == prefer && covers(kb, dispute, *f))
        else {
            continue;
        };
        let over = |f: FactId| dispute.over.contains(&source_of(f));
        // Where truths are ranked, a dispute says nothing of a stronger one that it does not name.
        let stronger = |f: FactId| ranked && !over(f) && kb.kind(f).truth() < kb.kind(*fact).truth();
        let others = || claims.iter().filter(|(v, _)| v != value);
        if others().any(|(_, f)| over(*f)) && !others().any(|(_, f)| stronger(*f)) {
            chosen = Some((value, *fact, Some(index)));
            break;
        }
    }
    let (value, _, dispute) = chosen.unwrap_or_else(|| {
        let best = claims.iter().min_by_key(|(_, f)| kb.kind(*f));
        let (v, f) = best.unwrap_or(&claims[0]);
        (v, *f, None)
    });
    Some(Stated {
        value: value.clone(),
        facts: by_strength(kb, claims.iter().filter(|(v, _)| v == value).map(|(_, f)| *f)),
        against: by_strength(kb, claims.iter().filter(|(v, _)| v != value).map(|(_, f)| *f)),
        dispute,
    })
}

fn by_strength(kb: &Kb, facts: impl Iterator<Item = FactId>) -> Facts {
    let mut out: Facts = facts.collect();
    out.sort_by_key(|f| (kb.kind(*f), *f));
    out.dedup();
    out
}

/// Does the dispute's key speak of this fact? Keys of ranges are compared as text; a key column that the dispute
/// leaves out matches everything.
fn covers(kb: &Kb, dispute: &crate::record::Dispute, fact: FactId) -> bool {
    dispute.key.iter().all(|(column, wanted)| match kb.cell(fact, column) {
        Some(value) => {
            let text = value.to_string();
            let range = |t: &str| t.contains(['=', '<', '>', '*']);
            let one = |t: &str| t.starts_with("==") && !t.contains(['*', ',', '|']);
            // A range on either side is not compared: the facts were already found to overlap. Two single releases are.
            text == **wanted || (range(&text) || range(wanted)) && !(one(&text) && one(wanted))
        }
        None => true,
    })
}

#[cfg(test)]
mod ranking;
