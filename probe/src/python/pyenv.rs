//! pyenv: its shims are scripts, so which interpreter they start is read from its files.

use super::version;
use crate::machine::{Family, Machine, is_file, read_text, variable};
use crate::place;

/// The interpreter that a shim starts; `None` if it is none, or leaves it to what comes behind it on PATH.
pub(super) fn behind_shim(machine: &dyn Machine, shim: &str) -> Option<String> {
    let family = machine.family();
    let shims = place::parent(family, shim)?;
    let root = place::parent(family, shims)?;
    chosen(machine, root).iter().find_map(|name| program(machine, root, name))
}

/// Is that a directory of shims?
pub(super) fn is_shims(machine: &dyn Machine, directory: &str) -> bool {
    let family = machine.family();
    place::name(family, directory).eq_ignore_ascii_case("shims")
        && place::parent(family, directory)
            .is_some_and(|root| crate::machine::is_directory(machine, &place::join(family, root, "versions")))
}

/// Names of the chosen versions: of the variable, of the nearest `.python-version`, of the global file.
fn chosen(machine: &dyn Machine, root: &str) -> Vec<String> {
    let family = machine.family();
    if let Some(text) = variable(machine, "PYENV_VERSION").filter(|v| !v.is_empty()) {
        return names(&text);
    }
    let directory = variable(machine, "PYENV_DIR").or_else(|| machine.directory());
    let mut at = directory.as_deref();
    while let Some(directory) = at {
        if let Ok(text) = read_text(machine, &place::join(family, directory, ".python-version")) {
            return names(&text);
        }
        at = place::parent(family, directory);
    }
    names(&read_text(machine, &place::join(family, root, "version")).unwrap_or_default())
}

fn names(text: &str) -> Vec<String> {
    let plain = text.lines().map(|l| l.split('#').next().unwrap_or(l));
    plain.flat_map(|l| l.split([':', ' ', '\t'])).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

fn program(machine: &dyn Machine, root: &str, name: &str) -> Option<String> {
    let family = machine.family();
    // A name comes from a file: it stays below the directory.
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return None;
    }
    let versions = place::join(family, root, "versions");
    let inside = |name: &str| {
        let program = match family {
            Family::Windows => format!("{name}/python.exe"),
            Family::Linux | Family::Macos => format!("{name}/bin/python"),
        };
        Some(place::join(family, &versions, &program)).filter(|p| is_file(machine, p))
    };
    inside(name).or_else(|| {
        // `3.12` stands for the newest of its releases.
        let start = format!("{name}.");
        let mut all = machine.list(&versions, &|n| n.starts_with(&start)).ok()?;
        all.sort_by_key(|n| version::order(n));
        inside(all.last()?)
    })
}
