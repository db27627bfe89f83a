//! GPU and driver branch: the link that other planners lack.
//!
//! A branch older than the architecture, or newer than its last branch, is a hard no. A board that a branch's device
//! table does not list, in a branch that knows its family, is a documented doubt: unknown, said as such. Tables are
//! per branch, not one minimum: branches are maintained side by side, and a later branch's early driver can lack a
//! board that an older branch's late driver knows.

use super::{Context, Sink, join, one};
use crate::reason::{Reason, RuleId};
use crate::request::GpuTarget;
use crate::value::Branch;
use crate::version::DriverVersion;
use crate::world::{ArchRange, Build, BuildKind, DriverInfo, Facts};

/// Where a driver was named; no build matters to it.
pub(super) fn machine<'w>(context: &Context<'w>, target: &'w GpuTarget, out: &mut Sink<'_, 'w>) {
    let range = match target.gpu {
        Some(index) => context.world.gpus[index].range.clone(),
        None => context.world.driver.range_of(target.capability),
    };
    if let Some(driver) = &context.driver {
        with_driver(context, target, &range, driver, out);
    }
}

/// Would this driver be known to run the GPU?
pub(crate) fn known_to<'w>(context: &Context<'w>, target: &'w GpuTarget, driver: DriverVersion) -> bool {
    let range = match target.gpu {
        Some(index) => context.world.gpus[index].range.clone(),
        None => context.world.driver.range_of(target.capability),
    };
    let mut edges = super::Edges::new();
    let mut out = Sink { edges: &mut edges, hand: super::OnHand::default() };
    with_driver(context, target, &range, &context.world.driver.info(driver, context.request.os), &mut out);
    edges.iter().all(|e| e.outcome == crate::reason::Outcome::Pass)
}

/// No driver was named: is there one at all, and from which branch on?
pub(super) fn without_driver<'w>(
    context: &Context<'w>,
    build: &'w Build,
    target: &'w GpuTarget,
    out: &mut Sink<'_, 'w>,
) {
    let owned;
    let range: &ArchRange = match target.gpu {
        Some(index) => &context.world.gpus[index].range,
        None => {
            owned = context.world.driver.range_of(target.capability);
            &owned
        }
    };
    let gpu = &*target.label;
    let facts = range_facts(range);
    if build.kind == BuildKind::Cuda
        && let (Some(last), Some(made)) = (&range.last, &build.cuda)
        && let Some(floor) = context.floor(made.value)
    {
        let needed = context.branch_of(floor.value);
        if needed.is_some_and(|b| b > last.value) {
            let reason = Reason::NoBranchLeft { gpu, last: last.value, cuda: made.value, floor: floor.value };
            out.fail(RuleId::GpuDriver, reason, join([&last.facts, &floor.facts, &made.facts]));
            return;
        }
    }
    // Several GPUs share one driver.
    if let Some(last) = &range.last {
        for other in context.request.gpus() {
            let first = least_listed(context, other).map(|(b, _)| (b, Facts::new())).or_else(|| {
                let range = match other.gpu {
                    Some(index) => context.world.gpus[index].range.clone(),
                    None => context.world.driver.range_of(other.capability),
                };
                range.first.map(|f| (f.value, f.facts))
            });
            if let Some((first, first_facts)) = first.filter(|(f, _)| *f > last.value) {
                let reason = Reason::NoCommonBranch { gpu, last: last.value, other: &other.label, first };
                out.fail(RuleId::GpuDriver, reason, join([&last.facts, &first_facts]));
                return;
            }
        }
    }
    if range.first.is_some() || range.last.is_some() {
        let first = least_listed(context, target).map(|(b, _)| b).or(range.first.as_ref().map(|f| f.value));
        let reason = Reason::NeedsBranch { gpu, first, last: range.last.as_ref().map(|l| l.value) };
        out.pass(RuleId::GpuDriver, reason, facts);
    }
}

fn with_driver<'w>(
    context: &Context<'w>,
    target: &'w GpuTarget,
    range: &ArchRange,
    driver: &DriverInfo,
    out: &mut Sink<'_, 'w>,
) {
    let world = context.world;
    let gpu = &*target.label;
    let version = driver.version;
    let Some(branch) = driver.branch.or_else(|| driver.future.then_some(Branch(u16::MAX))) else {
        out.unknown(RuleId::GpuDriver, Reason::BranchUnknown { gpu, driver: version }, driver.facts.clone());
        return;
    };
    if let Some(last) = &range.last
        && branch > last.value
    {
        let shown = if branch.0 == u16::MAX { Branch(version.major() as u16) } else { branch };
        let reason = Reason::BranchTooNew { gpu, driver: version, branch: shown, last: last.value };
        out.fail(RuleId::GpuDriver, reason, join([&last.facts, &driver.facts]));
        return;
    }
    if let Some(first) = &range.first
        && branch < first.value
    {
        let reason = Reason::BranchTooOld { gpu, driver: version, branch, first: first.value };
        out.fail(RuleId::GpuDriver, reason, join([&first.facts, &driver.facts]));
        return;
    }
    let facts = join([&range_facts(range), &driver.facts]);
    let pass = Reason::BranchKnowsGpu { gpu, driver: version, branch };
    let Some(index) = target.gpu else {
        if range.first.is_some() {
            out.pass(RuleId::GpuDriver, pass, facts);
        } else {
            by_toolkit(context, target, driver, branch, facts, out);
        }
        return;
    };
    let known = &world.gpus[index];
    let table = world.driver.tables.iter().find(|(b, ..)| *b == branch);
    let Some(listed_by) = known.listed_by else {
        if range.first.is_some() {
            out.pass(RuleId::GpuDriver, pass, facts);
        } else {
            by_toolkit(context, target, driver, branch, facts, out);
        }
        return;
    };
    let facts = join([&facts, &one(listed_by)]);
    let entry = known.listed.iter().find(|(b, _)| *b == branch);
    match (entry, table) {
        (Some((_, None)), _) => out.pass(RuleId::GpuDriver, pass, facts),
        (Some((_, Some(since))), table) => {
            // On Windows the tag of the device table is a Linux number; it is compared with the Linux driver of the
            // same release where that pair is recorded, and otherwise the branch decides.
            let compared =
                if context.request.os.driver_os() == "windows" { driver.linux_pair } else { Some(version) };
            // The first table of the series is of drivers for data centres only: it says nothing about others.
            let first_series = world.driver.tables.first().is_some_and(|(b, ..)| *b == branch)
                && range.first.as_ref().is_none_or(|f| f.value < branch);
            if compared.is_none_or(|v| v.at_least(since)) || first_series {
                out.pass(RuleId::GpuDriver, pass, facts);
            } else {
                let facts = join([&facts, &table.map(|(_, _, f)| one(*f)).unwrap_or_default()]);
                let reason = Reason::BoardNotListed {
                    gpu,
                    driver: version,
                    branch,
                    since: Some(*since),
                    elsewhere: None,
                };
                out.unknown(RuleId::GpuDriver, reason, facts);
            }
        }
        (None, Some((_, _, table))) => {
            let elsewhere = known
                .listed
                .iter()
                .map(|(b, _)| *b)
                .find(|b| *b > branch)
                .or(known.listed.last().map(|(b, _)| *b));
            let reason = Reason::BoardNotListed { gpu, driver: version, branch, since: None, elsewhere };
            out.unknown(RuleId::GpuDriver, reason, join([&facts, &one(*table)]));
        }
        (None, None) => older_or_newer(context, known, range, branch, pass, gpu, version, facts, out),
    }
}

/// A branch whose device table nobody has read. After the last table a listed board stays known; before the first one
/// a board that the first table already lists was there, and a board that came later is in doubt.
#[allow(clippy::too_many_arguments, reason = "the values of one link, used once")]
fn older_or_newer<'w>(
    context: &Context<'w>,
    known: &crate::world::GpuFacts,
    range: &ArchRange,
    branch: Branch,
    pass: Reason<'w>,
    gpu: &'w str,
    driver: DriverVersion,
    facts: Facts,
    out: &mut Sink<'_, 'w>,
) {
    let tables = &context.world.driver.tables;
    let (Some((first_table, ..)), Some((last_table, ..))) = (tables.first(), tables.last()) else {
        out.pass(RuleId::GpuDriver, pass, facts);
        return;
    };
    let first_listed = known.listed.first().map(|(b, _)| *b);
    let later = first_listed.is_none_or(|b| b > *first_table);
    let doubtful = branch < *last_table && later && first_listed.is_some_and(|b| branch < b);
    if doubtful || range.first.is_none() && branch < *first_table && later {
        let reason = Reason::BoardNotListed { gpu, driver, branch, since: None, elsewhere: first_listed };
        out.unknown(RuleId::GpuDriver, reason, facts);
    } else {
        out.pass(RuleId::GpuDriver, pass, facts);
    }
}

/// Nobody has recorded the first branch of the architecture: a branch knows it if its own CUDA release, or that of an
/// older branch, compiles for the capability. The end is a matter of the last branch, which was looked at before.
fn by_toolkit<'w>(
    context: &Context<'w>,
    target: &'w GpuTarget,
    driver: &DriverInfo,
    branch: Branch,
    facts: Facts,
    out: &mut Sink<'_, 'w>,
) {
    let gpu = &*target.label;
    let version = driver.version;
    let world = context.world;
    let known = world.driver.branches.iter().filter(|b| b.branch <= branch).find_map(|b| {
        let (can, fact) = world.toolkit.can_compile(b.cuda?, target.capability)?;
        can.then_some((b.fact, fact))
    });
    match known {
        Some((branch_fact, fact)) => {
            let reason = Reason::BranchKnowsGpu { gpu, driver: version, branch };
            out.pass(RuleId::GpuDriver, reason, join([&facts, &one(branch_fact), &one(fact)]));
        }
        None => out.unknown(RuleId::GpuDriver, Reason::RangeUnknown { gpu, driver: version }, facts),
    }
}

/// The first listing of a board at all.
pub(crate) fn least_listed(
    context: &Context<'_>,
    target: &GpuTarget,
) -> Option<(Branch, Option<DriverVersion>)> {
    let known = &context.world.gpus[target.gpu?];
    let first = *known.listed.first()?;
    let first_table = context.world.driver.tables.first().map(|(b, ..)| *b);
    (Some(first.0) != first_table).then_some(first)
}

fn range_facts(range: &ArchRange) -> Facts {
    join(range.first.iter().map(|f| &f.facts).chain(range.last.iter().map(|l| &l.facts)))
}
