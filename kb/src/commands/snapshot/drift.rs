//! What has changed between two states, and whether it matters: the doctor is asked about both.

use super::lock::{Lock, Package};
use super::{Session, findings};
use crate::commands::Found;
use kb_core::answer::Verdict;
use kb_core::world::World;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a change does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Effect {
    /// Something that went together no longer does.
    Breaks,
    /// Something that did not go together does now.
    Mends,
    /// A link of the chain is another one; nothing that is known speaks against it.
    Changes,
    /// It is of no weight: the same version in other files, a package beside the chain.
    Harmless,
}

/// A change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Drift {
    /// What has changed: the name of an observation, or of a package.
    pub what: String,
    /// Before; nothing if it was not there.
    pub was: Option<String>,
    /// Now; nothing if it is gone.
    pub is: Option<String>,
    /// Does it matter?
    pub effect: Effect,
    /// Why, where there is something to say.
    pub says: Vec<String>,
    /// Ids of causes that are new with it.
    pub causes: Vec<String>,
}

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    schema: u32,
    command: &'static str,
    verdict: &'static str,
    written: &'a str,
    drifts: Vec<Drift>,
}

impl<'a> Document<'a> {
    pub(super) fn new(written: &'a str, drifts: Vec<Drift>, matters: bool) -> Self {
        let verdict = match (drifts.is_empty(), matters) {
            (true, _) => "same",
            (false, true) => "found",
            (false, false) => "changed",
        };
        Document { schema: 1, command: "snapshot", verdict, written, drifts }
    }
}

/// The changes, those that matter first.
pub(super) fn between(session: &Session<'_>, world: &World<'_>, before: &Lock, now: &Lock) -> Vec<Drift> {
    let mut out = differences(session, before, now);
    if out.is_empty() {
        return out;
    }
    let (was, is) = (findings(session, world, before), findings(session, world, now));
    let (old, new) = (Problems::of(&was), Problems::of(&is));
    for drift in &mut out {
        let mut broken: Vec<&Problem> =
            new.0.iter().filter(|p| !old.has(p) && p.is_about(&drift.what)).collect();
        broken.dedup();
        if !broken.is_empty() {
            drift.effect = Effect::Breaks;
            drift.says = broken.iter().flat_map(|p| p.says.clone()).collect();
            drift.causes = broken.iter().filter_map(|p| p.cause.clone()).collect();
        } else if let Some(mended) = old.0.iter().find(|p| !new.has(p) && p.is_about(&drift.what)) {
            drift.effect = Effect::Mends;
            drift.says.clone_from(&mended.says);
        }
    }
    out.sort_by_key(|d| d.effect);
    out
}

/// Something that is wrong with a state.
#[derive(Clone, PartialEq, Debug)]
struct Problem {
    /// What makes it the same in two states.
    key: String,
    cause: Option<String>,
    says: Vec<String>,
    /// Names of the observations that it rests on.
    about: BTreeSet<String>,
}

struct Problems(Vec<Problem>);

impl Problems {
    fn of(found: &Found) -> Problems {
        let mut out: Vec<Problem> = found
            .causes
            .iter()
            .map(|c| Problem {
                key: c.cause.clone(),
                cause: Some(c.cause.clone()),
                says: vec![c.says.clone()],
                about: c.quotes.iter().filter_map(|q| q.split(' ').next()).map(str::to_owned).collect(),
            })
            .collect();
        for judged in found.environments.iter().flat_map(|e| &e.judged) {
            if judged.verdict != Verdict::Conflict {
                continue;
            }
            let name = judged.requirement.split("==").next().unwrap_or_default();
            let links =
                ["driver", "gpu", "compute-capability", "python", "glibc", "os", "arch", "cuda-driver-level"];
            let about = links.iter().map(|l| (*l).to_owned()).chain([format!("package:{name}")]).collect();
            out.push(Problem { key: name.to_owned(), cause: None, says: judged.says.clone(), about });
        }
        Problems(out)
    }

    fn has(&self, problem: &Problem) -> bool {
        self.0.iter().any(|p| p.key == problem.key && p.cause == problem.cause)
    }
}

impl Problem {
    fn is_about(&self, what: &str) -> bool {
        self.about.contains(what)
    }
}

fn differences(session: &Session<'_>, before: &Lock, now: &Lock) -> Vec<Drift> {
    let mut out = Vec::new();
    let mut differ =
        |what: &str, was: Option<String>, is: Option<String>, effect: Effect, says: Vec<String>| {
            if was != is || effect == Effect::Harmless && !says.is_empty() {
                out.push(Drift { what: what.to_owned(), was, is, effect, says, causes: Vec::new() });
            }
        };
    let names: BTreeSet<&String> = before.machine.keys().chain(now.machine.keys()).collect();
    for name in names {
        let text = |lock: &Lock| lock.machine.get(name).map(|v| v.join(", "));
        differ(name, text(before), text(now), Effect::Changes, Vec::new());
    }
    let names: BTreeSet<&String> = before.libraries.keys().chain(now.libraries.keys()).collect();
    for name in names {
        let text = |lock: &Lock| lock.libraries.get(name).cloned();
        differ(name, text(before), text(now), Effect::Changes, Vec::new());
    }
    let names: BTreeSet<&String> = before.packages.iter().chain(&now.packages).map(|p| &p.name).collect();
    for name in names {
        let find = |lock: &'_ Lock| lock.packages.iter().find(|p| &p.name == name).cloned();
        let (was, is) = (find(before), find(now));
        let version = |p: &Option<Package>| p.as_ref().map(|p| p.version.clone());
        let known = session.kb.package(name).is_some();
        let effect = if known { Effect::Changes } else { Effect::Harmless };
        let what = format!("package:{name}");
        let record = |p: &Option<Package>| p.as_ref().and_then(|p| p.record.clone());
        if version(&was) == version(&is)
            && record(&was).is_some()
            && record(&is).is_some()
            && record(&was) != record(&is)
        {
            let says = session.screen().say("ui-snap-other-files", &[("package", name.clone())]);
            differ(&what, version(&was), version(&is), Effect::Harmless, vec![says]);
        } else {
            differ(&what, version(&was), version(&is), effect, Vec::new());
        }
    }
    out
}
