//! What the doctor found, as the document.

use diagnose::diagnosis::{CauseFound, Diagnosis};
use diagnose::machine::Judged;
use kb_core::answer::Verdict;
use kb_core::observe::Observation;
use probe::{Failure, Probe};
use serde::Serialize;

/// The family of causes that break nothing by themselves.
const RESIDUE: &str = "residue";

/// What was found on a machine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Found {
    /// 1.
    schema: u32,
    /// `doctor`.
    command: &'static str,
    /// `found` or `nothing-wrong`.
    pub verdict: &'static str,
    /// Is there an NVIDIA GPU, or a driver for one?
    pub gpu_seen: bool,
    /// What is wrong, worst first. Each names the observations that show it in `quotes`.
    pub causes: Vec<CauseFound>,
    /// What is left over and breaks nothing by itself.
    pub residue: Vec<CauseFound>,
    /// The Python environments, and what the engine says of the frameworks in each.
    pub environments: Vec<Examined>,
    /// What was seen.
    pub observations: Vec<Observation>,
    /// What could not be looked at.
    pub failures: Vec<Failure>,
}

/// A Python environment, or the machine where there is none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Examined {
    /// Its directory.
    pub root: Option<String>,
    /// Causes of its own.
    pub causes: Vec<String>,
    /// What the engine says.
    pub judged: Vec<Judged>,
}

impl Found {
    /// Nothing is examined yet.
    pub(super) fn new(seen: &Probe) -> Self {
        Found {
            schema: 1,
            command: "doctor",
            verdict: "nothing-wrong",
            gpu_seen: seen.observations.iter().any(|o| match &*o.what {
                "gpu" | "driver" => true,
                "pci-id" => o.value.starts_with("10de:"),
                // A driver that fails is there; a library alone, without one, may be.
                "error" => {
                    o.method == "nvml" && !o.value.ends_with("not-loaded") && !o.value.ends_with("not-found")
                }
                _ => false,
            }),
            causes: Vec::new(),
            residue: Vec::new(),
            environments: Vec::new(),
            observations: seen.observations.clone(),
            failures: seen.failures.clone(),
        }
    }

    /// Takes the diagnosis of an environment. Its lines are places in `observations`, then in `failures`.
    pub(super) fn add(
        &mut self,
        root: Option<&str>,
        found: Diagnosis,
        observations: &[Observation],
        failures: &[String],
    ) {
        let mut own = Vec::new();
        for mut cause in found.causes {
            // Without a GPU a package that has no CUDA is no mistake. What keeps a GPU from being seen counts all the same.
            let about_seeing = matches!(&*cause.family, RESIDUE | "wsl" | "container");
            if cause.certainty == "possible" || (!self.gpu_seen && !about_seeing) {
                continue;
            }
            let shown = cause.lines.iter().filter_map(|line| place(*line, observations, failures));
            (cause.places, cause.quotes) = shown.unzip();
            own.push(cause.cause.clone());
            let list = if cause.family == RESIDUE { &mut self.residue } else { &mut self.causes };
            if !list.iter().any(|c| c.cause == cause.cause && c.quotes == cause.quotes) {
                list.push(cause);
            }
        }
        let judged = if self.gpu_seen { found.judged } else { Vec::new() };
        self.environments.push(Examined { root: root.map(str::to_owned), causes: own, judged });
    }

    /// Was the driver or a Python environment there, and could not be looked at?
    pub(crate) fn unseen(&self) -> bool {
        // That no driver is loaded is an answer.
        let answered = self.observations.iter().any(|o| o.what == "error" && o.value.ends_with("not-loaded"));
        self.failures.iter().any(|f| match &*f.what {
            "gpu" => !answered,
            "driver" | "environment" | "interpreter" => true,
            _ => false,
        })
    }

    /// Everything is examined.
    pub(super) fn conclude(&mut self) {
        // The sort is stable: within a certainty the order of the diagnosis stays.
        self.causes.sort_by_key(|c| usize::from(c.certainty != "confirmed"));
        let conflict =
            self.environments.iter().flat_map(|e| &e.judged).any(|j| j.verdict == Verdict::Conflict);
        if !self.causes.is_empty() || conflict {
            self.verdict = "found";
        }
    }
}

/// How something was seen, and what.
fn place(line: usize, observations: &[Observation], failures: &[String]) -> Option<(String, String)> {
    let index = line.checked_sub(1)?;
    if let Some(o) = observations.get(index) {
        let place = o.place.as_ref().map(|p| format!(" ({p})")).unwrap_or_default();
        return Some((o.method.clone(), format!("{} {}{place}", o.what, o.value)));
    }
    let failure = failures.get(index - observations.len())?;
    Some(("failure".to_owned(), failure.clone()))
}
