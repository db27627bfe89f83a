//! The driver against what runs on it.

use super::{Finding, Outcome};
use crate::case::Case;
use kb_core::version::{CudaVersion, Dotted};

/// Do drivers of this level start programs of that release? By the newest recorded driver of the branches that have the
/// level; `None` where no branch or no floor is known.
fn serves(case: &Case<'_>, level: CudaVersion, cuda: CudaVersion) -> Option<bool> {
    let (driver, os) = (&case.world.driver, case.os());
    let floor = driver.floor(case.kb(), cuda, os)?.value;
    let newest = crate::fix::newest_of_level(case, level);
    match newest {
        Some(newest) => Some(newest.at_least(&floor)),
        // A level beyond all recorded branches is that of a newer driver.
        None => (level.cmp_number(&cuda).is_ge()).then_some(true),
    }
}

/// `driver-floor`: is the driver older than the least one for the CUDA release of the build?
pub(super) fn floor(case: &Case<'_>) -> Option<Finding> {
    let cuda = case.framework_cuda().or_else(|| case.parsed("cuda-needed"));
    let os = case.os();
    let name = "driver-floor";
    let cuda = cuda?;
    let floor = case.world.driver.floor(case.kb(), cuda.value, os);
    let needed = |finding: Finding| match &floor {
        Some(floor) => finding.from(floor.facts.iter().copied()).with("driver-needed", floor.value),
        None => finding,
    };
    let level = case.level();
    if let (Some(driver), Some(floor)) = (case.driver(), &floor) {
        let holds = !driver.value.at_least(&floor.value);
        let mut out = Finding::decided(name, holds).shown_by(&driver).shown_by(&cuda);
        out = needed(out).with("driver", driver.value).with("framework-cuda", cuda.value);
        let info = case.world.driver.info(driver.value, os);
        if let Some(native) = info.cuda.filter(|n| !n.at_least) {
            out = out.with("cuda-driver-level", native.cuda);
        }
        return Some(match &level {
            Some(level) => out.shown_by(level),
            None => out,
        });
    }
    let level = level?;
    let holds = !serves(case, level.value, cuda.value)?;
    let out = Finding::decided(name, holds).shown_by(&level).shown_by(&cuda);
    Some(needed(out).with("cuda-driver-level", level.value).with("framework-cuda", cuda.value))
}

/// `container-floor`: does the image ask for a CUDA release above the host driver's level?
pub(super) fn container_floor(case: &Case<'_>) -> Option<Finding> {
    let needed = case.parsed::<CudaVersion>("cuda-needed")?;
    let level = case.level_served()?;
    let holds = level.value.prefix(2).cmp_number(&needed.value.prefix(2)).is_lt();
    let mut out = Finding::decided("container-floor", holds).shown_by(&level).shown_by(&needed);
    if let Some(native) = case.world.driver.native(needed.value, case.os()) {
        out = out.from(native.facts.iter().copied()).with("driver-needed", native.value);
    }
    Some(out.with("cuda-driver-level", level.value).with("cuda-needed", needed.value))
}

/// `module-library-differ`: are kernel module and libraries of different releases?
pub(super) fn module_library(case: &Case<'_>) -> Option<Finding> {
    let module = case.driver()?;
    let library = case.parsed::<Dotted>("driver-library")?;
    let same = module.value.0.cmp_number(&library.value).is_eq()
        || library.value.starts_with(&module.value.0)
        || module.value.starts_with(&library.value);
    let out = Finding::decided("module-library-differ", !same).shown_by(&module).shown_by(&library);
    Some(out.with("driver", module.value).with("driver-library", library.value))
}

/// `driver-packages`: are packages of several releases of the driver installed?
pub(super) fn packages(case: &Case<'_>) -> Option<Finding> {
    // `nvidia-driver-550 550.54.14-0ubuntu1`, `nv_dispi.inf 581.80`: the release is the number without what a distribution
    // puts around it. Packages that are numbered otherwise are none of a release: by the kernel, by a date, by L4T.
    let release = |value: &str| {
        let (name, version) = value.rsplit_once(' ')?;
        let version = version.rsplit(':').next()?.split(['-', '+', '~']).next()?;
        let (branch, _) = version.split_once('.')?;
        let of_driver = branch.len() == 3 && branch.bytes().all(|b| b.is_ascii_digit());
        // A daemon that serves all releases.
        (of_driver && name != "nvidia-persistenced").then(|| version.to_owned())
    };
    let found: Vec<(String, &kb_core::observe::Observation)> =
        case.seen.of("driver-package").filter_map(|o| Some((release(&o.value)?, o))).collect();
    let (first, _) = found.first()?;
    let other = found.iter().find(|(release, _)| release != first);
    let mut out = Finding::decided("driver-packages", other.is_some());
    for (_, o) in &found {
        out = out.on(o.line);
    }
    Some(out)
}

/// `gpu-driver`: does the driver's branch no longer, or not yet, support the GPU?
pub(super) fn gpu_driver(case: &Case<'_>) -> Option<Finding> {
    let driver = case.driver()?;
    let capability = case.capability()?;
    let branch = case.world.driver.info(driver.value, case.os()).branch?;
    let range = case.world.driver.range_of(capability.value);
    let late = range.last.as_ref().filter(|last| branch > last.value);
    let early = range.first.as_ref().filter(|first| branch < first.value);
    let decided = late.or(early);
    let mut out = Finding::decided("gpu-driver", decided.is_some()).shown_by(&driver).shown_by(&capability);
    if let Some(stated) = decided {
        out = out.from(stated.facts.iter().copied());
        if let Some(first) =
            case.world.driver.first_of_branch(stated.value, case.os()).filter(|_| late.is_none())
        {
            out = out.with("driver-needed", first);
        }
    } else if range.first.is_none() && range.last.is_none() {
        return None;
    }
    Some(out.with("driver", driver.value).with("compute-capability", capability.value))
}

/// `ptx-floor`: is the PTX newer than what the driver's compiler reads?
pub(super) fn ptx_floor(case: &Case<'_>) -> Option<Finding> {
    let name = "ptx-floor";
    if let (Some(ptx), Some(most)) =
        (case.parsed::<Dotted>("ptx-isa"), case.parsed::<Dotted>("ptx-isa-driver"))
    {
        let holds = ptx.value.cmp_number(&most.value).is_gt();
        let out = Finding::decided(name, holds).shown_by(&ptx).shown_by(&most);
        return Some(out.with("ptx-isa", ptx.value).with("ptx-isa-driver", most.value));
    }
    let toolkit = case.parsed::<CudaVersion>("cuda-toolkit").or_else(|| case.framework_cuda())?;
    let level = case.level_served()?;
    if toolkit.value.prefix(2).cmp_number(&level.value.prefix(2)).is_le() {
        return None;
    }
    let mut out = Finding::new(name, Outcome::Likely).shown_by(&toolkit).shown_by(&level);
    for (cuda, what) in [(toolkit.value, "ptx-isa"), (level.value, "ptx-isa-driver")] {
        if let Some((isa, fact)) = case.world.toolkit.ptx_isa(cuda) {
            out = out.from([fact]).with(what, isa);
        }
    }
    Some(out.with("cuda-toolkit", toolkit.value).with("cuda-driver-level", level.value))
}
