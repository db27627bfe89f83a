//! The interpreter against the files that a release has.

use super::Finding;
use crate::case::{At, Case};
use kb_core::pep::Requirement;
use kb_core::version::PythonVersion;
use kb_core::world::Interpreters;

/// `python-no-wheel`: has the wanted release no file for this interpreter, where it has files for others?
pub(super) fn no_wheel(case: &Case<'_>) -> Option<Finding> {
    let name = "python-no-wheel";
    let python = case.seen.of("python").find_map(|o| {
        let number = o.value.split_whitespace().next()?;
        let short = number.split('.').take(2).collect::<Vec<_>>().join(".");
        let value: PythonVersion = short.parse().ok()?;
        Some(At { value, lines: o.line.into_iter().collect() })
    })?;
    let (requirement, line) = wanted(case)?;
    let kb = case.kb();
    let package = kb.package(&requirement.name)?;
    let version = requirement.exact()?.clone();
    let world = case.builds(package);
    let release = world.releases.iter().position(|r| *r.version() == version)?;
    let builds = world.builds.iter().filter(|b| b.release as usize == release);
    let (mut any, mut facts) = (Interpreters::NONE, Vec::new());
    for build in builds {
        any = any.or(build.interpreters);
        facts.extend(build.python.iter().map(|p| p.fact));
    }
    if any.is_empty() || facts.is_empty() {
        return None;
    }
    facts.sort();
    facts.dedup();
    facts.truncate(4);
    let holds = !any.contains(python.value);
    let out = Finding::decided(name, holds).shown_by(&python).on(Some(line)).from(facts);
    Some(out.with("python", python.value))
}

/// What an installer was asked for and did not find: `torch==2.5.1`.
fn wanted(case: &Case<'_>) -> Option<(Requirement, usize)> {
    case.hits.iter().find_map(|hit| {
        let after = ["satisfies the requirement ", "No matching distribution found for "]
            .iter()
            .find_map(|mark| hit.text.split_once(mark).map(|(_, rest)| rest))?;
        let text = after.split([' ', '(', ';']).next()?;
        let requirement: Requirement = text.parse().ok()?;
        requirement.exact().is_some().then_some((requirement, hit.line))
    })
}
