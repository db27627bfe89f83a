//! The verdict is that of brute force, and what is proposed holds.

use super::model::*;
use super::oracle::{self, Choice, Oracle, V};
use super::runner::{ask, value, worlds};
use super::{generate, render};
use kb_core::answer::{Answer, Component};

/// The whole of an answer as lines, for messages.
fn told(answer: &Answer) -> String {
    serde_json::to_string_pretty(answer).expect("an answer is JSON")
}

#[test]
fn verdicts_are_those_of_brute_force() {
    worlds("brute-force", generate::case(false), |case| {
        let Some(answer) = ask(case)? else { return Ok(()) };
        let expected = oracle::verdict(case);
        if value(answer.verdict) != expected {
            return Err(format!("brute force says {expected:?}; {}", told(&answer)));
        }
        // Each want on its own.
        if case.question.wants.len() > 1 && !(case.question.any && case.question.hardware.len() > 1) {
            let oracle = Oracle { world: &case.world, question: &case.question, gpus: &case.question.hardware };
            for (index, item) in answer.answers.iter().skip(1).enumerate() {
                let expected = oracle.want(index);
                if value(item.verdict) != expected {
                    return Err(format!("brute force says {expected:?} of {}; {}", item.want, told(&answer)));
                }
            }
        }
        Ok(())
    });
}

/// The choice that a component of an answer names.
fn choice(world: &World, component: &Component) -> Option<Choice> {
    let package = (0..4).find(|p| render::name(*p) == component.component)?;
    let version = component.version.as_ref()?;
    let release: Rel = version.strip_suffix(".0")?.parse().ok()?;
    if package == LIB_AT {
        return Some(Choice { package, release, build: None });
    }
    let channel = CHANNELS.iter().position(|c| Some(*c) == component.channel.as_deref())?;
    let cuda = |b: &Build| b.cuda.map(|c| format!("{}.{}", world.cudas[c].version.0, world.cudas[c].version.1));
    let kind = |b: &Build| match b.kind {
        Kind::Cuda => "cuda",
        Kind::Cpu => "cpu",
        Kind::Rocm => "rocm",
    };
    let builds = &world.packages[package].releases[usize::from(release) - 1].builds;
    Some(Choice { package, release, build: Some(builds.iter().position(|_| false).unwrap_or(0)) }).map(|c| Choice {
        build: builds.iter().position(|b| {
            b.channel == channel && Some(kind(b)) == component.kind.as_deref() && cuda(b) == component.cuda
        }),
        ..c
    })
}

#[test]
fn proposed_stacks_pass_each_constraint() {
    worlds("proposals", generate::case(false), |case| {
        let Some(answer) = ask(case)? else { return Ok(()) };
        let boards: Vec<Vec<Hardware>> = if case.question.any && case.question.hardware.len() > 1 {
            case.question.hardware.iter().map(|h| vec![*h]).collect()
        } else {
            vec![case.question.hardware.clone()]
        };
        for item in answer.answers.iter().filter(|i| !i.stack.is_empty()) {
            let chosen: Vec<Choice> = item.stack.iter().filter_map(|c| choice(&case.world, c)).collect();
            if chosen.is_empty() {
                return Err(format!("{} names nothing that is there: {}", item.want, told(&answer)));
            }
            // With `any` the answer is about the first GPU that fits.
            let best = boards.iter().map(|gpus| Oracle { world: &case.world, question: &case.question, gpus }.stack(&chosen)).min();
            let expected = value(item.verdict);
            if item.verdict != kb_core::answer::Verdict::Conflict && best != Some(expected) {
                return Err(format!("brute force says {best:?} of the stack for {}; {}", item.want, told(&answer)));
            }
            let _ = V::Yes;
        }
        Ok(())
    });
}
