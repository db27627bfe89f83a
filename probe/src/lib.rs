//! Observations of a machine: GPUs, driver, toolkits, libraries, Python environments, the system around them.
//!
//! Nothing is judged here, nothing of the user's is run or imported, and nothing is changed. All raw inputs come from a
//! [`machine::Machine`]: this one, or one that was captured elsewhere. Several ways are tried for a value and all that
//! they give is kept, each with its method and place; what could not be looked at is a [`Failure`].

mod driver;
pub mod libraries;
pub mod library;
pub mod loader_cache;
pub mod machine;
pub mod place;
pub mod python;
mod sink;
mod system;
mod toolkit;
mod variables;

pub use sink::{Failure, Sink};

use kb_core::observe::Observation;
use machine::{Machine, Memo};
use serde::Serialize;

/// What was seen of a machine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Probe {
    /// 1.
    pub schema: u32,
    /// `probe`.
    pub command: &'static str,
    /// What was seen.
    pub observations: Vec<Observation>,
    /// What could not be looked at.
    pub failures: Vec<Failure>,
    /// The Python environments, with what was seen of each.
    #[serde(skip)]
    pub environments: Vec<Seen>,
}

/// A Python environment that was looked into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its directory.
    pub root: String,
    /// Its own observations, in [`Probe::observations`].
    pub observations: std::ops::Range<usize>,
}

impl Probe {
    /// What was seen of the machine and of one environment, or of none.
    pub fn of_environment(&self, environment: Option<&Seen>) -> Vec<&Observation> {
        let all = self.observations.iter().enumerate();
        let wanted = |index: &usize| {
            let owner = self.environments.iter().find(|e| e.observations.contains(index));
            owner.is_none() || owner == environment
        };
        all.filter(|(index, _)| wanted(index)).map(|(_, o)| o).collect()
    }
}

/// What is to be looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// This environment or interpreter, instead of the one that a shell would start.
    pub python: Option<String>,
    /// All environments that can be found.
    pub all_pythons: bool,
    /// All packages that are installed, not only those that have to do with GPUs.
    pub all_packages: bool,
    /// Which files belong to a library; without it nothing is said to be missing beside one.
    pub file_sets: Vec<libraries::FileSet>,
}

/// Looks at a machine.
pub fn observe(machine: &dyn Machine, wanted: &Wanted) -> Probe {
    let memo = Memo::new(machine);
    let look = libraries::Look::new(&memo, None);
    let mut sink = Sink::new(&memo);
    system::observe(&mut sink);
    driver::observe(&mut sink);
    variables::observe(&mut sink);
    toolkit::observe(&mut sink);
    libraries::observe(&mut sink, &look, None, wanted);
    let mut environments = Vec::new();
    for environment in python::environments(&mut sink, wanted) {
        let start = sink.observations.len();
        python::observe(&mut sink, wanted, &environment);
        libraries::observe(&mut sink, &look, Some(&environment), wanted);
        environments.push(Seen { root: environment.root, observations: start..sink.observations.len() });
    }
    Probe {
        schema: 1,
        command: "probe",
        observations: sink.observations,
        failures: sink.failures,
        environments,
    }
}

/// The Python environments that are wanted, and why one could not be looked at.
pub fn environments(machine: &dyn Machine, wanted: &Wanted) -> (Vec<python::Environment>, Vec<Failure>) {
    let mut sink = Sink::new(machine);
    let found = python::environments(&mut sink, wanted);
    (found, sink.failures)
}
