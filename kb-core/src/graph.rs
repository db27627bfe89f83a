//! The typed graph of one question: what was stated, every build that could serve a want, and each link between them
//! with its outcome.
//!
//! Nothing is left out: a build that fails a link stays, with that link and its values, so that an answer can say
//! why, and what would change it.

use crate::catalog::Channel;
use crate::kb::Kb;
use crate::platform::{Arch, Os};
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{Hardware, Intent, Request, Want};
use crate::rule::{self, Context};
use crate::version::CudaVersion;
use crate::world::{Build, BuildKind, Libraries, PackageWorld};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::cmp::Reverse;

/// A node of the graph.
#[derive(Clone, Debug)]
pub enum Node<'w> {
    /// A GPU of the question, by its position there.
    Gpu(usize),
    /// The driver, stated or free.
    Driver,
    /// The CUDA release.
    Cuda,
    /// cuDNN.
    Cudnn,
    /// The interpreter and the platform.
    Platform,
    /// What is known to be bad.
    Advisories,
    /// A build that could be installed.
    Build(&'w Build),
}

/// The graph for one want.
#[derive(Debug)]
pub struct Graph<'w> {
    graph: DiGraph<Node<'w>, usize>,
    /// The links, each at the position that its edges hold: builds share some.
    links: Vec<Edge<'w>>,
    /// Builds in order of preference, whatever became of them.
    pub candidates: Vec<Candidate<'w>>,
}

/// A build in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'w> {
    /// The build.
    pub build: &'w Build,
    /// Its package.
    pub package: &'w PackageWorld,
    /// The worst of its links.
    pub outcome: Outcome,
    node: NodeIndex,
}

impl<'w> Graph<'w> {
    /// Evaluates every link of every build that could serve `want`.
    pub fn build(context: &Context<'w>, want: &Want) -> Graph<'w> {
        let serving = serving(context, want);
        // A build has six or seven links.
        let mut graph = DiGraph::with_capacity(serving.len() + 16, serving.len() * 8);
        let gpus: Vec<NodeIndex> =
            (0..context.request.gpus().len()).map(|i| graph.add_node(Node::Gpu(i))).collect();
        let driver = graph.add_node(Node::Driver);
        let cuda = graph.add_node(Node::Cuda);
        let cudnn = graph.add_node(Node::Cudnn);
        let platform = graph.add_node(Node::Platform);
        let advisories = graph.add_node(Node::Advisories);
        let mut candidates = Vec::with_capacity(serving.len());
        let mut links: Vec<Edge<'w>> = Vec::with_capacity(serving.len() * 8);
        // A board's link to the driver is the same for all builds but has to be seen in each.
        let mut shared: Vec<NodeIndex> = Vec::new();
        for (gpu, node) in context.request.gpus().iter().zip(&gpus) {
            links.extend(rule::machine(context, gpu));
            shared.resize(links.len(), *node);
        }
        for (package, build) in serving {
            let node = graph.add_node(Node::Build(build));
            let mut outcome = Outcome::Pass;
            if build.kind != BuildKind::Plain {
                for (at, from) in shared.iter().enumerate() {
                    outcome = outcome.max(links[at].outcome);
                    graph.add_edge(*from, node, at);
                }
            }
            let first = links.len();
            let mut gpu = 0;
            rule::evaluate(context, package, build, &mut links);
            for (at, edge) in links.iter().enumerate().skip(first) {
                outcome = outcome.max(edge.outcome);
                let from = match edge.rule {
                    RuleId::GpuBuild | RuleId::DeviceCode | RuleId::Wsl2 => {
                        gpus.first().copied().unwrap_or(platform)
                    }
                    RuleId::GpuDriver => {
                        let at = gpus.get(gpu).copied().unwrap_or(driver);
                        gpu += 1;
                        at
                    }
                    RuleId::DriverPath | RuleId::PtxDriver => driver,
                    RuleId::Libraries => cuda,
                    RuleId::CudnnGpu | RuleId::CudnnCuda | RuleId::CudnnBuild => cudnn,
                    RuleId::BuildPlatform => platform,
                    RuleId::OneEnvironment | RuleId::Advisory => advisories,
                };
                graph.add_edge(from, node, at);
            }
            candidates.push(Candidate { build, package, outcome, node });
        }
        sort(context, &mut candidates);
        Graph { graph, links, candidates }
    }

    /// The links of a candidate in the order of the chain.
    pub fn edges(&self, candidate: &Candidate<'w>) -> Vec<&Edge<'w>> {
        let mut edges: Vec<(petgraph::graph::EdgeIndex, &Edge<'w>)> = self
            .graph
            .edges_directed(candidate.node, Direction::Incoming)
            .map(|e| (e.id(), &self.links[*e.weight()]))
            .collect();
        edges.sort_by_key(|(i, e)| (e.rule, *i));
        edges.into_iter().map(|(_, e)| e).collect()
    }

    /// The first candidate that fits without a forward-compatibility package, else the first that fits; of its release
    /// the first that holds machine code for the GPU. Where none fits, the first about which too little is known; of its release the one
    /// about which the least is unknown.
    pub fn best(&self) -> Option<&Candidate<'w>> {
        let of = |outcome: Outcome| self.candidates.iter().filter(move |c| c.outcome == outcome);
        let of_release = |first: &Candidate<'w>, outcome: Outcome| {
            let release = (first.build.package, first.build.release);
            of(outcome).filter(move |c| (c.build.package, c.build.release) == release)
        };
        let package =
            |e: &Edge<'_>| matches!(e.reason, Reason::DriverForward { .. } | Reason::PtxForward { .. });
        let as_it_is = of(Outcome::Pass).find(|c| !self.has(c, package));
        match as_it_is.or_else(|| of(Outcome::Pass).next()) {
            Some(first) => {
                let drawback = |e: &Edge<'_>| {
                    package(e)
                        || matches!(e.reason, Reason::PtxReadable { .. } | Reason::PtxNeedsDriver { .. })
                };
                of_release(first, Outcome::Pass).find(|c| !self.has(c, drawback)).or(Some(first))
            }
            None => {
                let first = of(Outcome::Unknown).next()?;
                of_release(first, Outcome::Unknown).min_by_key(|c| self.doubts(c))
            }
        }
    }

    /// How many links of a candidate nobody can judge.
    fn doubts(&self, candidate: &Candidate<'w>) -> usize {
        let links = self.graph.edges_directed(candidate.node, Direction::Incoming);
        links.filter(|e| self.links[*e.weight()].outcome == Outcome::Unknown).count()
    }

    fn has(&self, candidate: &Candidate<'w>, what: impl Fn(&Edge<'w>) -> bool) -> bool {
        let mut links = self.graph.edges_directed(candidate.node, Direction::Incoming);
        links.any(|e| what(&self.links[*e.weight()]))
    }
}

/// The builds that a want leaves open: right package, version, label, extra, channel, platform.
fn serving<'w>(context: &Context<'w>, want: &Want) -> Vec<(&'w PackageWorld, &'w Build)> {
    let world = context.world;
    let request = context.request;
    let mut out = Vec::new();
    for member in crate::request::family(world, want.package) {
        let package: &'w PackageWorld = world.package(member);
        let accepted = accepted(want, package);
        for build in &package.builds {
            if accepted[build.release as usize] && matches(request, want, world, build) {
                out.push((package, build));
            }
        }
    }
    // What an installer is given without an extra is the package itself, unless what the extra brings is there too.
    if request.exact_extras
        && want.requirement.extras.is_empty()
        && out.iter().any(|(_, b)| b.extra.is_none())
    {
        let given = |name: &str| request.wants.iter().any(|w| w.requirement.name == name);
        let of_cuda = |name: &str| name.contains("cuda") || name.starts_with("nvidia-");
        let brought = |b: &Build| {
            b.extra.is_some() && b.requires.iter().any(|(r, _)| of_cuda(&r.name) && given(&r.name))
        };
        if !out.iter().any(|(_, b)| brought(b)) {
            out.retain(|(_, b)| b.extra.is_none());
        }
    }
    if request.intent == Intent::Check && request.channels.len() > 1 {
        // Of one release an installer that sees several indexes takes the version with a local label: it sorts higher.
        let place = |b: &Build| (b.package, b.release);
        let labelled: Vec<_> = out.iter().filter(|(_, b)| b.label.is_some()).map(|(_, b)| place(b)).collect();
        out.retain(|(_, b)| b.label.is_some() || !labelled.contains(&place(b)));
    }
    // Beside builds for the GPU those without GPU code are no answer, and no reason either.
    let gpu = request.means_gpu() || request.wants.iter().any(|w| w.requirement.name.starts_with("nvidia-"));
    if gpu && out.iter().any(|(_, b)| b.kind == BuildKind::Cuda) {
        out.retain(|(_, b)| b.kind == BuildKind::Cuda);
    }
    out
}

/// Which releases a want leaves open: withdrawn ones only by name, pre-releases only where nothing else is accepted.
pub(crate) fn accepted(want: &Want, package: &PackageWorld) -> Vec<bool> {
    let only_prerelease = want.requirement.versions().is_some() && only_prerelease(want, package);
    let open = |r: &crate::world::Release| {
        let named = want.requirement.exact().is_some_and(|v| v == r.version());
        want.requirement.accepts(r.version()) && (named || !r.yanked && (!r.prerelease || only_prerelease))
    };
    package.releases.iter().map(open).collect()
}

/// Does the requirement accept nothing but pre-releases?
fn only_prerelease(want: &Want, package: &PackageWorld) -> bool {
    !package.releases.iter().any(|r| !r.prerelease && want.requirement.accepts(r.version()))
}

/// Does a build carry the label of a want (`+cu126`, or `.post120`, which names its channel)? A CPU build without a
/// label is what `+cpu` means. A library beside a framework has the label of any channel that serves it.
pub(crate) fn labelled(kb: &Kb, want: &Want, build: &Build) -> bool {
    let same = |own: &str| want.label.as_deref().is_some_and(|label| own.eq_ignore_ascii_case(label));
    let label = match (want.label.as_deref(), build.label.as_deref()) {
        (None, _) => true,
        (Some(_), Some(own)) => same(own),
        (Some(label), None) => {
            label == "cpu" && build.kind == BuildKind::Cpu
                || beside(kb, build).any(|c| c.local_label.as_deref().is_some_and(same))
        }
    };
    label && want.channel.is_none_or(|c| c == usize::from(build.channel))
}

/// The channels that serve a library beside a framework: nobody lists its files for each of them, and they serve the
/// same releases.
pub(crate) fn beside<'w>(kb: &'w Kb, build: &Build) -> impl Iterator<Item = &'w Channel> {
    let id = (build.kind == BuildKind::Plain).then(|| &*kb.packages[usize::from(build.package)].id);
    kb.channels.iter().filter(move |c| id.is_some_and(|id| c.packages.iter().any(|p| **p == *id)))
}

/// Is a build for the platform of the question? One with GPU code of which no platform is recorded is for those that
/// CUDA's toolkits are made for.
pub(crate) fn runs_on(build: &Build, request: &Request) -> bool {
    match build.platform {
        Some(platform) => platform == request.platform(),
        None if build.kind == BuildKind::Cuda => match request.os.build_os() {
            Os::Macos => false,
            Os::Windows => request.arch == Arch::X86_64,
            _ => true,
        },
        None => true,
    }
}

fn matches(request: &Request, want: &Want, world: crate::world::View<'_>, build: &Build) -> bool {
    let channel = usize::from(build.channel);
    let kind = &*world.kb.channels[channel].kind;
    let asked = request.channels.contains(&channel);
    // Containers are another way of living, not another index: only when they are asked for.
    if kind == "docker" && !asked || build.status.as_deref() == Some("planned") {
        return false;
    }
    // A channel that serves another want and not this one is about the other.
    let serves = |c: usize, package: usize| {
        let id = &*world.kb.packages[package].id;
        let channel = &world.kb.channels[c];
        &*channel.id == "pypi" || channel.packages.iter().any(|p| **p == *id)
    };
    let own = usize::from(build.package);
    let about = |c: &usize| {
        serves(*c, own) || !request.wants.iter().any(|w| w.package != own && serves(*c, w.package))
    };
    let served_too =
        || beside(world.kb, build).any(|c| request.channels.iter().any(|r| world.kb.channels[*r].id == c.id));
    if !asked && request.channels.iter().any(about) && !served_too() {
        return false;
    }
    let platform = runs_on(build, request);
    let label = labelled(world.kb, want, build);
    // Extras that make no build of their own are nobody's concern; the others have to be the ones that were asked for.
    let of_package = |e: &str| world.package(own).builds.iter().any(|b| b.extra.as_deref() == Some(e));
    let asked_extras: Vec<&str> =
        want.requirement.extras.iter().map(|e| &**e).filter(|e| of_package(e)).collect();
    let extra = asked_extras.is_empty() || build.extra.as_deref().is_some_and(|e| asked_extras.contains(&e));
    platform && label && extra
}

/// The documented order of preference, best highest: a build for the hardware that is meant (GPU builds unless no GPU
/// was said); newest release; stable before experimental; the family's members and the package's channels in their
/// order; libraries that come along before those of the system; newest CUDA; then by id.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Merit<'w> {
    meant: bool,
    /// Only in a family, whose members count their releases apart.
    version: Option<&'w crate::pep::Version>,
    release: u32,
    stable: bool,
    member: Reverse<usize>,
    channel: Reverse<usize>,
    default: bool,
    libraries: bool,
    cuda: Option<CudaVersion>,
    id: Reverse<u16>,
    extra: Option<&'w str>,
}

/// Sorts the candidates, best first.
fn sort<'w>(context: &Context<'w>, candidates: &mut Vec<Candidate<'w>>) {
    let kb = context.world.kb;
    let no_gpu = context.request.hardware == Hardware::None;
    let mut members: Vec<u16> = Vec::new();
    for candidate in candidates.iter() {
        if !members.contains(&candidate.build.package) {
            members.push(candidate.build.package);
        }
    }
    let family = members.len() > 1;
    // Positions of channels in a package's order are few; builds are many.
    let mut channels: Vec<(u16, u16, usize)> = Vec::new();
    let mut channel_of = |build: &Build| {
        if let Some((.., known)) =
            channels.iter().find(|(p, c, _)| *p == build.package && *c == build.channel)
        {
            return *known;
        }
        let order = &kb.packages[usize::from(build.package)].channel_order;
        let id = &*kb.channels[usize::from(build.channel)].id;
        let at = |name: &str| order.iter().position(|c| **c == *name);
        let found = at(id).or_else(|| at("*")).unwrap_or(order.len());
        channels.push((build.package, build.channel, found));
        found
    };
    let mut keyed: Vec<(Merit<'w>, Candidate<'w>)> = candidates
        .drain(..)
        .map(|candidate| {
            let build = candidate.build;
            let merit = Merit {
                meant: (build.kind == if no_gpu { BuildKind::Cpu } else { BuildKind::Cuda }),
                version: family.then(|| candidate.package.release(build).version()),
                release: build.release,
                stable: build.status.as_deref() != Some("experimental"),
                // Members were met in their order.
                member: Reverse(members.iter().position(|m| *m == build.package).unwrap_or(0)),
                channel: Reverse(channel_of(build)),
                default: build.default,
                libraries: build.libraries.as_ref().is_none_or(|l| l.value != Libraries::System),
                cuda: build.cuda.as_ref().map(|c| c.value),
                id: Reverse(build.channel),
                extra: build.extra.as_deref(),
            };
            (merit, candidate)
        })
        .collect();
    keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
    candidates.extend(keyed.into_iter().map(|(_, c)| c));
}
