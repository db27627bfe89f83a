//! Several requirements on one package are one: what satisfies all of them.

use super::{Request, Want, family};
use crate::diag::Diagnostic;
use crate::pep::{Requirement, Version};
use crate::world::View;
use std::collections::{HashMap, HashSet};

/// How many requirements a message names before it counts the rest.
const NAMED: usize = 4;

/// Puts what was asked for into the request, one want a package, in the order in which they were first named. Files may
/// hold thousands of lines about one package, so all of them are joined at once.
pub(super) fn all(world: View<'_>, wants: Vec<Want>, request: &mut Request, mistakes: &mut Vec<Diagnostic>) {
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<Vec<Want>> = Vec::new();
    for want in wants {
        let place = *places.entry(want.package).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(want),
            None => groups.push(vec![want]),
        }
    }
    for group in groups {
        request.wants.extend(one(world, group, mistakes));
    }
}

fn one(world: View<'_>, mut group: Vec<Want>, mistakes: &mut Vec<Diagnostic>) -> Option<Want> {
    if group.len() < 2 {
        return group.pop();
    }
    let label = group.iter().find_map(|w| w.label.clone());
    let channel = group.iter().find_map(|w| w.channel);
    let other = group
        .iter()
        .position(|w| w.label.is_some() && w.label != label || w.channel.is_some() && w.channel != channel);
    if let Some(at) = other {
        mistakes.push(contradiction(&group[..at], &group[at]));
        group.truncate(at);
    }
    let requirement = joined(&group)?;
    let members = family(world, group.first()?.package);
    let releases: Vec<&Version> =
        members.into_iter().flat_map(|m| &world.package(m).releases).map(|r| r.version()).collect();
    let none_left =
        |requirement: &Requirement| !releases.is_empty() && !releases.iter().any(|v| requirement.accepts(v));
    if none_left(&requirement) {
        // The first requirement after which nothing is left; more of them never bring a release back.
        let (mut fits, mut fails) = (1, group.len());
        while fits + 1 < fails {
            let middle = fits.midpoint(fails);
            if none_left(&joined(&group[..middle])?) { fails = middle } else { fits = middle }
        }
        mistakes.push(contradiction(&group[..fails - 1], &group[fails - 1]));
    }
    let mut seen = HashSet::new();
    let texts: Vec<&str> = group.iter().map(|w| &*w.text).filter(|t| seen.insert(*t)).collect();
    let text = texts.join(" ");
    Some(Want { text, package: group.first()?.package, requirement, label, channel })
}

/// What satisfies all of them.
fn joined(group: &[Want]) -> Option<Requirement> {
    let mut seen = HashSet::new();
    let specifiers: Vec<&str> = group
        .iter()
        .map(|w| &*w.requirement.specifier)
        .filter(|s| !s.is_empty() && seen.insert(*s))
        .collect();
    let mut extras: Vec<&str> = group.iter().flat_map(|w| &w.requirement.extras).map(|e| &**e).collect();
    extras.sort_unstable();
    extras.dedup();
    let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
    format!("{}{extras}{}", group.first()?.requirement.name, specifiers.join(",")).parse().ok()
}

fn contradiction(before: &[Want], second: &Want) -> Diagnostic {
    let named: Vec<&str> = before.iter().take(NAMED).map(|w| &*w.text).collect();
    let more = match before.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Diagnostic::error(
        "contradiction",
        format!("`{}`{more} and `{}` ask for different things", named.join(" "), second.text),
    )
    .help("an environment holds one release of a package: drop one of them")
}
