//! uv.lock: the packages of every machine in one list. Which of them a machine gets is said by the forks they belong to
//! (`resolution-markers`) and by the markers of those that need them.

use super::found::{Found, LeftOut, Sentence};
use super::lock::Package;
use super::marker::{Applies, Environment};
use std::collections::HashMap;
use toml::Value;

/// Counts the packages that the machine of the question gets.
///
/// # Errors
/// What is wrong with a marker.
pub(super) fn read(
    packages: &[Package<'_>],
    environment: &Environment,
    found: &mut Found,
) -> Result<(), String> {
    let lock = Lock::of(packages, environment)?;
    let asked = lock.reached(false);
    let with_extras = lock.reached(true);
    for (index, package) in packages.iter().enumerate() {
        if asked[index] == Applies::No && with_extras[index] != Applies::No {
            found.left_out.push(LeftOut::new(package.text(), Sentence::new("left-extra")));
        } else if found.judge(asked[index], &package.text(), environment) {
            package.counts(asked[index], found);
        }
    }
    Ok(())
}

/// One package needs another.
struct Need<'a> {
    package: usize,
    /// Only with this extra of the one that needs it.
    extra: Option<&'a str>,
    /// Only with a group that is not installed by itself.
    group: bool,
    applies: Applies,
    /// The extras of the one that is needed.
    with: Vec<&'a str>,
}

struct Lock<'a> {
    /// Does the fork of a package count here?
    forks: Vec<Applies>,
    needs: Vec<Vec<Need<'a>>>,
    /// Nothing needs these: projects, and the packages of a list without needs.
    roots: Vec<usize>,
}

impl<'a> Lock<'a> {
    fn of(packages: &[Package<'a>], environment: &Environment) -> Result<Lock<'a>, String> {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut forks = Vec::with_capacity(packages.len());
        for (index, package) in packages.iter().enumerate() {
            by_name.entry(package.name).or_default().push(index);
            let markers = package.table.get("resolution-markers").and_then(Value::as_array);
            let markers = markers.into_iter().flatten().filter_map(Value::as_str);
            forks.push(environment.any_applies(markers).map_err(|why| format!("{}: {why}", package.text()))?);
        }
        let mut needs = Vec::with_capacity(packages.len());
        let mut needed = vec![false; packages.len()];
        // The same few markers stand at thousands of needs.
        let mut known: HashMap<&str, Applies> = HashMap::new();
        for (index, package) in packages.iter().enumerate() {
            let mut own = Vec::new();
            for (value, extra, group) in lists(package) {
                let marker = value.get("marker").and_then(Value::as_str);
                let applies = match marker.map(|m| (m, known.get(m))) {
                    None => Applies::Yes,
                    Some((_, Some(applies))) => *applies,
                    Some((marker, None)) => {
                        let applies = environment.applies(marker).map_err(|why| {
                            format!("{}: `{marker}` is not a marker: {why}", package.text())
                        })?;
                        known.insert(marker, applies);
                        applies
                    }
                };
                let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
                let version = value.get("version").and_then(Value::as_str);
                let source = value.get("source");
                let with = match value.get("extra") {
                    Some(Value::String(one)) => vec![&**one],
                    Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
                    _ => Vec::new(),
                };
                for target in by_name.get(name).into_iter().flatten().copied() {
                    let other = &packages[target];
                    let same = version.is_none_or(|v| other.version == Some(v))
                        && source.is_none_or(|s| other.table.get("source") == Some(s));
                    if same {
                        needed[target] |= target != index;
                        own.push(Need { package: target, extra, group, applies, with: with.clone() });
                    }
                }
            }
            needs.push(own);
        }
        let roots = (0..packages.len()).filter(|i| !needed[*i] || packages[*i].is_project()).collect();
        Ok(Lock { forks, needs, roots })
    }

    /// Whether each package gets there; with all extras and groups, or as it is installed without being asked.
    fn reached(&self, all: bool) -> Vec<Applies> {
        let mut reached = vec![Applies::No; self.forks.len()];
        let mut extras: HashMap<(usize, &str), Applies> = HashMap::new();
        let mut open: Vec<(usize, Option<&str>, Applies)> =
            self.roots.iter().map(|i| (*i, None, self.forks[*i])).collect();
        while let Some((index, extra, applies)) = open.pop() {
            let best = match extra {
                None => &mut reached[index],
                Some(extra) => extras.entry((index, extra)).or_insert(Applies::No),
            };
            if *best >= applies {
                continue;
            }
            *best = applies;
            for need in &self.needs[index] {
                let wanted = match need.extra {
                    Some(_) if all => extra.is_none(),
                    of => of == extra,
                };
                if !wanted || need.group && !all {
                    continue;
                }
                let applies = applies.min(need.applies).min(self.forks[need.package]);
                open.push((need.package, None, applies));
                open.extend(need.with.iter().map(|extra| (need.package, Some(*extra), applies)));
            }
        }
        reached
    }
}

/// What a package needs: always, with an extra, in a group. `uv sync` installs the group `dev`.
fn lists<'a>(package: &Package<'a>) -> Vec<(&'a Value, Option<&'a str>, bool)> {
    let list = |value: Option<&'a Value>| value.and_then(Value::as_array).into_iter().flatten();
    let tables = |key: &str| package.table.get(key).and_then(Value::as_table).into_iter().flatten();
    let mut out: Vec<(&Value, Option<&str>, bool)> =
        list(package.table.get("dependencies")).map(|v| (v, None, false)).collect();
    for (extra, values) in tables("optional-dependencies") {
        out.extend(list(Some(values)).map(|v| (v, Some(&**extra), false)));
    }
    for (group, values) in tables("dev-dependencies") {
        out.extend(list(Some(values)).map(|v| (v, None, group != "dev")));
    }
    out
}
