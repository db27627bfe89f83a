//! From what was decided to the answer: sentences, sources, limits, install lines.

use super::sentence::{build_name, sentence};
use super::words::{Speaker, fill};
use super::{Component, DisputeRef, DriverNeed, Install, Item, Limit, Runs, SourceRef, Step, Verdict};
use crate::evidence::Grade;
use crate::fact::FactId;
use crate::graph::Candidate;
use crate::platform::Os;
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{Hardware, Request};
use crate::rule::{Context, cudnn, gpu_driver};
use crate::solve::Solved;
use crate::version::{CudaVersion, DriverVersion, Interpreters};
use crate::world::{Build, BuildKind, Facts, Libraries, View};
use std::collections::BTreeSet;

/// Turns decisions into words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Explain<'a, 'w> {
    pub(crate) context: &'a Context<'w>,
    pub(crate) speaker: Speaker<'w>,
}

impl<'a, 'w> Explain<'a, 'w> {
    pub(crate) fn new(context: &'a Context<'w>) -> Self {
        Explain { context, speaker: Speaker::new(context.world.kb, &context.request.language) }
    }

    fn world(&self) -> View<'w> {
        self.context.world
    }

    /// The sentence of a link.
    pub(crate) fn says(&self, name: &str, edge: &Edge<'_>) -> String {
        let none = self.speaker.say("none", &[]);
        let (id, values) = sentence(self.world().kb, name, &none, &edge.reason);
        self.speaker.say(id, &values)
    }

    /// A link as a step.
    pub(crate) fn step(&self, name: &str, edge: &Edge<'_>) -> Step {
        let mut facts: Vec<FactId> = edge.facts.to_vec();
        if let Reason::Advisory { .. } = edge.reason {
            facts.clear();
        }
        Step {
            says: self.says(name, edge),
            outcome: match edge.outcome {
                Outcome::Pass => "pass",
                Outcome::Unknown => "unknown",
                Outcome::Fail => "fail",
            },
            facts: facts.iter().map(|f| self.world().kb.fact_name(*f)).collect(),
            rule: Some(edge.rule.word()),
        }
    }

    /// The answer for one want.
    pub(crate) fn item(&self, solved: &Solved<'w>) -> Item {
        let mut item = self.empty(&solved.want.text, solved.verdict);
        let Some(choice) = solved.choice() else { return item };
        self.fill(&mut item, solved, choice);
        item
    }

    /// An item that says nothing yet.
    pub(crate) fn empty(&self, want: &str, verdict: Verdict) -> Item {
        let id = match verdict {
            Verdict::Fits => "answer-fits",
            Verdict::Conflict => "answer-conflict",
            Verdict::Unknown => "answer-unknown",
        };
        Item {
            want: want.to_owned(),
            verdict,
            grade: None,
            says: self.speaker.say(id, &[("what", want.to_owned())]),
            stack: Vec::new(),
            device_code: None,
            driver: None,
            limits: Vec::new(),
            steps: Vec::new(),
            install: Vec::new(),
            sources: Vec::new(),
            disputes: Vec::new(),
            missing: Vec::new(),
            also_fits: Vec::new(),
            conflict: None,
            attempts: Vec::new(),
        }
    }

    fn fill(&self, item: &mut Item, solved: &Solved<'w>, choice: &Candidate<'w>) {
        let build = choice.build;
        let name = build_name(self.world(), build);
        let edges = solved.graph.edges(choice);
        let id = if choice.outcome == Outcome::Pass { "answer-fits" } else { "answer-unknown" };
        item.says = self.speaker.say(id, &[("what", name.clone())]);
        item.steps = edges.iter().map(|e| self.step(&name, e)).collect();
        item.missing =
            edges.iter().filter(|e| e.outcome == Outcome::Unknown).map(|e| self.says(&name, e)).collect();
        let facts = self.facts(&edges, build);
        item.grade = (choice.outcome == Outcome::Pass).then(|| self.grade(&edges).word());
        item.sources = self.sources(&facts);
        item.disputes = self.disputes(build, &edges);
        item.stack = self.stack(build);
        item.device_code = self.runs(build, &edges);
        item.driver = self.driver_need(build, &edges);
        item.limits = self.limits(solved, choice);
        item.install = self.install(build);
        item.also_fits = self.also(solved, choice);
    }

    /// Other builds of the same release that fit, then the newest of other CUDA releases.
    fn also(&self, solved: &Solved<'w>, choice: &Candidate<'w>) -> Vec<Component> {
        let mut seen: BTreeSet<Option<CudaVersion>> = BTreeSet::new();
        let cuda = |b: &Build| b.cuda.as_ref().map(|c| c.value);
        seen.insert(cuda(choice.build));
        let mut out = Vec::new();
        let kind = choice.build.kind;
        let fits = |c: &&Candidate<'_>| c.outcome == Outcome::Pass && c.build.kind == kind;
        for candidate in solved.graph.candidates.iter().filter(fits) {
            if !std::ptr::eq(candidate.build, choice.build) && seen.insert(cuda(candidate.build)) {
                out.push(self.component(candidate.build));
            }
            if out.len() == 6 {
                break;
            }
        }
        out
    }

    fn facts(&self, edges: &[&Edge<'_>], build: &Build) -> Vec<FactId> {
        let mut out: Vec<FactId> = Vec::new();
        for fact in edges.iter().flat_map(|e| e.facts.iter()).chain(build.facts.iter()) {
            if !out.contains(fact) {
                out.push(*fact);
            }
        }
        out
    }

    /// As sure as the weakest link; within a link the strongest source of each fact counts.
    fn grade(&self, edges: &[&Edge<'_>]) -> Grade {
        // From which branch on a GPU is supported is said for whoever chooses a driver; nothing here rests on it.
        let judged = edges.iter().filter(|e| !matches!(e.reason, Reason::NeedsBranch { .. }));
        judged.filter_map(|e| e.grade(self.world().kb)).max().unwrap_or(Grade::Inferred)
    }

    /// The sources of some facts, each once, in the order in which they are first used.
    pub(crate) fn sources(&self, facts: &[FactId]) -> Vec<SourceRef> {
        let kb = self.world().kb;
        let mut out: Vec<SourceRef> = Vec::new();
        for fact in facts {
            let table = kb.table(*fact);
            let row = kb.row(*fact);
            for (index, own) in
                std::iter::once((table.source, true)).chain(row.also.iter().map(|s| (*s, false)))
            {
                let source = &kb.sources[usize::from(index)];
                if out.iter().any(|s| s.id == *source.id) {
                    continue;
                }
                out.push(SourceRef {
                    id: source.id.to_string(),
                    title: source.title.to_string(),
                    kind: source.kind.word(),
                    locator: own
                        .then(|| row.locator.as_ref().or(table.locator.as_ref()).map(ToString::to_string))
                        .flatten(),
                    read_on: table.read_on.as_ref().map(ToString::to_string),
                    address: source.address.as_ref().map(ToString::to_string),
                });
            }
        }
        out
    }

    fn disputes(&self, build: &Build, edges: &[&Edge<'_>]) -> Vec<DisputeRef> {
        let kb = self.world().kb;
        let mut out = Vec::new();
        let mut add = |dispute: Option<usize>, followed: &Facts, against: &Facts| {
            if !against.is_empty() {
                let names = |f: &Facts| f.iter().map(|f| kb.fact_name(*f)).collect();
                let entry = DisputeRef {
                    id: dispute.map(|d| kb.disputes[d].id.to_string()),
                    followed: names(followed),
                    against: names(against),
                };
                if !out.contains(&entry) {
                    out.push(entry);
                }
            }
        };
        if let Some(s) = &build.cuda {
            add(s.dispute, &s.facts, &s.against);
        }
        if let Some(s) = &build.cudnn {
            add(s.dispute, &s.facts, &s.against);
        }
        if let Some(s) = &build.device_code
            && edges.iter().any(|e| e.rule == RuleId::DeviceCode)
        {
            add(s.dispute, &s.facts, &s.against);
        }
        for gpu in self.context.request.gpus() {
            if let Some(s) = gpu.gpu.and_then(|i| self.world().gpus[i].capability.as_ref()) {
                add(s.dispute, &s.facts, &s.against);
            }
        }
        if let Some(cuda) = &build.cuda
            && let Some(s) = self.context.floor(cuda.value)
        {
            add(s.dispute, &s.facts, &s.against);
        }
        out
    }

    /// A build as a part of a stack.
    pub(crate) fn component(&self, build: &Build) -> Component {
        let kb = self.world().kb;
        let package = self.world().package(usize::from(build.package));
        let version = package.release(build).version();
        let version = match build.label.as_deref().filter(|_| build.extra.is_none()) {
            Some(label) => format!("{version}+{label}"),
            None => version.to_string(),
        };
        let pulled = cudnn::cudnn_requirement(self.context.request, build)
            .filter(|_| !build.cudnn_implied)
            .map(|(r, _)| r.exact().map_or_else(|| r.specifier.to_string(), ToString::to_string));
        Component {
            component: kb.packages[usize::from(build.package)].id.to_string(),
            version: Some(version),
            channel: Some(kb.channels[usize::from(build.channel)].id.to_string()),
            extra: build.extra.as_ref().map(ToString::to_string),
            kind: Some(match build.kind {
                BuildKind::Cuda => "cuda".to_owned(),
                BuildKind::Cpu => "cpu".to_owned(),
                BuildKind::Rocm => "rocm".to_owned(),
                BuildKind::Plain => "plain".to_owned(),
            }),
            cuda: build
                .cuda
                .as_ref()
                .map(|c| c.value.to_string())
                .or_else(|| build.accepts_cuda.as_ref().map(|a| a.value.to_string())),
            cudnn: pulled.or_else(|| build.cudnn.as_ref().map(|c| c.value.to_string())),
            libraries: build.libraries.as_ref().map(|l| l.value.word().to_owned()),
            accepts: None,
        }
    }

    fn stack(&self, build: &'w Build) -> Vec<Component> {
        let mut out = vec![self.component(build)];
        out.push(self.python(build));
        if build.libraries.as_ref().is_some_and(|l| l.value == Libraries::System)
            && build.kind == BuildKind::Cuda
        {
            let package = self.world().package(usize::from(build.package));
            let hand = crate::rule::judge(self.context, package, build, &mut Vec::new());
            if let Some(cuda) = hand.cuda.or(build.cuda.as_ref().map(|c| c.value)) {
                out.push(Component {
                    component: "cuda-toolkit".to_owned(),
                    version: Some(cuda.to_string()),
                    ..Component::default()
                });
            }
            if let Some(cudnn) = hand.cudnn.or(build.cudnn.as_ref().map(|c| c.value)) {
                out.push(Component {
                    component: "cudnn".to_owned(),
                    version: Some(cudnn.to_string()),
                    ..Component::default()
                });
            }
        }
        out
    }

    /// Python: the version of the question, else the newest that all files of the build accept.
    fn python(&self, build: &Build) -> Component {
        // Files for every later Python 3 restrict nothing that could be listed; of a range without an end the versions
        // that there are or soon will be.
        let listed = match &build.python_documented {
            _ if !build.interpreters.is_open() => build.interpreters,
            Some(_) => build.interpreters.and(Interpreters::such_that(|p| (6..=15).contains(&p.minor()))),
            None => Interpreters::NONE,
        };
        let accepts: Vec<String> = listed.versions().map(|python| python.to_string()).collect();
        let version = self.context.request.python.map(|p| p.to_string()).or_else(|| accepts.last().cloned());
        Component { component: "python".to_owned(), version, accepts: Some(accepts), ..Component::default() }
    }

    fn runs(&self, build: &Build, edges: &[&Edge<'_>]) -> Option<Runs> {
        let gpu = self.context.request.gpus().first()?;
        if build.kind != BuildKind::Cuda {
            return None;
        }
        let runs = edges.iter().find_map(|e| match &e.reason {
            Reason::RunsSass { by, .. } => Some(format!("sass {by}")),
            Reason::RunsPtx { by, .. } => Some(format!("ptx {by}")),
            Reason::RunsCompiled { .. } => Some("run-time".to_owned()),
            _ => None,
        });
        Some(Runs {
            gpu: gpu.gpu.map(|i| self.world().kb.gpus[i].id.to_string()),
            compute_capability: gpu.capability.to_string(),
            runs,
        })
    }

    /// The least driver for a build on this system, all links considered: CUDA's floor, PTX, the GPUs' branches.
    pub(crate) fn least_driver(&self, build: &Build, edges: &[&Edge<'_>]) -> Option<DriverVersion> {
        let request = self.context.request;
        let world = self.world();
        let mut least: Option<DriverVersion> = None;
        let mut raise = |driver: DriverVersion| {
            if least.is_none_or(|l| driver.cmp_number(&l).is_gt()) {
                least = Some(driver);
            }
        };
        if let Some((cuda, _)) = crate::rule::one_environment::cuda_of(build)
            && let Some(floor) = self.context.floor(cuda)
        {
            raise(floor.value);
        }
        for edge in edges {
            let branch = match &edge.reason {
                Reason::PtxNeedsDriver { branch, .. } => Some(*branch),
                Reason::PtxReadable { made, .. }
                | Reason::PtxTooNew { made, .. }
                | Reason::PtxForward { made, .. }
                | Reason::PtxForwardUndecided { made, .. } => {
                    world.driver.first_branch_with(*made).map(|b| b.branch)
                }
                _ => None,
            };
            if let Some(driver) = branch.and_then(|b| world.driver.first_of_branch(b, request.os)) {
                raise(driver);
            }
        }
        for gpu in request.gpus() {
            let range = match gpu.gpu {
                Some(index) => world.gpus[index].range.clone(),
                None => world.driver.range_of(gpu.capability),
            };
            let listed = gpu_driver::least_listed(self.context, gpu);
            let branch = listed.map(|(b, _)| b).or(range.first.map(|f| f.value));
            let driver = match listed {
                Some((_, Some(since))) if request.os.driver_os() == "linux" => Some(since),
                _ => branch.and_then(|b| world.driver.first_of_branch(b, request.os)),
            };
            if let Some(driver) = driver {
                raise(driver);
            }
        }
        // A branch's first drivers can lack a board that the branch knows later, and that an older branch knows.
        let known = |driver: &DriverVersion| {
            request.gpus().iter().all(|g| gpu_driver::known_to(self.context, g, *driver))
        };
        let listed = request.gpus().iter().filter_map(|g| g.gpu).flat_map(|g| &world.gpus[g].listed);
        let listed = listed.filter_map(|(_, since)| *since);
        let branches = &world.driver.branches;
        let firsts = branches.iter().filter_map(|b| world.driver.first_of_branch(b.branch, request.os));
        let later = firsts.chain(listed).filter(|d| least.is_some_and(|l| d.cmp_number(&l).is_ge()));
        least.filter(known).or_else(|| later.filter(known).min_by(|a, b| a.cmp_number(b))).or(least)
    }

    /// Of several builds in one environment: the need of the one that asks for the newest driver.
    pub(crate) fn driver_need_of_all(&self, builds: &[(&Build, Vec<&Edge<'_>>)]) -> Option<DriverNeed> {
        let least = |(b, e): &&(&Build, Vec<&Edge<'_>>)| self.least_driver(b, e);
        let of_cuda = builds.iter().filter(|(b, _)| b.kind == BuildKind::Cuda);
        // The first of the highest: the order of the question.
        let most = of_cuda.rev().max_by(|a, b| match (least(a), least(b)) {
            (Some(a), Some(b)) => a.cmp_number(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        })?;
        self.driver_need(most.0, &most.1)
    }

    fn driver_need(&self, build: &Build, edges: &[&Edge<'_>]) -> Option<DriverNeed> {
        if build.kind != BuildKind::Cuda || self.context.request.hardware == Hardware::None {
            return None;
        }
        let request = self.context.request;
        let world = self.world();
        let native = build
            .cuda
            .as_ref()
            .and_then(|c| world.driver.native(c.value, request.os))
            .map(|d| d.value.to_string());
        let path = edges.iter().find_map(|e| match e.reason {
            Reason::DriverNative { .. } => Some("native"),
            Reason::DriverMinor { .. } => Some("minor-version"),
            Reason::DriverForward { .. } => Some("forward-package"),
            _ => None,
        });
        let below = request.gpus().iter().filter_map(|g| {
            let range = match g.gpu {
                Some(index) => world.gpus[index].range.clone(),
                None => world.driver.range_of(g.capability),
            };
            let last = range.last?.value;
            world.driver.branches.iter().find(|b| b.branch > last).map(|b| b.branch)
        });
        Some(DriverNeed {
            minimum: self.least_driver(build, edges).map(|d| d.to_string()),
            native,
            path,
            below: below.min().map(|b| b.to_string()),
            have: request.driver.map(|d| d.to_string()),
        })
    }

    /// For nicer choices that one link removed: that link, once per thing that limits.
    fn limits(&self, solved: &Solved<'w>, choice: &Candidate<'w>) -> Vec<Limit> {
        let mut out: Vec<Limit> = Vec::new();
        for candidate in &solved.graph.candidates {
            if std::ptr::eq(candidate.build, choice.build) {
                break;
            }
            if candidate.build.kind != BuildKind::Cuda {
                continue;
            }
            let edges = solved.graph.edges(candidate);
            // What rules it out says more than what is not known of it.
            let worst = |outcome| edges.iter().find(|e| e.outcome == outcome);
            let Some(edge) = worst(Outcome::Fail).or_else(|| worst(Outcome::Unknown)) else { continue };
            let (by, have, needs) = self.limit_of(edge);
            if out.iter().any(|l| l.by == by && l.needs == needs) || out.len() == 5 {
                continue;
            }
            let name = build_name(self.world(), candidate.build);
            let reason = self.says(&name, edge);
            out.push(Limit {
                by,
                have,
                needs,
                would_allow: name.clone(),
                says: self.speaker.say("limit", &[("then", name), ("reason", reason)]),
            });
        }
        out
    }

    fn limit_of(&self, edge: &Edge<'_>) -> (String, Option<String>, Option<String>) {
        let text = |t: &dyn std::fmt::Display| Some(t.to_string());
        match &edge.reason {
            Reason::DriverBelow { driver, floor, .. }
            | Reason::ForwardUndecided { driver, floor, .. }
            | Reason::FloorUnsure { driver, floor, .. } => {
                ("nvidia-driver".into(), text(driver), Some(format!(">={floor}")))
            }
            Reason::PtxTooNew { driver, branch, .. } => {
                ("nvidia-driver".into(), text(driver), branch.map(|b| format!(">={b}")))
            }
            Reason::BranchTooOld { driver, first, .. } => {
                ("nvidia-driver".into(), text(driver), Some(format!(">={first}")))
            }
            Reason::BranchTooNew { driver, last, .. } => {
                ("nvidia-driver".into(), text(driver), Some(format!("<={last}")))
            }
            Reason::BoardNotListed { driver, since, .. } => {
                ("nvidia-driver".into(), text(driver), since.map(|s| format!(">={s}")))
            }
            Reason::NoBranchLeft { last, floor, .. } => {
                ("gpu".into(), text(last), Some(format!(">={floor}")))
            }
            Reason::NoCode { capability, sass, .. } => {
                ("gpu".into(), text(capability), Some(super::words::list(sass)))
            }
            Reason::NotDocumented { capability, range, .. } => ("gpu".into(), text(capability), text(range)),
            Reason::CudnnNoCode { capability, range, .. } => ("cudnn".into(), text(capability), text(range)),
            Reason::CodeUnknown { .. } | Reason::PtxUnknown { .. } => ("evidence".into(), None, None),
            Reason::PythonNoFile { python, tags, .. } => {
                ("python".into(), text(python), Some(super::words::list(tags)))
            }
            Reason::PythonOutside { python, range } => ("python".into(), text(python), text(range)),
            Reason::OtherCuda { asked, made } => ("cuda".into(), text(asked), text(made)),
            Reason::GlibcTooOld { have, needs } => ("glibc".into(), text(have), Some(format!(">={needs}"))),
            _ => (edge.rule.word().into(), None, None),
        }
    }

    /// The commands that install a build, for the system of the question.
    pub(crate) fn install(&self, build: &Build) -> Vec<Install> {
        self.install_from(build, usize::from(build.channel))
    }

    /// Beside a package that it requires: from that one's channel, where the channel serves both. A torchvision of
    /// another index was not made for that torch.
    pub(crate) fn install_beside(&self, build: &Build, others: &[&Build]) -> Vec<Install> {
        self.install_from(build, self.channel_beside(build, others))
    }

    /// The channel that a build is taken from: a library beside a framework comes from where the question or the
    /// framework that it requires does, if that channel serves it.
    pub(crate) fn channel_beside(&self, build: &Build, others: &[&Build]) -> usize {
        let kb = self.world().kb;
        let id = &kb.packages[usize::from(build.package)].id;
        let required = |b: &&&Build| {
            build.requires.iter().any(|(r, _)| *r.name == *kb.packages[usize::from(b.package)].id)
        };
        let serves = |channel: &usize| kb.channels[*channel].packages.contains(id);
        let own = usize::from(build.channel);
        if build.kind != BuildKind::Plain {
            return own;
        }
        // An index that is added to the build's own one has the same release with a label, which sorts higher.
        let (same, other): (Vec<usize>, Vec<usize>) =
            self.context.request.channels.iter().partition(|c| **c == own);
        let asked = other.into_iter().chain(same);
        let needed = others.iter().filter(required).map(|b| usize::from(b.channel));
        asked.chain(needed).find(serves).unwrap_or(own)
    }

    fn install_from(&self, build: &Build, channel: usize) -> Vec<Install> {
        let kb = self.world().kb;
        let channel = &kb.channels[channel];
        let package = &kb.packages[usize::from(build.package)];
        let version = self.world().package(usize::from(build.package)).release(build).version().clone();
        let os = self.context.request.os;
        let of_release = |versions: &Option<Box<str>>| {
            versions.as_ref().is_none_or(|v| crate::pep::alternatives(v).iter().any(|a| a.contains(&version)))
        };
        let extra = build
            .extra
            .as_deref()
            .filter(|_| *channel.kind != *"docker")
            .map(|extra| {
                let own = channel.extras.iter().find(|e| *e.extra == *extra && of_release(&e.versions));
                format!("[{}]", own.map_or(extra, |e| &e.spelling))
            })
            .unwrap_or_default();
        let label = match (&build.extra, &build.label, &channel.local_label) {
            (None, Some(label), Some(_)) => format!("+{label}"),
            _ => String::new(),
        };
        let pinned = format!("{}{extra}=={version}{label}", package.id);
        // Brackets mean something to most shells.
        let requirement = if pinned.contains('[') {
            match os {
                Os::Windows => format!("\"{pinned}\""),
                _ => format!("'{pinned}'"),
            }
        } else {
            pinned
        };
        let values = [
            ("requirement", requirement),
            ("package", package.id.to_string()),
            ("version", version.to_string()),
            ("address", channel.address.as_ref().map(ToString::to_string).unwrap_or_default()),
            ("cuda", build.cuda.as_ref().map(|c| c.value.to_string()).unwrap_or_default()),
            ("tag", build.extra.as_deref().unwrap_or_default().to_owned()),
        ];
        channel
            .install
            .iter()
            .filter(|line| line.os.is_empty() || line.os.iter().any(|o| **o == *os.build_os().word()))
            .filter(|line| of_release(&line.versions))
            .map(|line| Install {
                tool: line.tool.to_string(),
                shell: match (&*line.shell, os) {
                    ("any", Os::Windows) => "powershell".to_owned(),
                    ("any", _) => "bash".to_owned(),
                    (other, _) => other.to_owned(),
                },
                command: fill(&line.command, &values),
            })
            .collect()
    }
}

/// The question as understood, for the answer.
pub(crate) fn echo(
    world: View<'_>,
    request: &Request,
) -> std::collections::BTreeMap<&'static str, super::serde_value::Plain> {
    use super::serde_value::Plain;
    let one = |t: Option<String>| t.map_or(Plain::None, Plain::One);
    let mut out = std::collections::BTreeMap::new();
    out.insert("wants", Plain::Many(request.wants.iter().map(|w| w.text.clone()).collect()));
    let gpus = match &request.hardware {
        Hardware::Unstated => Plain::None,
        Hardware::None => Plain::One("none".to_owned()),
        Hardware::Gpus { gpus, .. } => Plain::Many(gpus.iter().map(|g| g.label.clone()).collect()),
    };
    out.insert("gpus", gpus);
    out.insert(
        "gpus_mode",
        match &request.hardware {
            Hardware::Gpus { gpus, all } if gpus.len() > 1 => {
                Plain::One(if *all { "all" } else { "any" }.to_owned())
            }
            _ => Plain::None,
        },
    );
    out.insert("os", Plain::One(request.os.word().to_owned()));
    out.insert("arch", Plain::One(request.arch.word().to_owned()));
    out.insert("glibc", one(request.glibc.map(|v| v.to_string())));
    out.insert("driver", one(request.driver.map(|v| v.to_string())));
    let branch = request.driver.and_then(|d| world.driver.info(d, request.os).branch);
    out.insert("driver_branch", one(branch.map(|b| b.to_string())));
    out.insert("cuda", one(request.cuda.as_ref().map(ToString::to_string)));
    out.insert("toolkit", one(request.toolkit.as_ref().map(|(t, _)| t.clone())));
    out.insert("cudnn", one(request.cudnn_text.clone()));
    out.insert("python", one(request.python.map(|v| v.to_string())));
    out.insert(
        "channels",
        Plain::Many(request.channels.iter().map(|c| world.kb.channels[*c].id.to_string()).collect()),
    );
    out.insert(
        "policy",
        Plain::One(
            if request.policy == crate::request::Policy::Listed { "listed" } else { "tested" }.to_owned(),
        ),
    );
    out.insert("lang", Plain::One(request.language.clone()));
    out.insert("assumed", Plain::Many(request.assumed.clone()));
    out
}
