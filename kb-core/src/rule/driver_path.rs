//! How a driver satisfies a CUDA release: natively, by minor-version compatibility, or with a forward-compatibility
//! package beside it.

use super::{Context, Sink, join, one};
use crate::reason::{Reason, RuleId};
use crate::request::GpuTarget;
use crate::version::CudaVersion;
use crate::world::{Build, BuildKind};

pub(super) fn apply<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    if build.kind != BuildKind::Cuda || context.request.hardware == crate::request::Hardware::None {
        return;
    }
    let world = context.world;
    // A build that takes its libraries from the system starts with the toolkit that is there.
    let toolkit = out
        .hand
        .cuda
        .filter(|_| build.libraries.as_ref().is_some_and(|l| l.value == crate::world::Libraries::System));
    let (cuda, made_facts) = match (toolkit, &build.cuda) {
        (Some(toolkit), _) => (toolkit, crate::world::Facts::new()),
        (None, Some(made)) => (made.value, made.facts.clone()),
        (None, None) => {
            if context.driver.is_some() {
                match accepted_major(context, build) {
                    Some(cuda) => {
                        (cuda, build.accepts_cuda.as_ref().map(|a| a.facts.clone()).unwrap_or_default())
                    }
                    None => {
                        out.unknown(RuleId::DriverPath, Reason::CudaUnknown, build.facts.clone());
                        return;
                    }
                }
            } else {
                match accepted_major(context, build) {
                    Some(cuda) => (cuda, crate::world::Facts::new()),
                    None => return,
                }
            }
        }
    };
    let os = context.request.os;
    let floor = context.floor(cuda);
    let Some(driver) = &context.driver else {
        match floor {
            Some(floor) => {
                let reason = Reason::NeedsDriver { cuda, floor: floor.value };
                out.pass(RuleId::DriverPath, reason, join([&made_facts, &floor.facts]));
            }
            // Nobody asked about a driver, and nobody knows the least one: said, but it decides nothing.
            None => out.pass(RuleId::DriverPath, Reason::FloorUnknown { cuda, os: os.word() }, made_facts),
        }
        return;
    };
    let native = driver.cuda.is_some_and(|level| level.reaches(cuda) == Some(true));
    let Some(floor) = floor else {
        // A driver that supports the release natively needs no floor.
        if native && let Some(level) = driver.cuda {
            let reason = Reason::DriverNative { cuda, driver: driver.version, level };
            out.pass(RuleId::DriverPath, reason, join([&made_facts, &driver.facts]));
        } else {
            out.unknown(
                RuleId::DriverPath,
                Reason::FloorUnknown { cuda, os: os.word() },
                join([&made_facts, &driver.facts]),
            );
        }
        return;
    };
    let facts = join([&made_facts, &floor.facts, &driver.facts]);
    if driver.version.at_least(&floor.value) {
        let reason = match driver.cuda {
            Some(level) if native => Reason::DriverNative { cuda, driver: driver.version, level },
            level => Reason::DriverMinor { cuda, driver: driver.version, floor: floor.value, level },
        };
        out.pass(RuleId::DriverPath, reason, facts);
        return;
    }
    // The number comes from somebody who is not its publisher, and the vendor names the branch only: inside the
    // branch, below the number, nobody knows.
    let first_hand = floor.facts.iter().any(|f| {
        let primary = &world.kb.relation(*f).primary;
        primary.contains(&world.kb.sources[usize::from(world.kb.table(*f).source)].kind)
    });
    let floor_branch = context.branch_of(floor.value);
    if !first_hand && driver.branch.is_some() && driver.branch >= floor_branch {
        let reason = Reason::FloorUnsure { cuda, driver: driver.version, floor: floor.value };
        out.unknown(RuleId::DriverPath, reason, facts);
        return;
    }
    let below = Reason::DriverBelow { cuda, driver: driver.version, floor: floor.value };
    let targets = context.request.gpus();
    if targets.is_empty() {
        out.fail(RuleId::DriverPath, below, facts);
        return;
    }
    let mut packages = Vec::new();
    for target in targets {
        match forward_package(context, cuda, target) {
            Some(package) => packages.push(package),
            None => {
                out.fail(RuleId::DriverPath, below, facts);
                return;
            }
        }
    }
    // All GPUs have to be served: the one in doubt decides.
    packages.sort_by_key(|p| p.certain);
    let (Some(found), Some(branch)) = (packages.first(), driver.branch) else { return };
    let facts = join([&facts, &found.facts]);
    let (driver, floor, package) = (driver.version, floor.value, found.package);
    if found.certain {
        out.pass(RuleId::DriverPath, Reason::DriverForward { cuda, driver, floor, package, branch }, facts);
    } else {
        out.unknown(RuleId::DriverPath, Reason::ForwardUndecided { cuda, driver, floor, package }, facts);
    }
}

/// A forward-compatibility package that carries a CUDA release on the driver of the question.
pub(crate) struct Forward<'w> {
    pub(crate) package: &'w str,
    /// The GPU's class is entitled as a whole; otherwise only some boards of it are.
    pub(crate) certain: bool,
    pub(crate) facts: crate::world::Facts,
}

/// Linux only; data centre GPUs, some workstation boards; the exact pair of package and branch must be listed.
pub(crate) fn forward_package<'w>(
    context: &Context<'w>,
    cuda: CudaVersion,
    target: &GpuTarget,
) -> Option<Forward<'w>> {
    let world = context.world;
    if context.request.os != crate::platform::Os::Linux {
        return None;
    }
    let branch = context.driver.as_ref()?.branch?;
    let segment = &*world.kb.gpus[target.gpu?].segment;
    let (_, eligible, class) = world.driver.forward_classes.iter().find(|(s, ..)| *s == segment)?;
    let certain = match *eligible {
        "yes" => true,
        "selected" => false,
        _ => return None,
    };
    let wanted = cuda.prefix(2);
    let package = world.driver.forward.iter().find(|f| {
        f.toolkit.major() == wanted.major()
            && f.toolkit.cmp_number(&wanted).is_ge()
            && f.compatible.contains(&branch)
    })?;
    Some(Forward { package: package.package, certain, facts: join([&one(package.fact), &one(*class)]) })
}

/// For a build that names no CUDA release of its own: the least release that it accepts.
fn accepted_major(context: &Context<'_>, build: &Build) -> Option<CudaVersion> {
    let accepted = build.accepts_cuda.as_ref()?;
    let asked = context.request.cuda.as_ref();
    context
        .world
        .toolkit
        .releases
        .iter()
        .map(|(v, _)| *v)
        .find(|v| accepted.value.contains(&v.0) && asked.is_none_or(|a| a.contains(&v.0)))
        .map(|v| CudaVersion(v.prefix(2)))
}
