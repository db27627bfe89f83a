//! The one entry: a question in, an answer out.

use crate::answer::explain::{Explain, echo};
use crate::answer::relax;
use crate::answer::sentence::{build_name, gpu_name};
use crate::answer::serde_value::Plain;
use crate::answer::words::Speaker;
use crate::answer::{Answer, Conflict, Item, KbInfo, Step, Verdict};
use crate::chips;
use crate::diag::Diagnostic;
use crate::fact::FactId;
use crate::platform::Arch;
use crate::reason::{Edge, Outcome, Reason};
use crate::request::{GpuTarget, Hardware, Intent, RawRequest, Request, Want};
use crate::rule::Context;
use crate::solve::{Solved, absence, core, environment, one, system, verdict};
use crate::world::{View, World};

/// Answers a question.
///
/// The same knowledge base and the same question give the same answer, byte for byte: nothing here reads a clock, a
/// file or the environment.
///
/// # Errors
/// All mistakes in the question at once; nothing is answered then.
pub fn ask(world: &World<'_>, raw: &RawRequest) -> Result<Answer, Vec<Diagnostic>> {
    let request = Request::parse(world, raw)?;
    Ok(answer(world, &request))
}

/// Answers a question that is already understood.
pub fn answer(world: &World<'_>, request: &Request) -> Answer {
    decide(world.view(), request)
}

fn decide(everywhere: View<'_>, request: &Request) -> Answer {
    let world = everywhere.from(request.platform());
    if let Hardware::Gpus { gpus, all: false } = &request.hardware
        && gpus.len() > 1
    {
        return any_gpu(world, request);
    }
    let answer = decide_for(world, request);
    let others: Vec<(Answer, GpuTarget)> = chips::other_variants(world, request)
        .into_iter()
        .map(|(request, chip)| (decide_for(world, &request), chip))
        .collect();
    if others.is_empty() {
        return answer;
    }
    let speaker = Speaker::new(world.kb, &request.language);
    let says = |chip: &GpuTarget, says: &str| {
        let values = [
            ("gpu", gpu_name(world.kb, &chip.label)),
            ("capability", chip.capability.to_string()),
            ("says", says.to_owned()),
        ];
        speaker.say("other-chip", &values)
    };
    let unknown = |what: &str| speaker.say("answer-unknown", &[("what", what.to_owned())]);
    let mut answer = chips::combine(answer, &others, says, unknown);
    answer.request = echo(world, request);
    answer
}

/// Answers for GPUs with known chips.
fn decide_for(world: View<'_>, request: &Request) -> Answer {
    let mut request = request.clone();
    let overview = request.wants.is_empty() && request.intent == Intent::Solve;
    if overview {
        request.wants = main_frameworks(world);
    }
    let request = &request;
    let context = Context::new(world, request);
    let explain = Explain::new(&context);
    if request.wants.is_empty() {
        return machine(&explain, request);
    }
    let solved: Vec<Solved<'_>> = request.wants.iter().map(|w| one(&context, w)).collect();
    let several = !overview && solved.len() > 1;
    let mut items = Vec::new();
    let mut conflict = None;
    let mut overall = None;
    if several {
        let (item, found) = together(&explain, request, &solved);
        overall = Some(item.verdict);
        conflict = found;
        items.push(item);
    }
    for (index, solved) in solved.iter().enumerate() {
        let mut item = if solved.graph.candidates.is_empty() && solved.verdict == Verdict::Unknown {
            unrecorded(&explain, &solved.want)
        } else {
            explain.item(solved)
        };
        if item.verdict == Verdict::Conflict && item.conflict.is_none() {
            let mut single = request.clone();
            single.wants = vec![request.wants[index].clone()];
            let found = conflict_of(&explain, &single, solved, !overview);
            item.conflict = Some(found);
        }
        items.push(item);
    }
    let dead_end = overview && !items.iter().any(|i| i.verdict == Verdict::Fits);
    for (at, item) in items.iter_mut().enumerate() {
        if item.verdict == Verdict::Fits || item.verdict == Verdict::Conflict && !overview {
            continue;
        }
        let mut asked = request.clone();
        // The item for all of them together stands first.
        if let Some(own) = at.checked_sub(usize::from(several)) {
            asked.wants = vec![request.wants[own].clone()];
        }
        item.attempts = match dead_end {
            true => relax::attempts(world, &asked),
            false => relax::elsewhere(world, &asked).into_iter().collect(),
        };
    }
    let top = overall.unwrap_or_else(|| {
        // The overview is about the best that can be had; a single want is about itself.
        let best = |v: Verdict| items.iter().any(|i| i.verdict == v);
        if best(Verdict::Fits) {
            Verdict::Fits
        } else if best(Verdict::Unknown) {
            Verdict::Unknown
        } else {
            Verdict::Conflict
        }
    });
    if !several && top == Verdict::Conflict {
        conflict = items.first().and_then(|i| i.conflict.clone());
    }
    finish(world, request, top, items, conflict)
}

fn finish(
    world: View<'_>,
    request: &Request,
    verdict: Verdict,
    answers: Vec<Item>,
    conflict: Option<Conflict>,
) -> Answer {
    Answer {
        schema: 1,
        command: if request.intent == Intent::Check { "check" } else { "solve" }.to_owned(),
        verdict,
        request: echo(world, request),
        answers,
        conflict,
        kb: KbInfo {
            version: world.kb.version.to_string(),
            facts: world.kb.fact_count(),
            newest_fact: world.kb.version.replace('.', "-"),
        },
    }
}

/// One GPU is enough: the first that fits, else the first about which too little is known.
fn any_gpu(world: View<'_>, request: &Request) -> Answer {
    let single = |gpu: &crate::request::GpuTarget| {
        let mut request = request.clone();
        request.hardware = Hardware::Gpus { gpus: vec![gpu.clone()], all: true };
        if request.assumed.iter().any(|a| a == "arch") {
            let own = gpu.gpu.and_then(|index| world.kb.gpus[index].processor);
            request.arch = own.unwrap_or(Arch::X86_64);
        }
        decide(world.everywhere(), &request)
    };
    let answers: Vec<Answer> = request.gpus().iter().map(single).collect();
    let best = [Verdict::Fits, Verdict::Unknown, Verdict::Conflict]
        .iter()
        .find_map(|v| answers.iter().position(|a| a.verdict == *v))
        .unwrap_or(0);
    let mut answer = answers
        .into_iter()
        .nth(best)
        .unwrap_or_else(|| finish(world, request, Verdict::Unknown, Vec::new(), None));
    answer.request = echo(world, request);
    let about = request.gpus().get(best).map(|g| g.label.clone());
    answer.request.extend(about.map(|label| ("gpu", Plain::One(label))));
    answer
}

/// The frameworks of the overview, in their order.
fn main_frameworks(world: View<'_>) -> Vec<Want> {
    let mut main: Vec<(u8, usize)> =
        world.kb.packages.iter().enumerate().filter_map(|(i, p)| p.main.map(|m| (m, i))).collect();
    main.sort_unstable();
    main.into_iter()
        .map(|(_, package)| {
            let id = world.kb.packages[package].id.to_string();
            let requirement = crate::pep::Requirement::any(&id);
            Want { text: id, package, requirement, label: None, channel: None }
        })
        .collect()
}

/// Several packages in one environment.
fn together<'w>(
    explain: &Explain<'_, 'w>,
    request: &Request,
    solved: &[Solved<'w>],
) -> (Item, Option<Conflict>) {
    let context = explain.context;
    let found = environment::all(context, solved);
    let mut item = explain.empty("*", found.verdict);
    let labels: Vec<&str> = found.picks.iter().map(|p| &*p.label).collect();
    let id = match found.verdict {
        Verdict::Fits => "answer-fits",
        Verdict::Conflict => "answer-conflict",
        Verdict::Unknown => "answer-unknown",
    };
    item.says = explain.speaker.say(id, &[("what", labels.join(" + "))]);
    let mut facts: Vec<FactId> = Vec::new();
    let mut judged: Vec<(&crate::world::Build, Vec<&Edge<'_>>)> = Vec::new();
    let builds: Vec<&crate::world::Build> = found.picks.iter().filter_map(|p| p.build).collect();
    for pick in &found.picks {
        match pick.build {
            Some(build) => {
                let mut component = explain.component(build);
                let channel = explain.channel_beside(build, &builds);
                component.channel = Some(context.world.kb.channels[channel].id.to_string());
                item.stack.push(component);
                item.install.extend(explain.install_beside(build, &builds).into_iter().take(1));
                let edges = solved
                    .iter()
                    .find_map(|s| {
                        s.graph
                            .candidates
                            .iter()
                            .find(|c| std::ptr::eq(c.build, build))
                            .map(|c| s.graph.edges(c))
                    })
                    .unwrap_or_default();
                for edge in edges.iter().copied() {
                    item.steps.push(explain.step(&pick.label, edge));
                    facts.extend(edge.facts.iter().copied());
                    if edge.outcome == Outcome::Unknown {
                        item.missing.push(explain.says(&pick.label, edge));
                    }
                }
                judged.push((build, edges));
            }
            None => {
                item.stack.push(crate::answer::Component {
                    component: context.world.kb.packages[pick.package].id.to_string(),
                    version: pick.version.as_ref().map(ToString::to_string),
                    ..Default::default()
                });
                let want = request.wants.iter().find(|w| w.package == pick.package);
                item.missing.extend(want.map(|w| says_unrecorded(explain, w)));
            }
        }
    }
    for edge in &found.edges {
        item.steps.push(explain.step("", edge));
        facts.extend(edge.facts.iter().copied());
        if edge.outcome == Outcome::Unknown {
            item.missing.push(explain.says("", edge));
        }
    }
    facts.dedup();
    item.sources = explain.sources(&facts);
    if found.verdict != Verdict::Conflict {
        item.driver = explain.driver_need_of_all(&judged);
        return (item, None);
    }
    let mut conflict = match found.alone {
        Some(alone) => conflict_of(explain, request, &solved[alone], false),
        None => {
            let mut failing: Vec<&Edge<'_>> =
                found.edges.iter().filter(|e| e.outcome == Outcome::Fail).collect();
            failing.sort_by_key(|e| match e.reason {
                Reason::TwoMajors { .. } => 0,
                Reason::PinBroken { .. } => 1,
                // Of the many libraries that the two pin apart, the one that people know and choose.
                Reason::PinsApart { ref package, .. } if package.starts_with("nvidia-cudnn-cu") => 2,
                Reason::PinsApart { .. } => 3,
                _ => 4,
            });
            let mut steps = failing.iter().map(|e| explain.step("", e));
            let facts: Vec<FactId> = failing.iter().flat_map(|e| e.facts.iter().copied()).collect();
            Conflict {
                core: steps.next().into_iter().collect(),
                also: steps.collect(),
                attempts: Vec::new(),
                sources: explain.sources(&facts),
            }
        }
    };
    conflict.attempts = relax::attempts(context.world, request);
    item.conflict = Some(conflict.clone());
    (item, Some(conflict))
}

/// Why one want does not fit.
fn conflict_of(
    explain: &Explain<'_, '_>,
    request: &Request,
    solved: &Solved<'_>,
    with_attempts: bool,
) -> Conflict {
    let world = explain.context.world;
    let attempts = if with_attempts { relax::attempts(world, request) } else { Vec::new() };
    if solved.graph.candidates.is_empty() {
        return Conflict {
            core: absence::of(explain.context, &solved.want)
                .map(|edge| explain.step(&solved.want.text, &edge))
                .into_iter()
                .collect(),
            also: Vec::new(),
            attempts,
            sources: Vec::new(),
        };
    }
    let core = core::of(&solved.graph);
    let mut facts: Vec<FactId> = Vec::new();
    let mut step = |group: &core::Group<'_, '_>| {
        facts.extend(group.edge.facts.iter().copied());
        explain.step(&build_name(world, group.candidate.build), group.edge)
    };
    let needed: Vec<Step> = core.needed.iter().map(&mut step).collect();
    let also: Vec<Step> = core.further.iter().map(&mut step).collect();
    Conflict { core: needed, also, attempts, sources: explain.sources(&facts) }
}

/// A want of which no build is recorded, and of which it is not known either that there is none.
fn unrecorded(explain: &Explain<'_, '_>, want: &Want) -> Item {
    let mut item = explain.empty(&want.text, Verdict::Unknown);
    item.missing.push(says_unrecorded(explain, want));
    item
}

/// What is not recorded: anything at all, a build for the platform, or what the channel of the question serves.
fn says_unrecorded(explain: &Explain<'_, '_>, want: &Want) -> String {
    let (world, request) = (explain.context.world, explain.context.request);
    let build = ("build", want.text.clone());
    if world.everywhere().package(want.package).builds.is_empty() {
        return explain.speaker.say("nothing-recorded", &[build]);
    }
    let channels: Vec<&str> = request.channels.iter().map(|c| &*world.kb.channels[*c].id).collect();
    if channels.is_empty() {
        let platform = request.platform().to_string();
        return explain.speaker.say("nothing-recorded-for", &[build, ("platform", platform)]);
    }
    explain.speaker.say("nothing-recorded-from", &[build, ("channel", channels.join(", "))])
}

/// Fills an item from links that belong to no build.
fn judge(explain: &Explain<'_, '_>, request: &Request, item: &mut Item, name: &str, edges: &[Edge<'_>]) {
    item.steps = edges.iter().map(|e| explain.step(name, e)).collect();
    item.missing =
        edges.iter().filter(|e| e.outcome == Outcome::Unknown).map(|e| explain.says(name, e)).collect();
    let facts: Vec<FactId> = edges.iter().flat_map(|e| e.facts.iter().copied()).collect();
    item.sources = explain.sources(&facts);
    if item.verdict == Verdict::Fits {
        item.grade = edges
            .iter()
            .filter_map(|e| e.grade(explain.context.world.kb))
            .max()
            .map(crate::evidence::Grade::word);
    }
    if item.verdict == Verdict::Conflict {
        let mut failing = edges.iter().filter(|e| e.outcome == Outcome::Fail).map(|e| explain.step(name, e));
        item.conflict = Some(Conflict {
            core: failing.next().into_iter().collect(),
            also: failing.collect(),
            attempts: relax::attempts(explain.context.world, request),
            sources: item.sources.clone(),
        });
    }
}

/// A check of the machine's parts alone.
fn machine(explain: &Explain<'_, '_>, request: &Request) -> Answer {
    let edges = system::edges(explain.context);
    let outcome = edges.iter().map(|e| e.outcome).max().unwrap_or(Outcome::Unknown);
    let mut item = explain.empty("*", verdict(outcome));
    judge(explain, request, &mut item, "", &edges);
    if edges.is_empty() {
        item.missing.push(explain.speaker.say("nothing-to-judge", &[]));
    }
    let conflict = item.conflict.clone();
    finish(explain.context.world, request, item.verdict, vec![item], conflict)
}
