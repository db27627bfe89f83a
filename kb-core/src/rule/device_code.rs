//! Device code: machine code (SASS) runs on the same major and an equal or higher minor number; PTX on anything equal
//! or newer, through the driver's compiler; `a` targets exactly, `f` targets in their family. Packages that compile
//! on the machine go by what their compiler can target.

use super::{Context, OnHand, Sink, join, one};
use crate::reason::{Reason, RuleId};
use crate::request::{GpuTarget, Policy};
use crate::version::CudaVersion;
use crate::world::{Build, Libraries};

/// How a build's code gets to run on a GPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Machine code, or code made on the machine.
    Direct,
    /// PTX, compiled by the driver.
    Ptx,
    /// It does not, or nobody knows.
    None,
}

pub(super) fn apply<'w>(
    context: &Context<'w>,
    build: &'w Build,
    target: &'w GpuTarget,
    out: &mut Sink<'_, 'w>,
) -> Way {
    let world = context.world;
    let gpu = &*target.label;
    let capability = target.capability;
    let board = target.gpu.map(|i| world.gpus[i].capability_facts()).unwrap_or_default();
    // What only users report is not admitted where the question wants what is listed.
    let admitted = |code: &&crate::world::Stated<crate::world::DeviceCode>| {
        context.request.policy == Policy::Tested
            || code.facts.iter().any(|f| world.kb.grade(*f) < crate::evidence::Grade::Reported)
    };
    let Some(code) = build.device_code.as_ref().filter(admitted) else {
        return without_list(context, build, target, out);
    };
    let facts = join([&board, &code.facts]);
    let sass = code.value.sass.iter().filter(|t| t.sass_runs_on(capability)).max();
    if let Some(by) = sass {
        out.pass(RuleId::DeviceCode, Reason::RunsSass { gpu, capability, by: *by }, facts);
        return Way::Direct;
    }
    match &code.value.ptx {
        Some(ptx) => match ptx.iter().filter(|t| t.ptx_runs_on(capability)).max() {
            Some(by) => {
                out.pass(
                    RuleId::DeviceCode,
                    Reason::RunsPtx { gpu, capability, by: *by, sass: &code.value.sass },
                    facts,
                );
                Way::Ptx
            }
            None => {
                out.fail(
                    RuleId::DeviceCode,
                    Reason::NoCode { gpu, capability, sass: &code.value.sass, ptx },
                    facts,
                );
                Way::None
            }
        },
        None => {
            out.unknown(
                RuleId::DeviceCode,
                Reason::PtxUnknown { gpu, capability, sass: &code.value.sass },
                facts,
            );
            Way::None
        }
    }
}

/// Nobody has listed the build's code. A documented floor can only say no; for packages that compile on the machine
/// the documented range and the compiler's targets decide.
fn without_list<'w>(
    context: &Context<'w>,
    build: &'w Build,
    target: &'w GpuTarget,
    out: &mut Sink<'_, 'w>,
) -> Way {
    let world = context.world;
    let gpu = &*target.label;
    let capability = target.capability;
    let number = crate::version::Dotted::new(&[u32::from(capability.major), u32::from(capability.minor)]);
    let board = target.gpu.map(|i| world.gpus[i].capability_facts()).unwrap_or_default();
    let documented = build.compute_documented.as_ref();
    if let Some(stated) = documented
        && !stated.value.contains(&number)
    {
        let reason = Reason::NotDocumented { gpu, capability, range: &stated.value };
        out.fail(RuleId::DeviceCode, reason, join([&board, &stated.facts]));
        return Way::None;
    }
    // What no target of the toolkit runs on, neither as machine code nor as PTX, no build made with it can serve.
    if let Some(made) = &build.cuda
        && let Some((_, targets, fact)) = world.toolkit.of(made.value)
        && !targets.iter().any(|t| t.sass_runs_on(capability) || t.ptx_runs_on(capability))
    {
        let reason =
            Reason::ToolkitCannot { gpu, capability, cuda: made.value, least: targets.iter().min().copied() };
        out.fail(RuleId::DeviceCode, reason, join([&board, &made.facts, &one(*fact)]));
        return Way::None;
    }
    if !world.kb.packages[usize::from(build.package)].compiles_at_run_time {
        out.unknown(
            RuleId::DeviceCode,
            Reason::CodeUnknown { gpu, capability },
            join([&board, &build.facts]),
        );
        return Way::None;
    }
    match compiler(context, build, target, out.hand) {
        Some((true, cuda, fact)) => {
            let stated = documented.map(|d| d.facts.clone()).unwrap_or_default();
            out.pass(
                RuleId::DeviceCode,
                Reason::RunsCompiled { gpu, capability, cuda },
                join([&board, &stated, &one(fact)]),
            );
            Way::Direct
        }
        Some((false, Some(cuda), fact)) => {
            out.fail(
                RuleId::DeviceCode,
                Reason::CannotCompile { gpu, capability, cuda },
                join([&board, &one(fact)]),
            );
            Way::None
        }
        _ => {
            out.unknown(
                RuleId::DeviceCode,
                Reason::CodeUnknown { gpu, capability },
                join([&board, &build.facts]),
            );
            Way::None
        }
    }
}

/// Can the compiler that a package uses on the machine target the GPU? The CUDA release is the one that was asked
/// for, else the newest that the package accepts, else the one it was made with.
fn compiler(
    context: &Context<'_>,
    build: &Build,
    target: &GpuTarget,
    hand: OnHand,
) -> Option<(bool, Option<CudaVersion>, crate::fact::FactId)> {
    let toolkit = &context.world.toolkit;
    let asked = context.request.cuda.as_ref().or(context.request.toolkit.as_ref().map(|(_, set)| set));
    // Where the toolkit comes from the machine, it is the one that everything else is held against.
    let on_machine = build.libraries.as_ref().is_some_and(|l| l.value == Libraries::System);
    let single = hand.cuda.or(hand.toolkit).filter(|_| on_machine);
    let single = single.map(|v| crate::version::VersionSet::starting_with(v.prefix(2)));
    let asked = single.as_ref().or(asked);
    let accepted = build.accepts_cuda.as_ref().map(|a| &a.value);
    let mut best: Option<(bool, Option<CudaVersion>, crate::fact::FactId)> = None;
    for (cuda, targets, fact) in toolkit.targets.iter().rev() {
        let inside = match (asked, accepted) {
            (Some(asked), _) => {
                asked.contains(&cuda.0)
                    || asked.overlaps(&crate::version::VersionSet::starting_with(cuda.prefix(2)))
            }
            (None, Some(accepted)) => accepted.contains(&cuda.0),
            (None, None) => {
                // Libraries that pip pulls are of the same major as the build; the newest of it compiles.
                build.cuda.as_ref().is_some_and(|made| made.value.major() == cuda.major())
            }
        };
        if !inside {
            continue;
        }
        if targets.iter().any(|t| t.sass_runs_on(target.capability)) {
            return Some((true, Some(*cuda), *fact));
        }
        best = best.or(Some((false, Some(*cuda), *fact)));
    }
    best
}
