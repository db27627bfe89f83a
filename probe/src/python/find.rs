//! The one environment that is wanted: the one that is named, else the one that a shell would start.

use super::{Environment, look, pyenv, windows};
use crate::machine::{Family, Kind, Machine, Refusal, variable};
use crate::{Sink, place};

/// The environment that a shell would start, if there is any.
pub(super) fn started(sink: &mut Sink<'_>) -> Option<Environment> {
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        let Some(root) = variable(sink.machine, name).filter(|v| !v.is_empty()) else { continue };
        let root = place::trim(sink.machine.family(), &root).to_owned();
        if let Some(found) = look::root(sink, &root, name) {
            return Some(found);
        }
    }
    on_path(sink)
}

/// The first interpreter on PATH.
fn on_path(sink: &mut Sink<'_>) -> Option<Environment> {
    let machine = sink.machine;
    let family = machine.family();
    let names: &[&str] = match family {
        Family::Windows => &["python.exe", "python3.exe", "python.bat"],
        Family::Linux | Family::Macos => &["python3", "python"],
    };
    let path = variable(machine, "PATH").unwrap_or_default();
    for directory in place::entries(family, &path) {
        let directory = absolute(machine, &directory);
        for name in names {
            if let Some(found) = at(sink, &place::join(family, &directory, name), "PATH") {
                return Some(found);
            }
        }
    }
    if family != Family::Windows {
        return None;
    }
    let launched = windows::launched(machine)?;
    look::interpreter(sink, &launched, "registry")
}

/// An environment by an entry of PATH: shims and aliases lead elsewhere.
pub(super) fn at(sink: &mut Sink<'_>, program: &str, found_by: &'static str) -> Option<Environment> {
    let machine = sink.machine;
    let family = machine.family();
    if !machine.about(program).is_ok_and(|a| a.kind != Kind::Directory) {
        return None;
    }
    let directory = place::parent(family, program)?;
    if pyenv::is_shims(machine, directory) {
        let behind = pyenv::behind_shim(machine, program)?;
        return look::interpreter(sink, &behind, found_by);
    }
    if family == Family::Windows && windows::is_alias(machine, program) {
        let own = windows::store(machine);
        let own = own.iter().find(|p| place::key(family, p) == place::key(family, program)).or(own.first());
        let Some(alias) = own.cloned() else {
            // It opens the Store.
            sink.see("program-found", program, "store alias", Some("PATH"));
            return None;
        };
        return windows::of_store(sink, &alias, found_by);
    }
    if program.ends_with(".bat") {
        return None;
    }
    look::interpreter(sink, program, found_by)
}

/// The environment that is named: an interpreter, a directory of one, a directory of packages, or a name on PATH.
pub(super) fn given(sink: &mut Sink<'_>, given: &str) -> Option<Environment> {
    const BY: &str = "given";
    let machine = sink.machine;
    let family = machine.family();
    let path = place::trim(family, given);
    let bare = !path.contains(['/', '\\']);
    let whole = absolute(machine, path);
    match machine.about(&whole) {
        Ok(about) if about.kind == Kind::Directory => {
            if let Some(found) = look::root(sink, &whole, BY) {
                return Some(found);
            }
            // Not a directory of packages: one that has none, and no interpreter either.
            let report = machine.distributions(&whole).ok().filter(|r| !r.installed.is_empty());
            let named = ["site-packages", "dist-packages"].contains(&place::name(family, &whole));
            if report.is_some() || named {
                return Some(look::site(sink, &whole, BY));
            }
            if !sink.failures.iter().any(|f| f.what == "interpreter" && f.place.as_deref() == Some(&*whole)) {
                sink.fail("environment", BY, Some(&whole), "neither an interpreter nor packages in it");
            }
            None
        }
        Ok(_) if is_interpreter(place::name(family, &whole)) => at(sink, &whole, BY).or_else(|| {
            sink.fail("environment", BY, Some(&whole), "it leads to no interpreter");
            None
        }),
        Ok(_) => {
            sink.fail("environment", BY, Some(&whole), "not an interpreter of Python");
            None
        }
        Err(Refusal::NotFound) if bare => {
            let end = if family == Family::Windows && !path.ends_with(".exe") { ".exe" } else { "" };
            let entries = place::entries(family, &variable(machine, "PATH").unwrap_or_default());
            let found = entries.iter().find_map(|directory| {
                let program = place::join(family, &absolute(machine, directory), &format!("{path}{end}"));
                at(sink, &program, BY)
            });
            if found.is_none() {
                sink.fail("environment", BY, Some(path), Refusal::NotFound);
            }
            found
        }
        Err(why) => {
            sink.fail("environment", BY, Some(&whole), why);
            None
        }
    }
}

/// `python`, `python3.12`, `pythonw.exe`, `pypy3`.
fn is_interpreter(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("python") || lower.starts_with("pypy") || lower == "py.exe"
}

/// A path from the directory on in which the program was started.
pub(super) fn absolute(machine: &dyn Machine, path: &str) -> String {
    let family = machine.family();
    if place::is_absolute(family, path) {
        return path.to_owned();
    }
    let Some(directory) = machine.directory() else { return path.to_owned() };
    place::normal(family, &place::join(family, &directory, path))
}
