//! `kb doctor`: what is wrong with this machine.

use super::{Session, this_machine};
use crate::Outcome;
use crate::args::Doctor;
use crate::output::{doctor as writer, json};
use diagnose::needles::Needles;
use diagnose::{diagnosis, machine};
use kb_core::answer::Verdict;
use kb_core::observe::Observation;
use kb_core::world::World;
use probe::Probe;

pub(crate) use document::{Examined, Found};

mod document;

/// Looks at the machine, then holds what was seen against the facts.
pub(super) fn run(session: &Session<'_>, args: &Doctor) -> Outcome {
    let seen = this_machine::observe(session, &args.machine)?;
    let found = examine(session, session.world(), &seen);
    if session.global.json {
        json::print(&found);
    } else {
        let mut screen = session.screen();
        match args.quick {
            true => writer::quick(&mut screen, &found),
            false => writer::print(&mut screen, &found, args.all),
        }
        screen.print();
    }
    Ok(code(&found))
}

/// 1 if something is wrong, 3 if that is not known: what could not be looked at is not "nothing".
fn code(found: &Found) -> u8 {
    let judged = || found.environments.iter().flat_map(|e| &e.judged);
    let any = |verdict| judged().any(|j| j.verdict == verdict);
    if found.verdict == "found" {
        1
    } else if found.unseen() || (any(Verdict::Unknown) && !any(Verdict::Fits)) {
        3
    } else {
        0
    }
}

/// Diagnoses a machine: once for each environment, and what they share once.
pub(super) fn examine(session: &Session<'_>, world: &World<'_>, seen: &Probe) -> Found {
    let needles = Needles::new(session.kb, &diagnose::read::ANCHORS);
    let failures: Vec<String> =
        seen.failures.iter().map(|f| format!("{} ({}): {}", f.what, f.method, f.says)).collect();
    let mut out = Found::new(seen);
    let environments: Vec<Option<&probe::Seen>> = match seen.environments.is_empty() {
        true => vec![None],
        false => seen.environments.iter().map(Some).collect(),
    };
    for environment in environments {
        let observations = ordered(&seen.of_environment(environment));
        let findings = machine::observe(&needles, &observations, &failures);
        let found = diagnosis::diagnose(world, &findings, session.language);
        out.add(environment.map(|e| &*e.root), found, &observations, &failures);
    }
    out.conclude();
    out
}

/// The version of the copy that would be loaded comes before those of others: the first value of a name counts.
fn ordered(observations: &[&Observation]) -> Vec<Observation> {
    let first = || observations.iter().filter(|o| o.what == "library-first");
    // What frameworks would load counts; of a process without one, only where there is none.
    let of_frameworks = first().any(|o| o.place.as_deref() != Some("process"));
    let directory = |path: &str| path.rsplit_once(['/', '\\']).map(|(above, _)| above.to_lowercase());
    let loaded: Vec<Option<String>> = first()
        .filter(|o| !of_frameworks || o.place.as_deref() != Some("process"))
        .map(|o| directory(&o.value))
        .collect();
    // The parts of a library stand beside it.
    let is_loaded = |o: &&&Observation| o.place.as_deref().is_some_and(|p| loaded.contains(&directory(p)));
    let (loaded, others): (Vec<&&Observation>, Vec<&&Observation>) = observations.iter().partition(is_loaded);
    loaded.into_iter().chain(others).map(|o| (*o).clone()).collect()
}
