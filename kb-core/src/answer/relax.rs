//! The smallest change that makes it fit: one thing freed at a time, then two.

use super::Attempt;
use super::explain::Explain;
use super::sentence::build_name;
use crate::pep::Requirement;
use crate::platform::Os;
use crate::reason::Outcome;
use crate::request::{GpuTarget, Hardware, Policy, Request, Want};
use crate::rule::Context;
use crate::solve::{Solved, environment, one};
use crate::value::Branch;
use crate::version::DriverVersion;
use crate::world::{BuildKind, Interpreters, View};

/// Something of the question that can be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freed {
    Driver,
    Version(usize),
    Channel(usize),
    VersionAndChannel(usize),
    Python,
    Glibc,
    Cuda,
    Cudnn,
    Policy,
    Os(Os),
    OneGpu(usize),
}

/// At most so many suggestions.
const MOST: usize = 6;

/// Changes that turn a conflict into a fit, simplest first.
pub(crate) fn attempts(world: View<'_>, request: &Request) -> Vec<Attempt> {
    let options = options(request);
    let mut out: Vec<Attempt> = Vec::new();
    for freed in &options {
        if let Some(attempt) = try_freed(world, request, &[*freed]) {
            push(&mut out, attempt);
        }
    }
    if out.is_empty() {
        for (i, a) in options.iter().enumerate() {
            for b in &options[i + 1..] {
                if compatible(*a, *b)
                    && out.len() < MOST
                    && let Some(attempt) = try_freed(world, request, &[*a, *b])
                {
                    push(&mut out, attempt);
                }
            }
        }
    }
    if request.wants.len() > 1
        && let Some(attempt) = apart(world, request)
    {
        push(&mut out, attempt);
    }
    out.truncate(MOST);
    out
}

/// What fits on another system of the same machine: of many packages only Linux has builds for a GPU.
pub(crate) fn elsewhere(world: View<'_>, request: &Request) -> Option<Attempt> {
    (request.os == Os::Windows).then(|| try_freed(world, request, &[Freed::Os(Os::Wsl2)]))?
}

fn push(out: &mut Vec<Attempt>, attempt: Attempt) {
    let version = |k: &str| matches!(k, "version" | "channel");
    let same = |a: &Attempt| {
        a.change == attempt.change
            || !attempt.then.is_empty()
                && a.then == attempt.then
                && (a.kind == attempt.kind || version(a.kind) && version(attempt.kind))
    };
    if !out.iter().any(same) {
        out.push(attempt);
    }
}

fn compatible(a: Freed, b: Freed) -> bool {
    let of = |f: Freed| match f {
        Freed::Version(i) | Freed::Channel(i) | Freed::VersionAndChannel(i) => Some(i),
        _ => None,
    };
    let same_want = of(a).is_some() && of(a) == of(b);
    let same_kind = matches!((a, b), (Freed::Os(_), Freed::Os(_)) | (Freed::OneGpu(_), Freed::OneGpu(_)));
    !same_want && !same_kind
}

fn options(request: &Request) -> Vec<Freed> {
    let mut out = Vec::new();
    if request.driver.is_some() {
        out.push(Freed::Driver);
    }
    for (i, want) in request.wants.iter().enumerate() {
        let labelled = want.label.is_some() || want.channel.is_some();
        let pinned = want.requirement.versions().is_some() || labelled;
        let channel = !request.channels.is_empty() || labelled;
        if channel {
            out.push(Freed::Channel(i));
        }
        if pinned || !want.requirement.extras.is_empty() || request.wants.len() > 1 {
            out.push(Freed::Version(i));
        }
        if channel && pinned {
            out.push(Freed::VersionAndChannel(i));
        }
    }
    if request.python.is_some() {
        out.push(Freed::Python);
    }
    if request.glibc.is_some() {
        out.push(Freed::Glibc);
    }
    if request.cuda.is_some() || request.toolkit.is_some() {
        out.push(Freed::Cuda);
    }
    if request.cudnn.is_some() {
        out.push(Freed::Cudnn);
    }
    if request.policy == Policy::Listed {
        out.push(Freed::Policy);
    }
    if request.os == Os::Windows {
        out.push(Freed::Os(Os::Wsl2));
        // A machine with a Windows driver is a Windows machine.
        if request.driver.is_none() {
            out.push(Freed::Os(Os::Linux));
        }
    }
    if request.gpus().len() > 1 {
        out.extend((0..request.gpus().len()).map(Freed::OneGpu));
    }
    out
}

fn without(request: &Request, freed: &[Freed]) -> Request {
    let mut out = request.clone();
    for freed in freed {
        match freed {
            Freed::Driver => out.driver = None,
            Freed::Version(i) => free_version(&mut out.wants[*i]),
            Freed::Channel(i) => {
                out.channels.clear();
                out.wants[*i].label = None;
                out.wants[*i].channel = None;
            }
            Freed::VersionAndChannel(i) => {
                out.channels.clear();
                free_version(&mut out.wants[*i]);
            }
            Freed::Python => out.python = None,
            Freed::Glibc => out.glibc = None,
            Freed::Cuda => {
                out.cuda = None;
                out.toolkit = None;
            }
            Freed::Cudnn => {
                out.cudnn = None;
                out.cudnn_text = None;
            }
            Freed::Policy => out.policy = Policy::Tested,
            Freed::Os(os) => {
                // A Windows driver number stays one under WSL2; on Linux it means nothing.
                if *os == Os::Linux {
                    out.driver = None;
                }
                out.os = *os;
            }
            Freed::OneGpu(i) => {
                let gpu: Option<GpuTarget> = out.gpus().get(*i).cloned();
                if let Some(gpu) = gpu {
                    out.hardware = Hardware::Gpus { gpus: vec![gpu], all: true };
                }
            }
        }
    }
    out
}

fn free_version(want: &mut Want) {
    want.requirement.free();
    want.label = None;
    want.channel = None;
}

fn try_freed(world: View<'_>, request: &Request, freed: &[Freed]) -> Option<Attempt> {
    // Several builds may be of several releases: each of those is tried.
    let alternatives = if freed.iter().any(|f| matches!(f, Freed::Cuda | Freed::Cudnn)) {
        request.wants.len().max(1)
    } else {
        1
    };
    // Who asked for an extra wants it in another version too; only if there is none, without it or with another one.
    let extras = freed_versions(freed).any(|i| !request.wants[i].requirement.extras.is_empty());
    (0..alternatives).find_map(|which| {
        let kept = extras.then(|| try_one(world, request, freed, which, true)).flatten();
        kept.or_else(|| try_one(world, request, freed, which, false))
    })
}

/// The wants whose version is given up, by position.
fn freed_versions(freed: &[Freed]) -> impl Iterator<Item = usize> + '_ {
    freed.iter().filter_map(|f| match f {
        Freed::Version(i) | Freed::VersionAndChannel(i) => Some(*i),
        _ => None,
    })
}

/// One attempt. Of CUDA and cuDNN, the release that goes with the build at position `which` is proposed.
fn try_one(
    world: View<'_>,
    request: &Request,
    freed: &[Freed],
    which: usize,
    keep_extras: bool,
) -> Option<Attempt> {
    let mut changed = without(request, freed);
    if keep_extras {
        for i in freed_versions(freed) {
            changed.wants[i].requirement.extras.clone_from(&request.wants[i].requirement.extras);
        }
    }
    // A version that was given up is free, not "what the installer takes".
    changed.intent = crate::request::Intent::Solve;
    changed.exact_extras = false;
    let world = world.from(changed.platform());
    let context = Context::new(world, &changed);
    let explain = Explain::new(&context);
    if changed.wants.is_empty() {
        return system(&explain, request, freed);
    }
    let solved: Vec<Solved<'_>> = changed.wants.iter().map(|w| one(&context, w)).collect();
    let builds: Vec<Option<&crate::world::Build>>;
    let names: Vec<String>;
    if solved.len() == 1 {
        let choice = solved[0].choice().filter(|c| c.outcome == Outcome::Pass)?;
        builds = vec![Some(choice.build)];
        names = vec![build_name(world, choice.build)];
    } else {
        let environment = environment::all(&context, &solved);
        if environment.verdict != super::Verdict::Fits {
            return None;
        }
        builds = environment.picks.iter().map(|p| p.build).collect();
        names = environment.picks.iter().map(|p| p.label.clone()).collect();
    }
    // Giving up the GPU is not what was asked.
    if request.hardware != Hardware::None && builds.iter().flatten().any(|b| b.kind == BuildKind::Cpu) {
        return None;
    }
    let others: Vec<&crate::world::Build> = builds.iter().copied().flatten().collect();
    let then = names.join(" + ");
    let mut changes = Vec::new();
    let mut sentences = Vec::new();
    let mut kind = "version";
    let mut commands: Vec<String> = Vec::new();
    // The question with the suggestion put in, word for word: what does not fit then is no suggestion.
    let mut literal = changed.clone();
    literal.intent = request.intent;
    literal.exact_extras = request.exact_extras;
    for freed in freed {
        let (what, change, says) = match freed {
            Freed::Driver => {
                let mut least: Option<crate::version::DriverVersion> = None;
                for (i, build) in builds.iter().enumerate() {
                    let Some(build) = build else { continue };
                    let edges: Vec<&crate::reason::Edge<'_>> =
                        solved[i].choice().map(|c| solved[i].graph.edges(c)).unwrap_or_default();
                    let need = explain.least_driver(build, &edges);
                    least = match (least, need) {
                        (Some(a), Some(b)) if a.cmp_number(&b).is_ge() => Some(a),
                        (a, None) => a,
                        (_, b) => b,
                    };
                }
                let have = request.driver?;
                // A GPU that newer branches dropped has an end as well.
                let last = changed.gpus().iter().filter_map(|g| match g.gpu {
                    Some(index) => world.gpus[index].range.last.clone(),
                    None => world.driver.range_of(g.capability).last,
                });
                let last = last.map(|l| l.value).min();
                let older = least.filter(|l| have.cmp_number(l).is_lt());
                let newer =
                    last.filter(|l| world.driver.info(have, request.os).branch.is_some_and(|b| b > *l));
                literal.driver = match (older, newer) {
                    (Some(_), _) => older,
                    (None, Some(last)) => world.driver.newest_of_branch(last, request.os),
                    // Some driver would do, and the one that is there is not too old and not too new.
                    (None, None) => return None,
                };
                let mut bounds: Vec<String> = least.map(|d| format!(">={d}")).into_iter().collect();
                bounds.extend(last.and_then(|l| first_after(world, l, request.os)).map(|d| format!("<{d}")));
                let need = bounds.join(",");
                if need.is_empty() {
                    return None;
                }
                let change = format!("nvidia-driver{need}");
                (
                    "driver",
                    change,
                    explain.speaker.say("try-driver", &[("need", need.clone()), ("then", then.clone())]),
                )
            }
            Freed::Version(i) | Freed::VersionAndChannel(i) | Freed::Channel(i) => {
                let name = names.get(*i)?.clone();
                if let Some(build) = builds.get(*i).copied().flatten() {
                    pin(world, &mut literal.wants[*i], build);
                    if !matches!(freed, Freed::Version(_)) {
                        literal.channels.clear();
                    }
                }
                let build = builds.get(*i).copied().flatten();
                let spec = build.map_or_else(|| name.replace(' ', "=="), |b| requirement(world, b));
                let line = build.and_then(|b| explain.install_beside(b, &others).into_iter().next());
                commands.extend(line.map(|l| l.command));
                let channel = build
                    .map(|b| world.kb.channels[explain.channel_beside(b, &others)].id.to_string())
                    .unwrap_or_default();
                if matches!(freed, Freed::Version(_)) {
                    ("version", spec, explain.speaker.say("try-version", &[("then", name)]))
                } else {
                    let change = format!("{spec} from {channel}");
                    (
                        "channel",
                        change,
                        explain.speaker.say("try-channel", &[("then", name), ("channel", channel)]),
                    )
                }
            }
            Freed::Python => {
                let all = others.iter().fold(Interpreters::ALL, |set, b| set.and(b.interpreters));
                literal.python = Some(all.nearest(request.python?)?);
                let need = literal.python?.to_string();
                (
                    "python",
                    format!("python=={need}"),
                    explain.speaker.say("try-python", &[("need", need), ("then", then.clone())]),
                )
            }
            Freed::Glibc => (
                "os",
                "glibc".to_owned(),
                explain.speaker.say("try-os", &[("need", "glibc".to_owned()), ("then", then.clone())]),
            ),
            Freed::Cuda => {
                let cuda = builds.iter().flatten().filter_map(|b| b.cuda.as_ref()).nth(which)?.value;
                let need = cuda.to_string();
                let set = crate::request::cuda_set(&need).ok()?;
                literal.toolkit = request.toolkit.as_ref().map(|_| (need.clone(), set.clone()));
                literal.cuda = request.cuda.as_ref().map(|_| set);
                (
                    "cuda",
                    format!("cuda=={need}"),
                    explain.speaker.say("try-cuda", &[("need", need), ("then", then.clone())]),
                )
            }
            Freed::Cudnn => {
                let cudnn = builds.iter().flatten().filter_map(|b| b.cudnn.as_ref()).nth(which)?.value;
                let need = cudnn.to_string();
                let (set, text) = crate::request::cudnn_set(&need).ok()?;
                (literal.cudnn, literal.cudnn_text) = (Some(set), Some(text));
                (
                    "cudnn",
                    format!("cudnn=={need}"),
                    explain.speaker.say("try-cudnn", &[("need", need), ("then", then.clone())]),
                )
            }
            Freed::Policy => (
                "policy",
                "--policy tested".to_owned(),
                explain.speaker.say("try-version", &[("then", then.clone())]),
            ),
            Freed::Os(os) => (
                "os",
                os.word().to_owned(),
                explain.speaker.say("try-os", &[("need", os.word().to_owned()), ("then", then.clone())]),
            ),
            Freed::OneGpu(i) => {
                let name = super::sentence::gpu_name(world.kb, &request.gpus().get(*i)?.label);
                (
                    "gpu",
                    request.gpus().get(*i)?.label.clone(),
                    explain.speaker.say("try-gpu", &[("need", name), ("then", then.clone())]),
                )
            }
        };
        kind = what;
        changes.push(change);
        sentences.push(says);
    }
    if verdict_of(world, &literal) != super::Verdict::Fits {
        return None;
    }
    // Half of the commands would not do what is proposed.
    let command = (commands.len() == freed.len()).then(|| commands.join("\n"));
    let says = match sentences.as_slice() {
        [first, second] => {
            explain.speaker.say("try-several", &[("first", first.clone()), ("second", second.clone())])
        }
        _ => sentences.join("; "),
    };
    Some(Attempt { change: changes.join(" and "), kind, then, says, command })
}

/// A question about the machine alone: does the rest hold without what was given up?
fn system(explain: &Explain<'_, '_>, request: &Request, freed: &[Freed]) -> Option<Attempt> {
    let edges = crate::solve::system::edges(explain.context);
    if edges.iter().any(|e| e.outcome != Outcome::Pass) {
        return None;
    }
    let world = explain.context.world;
    match freed {
        [Freed::Driver] => {
            let asked = &explain.context.toolkit;
            let asked = if asked.is_empty() { &explain.context.cuda } else { asked };
            // The oldest of those that are meant needs the least.
            let floor = asked
                .last()
                .copied()
                .and_then(|c| world.driver.floor(world.kb, c, request.os))
                .map(|f| f.value);
            let first = request.gpus().iter().filter_map(|g| {
                let (branch, since) = crate::rule::least_listed(explain.context, g)?;
                since
                    .filter(|_| request.os.driver_os() == "linux")
                    .or_else(|| world.driver.first_of_branch(branch, request.os))
            });
            let need = first.chain(floor).max_by(|a, b| a.cmp_number(b));
            let have = request.driver?;
            let need = format!(">={}", need.filter(|n| have.cmp_number(n).is_lt())?);
            let says = explain.speaker.say("try-driver-alone", &[("need", need.clone())]);
            Some(Attempt {
                change: format!("nvidia-driver{need}"),
                kind: "driver",
                then: String::new(),
                says,
                command: None,
            })
        }
        [Freed::Cuda] => {
            let cudnn = &explain.context.cudnn;
            let holds = |cuda: &crate::version::VersionSet| {
                let literal = Request {
                    cuda: request.cuda.as_ref().map(|_| cuda.clone()),
                    toolkit: request.toolkit.as_ref().map(|_| (cuda.to_string(), cuda.clone())),
                    ..request.clone()
                };
                let context = Context::new(world, &literal);
                crate::solve::system::edges(&context).iter().all(|e| e.outcome == Outcome::Pass)
            };
            let mut listed: Vec<String> = world
                .cudnn
                .pairs
                .iter()
                .filter(|p| cudnn.iter().any(|c| p.cudnn.contains(&c.prefix(3))))
                .filter(|p| holds(p.cuda))
                .map(|p| p.cuda.to_string())
                .collect();
            listed.dedup();
            if listed.is_empty() {
                return None;
            }
            let need = listed.join("; ");
            let says = explain.speaker.say(
                "try-cuda",
                &[("need", need.clone()), ("then", request.cudnn_text.clone().unwrap_or_default())],
            );
            Some(Attempt {
                change: format!("cuda-toolkit {need}"),
                kind: "cuda",
                then: format!("cuDNN {}", request.cudnn_text.clone().unwrap_or_default()),
                says,
                command: None,
            })
        }
        _ => None,
    }
}

/// The first driver of the branches that follow one.
fn first_after(world: View<'_>, last: Branch, os: Os) -> Option<DriverVersion> {
    let later = world.driver.branches.iter().filter(|b| b.branch > last);
    later.filter_map(|b| world.driver.first_of_branch(b.branch, os)).min_by(|a, b| a.cmp_number(b))
}

/// Nothing but this build.
fn pin(world: View<'_>, want: &mut Want, build: &crate::world::Build) {
    let package = usize::from(build.package);
    want.package = package;
    want.channel = None;
    want.requirement = Requirement::any(&world.kb.packages[package].id);
    want.requirement.extras.extend(build.extra.clone());
    want.requirement.specifier = format!("=={}", world.package(package).release(build).version()).into();
    want.label = build.label.as_deref().filter(|_| build.extra.is_none()).map(Into::into);
}

fn verdict_of(world: View<'_>, request: &Request) -> super::Verdict {
    let context = Context::new(world, request);
    let solved: Vec<Solved<'_>> = request.wants.iter().map(|w| one(&context, w)).collect();
    match solved.as_slice() {
        [single] => single.verdict,
        _ => environment::all(&context, &solved).verdict,
    }
}

/// `torch==2.14.1+cu126`, `jax[cuda13]==0.12.0.1`.
fn requirement(world: View<'_>, build: &crate::world::Build) -> String {
    let package = usize::from(build.package);
    let version = world.package(package).release(build).version();
    let extra = build.extra.as_deref().map(|e| format!("[{e}]")).unwrap_or_default();
    let label =
        build.label.as_deref().filter(|_| build.extra.is_none()).map(|l| format!("+{l}")).unwrap_or_default();
    format!("{}{extra}=={version}{label}", world.kb.packages[package].id)
}

/// Each want in an environment of its own.
fn apart(world: View<'_>, request: &Request) -> Option<Attempt> {
    let mut names = Vec::new();
    for want in &request.wants {
        let mut single = request.clone();
        single.wants = vec![want.clone()];
        let context = Context::new(world, &single);
        let solved = one(&context, want);
        let choice = solved.choice().filter(|c| c.outcome == Outcome::Pass)?;
        names.push(build_name(world, choice.build));
    }
    let context = Context::new(world, request);
    let explain = Explain::new(&context);
    let then = names.join(" | ");
    let says = explain.speaker.say("try-environments", &[("then", then.clone())]);
    Some(Attempt { change: "two environments".to_owned(), kind: "environments", then, says, command: None })
}
