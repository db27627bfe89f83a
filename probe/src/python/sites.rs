//! Directories in which the packages of an environment are installed, in the order of `sys.path`.

use super::{Environment, version, windows};
use crate::machine::{Family, Machine, is_directory, variable};
use crate::{Sink, place};

/// `python3.12`, the directory of the library in `lib`: that of the program's own name, else the newest.
pub(super) fn library(machine: &dyn Machine, root: &str, program: &str) -> Option<String> {
    let family = machine.family();
    let lib = place::join(family, root, "lib");
    let real = machine.resolved(program).unwrap_or_else(|_| program.to_owned());
    let own = place::name(family, &real);
    if version::of_name(own).is_some() && is_directory(machine, &place::join(family, &lib, own)) {
        return Some(own.to_owned());
    }
    let names = machine.list(&lib, &|n| version::of_name(n).is_some()).ok()?;
    names.into_iter().max_by_key(|n| version::of_name(n).map(|(_, v, free)| (version::order(v), !free)))
}

/// Of a virtual environment: its own, and only if it says so those of the user and of what it was made from.
pub(super) fn of_venv(sink: &mut Sink<'_>, environment: &Environment, system: bool) -> Vec<String> {
    let mut out = Sites::new(sink);
    out.python_path();
    out.own(environment, &environment.root);
    if system {
        out.user(environment);
        out.own(environment, &environment.base);
    }
    out.sites
}

/// Of an interpreter that stands for itself.
pub(super) fn of_base(sink: &mut Sink<'_>, environment: &Environment) -> Vec<String> {
    let mut out = Sites::new(sink);
    out.python_path();
    out.user(environment);
    out.own(environment, &environment.root);
    out.sites
}

struct Sites<'s, 'm> {
    sink: &'s mut Sink<'m>,
    sites: Vec<String>,
    keys: Vec<String>,
}

impl<'s, 'm> Sites<'s, 'm> {
    fn new(sink: &'s mut Sink<'m>) -> Self {
        Sites { sink, sites: Vec::new(), keys: Vec::new() }
    }

    fn python_path(&mut self) {
        let family = self.sink.machine.family();
        let entries = variable(self.sink.machine, "PYTHONPATH").unwrap_or_default();
        for entry in place::entries(family, &entries) {
            self.add(&super::find::absolute(self.sink.machine, &entry));
        }
    }

    /// The directories below `root`, with what their `.pth` files add.
    fn own(&mut self, environment: &Environment, root: &str) {
        let machine = self.sink.machine;
        let family = machine.family();
        if family == Family::Windows {
            return self.with_pth(&place::join(family, root, "Lib/site-packages"));
        }
        let Some(library) = library(machine, root, &environment.interpreter) else { return };
        let virtual_one = environment.root != environment.base && root == environment.root;
        if root == "/usr" && !virtual_one {
            // What pip installs into a system's Python goes here on Debian and on Fedora.
            self.with_pth(&format!("/usr/local/lib/{library}/dist-packages"));
            self.with_pth(&format!("/usr/local/lib64/{library}/site-packages"));
            self.with_pth(&format!("/usr/local/lib/{library}/site-packages"));
        }
        for lib in ["lib", "lib64"] {
            self.with_pth(&place::join(family, root, &format!("{lib}/{library}/site-packages")));
        }
        if !virtual_one {
            // Debian's; the first is for all versions.
            self.with_pth(&place::join(family, root, "lib/python3/dist-packages"));
            self.with_pth(&place::join(family, root, &format!("lib/{library}/dist-packages")));
        }
    }

    /// The directory of the user, unless the variable says no.
    fn user(&mut self, environment: &Environment) {
        let machine = self.sink.machine;
        let family = machine.family();
        if variable(machine, "PYTHONNOUSERSITE").is_some_and(|v| !v.is_empty()) {
            return;
        }
        let Some(short) = environment.version.as_deref().map(version::minor) else { return };
        let base = variable(machine, "PYTHONUSERBASE").filter(|v| !v.is_empty());
        let site = match family {
            Family::Windows => windows::user_site(machine, environment, base),
            Family::Linux | Family::Macos => {
                let free =
                    if environment.abi.as_deref().is_some_and(|a| a.ends_with('t')) { "t" } else { "" };
                let named = if environment.implementation == "PyPy" { "pypy" } else { "python" };
                base.or_else(|| Some(format!("{}/.local", variable(machine, "HOME")?)))
                    .map(|base| format!("{base}/lib/{named}{short}{free}/site-packages"))
            }
        };
        if let Some(site) = site {
            self.with_pth(&site);
        }
    }

    /// A directory, and those that `.pth` files in it name. Lines that begin with `import` are run by Python, so what they
    /// add is not known.
    fn with_pth(&mut self, site: &str) {
        if !self.add(site) {
            return;
        }
        let machine = self.sink.machine;
        let family = machine.family();
        let Ok(files) = machine.list(site, &|n| n.ends_with(".pth") && !n.starts_with('.')) else { return };
        for file in files {
            let Some(text) = self.sink.text("environment", &place::join(family, site, &file)) else {
                continue;
            };
            for line in text.trim_start_matches('\u{feff}').lines().map(str::trim_end) {
                if line.is_empty() || line.starts_with(['#', '\0']) || line.starts_with("import") {
                    continue;
                }
                let path = match place::is_absolute(family, line) {
                    true => line.to_owned(),
                    false => place::join(family, site, line),
                };
                self.add(&place::normal(family, &path));
            }
        }
    }

    /// Adds a directory that exists and is not there yet. Says whether it was added.
    fn add(&mut self, path: &str) -> bool {
        let machine = self.sink.machine;
        if !is_directory(machine, path) {
            return false;
        }
        let real = machine.resolved(path).unwrap_or_else(|_| path.to_owned());
        let key = place::key(machine.family(), &real);
        if self.keys.contains(&key) {
            return false;
        }
        self.keys.push(key);
        self.sites.push(path.to_owned());
        true
    }
}
