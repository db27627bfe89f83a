//! Pointers that can be followed only when everything is read: to claims, to facts, from package to package.

use super::Loader;
use super::near::near;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::collections::{BTreeMap, BTreeSet};

/// What a text points to.
pub(super) enum Pointer {
    /// The id of a claim.
    Claim(Box<str>),
    /// The id of a fact.
    Fact(Box<str>),
}

impl Loader<'_, '_> {
    pub(super) fn check_links(&self) {
        let claims: BTreeSet<&str> =
            self.kb.articles.iter().flat_map(|a| &a.claims).map(|c| &*c.id).collect();
        let mut facts: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (pointer, spot) in &self.seen.pointers {
            let problem = match pointer {
                Pointer::Claim(id) if claims.contains(&**id) => None,
                Pointer::Claim(id) => {
                    let out = Diagnostic::error("dangling-claim", format!("no claim is called `{id}`"));
                    Some(with_near(out, near(id, claims.iter().copied())))
                }
                Pointer::Fact(name) => self.missing_fact(name, &mut facts),
            };
            if let Some(diagnostic) = problem {
                self.log.push(diagnostic.at(self.place(spot)));
            }
        }
        self.check_cycles();
    }

    fn missing_fact<'s>(
        &'s self,
        name: &'s str,
        known: &mut BTreeMap<&'s str, BTreeSet<String>>,
    ) -> Option<Diagnostic> {
        let relation = name.split(['/', '#']).next().unwrap_or(name);
        if self.seen.broken.contains(relation) {
            return None;
        }
        let names = known.entry(relation).or_insert_with(|| names_of(&self.kb, relation));
        if names.contains(name) {
            return None;
        }
        let out = Diagnostic::error("dangling-fact", format!("no fact is called `{name}`"))
            .help("a fact is called <relation>/<table>#<key values joined by commas>");
        Some(with_near(out, near(name, names.iter().map(String::as_str))))
    }

    /// A package must not lead back to itself by `gpu-package` or `members`.
    fn check_cycles(&self) {
        let next: BTreeMap<&str, Vec<&str>> = self
            .kb
            .packages
            .iter()
            .map(|p| (&*p.id, p.gpu_package.iter().chain(&p.members).map(|m| &**m).collect()))
            .collect();
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for (id, spot) in &self.seen.packages {
            if told.contains(&**id) {
                continue;
            }
            if let Some(path) = cycle(id, &next) {
                let message = format!("the package leads back to itself: {}", path.join(" → "));
                self.log.push(
                    Diagnostic::error("cycle", message)
                        .at(self.place(spot))
                        .help("`gpu-package` points from the CPU build to the GPU build, `members` from a family to its packages"),
                );
                told.extend(path);
            }
        }
    }
}

/// A way from a thing back to it along what it points to, if there is one.
pub(crate) fn cycle<'k>(start: &str, next: &BTreeMap<&'k str, Vec<&'k str>>) -> Option<Vec<&'k str>> {
    let (start, _) = next.get_key_value(start)?;
    let mut open: Vec<Vec<&str>> = vec![vec![*start]];
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    while let Some(path) = open.pop() {
        for to in path.last().and_then(|last| next.get(last)).into_iter().flatten() {
            let mut longer = path.clone();
            longer.push(to);
            if to == start {
                return Some(longer);
            }
            if visited.insert(to) {
                open.push(longer);
            }
        }
    }
    None
}

fn names_of(kb: &Kb, relation: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for table in &kb.tables {
        let of = &kb.relations[usize::from(table.relation)];
        if &*of.id == relation {
            out.extend(
                table
                    .rows
                    .iter()
                    .map(|row| format!("{relation}/{}#{}", table.stem, super::tables::key_text(of, row))),
            );
        }
    }
    out
}

fn with_near(out: Diagnostic, near: Vec<&str>) -> Diagnostic {
    if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) }
}
