//! Python environments, as they are found and as they are looked into.

#![allow(missing_docs)]

mod captured;
mod files;
mod installed;
mod started;

use probe::machine::{Capture, Machine, Replay};
use probe::{Probe, Wanted, observe};

/// A captured machine.
fn machine(text: &str) -> Replay {
    Replay::new(Capture::parse(text).expect("is a capture"))
}

/// The environment that a shell would start.
fn one(machine: &dyn Machine) -> Probe {
    observe(machine, &Wanted::default())
}

/// All environments.
fn all(machine: &dyn Machine) -> Probe {
    observe(machine, &Wanted { all_pythons: true, ..Wanted::default() })
}

/// The environment that is named.
fn given(machine: &dyn Machine, path: &str) -> Probe {
    observe(machine, &Wanted { python: Some(path.to_owned()), ..Wanted::default() })
}

/// Values of one name, in order.
fn values(probe: &Probe, what: &str) -> Vec<String> {
    probe.observations.iter().filter(|o| o.what == what).map(|o| o.value.clone()).collect()
}

/// Values of one name with their places.
fn placed(probe: &Probe, what: &str) -> Vec<String> {
    let seen = probe.observations.iter().filter(|o| o.what == what);
    seen.map(|o| format!("{} @ {}", o.value, o.place.as_deref().unwrap_or("-"))).collect()
}

/// What was seen of packages, name and version.
fn packages(probe: &Probe) -> Vec<String> {
    let named = probe.observations.iter().filter_map(|o| Some((o.what.strip_prefix("package:")?, &o.value)));
    named.map(|(name, version)| format!("{name} {version}")).collect()
}
