//! What a question says of the machine alone: driver, toolkit, cuDNN, GPU, without a framework.

use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::GpuTarget;
use crate::rule::{Context, cudnn, join, one};
use crate::version::{CudaVersion, CudnnVersion};
use crate::world::Facts;

/// The links among the parts of the machine that were named.
pub(crate) fn edges<'w>(context: &Context<'w>) -> Vec<Edge<'w>> {
    // Of what the question leaves open, the parts that go together best, newest first.
    let all = |list: &[CudaVersion]| list.iter().copied().map(Some).collect::<Vec<_>>();
    let mut cuda = all(if context.toolkit.is_empty() { &context.cuda } else { &context.toolkit });
    let mut cudnn: Vec<Option<CudnnVersion>> = context.cudnn.iter().copied().map(Some).collect();
    cuda.extend(cuda.is_empty().then_some(None));
    cudnn.extend(cudnn.is_empty().then_some(None));
    let pairs = cuda.iter().flat_map(|cuda| cudnn.iter().map(move |cudnn| (*cuda, *cudnn)));
    let judged = pairs.map(|(cuda, cudnn)| of(context, cuda, cudnn));
    judged.min_by_key(|edges| edges.iter().map(|e| e.outcome).max()).unwrap_or_default()
}

/// The links among one toolkit, one cuDNN and the rest.
fn of<'w>(context: &Context<'w>, cuda: Option<CudaVersion>, cudnn: Option<CudnnVersion>) -> Vec<Edge<'w>> {
    let request = context.request;
    let world = context.world;
    let mut out = Vec::new();
    for gpu in request.gpus() {
        out.extend(crate::rule::machine(context, gpu));
    }
    if let (Some(cuda), Some(driver)) = (cuda, &context.driver)
        && let Some(floor) = world.driver.floor(world.kb, cuda, request.os)
    {
        let facts = join([&floor.facts, &driver.facts]);
        let native = driver.cuda.filter(|l| l.reaches(cuda) == Some(true));
        let (outcome, reason) = match native {
            _ if !driver.version.at_least(&floor.value) => {
                (Outcome::Fail, Reason::DriverBelow { cuda, driver: driver.version, floor: floor.value })
            }
            Some(level) => (Outcome::Pass, Reason::DriverNative { cuda, driver: driver.version, level }),
            None => (
                Outcome::Pass,
                Reason::DriverMinor { cuda, driver: driver.version, floor: floor.value, level: driver.cuda },
            ),
        };
        out.push(Edge { rule: RuleId::DriverPath, outcome, reason, facts });
    }
    if let Some(cuda) = cuda {
        for gpu in request.gpus() {
            if let Some((can, fact)) = world.toolkit.can_compile(cuda, gpu.capability) {
                // A toolkit that cannot target the GPU can still run libraries that hold PTX: only a no is worth a word.
                if !can {
                    let reason = Reason::ToolkitCannotTarget {
                        gpu: label(context, gpu),
                        capability: gpu.capability,
                        cuda,
                        last: world.toolkit.last_for(gpu.capability),
                    };
                    out.push(Edge {
                        rule: RuleId::DeviceCode,
                        outcome: Outcome::Fail,
                        reason,
                        facts: one(fact),
                    });
                }
            }
        }
    }
    if let Some(cudnn) = cudnn {
        if let Some(cuda) = cuda {
            out.push(cudnn::pair(context, cudnn, cuda));
        }
        for gpu in request.gpus() {
            out.push(cudnn_gpu(context, cudnn, cuda, gpu));
        }
    }
    out
}

/// cuDNN against a GPU, without a framework between them.
pub(crate) fn cudnn_gpu<'w>(
    context: &Context<'w>,
    cudnn: CudnnVersion,
    cuda: Option<CudaVersion>,
    gpu: &GpuTarget,
) -> Edge<'w> {
    let name = label(context, gpu);
    let capability = gpu.capability;
    let (outcome, reason, facts) = match cudnn::code(context, cudnn, cuda.map(|c| c.major()), capability) {
        cudnn::Code::Held(facts) => {
            (Outcome::Pass, Reason::CudnnHasCode { cudnn, gpu: name, capability }, facts)
        }
        cudnn::Code::Absent(range, fact) => {
            (Outcome::Fail, Reason::CudnnNoCode { cudnn, gpu: name, capability, range }, one(fact))
        }
        cudnn::Code::Dropped(_) | cudnn::Code::Newer | cudnn::Code::Open => {
            (Outcome::Unknown, Reason::CudnnCodeUnknown { cudnn, gpu: name, capability }, Facts::new())
        }
    };
    Edge { rule: RuleId::CudnnGpu, outcome, reason, facts }
}

/// The request's own copy of a GPU's label, which lives as long as the context.
fn label<'w>(context: &Context<'w>, gpu: &GpuTarget) -> &'w str {
    context.request.gpus().iter().find(|g| g.label == gpu.label).map_or("", |g| &g.label)
}
