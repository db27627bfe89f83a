//! The rules: how facts combine. One file each; every constant comes from facts.
//!
//! A rule looks at one build in the light of the request and says what holds, what does not and what nobody knows. It
//! never stops another rule: every link of every build is evaluated, so that an answer can name all that is wrong.

mod advisory;
pub(crate) mod build_platform;
pub(crate) mod cudnn;
mod device_code;
mod driver_path;
mod gpu_build;
pub(crate) mod gpu_driver;
pub(crate) use gpu_driver::least_listed;
mod libraries;
mod on_hand;
pub(crate) mod one_environment;
mod ptx_driver;
mod wsl2;

use crate::fact::FactId;
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::Request;
use crate::value::Branch;
use crate::version::{CudaVersion, CudnnVersion, DriverVersion};
use crate::world::{Build, DriverInfo, Facts, PackageWorld, Stated, View};
pub(crate) use on_hand::OnHand;
use std::cell::RefCell;
use std::rc::Rc;

/// What the rules see: the facts, the question, and what was looked up once for it.
#[derive(Debug)]
pub struct Context<'w> {
    /// The facts.
    pub world: View<'w>,
    /// The question.
    pub request: &'w Request,
    /// The driver of the question, looked up.
    pub driver: Option<DriverInfo>,
    /// The releases of cuDNN that the question leaves open, newest first; empty when it says nothing of cuDNN.
    pub cudnn: Vec<CudnnVersion>,
    /// The same as PyPI numbers them; builds by the dozen compare them with what they require.
    pub(crate) cudnn_on_pypi: Vec<Option<pep440_rs::Version>>,
    /// The CUDA releases that it asks for.
    pub cuda: Vec<CudaVersion>,
    /// The toolkits on the machine that it may mean.
    pub toolkit: Vec<CudaVersion>,
    /// What was looked up of cuDNN's code.
    pub(crate) cudnn_code: RefCell<Vec<CudnnCode<'w>>>,
    /// What was looked up of pairs of cuDNN and CUDA.
    pub(crate) cudnn_pairs: RefCell<Vec<((CudnnVersion, CudaVersion), cudnn::Paired)>>,
    /// The least drivers that were looked up.
    floors: RefCell<Vec<(CudaVersion, Option<LeastDriver>)>>,
    /// Drivers whose branches were looked up.
    branches: RefCell<Vec<(DriverVersion, Option<Branch>)>>,
}

/// A release of cuDNN, the CUDA major it is built for, a capability, and what is known of its code.
pub(crate) type CudnnCode<'w> =
    ((CudnnVersion, Option<u32>, crate::version::ComputeCapability), cudnn::Code<'w>);

/// The least driver of a CUDA release, as the facts state it.
type LeastDriver = Rc<Stated<DriverVersion>>;

impl<'w> Context<'w> {
    /// Looks up what all builds share.
    pub fn new(world: View<'w>, request: &'w Request) -> Self {
        let driver = request.driver.map(|version| world.driver.info(version, request.os));
        let cudnn = on_hand::cudnn_releases(world, request.cudnn.as_ref());
        Context {
            world,
            request,
            driver,
            cudnn_on_pypi: cudnn.iter().map(|c| cudnn::on_pypi(world, *c)).collect(),
            cudnn,
            cuda: on_hand::cuda_releases(world, request.cuda.as_ref()),
            toolkit: on_hand::cuda_releases(world, request.toolkit.as_ref().map(|(_, set)| set)),
            cudnn_code: RefCell::default(),
            cudnn_pairs: RefCell::default(),
            floors: RefCell::default(),
            branches: RefCell::default(),
        }
    }

    /// The least driver for a CUDA release on the system of the question. Builds by the dozen share a release.
    pub(crate) fn floor(&self, cuda: CudaVersion) -> Option<LeastDriver> {
        if let Some((_, known)) = self.floors.borrow().iter().find(|(c, _)| *c == cuda) {
            return known.clone();
        }
        let found = self.world.driver.floor(self.world.kb, cuda, self.request.os).map(Rc::new);
        self.floors.borrow_mut().push((cuda, found.clone()));
        found
    }

    /// The branch of a driver on the system of the question. Least drivers are few.
    fn branch_of(&self, driver: DriverVersion) -> Option<Branch> {
        if let Some((_, known)) = self.branches.borrow().iter().find(|(d, _)| *d == driver) {
            return *known;
        }
        let found = self.world.driver.info(driver, self.request.os).branch;
        self.branches.borrow_mut().push((driver, found));
        found
    }
}

/// Links, as rules put them.
pub type Edges<'w> = Vec<Edge<'w>>;

/// Evaluates every rule for one build and adds its links to `edges`; those that all builds share are in `machine`.
pub fn evaluate<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    edges: &mut Edges<'w>,
) {
    judge(context, package, build, edges);
}

/// The links of one build, with the toolkit and the cuDNN that serve it best of those that the question leaves open.
pub(crate) fn judge<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    edges: &mut Edges<'w>,
) -> OnHand {
    if context.cuda.is_empty() && context.toolkit.is_empty() && context.cudnn.is_empty() {
        with(context, package, build, OnHand::default(), edges);
        return OnHand::default();
    }
    let first = edges.len();
    let mut best: Option<((Outcome, Outcome), OnHand)> = None;
    for hand in on_hand::choices(context, build) {
        let start = edges.len();
        with(context, package, build, hand, edges);
        let worst = |of: &dyn Fn(RuleId) -> bool| {
            let of_it = edges[start..].iter().filter(|e| of(e.rule));
            of_it.map(|e| e.outcome).max().unwrap_or(Outcome::Pass)
        };
        let chosen = worst(&|rule| on_hand::decides(rule, build));
        let rank = (worst(&|_| true), chosen);
        if best.as_ref().is_none_or(|(before, _)| rank < *before) {
            best = Some((rank, hand));
            edges.drain(first..start);
        } else {
            edges.truncate(start);
        }
        // What is wrong beside that is wrong with each of them.
        if chosen == Outcome::Pass {
            break;
        }
    }
    best.map(|(_, hand)| hand).unwrap_or_default()
}

/// The links of one build with one toolkit and one cuDNN.
fn with<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    hand: OnHand,
    edges: &mut Edges<'w>,
) {
    let first = edges.len();
    let mut out = Sink { edges, hand };
    if build.kind == crate::world::BuildKind::Plain {
        cudnn::wheel(context, package, build, &mut out);
        // Code that was read in it counts, unless another channel serves other files of the same release.
        let only_here = || crate::graph::beside(context.world.kb, build).next().is_none();
        if build.device_code.is_some() && only_here() {
            for gpu in context.request.gpus() {
                let way = device_code::apply(context, build, gpu, &mut out);
                ptx_driver::apply(context, build, gpu, way, &mut out);
            }
        }
        build_platform::apply(context, package, build, &mut out);
        one_environment::itself(context, build, &mut out);
        advisory::apply(context, package, build, &mut out);
        // Its wheels may hold GPU code of their own that nobody has read. What it requires can be judged beside that.
        let judged =
            out.edges[first..].iter().any(|e| !matches!(e.rule, RuleId::BuildPlatform | RuleId::Advisory));
        let asked = |name: &str| context.request.wants.iter().any(|w| w.requirement.name == name);
        if !judged && !build.requires.iter().any(|(r, _)| asked(&r.name)) {
            out.unknown(RuleId::GpuBuild, Reason::NothingRecorded, build.facts.clone());
        }
        return;
    }
    gpu_build::apply(context, package, build, &mut out);
    for gpu in context.request.gpus() {
        if build.kind == crate::world::BuildKind::Cuda {
            let way = device_code::apply(context, build, gpu, &mut out);
            ptx_driver::apply(context, build, gpu, way, &mut out);
            cudnn::gpu(context, build, gpu, &mut out);
        }
        if context.driver.is_none() {
            gpu_driver::without_driver(context, build, gpu, &mut out);
        }
    }
    driver_path::apply(context, build, &mut out);
    cudnn::cuda(context, build, &mut out);
    cudnn::build(context, build, &mut out);
    libraries::apply(context, build, &mut out);
    build_platform::apply(context, package, build, &mut out);
    one_environment::itself(context, build, &mut out);
    advisory::apply(context, package, build, &mut out);
}

/// The links between a GPU and the machine: no build matters to them, and every build has them.
pub(crate) fn machine<'w>(context: &Context<'w>, gpu: &'w crate::request::GpuTarget) -> Edges<'w> {
    let mut edges = Edges::new();
    let mut out = Sink { edges: &mut edges, hand: OnHand::default() };
    gpu_driver::machine(context, gpu, &mut out);
    wsl2::apply(context, gpu, &mut out);
    edges
}

/// Where rules put what they find.
pub(crate) struct Sink<'a, 'w> {
    edges: &'a mut Edges<'w>,
    /// What stands for the sets of the question.
    hand: OnHand,
}

impl<'w> Sink<'_, 'w> {
    fn put(&mut self, rule: RuleId, outcome: Outcome, reason: Reason<'w>, facts: Facts) {
        self.edges.push(Edge { rule, outcome, reason, facts });
    }

    fn pass(&mut self, rule: RuleId, reason: Reason<'w>, facts: Facts) {
        self.put(rule, Outcome::Pass, reason, facts);
    }

    fn fail(&mut self, rule: RuleId, reason: Reason<'w>, facts: Facts) {
        self.put(rule, Outcome::Fail, reason, facts);
    }

    fn unknown(&mut self, rule: RuleId, reason: Reason<'w>, facts: Facts) {
        self.put(rule, Outcome::Unknown, reason, facts);
    }
}

/// Joins facts, each once.
pub(crate) fn join<'a>(lists: impl IntoIterator<Item = &'a Facts>) -> Facts {
    let mut out = Facts::new();
    for list in lists {
        add(&mut out, list);
    }
    out
}

fn add(out: &mut Facts, list: &[FactId]) {
    out.reserve(list.len());
    for fact in list {
        if !out.contains(fact) {
            out.push(*fact);
        }
    }
}

/// A single fact as a list.
pub(crate) fn one(fact: FactId) -> Facts {
    std::iter::once(fact).collect()
}
