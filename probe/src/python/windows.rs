//! What only Windows has: interpreters in the registry, the Store, the zip file for programs that bring Python along.

use super::{Environment, version};
use crate::machine::{Machine, is_directory, is_file, read_text, variable};
use crate::{Sink, place};

const ROOTS: [&str; 3] =
    [r"HKCU\SOFTWARE\Python", r"HKLM\SOFTWARE\Python", r"HKLM\SOFTWARE\WOW6432Node\Python"];

/// Interpreters in the registry, the newest of python.org first: PEP 514.
pub(super) fn registered(machine: &dyn Machine) -> Vec<String> {
    let family = machine.family();
    let mut found: Vec<(bool, Vec<u32>, String)> = Vec::new();
    for root in ROOTS {
        let Ok(companies) = machine.registry(root) else { continue };
        // The launcher is registered there too and is no Python.
        for company in companies.keys.iter().filter(|c| *c != "PyLauncher") {
            let Ok(tags) = machine.registry(&format!(r"{root}\{company}")) else { continue };
            for tag in &tags.keys {
                let Ok(key) = machine.registry(&format!(r"{root}\{company}\{tag}\InstallPath")) else {
                    continue;
                };
                let program = key.value("ExecutablePath").map(str::to_owned);
                let program = program.or_else(|| Some(place::join(family, key.value("")?, "python.exe")));
                let short = tag.split('-').next().unwrap_or(tag);
                let own = company == "PythonCore";
                found.extend(program.map(|p| (own, version::order(short), p)));
            }
        }
    }
    found.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
    found.into_iter().map(|(_, _, path)| path).collect()
}

/// Is it an alias of the Store? It has no bytes; what it starts depends on what is installed.
pub(super) fn is_alias(machine: &dyn Machine, path: &str) -> bool {
    let below = place::key(machine.family(), path).contains(r"\microsoft\windowsapps\");
    below && machine.about(path).is_ok_and(|a| a.bytes == 0)
}

/// Pythons of the Store: their own aliases, which exist only for what is installed. Newest first.
pub(super) fn store(machine: &dyn Machine) -> Vec<String> {
    let family = machine.family();
    let Some(local) = variable(machine, "LOCALAPPDATA") else { return Vec::new() };
    let apps = place::join(family, &local, "Microsoft/WindowsApps");
    let mut names = machine.list(&apps, &|n| store_version(n).is_some()).unwrap_or_default();
    names.sort_by_key(|n| std::cmp::Reverse(store_version(n).map(version::order)));
    names
        .iter()
        .map(|n| place::join(family, &place::join(family, &apps, n), "python.exe"))
        .filter(|p| machine.about(p).is_ok())
        .collect()
}

/// `3.12` of `PythonSoftwareFoundation.Python.3.12_qbz5n2kfra8p0`.
fn store_version(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("PythonSoftwareFoundation.Python.")?;
    rest.split_once('_').map(|(version, _)| version).filter(|v| version::numbers(v).is_some())
}

/// The environment of a Python of the Store. Its own directory is not open to look into; what pip installs is with the
/// user.
pub(super) fn of_store(sink: &mut Sink<'_>, alias: &str, found_by: &'static str) -> Option<Environment> {
    let machine = sink.machine;
    let family = machine.family();
    let package = place::name(family, place::parent(family, alias)?).to_owned();
    let short = store_version(&package)?.to_owned();
    // Where the package itself is, the registry says.
    let key = format!(r"HKCU\SOFTWARE\Python\PythonCore\{short}\InstallPath");
    let installed = machine.registry(&key).ok().and_then(|k| k.value("").map(str::to_owned));
    let root = installed.or_else(|| place::parent(family, alias).map(str::to_owned))?;
    let mut out = Environment {
        kind: "store",
        root: place::trim(family, &root).to_owned(),
        interpreter: alias.to_owned(),
        base: place::trim(family, &root).to_owned(),
        abi: Some(format!("cp{}", short.replace('.', ""))),
        version: Some(short),
        sites: Vec::new(),
        found_by,
        version_by: "directory name",
        implementation: "CPython",
        bits: None,
        externally_managed: false,
    };
    out.sites = super::sites::of_base(sink, &out);
    Some(out)
}

/// The directory of the user: of a Python of the Store it is with the package's data.
pub(super) fn user_site(
    machine: &dyn Machine,
    environment: &Environment,
    base: Option<String>,
) -> Option<String> {
    let family = machine.family();
    let short = version::minor(environment.version.as_deref()?);
    let bits = if environment.bits == Some(32) { "-32" } else { "" };
    let own = format!("Python{}{bits}", short.replace('.', ""));
    if environment.kind == "store" && base.is_none() {
        let packages = place::join(family, &variable(machine, "LOCALAPPDATA")?, "Packages");
        let start = format!("PythonSoftwareFoundation.Python.{short}_");
        let names = machine.list(&packages, &|n| n.starts_with(&start)).ok()?;
        let data = place::join(family, &packages, names.first()?);
        return Some(place::join(family, &data, &format!("LocalCache/local-packages/{own}/site-packages")));
    }
    let base = base.or_else(|| Some(place::join(family, &variable(machine, "APPDATA")?, "Python")))?;
    Some(place::join(family, &base, &format!("{own}/site-packages")))
}

/// With `python312._pth` beside the program only what it lists is on the path; site-packages if it imports `site`.
pub(super) fn embedded_sites(sink: &mut Sink<'_>, root: &str, pth: &str) -> Vec<String> {
    let machine = sink.machine;
    let family = machine.family();
    let text = read_text(machine, pth).unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    let mut add = |path: String| {
        let known = out.iter().any(|o| place::key(family, o) == place::key(family, &path));
        if !known && is_directory(machine, &path) {
            out.push(path);
        }
    };
    for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
        if line == "import site" {
            add(place::join(family, root, "Lib/site-packages"));
        } else if !line.is_empty() && !line.starts_with('#') && line != "." && !line.starts_with("import ") {
            match place::is_absolute(family, line) {
                true => add(line.to_owned()),
                false => add(place::normal(family, &place::join(family, root, line))),
            }
        }
    }
    out
}

/// The interpreter that `py` starts: the one that PY_PYTHON names, else the newest.
pub(super) fn launched(machine: &dyn Machine) -> Option<String> {
    let all = registered(machine);
    let wanted = variable(machine, "PY_PYTHON").map(|v| v.replace('.', ""));
    let named = wanted.and_then(|w| all.iter().find(|p| p.to_lowercase().contains(&format!("python{w}"))));
    named.or_else(|| all.iter().find(|p| is_file(machine, p))).cloned()
}
