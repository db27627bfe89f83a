//! Checks on the facts: what a log shows, held against what is known. A signature only suggests; these prove or refute.
//!
//! One function for each name in [`kb_core::record::CHECKS`]. A check that lacks a value gives nothing.

mod cudnn;
mod device_code;
mod driver;
mod extension;
mod files;
mod packages;
pub(crate) mod python;

use crate::case::{At, Case};
use kb_core::fact::FactId;

/// How far a check came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is so.
    Proved,
    /// What was seen points there; a fact is missing for a proof.
    Likely,
    /// It is not so.
    Refuted,
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Its name.
    pub check: &'static str,
    /// How far it came.
    pub outcome: Outcome,
    /// Lines that show what it rests on.
    pub lines: Vec<usize>,
    /// Facts that it rests on.
    pub facts: Vec<FactId>,
    /// Values for sentences: name of an observation, value.
    pub values: Vec<(&'static str, String)>,
}

impl Finding {
    fn new(check: &'static str, outcome: Outcome) -> Self {
        Finding { check, outcome, lines: Vec::new(), facts: Vec::new(), values: Vec::new() }
    }

    /// Proved or refuted.
    fn decided(check: &'static str, holds: bool) -> Self {
        Finding::new(check, if holds { Outcome::Proved } else { Outcome::Refuted })
    }

    fn shown_by<T>(mut self, at: &At<T>) -> Self {
        self.lines.extend(&at.lines);
        self
    }

    fn on(mut self, line: Option<usize>) -> Self {
        self.lines.extend(line);
        self
    }

    fn from(mut self, facts: impl IntoIterator<Item = FactId>) -> Self {
        self.facts.extend(facts);
        self
    }

    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.values.push((name, value.to_string()));
        self
    }
}

type Check = fn(&Case<'_>) -> Option<Finding>;

/// Every check that finds something, in a fixed order.
pub fn all(case: &Case<'_>) -> Vec<Finding> {
    const CHECKS: [Check; 27] = [
        driver::floor,
        driver::container_floor,
        driver::module_library,
        driver::gpu_driver,
        driver::ptx_floor,
        device_code::newer,
        device_code::older,
        device_code::toolkit_target,
        device_code::dropped,
        cudnn::older,
        cudnn::wheel_missing,
        cudnn::two,
        cudnn::older_first,
        cudnn::incomplete_first,
        files::other_major,
        files::on_disk,
        files::glibc_floor,
        packages::cpu_build,
        packages::both_distributions,
        packages::native_windows,
        packages::wrong_platform,
        packages::plugin_core,
        python::no_wheel,
        extension::other_build,
        extension::engine_version,
        driver::packages,
        files::copies,
    ];
    let mut out: Vec<Finding> = CHECKS.iter().filter_map(|check| check(case)).collect();
    // Two machines, or before and after: what belongs together is not known.
    let several = |what: &str| {
        let mut values: Vec<&str> = case.seen.of(what).map(|o| &*o.value).collect();
        values.sort_unstable();
        values.dedup();
        values.len() > 1
    };
    let versions = case.subject_id().is_some_and(|id| several(&format!("package:{id}")));
    let drivers = several("driver");
    for finding in out.iter_mut().filter(|f| f.outcome == Outcome::Proved) {
        let of_driver = finding.values.iter().any(|(name, _)| matches!(*name, "driver" | "driver-needed"));
        if (drivers && of_driver && finding.check != "module-library-differ")
            || (versions && finding.check != "both-distributions")
        {
            finding.outcome = Outcome::Likely;
        }
    }
    out
}
