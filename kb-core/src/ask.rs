//! The one entry: a question in, an answer out.

use crate::answer::explain::{Explain, echo};
use crate::answer::relax;
use crate::answer::sentence::build_name;
use crate::answer::{Answer, Conflict, Item, KbInfo, Step, Verdict};
use crate::diag::Diagnostic;
use crate::fact::FactId;
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{Hardware, Intent, RawRequest, Request, Want};
use crate::rule::Context;
use crate::solve::{Solved, core, environment, one, system, verdict};
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
        // A build for another platform is one: then there is none here, which is a conflict.
        let built = !world.everywhere().package(solved.want.package).builds.is_empty();
        let mut item = if solved.graph.candidates.is_empty() && !built {
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
        decide(world, &request)
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
                item.stack.push(explain.component(build));
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
                item.missing.push(explain.speaker.say("nothing-recorded", &[("build", pick.label.clone())]));
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
                Reason::PinsApart { ref package, .. } if package.starts_with("nvidia-cudnn") => 2,
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
            core: vec![no_candidate(explain, request, &solved.want)],
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

/// No build is left that could be judged: no such platform, or not in that channel.
fn no_candidate(explain: &Explain<'_, '_>, request: &Request, want: &Want) -> Step {
    let world = explain.context.world;
    let kb = world.kb;
    let mut platforms: Vec<String> = Vec::new();
    let mut channels: Vec<String> = Vec::new();
    let world = world.everywhere();
    for member in crate::request::family(world, want.package) {
        let package = world.package(member);
        for build in &package.builds {
            if !want.requirement.accepts(package.release(build).version()) {
                continue;
            }
            if !crate::graph::labelled(want, build) {
                continue;
            }
            let here = build.platform.is_none_or(|p| p.os == request.os.build_os() && p.arch == request.arch);
            if here {
                channels.push(kb.channels[usize::from(build.channel)].id.to_string());
            }
            platforms.push(build.platform.map_or_else(|| "any".to_owned(), |p| p.to_string()));
        }
    }
    for list in [&mut platforms, &mut channels] {
        list.sort();
        list.dedup();
    }
    let platform = format!("{}-{}", request.os.build_os().word(), request.arch.word());
    let reason = if channels.is_empty() || request.channels.is_empty() {
        Reason::NoBuild { what: want.text.clone(), platform, others: platforms.join(", ") }
    } else {
        let asked: Vec<&str> = request.channels.iter().map(|c| &*kb.channels[*c].id).collect();
        Reason::NotInChannel {
            what: want.text.clone(),
            channel: asked.join(", "),
            others: channels.join(", "),
        }
    };
    let edge = Edge {
        rule: RuleId::BuildPlatform,
        outcome: Outcome::Fail,
        reason,
        facts: crate::world::Facts::new(),
    };
    explain.step(&want.text, &edge)
}

/// A package of which no build is recorded anywhere.
fn unrecorded(explain: &Explain<'_, '_>, want: &Want) -> Item {
    let mut item = explain.empty(&want.text, Verdict::Unknown);
    item.missing.push(explain.speaker.say("nothing-recorded", &[("build", want.text.clone())]));
    item
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
