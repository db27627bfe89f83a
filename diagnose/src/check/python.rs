//! The interpreter against the files that a release has.

use super::{Finding, Outcome};
use crate::case::{At, Case};
use kb_core::pep::{Requirement, Version};
use kb_core::version::PythonVersion;
use kb_core::world::{Build, Interpreters};

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
    // A build is told by its label, a release has none: `2.5.1+cu124`.
    let exact = requirement.exact()?.to_string();
    let (public, label) =
        exact.split_once('+').map_or((&*exact, None), |(public, label)| (public, Some(label)));
    let version: Version = public.parse().ok()?;
    let world = case.builds(package);
    let release = world.releases.iter().position(|r| *r.version() == version)?;
    // The index that was asked, if it is one of the catalogue.
    let asked = case.seen.of("index").find_map(|o| {
        let address =
            |c: &kb_core::catalog::Channel| c.address.as_deref().map(|a| a.trim_end_matches('/').to_owned());
        kb.channels.iter().position(|c| address(c).is_some_and(|a| a == o.value.trim_end_matches('/')))
    });
    let of_label = |b: &&Build| label.is_none() || b.label.as_deref() == label;
    let builds = world.builds.iter().filter(|b| b.release as usize == release).filter(of_label);
    let builds = builds.filter(|b| asked.is_none_or(|c| usize::from(b.channel) == c));
    let (mut any, mut own, mut facts) = (Interpreters::NONE, false, Vec::new());
    for files in builds.flat_map(|b| b.python.iter()).filter(|f| *f.package == *requirement.name) {
        any = any.or(Interpreters::of_tags(&files.tags));
        own |= files.own_channel;
        facts.push(files.fact);
    }
    if any.is_empty() || facts.is_empty() {
        return None;
    }
    facts.sort();
    facts.dedup();
    facts.truncate(4);
    let holds = !any.contains(python.value);
    // Files of another channel tell which interpreters the release was built for, not what this one has.
    let outcome = match (holds, own) {
        (true, true) => Outcome::Proved,
        (true, false) => Outcome::Likely,
        (false, _) => Outcome::Refuted,
    };
    let out = Finding::new(name, outcome).shown_by(&python).on(Some(line)).from(facts);
    Some(out.with("python", python.value))
}

/// The package that an installer was asked for and did not find.
pub(super) fn wanted_package(case: &Case<'_>) -> Option<(usize, usize)> {
    case.hits.iter().find_map(|hit| {
        let requirement = requirement(&hit.text)?;
        Some((case.kb().package(&requirement.name)?, hit.line))
    })
}

/// What an installer was asked for and did not find: `torch==2.5.1`.
pub(crate) fn wanted(case: &Case<'_>) -> Option<(Requirement, usize)> {
    case.hits.iter().find_map(|hit| {
        let requirement = requirement(&hit.text)?;
        requirement.exact().is_some().then_some((requirement, hit.line))
    })
}

/// The requirement in a message of pip.
pub(crate) fn requirement(text: &str) -> Option<Requirement> {
    let after = ["satisfies the requirement ", "No matching distribution found for "]
        .iter()
        .find_map(|mark| text.split_once(mark).map(|(_, rest)| rest))?;
    after.split([' ', '(', ';']).next()?.parse().ok()
}
