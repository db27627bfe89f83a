//! The GPU against the device code of the build.

use super::{Finding, Outcome};
use crate::case::{At, Case};
use kb_core::fact::FactId;
use kb_core::version::{ComputeCapability, ComputeTarget, CudaVersion};

/// What a build has code for, from the log or from the facts.
struct Code {
    sass: Vec<ComputeTarget>,
    /// Empty also where a message does not say.
    ptx: Vec<ComputeTarget>,
    lines: Vec<usize>,
    facts: Vec<FactId>,
    shown: String,
    /// Does a source say that there is no PTX beyond `ptx`?
    ptx_known: bool,
}

fn code(case: &Case<'_>) -> Option<Code> {
    if let Some(o) = case.seen.first("framework-arches") {
        let sass: Vec<ComputeTarget> = o.value.split(' ').filter_map(|t| t.parse().ok()).collect();
        if !sass.is_empty() {
            let lines = o.line.into_iter().collect();
            // The program itself compared, and it knows its PTX.
            return Some(Code {
                sass,
                ptx: Vec::new(),
                lines,
                facts: Vec::new(),
                shown: o.value.clone(),
                ptx_known: true,
            });
        }
    }
    let build = case.build()?;
    let stated = build.value.device_code.as_ref()?;
    let (sass, ptx) = (stated.value.sass.to_vec(), stated.value.ptx.clone());
    let shown = sass.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    Some(Code {
        sass,
        ptx_known: ptx.is_some(),
        ptx: ptx.unwrap_or_default().to_vec(),
        lines: build.lines,
        facts: stated.facts.to_vec(),
        shown,
    })
}

/// The GPU, and the code that does not run on it; the flag tells whether it runs after all.
fn compared(case: &Case<'_>) -> Option<(At<ComputeCapability>, Code, bool)> {
    let gpu = case.capability()?;
    let code = code(case)?;
    let runs = code.sass.iter().any(|t| t.sass_runs_on(gpu.value))
        || code.ptx.iter().any(|t| t.ptx_runs_on(gpu.value));
    Some((gpu, code, runs))
}

fn finding(name: &'static str, holds: bool, gpu: &At<ComputeCapability>, code: &Code) -> Finding {
    let mut out = match (holds, code.ptx_known) {
        (true, false) => Finding::new(name, Outcome::Likely),
        (holds, _) => Finding::decided(name, holds),
    };
    out.lines.extend(&code.lines);
    out.shown_by(gpu)
        .from(code.facts.iter().copied())
        .with("compute-capability", gpu.value)
        .with("framework-arches", &code.shown)
}

/// `device-code-newer`: is the GPU newer than all code of the build?
pub(super) fn newer(case: &Case<'_>) -> Option<Finding> {
    let name = "device-code-newer";
    if let Some((gpu, code, runs)) = compared(case) {
        let above = code.sass.iter().all(|t| t.capability < gpu.value);
        return Some(finding(name, !runs && above, &gpu, &code));
    }
    // Nothing says which code is in it, but a compiler makes none for GPUs that it does not know.
    let gpu = case.capability()?;
    let cuda = case.framework_cuda()?;
    let (_, targets, fact) = case.world.toolkit.of(cuda.value)?;
    let above = targets.iter().all(|t| t.capability < gpu.value);
    let runs = targets.iter().any(|t| t.sass_runs_on(gpu.value));
    (above && !runs).then(|| {
        Finding::new(name, Outcome::Likely)
            .shown_by(&gpu)
            .shown_by(&cuda)
            .from([*fact])
            .with("compute-capability", gpu.value)
            .with("framework-cuda", cuda.value)
    })
}

/// `device-code-older`: is the GPU older than all code of the build?
pub(super) fn older(case: &Case<'_>) -> Option<Finding> {
    let name = "device-code-older";
    if let Some((gpu, code, runs)) = compared(case) {
        let below = code.sass.iter().all(|t| t.capability > gpu.value);
        return Some(finding(name, !runs && below, &gpu, &code));
    }
    let gpu = case.capability()?;
    let cuda = case.framework_cuda()?;
    let (_, targets, fact) = case.world.toolkit.of(cuda.value)?;
    targets.iter().all(|t| t.capability > gpu.value).then(|| {
        Finding::decided(name, true)
            .shown_by(&gpu)
            .shown_by(&cuda)
            .from([*fact])
            .with("compute-capability", gpu.value)
            .with("framework-cuda", cuda.value)
    })
}

/// `capability-dropped`: is the GPU older than everything that the newest toolkit compiles for?
pub(super) fn dropped(case: &Case<'_>) -> Option<Finding> {
    let gpu = case.capability()?;
    let (cuda, targets, fact) = case.world.toolkit.targets().last()?;
    let below = targets.iter().all(|t| t.capability > gpu.value);
    let out = Finding::decided("capability-dropped", below).shown_by(&gpu).from([*fact]);
    Some(out.with("compute-capability", gpu.value).with("cuda-needed", cuda))
}

/// The toolkit of the compiler that was started: `/usr/local/cuda-12.4/bin/nvcc`.
fn compiler(case: &Case<'_>) -> Option<At<CudaVersion>> {
    case.lines.iter().find_map(|line| {
        let (before, _) = line.text.split_once("/bin/nvcc")?;
        let version = before.rsplit('/').next()?.strip_prefix("cuda-")?;
        Some(At { value: version.parse().ok()?, lines: vec![line.number] })
    })
}

/// `toolkit-target`: can the toolkit that is used make no code for the GPU?
pub(super) fn toolkit_target(case: &Case<'_>) -> Option<Finding> {
    let gpu = case.capability()?;
    let toolkit = case.parsed::<CudaVersion>("cuda-toolkit").or_else(|| compiler(case));
    // What a framework was built with says nothing of a compiler that has just failed.
    let toolkit = match toolkit {
        None if case.message("nvcc-*").next().is_some() => return None,
        None => case.framework_cuda()?,
        Some(found) => found,
    };
    let (can, fact) = case.world.toolkit.can_compile(toolkit.value, gpu.value)?;
    let out = Finding::decided("toolkit-target", !can).shown_by(&gpu).shown_by(&toolkit).from([fact]);
    Some(out.with("compute-capability", gpu.value).with("cuda-toolkit", toolkit.value))
}
