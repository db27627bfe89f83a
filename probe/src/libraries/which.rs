//! Where a library or a program is found, for `kb which`.

use super::look::Look;
use super::name::{self, Asked};
use super::requester::{self, Requester};
use super::search::{self, Candidate, Rule, Search, Step};
use super::{copies, version};
use crate::machine::{Family, Machine, is_file, variable};
use crate::python::Environment;
use crate::{place, toolkit};
use serde::Serialize;
use std::collections::BTreeSet;

/// Where something is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Which {
    /// What was asked for.
    pub name: String,
    /// One for each file name and each that asks for it.
    pub searches: Vec<Search>,
    /// Copies where nobody looks.
    pub elsewhere: Vec<Candidate>,
}

impl Which {
    /// Is there a copy that would be taken?
    pub fn found(&self) -> bool {
        self.searches.iter().any(|s| s.first().is_some())
    }
}

/// Looks for a file (`libcudnn.so.9`), a library whatever its version (`cudnn`) or a program (`nvcc`) as the frameworks
/// in `environments` would, or where none asks for it as any process.
pub fn which(machine: &dyn Machine, environments: &[Environment], word: &str) -> Which {
    // Of a path its last part: where it stands is what is asked.
    let asked = name::asked(place::name(machine.family(), word));
    let mut out = match &asked {
        Asked::Program(program) => programs(machine, program),
        Asked::File(file) => libraries(machine, environments, word, Some(file)),
        Asked::Library(library) => libraries(machine, environments, library, None),
    };
    word.clone_into(&mut out.name);
    out
}

fn libraries(
    machine: &dyn Machine,
    environments: &[Environment],
    library: &str,
    file: Option<&str>,
) -> Which {
    let look = Look::new(machine, file);
    let is = |n: &str| match file {
        Some(file) => look.same(file, n),
        None => name::parsed(n).is_some_and(|p| p.library.eq_ignore_ascii_case(library)),
    };
    let mut requesters: Vec<Requester<'_>> =
        environments.iter().flat_map(|e| requester::frameworks(&look, e)).collect();
    requesters.retain(|r| {
        r.framework.is_some_and(|f| f.by_name || look.family == Family::Windows)
            || r.facts.needed.iter().any(|n| is(n))
    });
    if requesters.is_empty() {
        requesters = environments.iter().map(|e| Requester::plain(Some(e))).collect();
    }
    if requesters.is_empty() {
        requesters.push(Requester::plain(None));
    }
    let copies = copies::all(&look, &requesters, environments, &is);
    let mut searches = Vec::new();
    for requester in &requesters {
        let mut names = match file {
            Some(file) => BTreeSet::from([file.to_owned()]),
            None => super::names(&look, requester, library, &copies),
        };
        if names.is_empty() {
            // Under a name that nobody asks for; else the places are told all the same.
            names.extend(copies.iter().map(|c| place::name(look.family, &c.path).to_owned()));
            if names.is_empty() {
                names.insert(library.to_owned());
            }
        }
        searches.extend(names.iter().map(|n| search::search(&look, requester, n)));
    }
    // What is found for one is not asked of those who find nothing.
    if searches.iter().any(|s| !s.candidates.is_empty()) && file.is_none() {
        searches.retain(|s| !s.candidates.is_empty());
    }
    let reached: BTreeSet<String> = searches
        .iter()
        .flat_map(|s| &s.candidates)
        .map(|c| place::key(look.family, c.resolved.as_ref().unwrap_or(&c.path)))
        .collect();
    let nobody =
        |c: &&copies::Copy| c.asks.is_empty() && !reached.contains(&place::key(look.family, &c.resolved));
    let elsewhere = copies.iter().filter(nobody).map(|c| candidate(look.family, c));
    let mut out = Which { name: String::new(), elsewhere: elsewhere.collect(), searches };
    let all = out.searches.iter_mut().flat_map(|s| &mut s.candidates).chain(&mut out.elsewhere);
    for candidate in all {
        let known = version::versions(&look, &candidate.path).into_iter().next();
        (candidate.version, candidate.version_method) =
            known.map_or((None, None), |k| (Some(k.value), Some(k.method)));
    }
    out
}

fn candidate(family: Family, copy: &copies::Copy) -> Candidate {
    let link = place::key(family, &copy.resolved) != place::key(family, &copy.path);
    Candidate {
        path: copy.path.clone(),
        resolved: link.then(|| copy.resolved.clone()),
        rule: copy.rule.clone(),
        other_processor: None,
        version: None,
        version_method: None,
        wins: false,
    }
}

/// A program as a shell finds it: by PATH.
fn programs(machine: &dyn Machine, program: &str) -> Which {
    let family = machine.family();
    let name = match family {
        Family::Windows if !program.contains('.') => format!("{program}.exe"),
        _ => program.to_owned(),
    };
    let directories = place::entries(family, &variable(machine, "PATH").unwrap_or_default());
    let mut seen = BTreeSet::new();
    let mut found = |path: String, rule: Rule, wins: bool| {
        if !is_file(machine, &path) {
            return None;
        }
        let real = machine.resolved(&path).unwrap_or_else(|_| path.clone());
        let link = place::key(family, &real) != place::key(family, &path);
        seen.insert(place::key(family, &real)).then(|| Candidate {
            resolved: link.then_some(real),
            path,
            rule,
            other_processor: None,
            version: None,
            version_method: None,
            wins,
        })
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    for directory in &directories {
        let path = place::join(family, directory, &name);
        candidates.extend(found(path, Rule::Path, candidates.is_empty()));
    }
    let below = if family == Family::Windows { "bin\\" } else { "bin/" };
    let elsewhere = toolkit::roots(machine)
        .iter()
        .filter_map(|r| found(place::join(family, &r.path, &format!("{below}{name}")), Rule::Toolkit, false))
        .collect();
    let places = directories.into_iter().map(|d| Step { rule: Rule::Path, directory: Some(d) }).collect();
    let search = Search { name, asks: "shell".to_owned(), candidates, places };
    Which { name: String::new(), searches: vec![search], elsewhere }
}
