//! A machine as a probe saw it, diagnosed like a pasted text: each observation is a line of its own, what could not be
//! looked at comes behind them.

use crate::case::Case;
use crate::diagnosis::{self, Findings, Of};
use crate::fix;
use crate::needles::Needles;
use crate::seen::Seen;
use crate::sift::{Excerpt, sift};
use crate::{Hit, Line};
use kb_core::answer::Verdict;
use kb_core::catalog::PackageKind;
use kb_core::observe::Observation;
use kb_core::request::RawRequest;
use kb_core::world::World;
use serde::Serialize;

/// What was seen of a machine, as the diagnosis takes it. The line of an observation is its place in `observations`,
/// counted from 1; `failures` are sentences, in which messages of the driver may stand.
pub fn observe(needles: &Needles<'_>, observations: &[Observation], failures: &[String]) -> Findings {
    let mut seen = Seen::default();
    let mut excerpt = Excerpt { encoding: "utf-8", ..Excerpt::default() };
    for (index, observation) in observations.iter().enumerate() {
        let number = index + 1;
        // The place is in the line; values are compared without it.
        seen.push(Observation { line: Some(number), place: None, ..observation.clone() });
        excerpt.lines.push(Line { number, text: shown(observation).into() });
        if let Some(signature) = message(needles, observation) {
            excerpt.hits.push(Hit { signature, line: number, text: shown(observation) });
        }
    }
    excerpt.total = observations.len();
    for failure in failures {
        excerpt.total += 1;
        let number = excerpt.total;
        let text = failure.replace(['\r', '\n'], " ");
        // Reading from memory does not fail.
        if let Ok(found) = sift(needles, &mut text.as_bytes()) {
            excerpt.hits.extend(found.hits.into_iter().map(|h| Hit { line: number, ..h }));
        }
        excerpt.lines.push(Line { number, text: text.into() });
    }
    diagnosis::values(needles, &excerpt, &mut seen);
    diagnosis::errors(needles, &excerpt, &mut seen);
    Findings { seen, excerpt, of: Of::Machine }
}

/// The message that an error is known by: a library that was asked says its code, a log has the words for it.
fn message(needles: &Needles<'_>, observation: &Observation) -> Option<usize> {
    let name = Some(&*observation.value).filter(|_| observation.what == "error")?;
    needles.signatures.iter().position(|s| *s.id == *name || s.error.as_deref() == Some(name))
}

/// `driver 550.54.14 (nvml, /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1)`
pub fn shown(observation: &Observation) -> String {
    let Observation { what, value, method, place, .. } = observation;
    match place {
        Some(place) => format!("{what} {value} ({method}, {place})"),
        None => format!("{what} {value} ({method})"),
    }
}

/// The place of an observation of a machine, which its line has.
pub(crate) fn place<'c>(case: &'c Case<'_>, observation: &Observation) -> Option<&'c str> {
    let Observation { what, value, method, .. } = observation;
    let text = case.line(observation.line?)?;
    text.strip_prefix(&*format!("{what} {value} ({method}, "))?.strip_suffix(')')
}

/// What the engine says of an installed package on its machine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// `torch==2.5.1+cu124`
    pub requirement: String,
    /// Does it fit?
    pub verdict: Verdict,
    /// What is in the way, or what fits, as sentences.
    pub says: Vec<String>,
    /// The smallest changes that would mend it.
    pub changes: Vec<String>,
    /// Ids of the facts behind the sentences.
    pub facts: Vec<String>,
}

/// Asks the engine about every framework that is installed. What it does not know is not judged.
pub(crate) fn judge(world: &World<'_>, case: &Case<'_>, language: &str) -> Vec<Judged> {
    let kb = case.kb();
    let mut out: Vec<Judged> = Vec::new();
    for (name, observation) in case.seen.packages() {
        let Some(index) = kb.package(name) else { continue };
        if kb.packages[index].kind != PackageKind::Framework {
            continue;
        }
        let requirement = format!("{}=={}", kb.packages[index].id, observation.value);
        if out.iter().any(|j| j.requirement == requirement) {
            continue;
        }
        let mut request = fix::question(case, language);
        request.command = "check".to_owned();
        request.wants = vec![requirement.clone()];
        let mut answer = match kb_core::ask(world, &request) {
            Ok(answer) => answer,
            // A release that nobody has recorded.
            Err(mistakes) => {
                let says = mistakes.into_iter().map(|m| m.message).collect();
                let (changes, facts) = (Vec::new(), Vec::new());
                out.push(Judged { requirement, verdict: Verdict::Unknown, says, changes, facts });
                continue;
            }
        };
        // It is installed: the installer found a wheel for this C library and this interpreter.
        for drop in [|r: &mut RawRequest| r.glibc = None, |r: &mut RawRequest| r.python = None] {
            if answer.verdict == Verdict::Unknown {
                drop(&mut request);
                let Ok(other) = kb_core::ask(world, &request) else { break };
                answer = other;
            }
        }
        let mut says: Vec<String> = Vec::new();
        let (mut changes, mut facts) = (Vec::new(), Vec::new());
        match &answer.conflict {
            Some(conflict) => {
                for step in &conflict.core {
                    says.push(step.says.clone());
                    facts.extend(step.facts.iter().cloned());
                }
                changes.extend(conflict.attempts.iter().map(|c| c.says.clone()));
            }
            None => {
                for item in answer.answers.iter().take(1) {
                    says.push(item.says.clone());
                    says.extend(item.missing.iter().cloned());
                }
            }
        }
        out.push(Judged { requirement, verdict: answer.verdict, says, changes, facts });
    }
    out
}
