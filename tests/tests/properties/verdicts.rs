//! The verdict is that of brute force, and what is proposed holds.

use super::model::*;
use super::oracle::{self, Choice, Oracle};
use super::runner::{ask, value, worlds};
use super::{generate, render};
use kb_core::answer::{Answer, Component, Verdict};

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
            let oracle =
                Oracle { world: &case.world, question: &case.question, gpus: &case.question.hardware };
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
fn choice(oracle: Oracle<'_>, component: &Component) -> Option<Choice> {
    let package = (0..4).find(|p| render::name(*p) == component.component)?;
    let release: Rel = component.version.as_ref()?.strip_suffix(".0")?.parse().ok()?;
    if component.channel.is_none() {
        return Some(Choice { package, release, build: None });
    }
    oracle.choices(package, Spec::Eq(release)).find(|c| {
        // There is one build for a place: release, channel, platform.
        let Some(build) = c.build else { return true };
        let build = &oracle.world.packages[package].releases[usize::from(release) - 1].builds[build];
        Some(CHANNELS[build.channel]) == component.channel.as_deref()
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
        for item in answer.answers.iter().filter(|i| i.verdict != Verdict::Conflict && !i.stack.is_empty()) {
            let oracle = Oracle { world: &case.world, question: &case.question, gpus: &[] };
            let chosen: Vec<Choice> = item.stack.iter().filter_map(|c| choice(oracle, c)).collect();
            let several = item.want == "*";
            if chosen.len() != if several { case.question.wants.len() } else { 1 } {
                return Err(format!(
                    "{} does not name one choice for each want: {}",
                    item.want,
                    told(&answer)
                ));
            }
            // With `any` the answer is about one of the GPUs.
            let stack = |gpus: &Vec<Hardware>| {
                Oracle { world: &case.world, question: &case.question, gpus }.stack(&chosen)
            };
            let expected = value(item.verdict);
            if !boards.iter().any(|gpus| stack(gpus) == expected) {
                return Err(format!(
                    "brute force does not say {expected:?} of the stack for {}; {}",
                    item.want,
                    told(&answer)
                ));
            }
        }
        Ok(())
    });
}
