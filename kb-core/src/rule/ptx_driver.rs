//! PTX is compiled by the driver, which has to know the PTX version: a driver at least as new as the toolkit that
//! made it. Minor-version compatibility does not cover it; a forward-compatibility package does.

use super::device_code::Way;
use super::{Context, Sink, join, one};
use crate::reason::{Reason, RuleId};
use crate::request::GpuTarget;
use crate::version::CudaVersion;
use crate::world::Build;

pub(super) fn apply<'w>(
    context: &Context<'w>,
    build: &'w Build,
    target: &'w GpuTarget,
    way: Way,
    out: &mut Sink<'_, 'w>,
) {
    if way != Way::Ptx {
        return;
    }
    let Some(made) = &build.cuda else { return };
    let world = context.world;
    let isa = world.toolkit.ptx_isa(made.value);
    let enough = |level: CudaVersion| {
        level.cmp_number(&made.value.prefix(2)).is_ge()
            || matches!((isa, world.toolkit.ptx_isa(level)), (Some((needs, _)), Some((has, _))) if has.cmp_number(&needs).is_ge())
    };
    let first = world.driver.branches.iter().find(|b| b.cuda.is_some_and(enough));
    let mut facts = made.facts.clone();
    facts.extend(isa.map(|(_, fact)| fact));
    match &context.driver {
        None => {
            if let Some(first) = first {
                let driver = world.driver.first_of_branch(first.branch, context.request.os);
                let reason = Reason::PtxNeedsDriver { made: made.value, branch: first.branch, driver };
                out.pass(RuleId::PtxDriver, reason, join([&facts, &one(first.fact)]));
            }
        }
        Some(driver) => {
            let facts = join([&facts, &driver.facts]);
            let (made, version) = (made.value, driver.version);
            if let Some(level) = driver.cuda.filter(|l| enough(l.cuda)) {
                let reason = Reason::PtxReadable { made, driver: version, level };
                out.pass(RuleId::PtxDriver, reason, facts);
                return;
            }
            if let Some(forward) = super::driver_path::forward_package(context, made, target) {
                let facts = join([&facts, &forward.facts]);
                let package = forward.package;
                if forward.certain {
                    let reason = Reason::PtxForward { made, driver: version, package };
                    out.pass(RuleId::PtxDriver, reason, facts);
                } else {
                    let reason = Reason::PtxForwardUndecided { made, driver: version, package };
                    out.unknown(RuleId::PtxDriver, reason, facts);
                }
                return;
            }
            match driver.cuda {
                Some(level) if !level.at_least => {
                    let branch = first.map(|b| b.branch);
                    let reason = Reason::PtxTooNew { made, driver: version, level: level.cuda, branch };
                    out.fail(RuleId::PtxDriver, reason, facts);
                }
                _ => {
                    let reason = Reason::PtxLevelUnknown { made, driver: version };
                    out.unknown(RuleId::PtxDriver, reason, facts);
                }
            }
        }
    }
}
