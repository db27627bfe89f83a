//! Every environment that can be found where the usual programs keep them.

use super::{Environment, conda, find, look, version, windows};
use crate::machine::{Family, Machine, variable};
use crate::{Sink, place};

/// Adds those that are not there yet.
pub(super) fn find(sink: &mut Sink<'_>, out: &mut Vec<Environment>) {
    let machine = sink.machine;
    let mut found = Found { keys: out.iter().map(|e| key(machine, e)).collect(), out };
    for root in roots(machine) {
        // What a variable or a list of conda's names may be gone.
        let environment = look::root(sink, &root, "directory");
        found.add(sink.machine, environment);
    }
    for (program, by) in programs(sink.machine) {
        let environment = find::at(sink, &program, by);
        found.add(sink.machine, environment);
    }
}

struct Found<'o> {
    keys: Vec<(String, Option<String>)>,
    out: &'o mut Vec<Environment>,
}

impl Found<'_> {
    fn add(&mut self, machine: &dyn Machine, environment: Option<Environment>) {
        let Some(environment) = environment else { return };
        let key = key(machine, &environment);
        if !self.keys.contains(&key) {
            self.keys.push(key);
            self.out.push(environment);
        }
    }
}

/// `/usr` can be the directory of several, each with its version.
fn key(machine: &dyn Machine, environment: &Environment) -> (String, Option<String>) {
    let real = machine.resolved(&environment.root).unwrap_or_else(|_| environment.root.clone());
    (place::key(machine.family(), &real), environment.abi.clone())
}

/// The directories in a directory, whatever they are called.
pub(super) fn below(machine: &dyn Machine, directory: &str) -> Vec<String> {
    let names = machine.list(directory, &|n| !n.starts_with('.')).unwrap_or_default();
    names.iter().map(|n| place::join(machine.family(), directory, n)).collect()
}

/// Directories that may be environments.
fn roots(machine: &dyn Machine) -> Vec<String> {
    let family = machine.family();
    let get = |name: &str| variable(machine, name).filter(|v| !v.is_empty());
    let join = |directory: &str, rest: &str| place::join(family, directory, rest);
    let mut out = Vec::new();
    if let Some(directory) = machine.directory() {
        out.extend([".venv", "venv"].map(|n| join(&directory, n)));
        out.extend(below(machine, &join(&directory, ".pixi/envs")));
    }
    let home = get(if family == Family::Windows { "USERPROFILE" } else { "HOME" });
    // Directories whose entries are environments.
    let mut many: Vec<String> = Vec::new();
    many.extend(get("WORKON_HOME"));
    many.extend(["PYENV_ROOT", "PYENV"].iter().filter_map(|v| get(v)).map(|r| join(&r, "versions")));
    many.extend(get("UV_PYTHON_INSTALL_DIR"));
    many.extend(get("UV_TOOL_DIR"));
    many.extend(get("PIPX_HOME").map(|r| join(&r, "venvs")));
    many.extend(get("POETRY_CACHE_DIR").map(|r| join(&r, "virtualenvs")));
    if let Some(home) = &home {
        many.push(join(home, ".virtualenvs"));
    }
    match family {
        Family::Windows => {
            if let Some(home) = &home {
                many.extend(["Envs", ".pyenv/pyenv-win/versions", "pipx/venvs"].map(|r| join(home, r)));
            }
            if let Some(roaming) = get("APPDATA") {
                many.extend(
                    ["uv/python", "uv/tools", "uv/data/python", "uv/data/tools"].map(|r| join(&roaming, r)),
                );
            }
            if let Some(local) = get("LOCALAPPDATA") {
                let rest = ["Programs/Python", "pipx/pipx/venvs", "pypoetry/Cache/virtualenvs"];
                many.extend(rest.map(|r| join(&local, r)));
            }
        }
        Family::Linux | Family::Macos => {
            if let Some(home) = &home {
                let data = get("XDG_DATA_HOME").unwrap_or_else(|| join(home, ".local/share"));
                let cache = get("XDG_CACHE_HOME").unwrap_or_else(|| join(home, ".cache"));
                many.extend([".pyenv/versions", ".local/pipx/venvs"].map(|r| join(home, r)));
                many.extend(["uv/python", "uv/tools", "pipx/venvs", "virtualenvs"].map(|r| join(&data, r)));
                many.push(join(&cache, "pypoetry/virtualenvs"));
            }
        }
    }
    out.extend(many.iter().flat_map(|directory| below(machine, directory)));
    out.extend(conda::roots(machine, home.as_deref()));
    out
}

/// Interpreters that may be those of environments.
fn programs(machine: &dyn Machine) -> Vec<(String, &'static str)> {
    let family = machine.family();
    let mut out = Vec::new();
    if family == Family::Windows {
        out.extend(windows::registered(machine).into_iter().map(|p| (p, "registry")));
        out.extend(windows::store(machine).into_iter().map(|p| (p, "directory")));
    } else {
        for directory in ["/usr/local/bin", "/usr/bin"] {
            let names = machine.list(directory, &|n| version::of_name(n).is_some()).unwrap_or_default();
            out.extend(names.iter().map(|n| (place::join(family, directory, n), "directory")));
        }
    }
    // By name, not by listing: of WSL the PATH goes through all of Windows.
    let names: &[&str] = if family == Family::Windows { &["python.exe"] } else { &["python3", "python"] };
    for directory in place::entries(family, &variable(machine, "PATH").unwrap_or_default()) {
        let directory = find::absolute(machine, &directory);
        out.extend(names.iter().map(|n| (place::join(family, &directory, n), "PATH")));
    }
    out
}
