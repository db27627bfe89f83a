//! What an interpreter or a directory is an environment of.

use super::{Environment, sites, version, windows};
use crate::machine::{Family, Machine, is_directory, is_file, read_text};
use crate::{Sink, place};

/// The environment that an interpreter starts. It is a file that exists.
pub(super) fn interpreter(sink: &mut Sink<'_>, path: &str, found_by: &'static str) -> Option<Environment> {
    let family = sink.machine.family();
    let bin = place::parent(family, path)?.to_owned();
    let above = place::parent(family, &bin).unwrap_or(&bin).to_owned();
    // Where CPython looks for it: beside the program and in the directory above.
    for root in [&bin, &above] {
        let cfg = place::join(family, root, "pyvenv.cfg");
        if let Some(text) = sink.text("environment", &cfg) {
            return Some(venv(sink, path, root, &text, found_by));
        }
    }
    Some(plain(sink, path, found_by))
}

/// The environment in a directory, if there is one.
pub(super) fn root(sink: &mut Sink<'_>, root: &str, found_by: &'static str) -> Option<Environment> {
    let family = sink.machine.family();
    let names: &[&str] = match family {
        Family::Windows => &["Scripts/python.exe", "python.exe"],
        Family::Linux | Family::Macos => &["bin/python", "bin/python3", "bin/pypy3"],
    };
    let found = names.iter().map(|n| place::join(family, root, n)).find(|p| is_file(sink.machine, p));
    if found.is_none() {
        let cfg = place::join(family, root, "pyvenv.cfg");
        if is_file(sink.machine, &cfg) {
            // Its own interpreter was removed or updated: nothing in it can be started.
            sink.fail("interpreter", found_by, Some(root), "there is pyvenv.cfg, and no interpreter");
        }
    }
    interpreter(sink, &found?, found_by)
}

/// The environment to which a directory of packages belongs; without an interpreter it stands for itself.
pub(super) fn site(sink: &mut Sink<'_>, site: &str, found_by: &'static str) -> Environment {
    let family = sink.machine.family();
    // `lib/python3.12/site-packages`, `Lib\site-packages`
    let up = if family == Family::Windows { 2 } else { 3 };
    let mut above = Some(site);
    for _ in 0..up {
        above = above.and_then(|a| place::parent(family, a));
    }
    let found = above.map(str::to_owned).and_then(|a| root(sink, &a, found_by));
    let same = |e: &Environment| {
        let wanted = sink.machine.resolved(site).unwrap_or_else(|_| site.to_owned());
        e.sites.iter().any(|s| {
            let s = sink.machine.resolved(s).unwrap_or_else(|_| s.clone());
            place::key(family, &s) == place::key(family, &wanted)
        })
    };
    match found.filter(same) {
        Some(environment) => environment,
        None => Environment {
            kind: "directory",
            root: site.to_owned(),
            interpreter: String::new(),
            base: site.to_owned(),
            version: None,
            sites: vec![site.to_owned()],
            found_by,
            version_by: "",
            implementation: "CPython",
            abi: None,
            bits: None,
            externally_managed: false,
        },
    }
}

/// An environment that was made of another: by `venv`, `virtualenv`, uv, pipx.
fn venv(sink: &mut Sink<'_>, path: &str, root: &str, cfg: &str, found_by: &'static str) -> Environment {
    let machine = sink.machine;
    let family = machine.family();
    let value = |name: &str| {
        cfg.lines().find_map(|l| {
            let (key, value) = l.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let home = value("home").unwrap_or_default();
    let base = match place::name(family, &home) {
        "bin" => place::parent(family, &home).unwrap_or(&home).to_owned(),
        _ => home.clone(),
    };
    let mut about = About::new(machine, root, path);
    let stated = value("version").or_else(|| value("version_info")).and_then(|v| version::numbers(&v));
    if let Some(stated) = stated {
        about.version = Some((stated, "pyvenv.cfg"));
    }
    if family == Family::Windows {
        about.windows(machine, &base);
    }
    let kind = kind_of_path(family, root).filter(|kind| matches!(*kind, "pipx" | "uv")).unwrap_or("venv");
    let mut out = about.environment(kind, root, path, &base, found_by);
    let system = value("include-system-site-packages").is_some_and(|v| v.eq_ignore_ascii_case("true"));
    out.sites = sites::of_venv(sink, &out, system);
    out
}

/// An interpreter that stands for itself.
fn plain(sink: &mut Sink<'_>, path: &str, found_by: &'static str) -> Environment {
    let machine = sink.machine;
    let family = machine.family();
    let real = machine.resolved(path).unwrap_or_else(|_| path.to_owned());
    let bin = place::parent(family, &real).unwrap_or("").to_owned();
    let root = match place::name(family, &bin) {
        "bin" | "sbin" if family != Family::Windows => place::parent(family, &bin).unwrap_or(&bin).to_owned(),
        _ => bin,
    };
    let conda = is_directory(machine, &place::join(family, &root, "conda-meta"));
    let mut about = About::new(machine, &root, &real);
    if family == Family::Windows {
        about.windows(machine, &root);
    }
    if conda && let Some(stated) = super::conda::python(machine, &root) {
        about.version = Some((stated, "conda-meta"));
    }
    let short = about.version.as_ref().is_none_or(|(v, _)| version::minor(v) == v);
    if short && let Some(named) = version_of_directory(place::name(family, &root)) {
        about.version = Some((named, "directory name"));
    } else if short && let Some(stated) = about.header(machine, &root) {
        about.version = Some((stated, "patchlevel.h"));
    }
    let embedded = about.pth.is_some();
    let kind = match kind_of_path(family, &root) {
        _ if conda => "conda",
        Some(kind) => kind,
        None if embedded => "embedded",
        None => "system",
    };
    let pth = about.pth.clone();
    let mut out = about.environment(kind, &root, path, &root, found_by);
    out.sites = match pth {
        Some(pth) => windows::embedded_sites(sink, &root, &pth),
        None => sites::of_base(sink, &out),
    };
    out
}

/// What is known of an interpreter before its sites are looked for.
struct About {
    /// The version, and what it is from.
    version: Option<(String, &'static str)>,
    implementation: &'static str,
    /// Without the global lock.
    free: bool,
    bits: Option<u32>,
    /// `python312._pth` beside the program: it alone says what is on the path.
    pth: Option<String>,
    managed: bool,
}

impl About {
    /// By the name of the program and that of the library's directory.
    fn new(machine: &dyn Machine, root: &str, program: &str) -> About {
        let family = machine.family();
        let mut out = About {
            version: None,
            implementation: "CPython",
            free: false,
            bits: None,
            pth: None,
            managed: false,
        };
        if family == Family::Windows {
            out.managed = is_file(machine, &place::join(family, root, "Lib/EXTERNALLY-MANAGED"));
            return out;
        }
        let Some(library) = sites::library(machine, root, program) else { return out };
        out.managed =
            is_file(machine, &place::join(family, root, &format!("lib/{library}/EXTERNALLY-MANAGED")));
        if let Some((implementation, version, free)) = version::of_name(&library) {
            out.version = Some((version.to_owned(), "directory name"));
            (out.implementation, out.free) = (implementation, free);
        }
        out
    }

    /// By the library beside Windows' program.
    fn windows(&mut self, machine: &dyn Machine, base: &str) {
        let family = machine.family();
        let wanted = |n: &str| version::of_windows_file(n).is_some();
        let Ok(names) = machine.list(base, &wanted) else { return };
        let named = |end: &str| names.iter().find(|n| n.to_ascii_lowercase().ends_with(end));
        self.pth = named("._pth").map(|n| place::join(family, base, n));
        let Some(library) = named(".dll") else { return };
        let Some((short, free)) = version::of_windows_file(library) else { return };
        self.free = free;
        let facts = machine.library(&place::join(family, base, library)).ok();
        self.bits = facts.as_ref().and_then(|f| match &*f.machine {
            "x86_64" | "aarch64" => Some(64),
            "x86" => Some(32),
            _ => None,
        });
        if self.version.is_none() {
            let whole = facts.as_ref().and_then(|f| version::numbers(f.version.as_deref()?));
            self.version = Some(match whole.filter(|v| version::minor(v) == short) {
                Some(whole) => (whole, "version resource"),
                None => (short, "file name"),
            });
        }
    }

    /// By the header of an installation that has one.
    fn header(&self, machine: &dyn Machine, root: &str) -> Option<String> {
        let (short, _) = self.version.as_ref()?;
        let free = if self.free { "t" } else { "" };
        let path = match machine.family() {
            Family::Windows => "include/patchlevel.h".to_owned(),
            Family::Linux | Family::Macos => format!("include/python{short}{free}/patchlevel.h"),
        };
        let text = read_text(machine, &place::join(machine.family(), root, &path)).ok()?;
        let line =
            text.lines().find_map(|l| l.trim().strip_prefix("#define PY_VERSION")?.split('"').nth(1))?;
        version::numbers(line).filter(|v| version::minor(v) == short)
    }

    fn environment(
        self,
        kind: &'static str,
        root: &str,
        interpreter: &str,
        base: &str,
        found_by: &'static str,
    ) -> Environment {
        let tag = self.version.as_ref().map(|(v, _)| version::minor(v).replace('.', ""));
        let free = if self.free { "t" } else { "" };
        let (version, version_by) = match self.version {
            Some((version, by)) => (Some(version), by),
            None => (None, ""),
        };
        Environment {
            kind,
            root: root.to_owned(),
            interpreter: interpreter.to_owned(),
            base: base.to_owned(),
            version,
            sites: Vec::new(),
            found_by,
            version_by,
            implementation: self.implementation,
            abi: tag.filter(|_| self.implementation == "CPython").map(|t| format!("cp{t}{free}")),
            bits: self.bits,
            externally_managed: self.managed,
        }
    }
}

/// Which program keeps environments in such a place.
fn kind_of_path(family: Family, root: &str) -> Option<&'static str> {
    let path = root.replace('\\', "/");
    let path = if family == Family::Windows { path.to_lowercase() } else { path };
    let marks = [
        ("/pipx/venvs/", "pipx"),
        ("/pipx/pipx/venvs/", "pipx"),
        ("/uv/tools/", "uv"),
        ("/uv/python/", "uv"),
        ("/uv/data/", "uv"),
        ("/.pyenv/versions/", "pyenv"),
        ("/pyenv-win/versions/", "pyenv"),
        ("/pyenv/versions/", "pyenv"),
        ("/windowsapps/pythonsoftwarefoundation.python.", "store"),
    ];
    marks.iter().find(|(mark, _)| path.contains(mark)).map(|(_, kind)| *kind)
}

/// `3.11.7` of pyenv, `cpython-3.12.4-linux-x86_64-gnu` of uv.
fn version_of_directory(name: &str) -> Option<String> {
    let rest = name.strip_prefix("cpython-").unwrap_or(name);
    let rest = rest.split(['-', '+']).next().unwrap_or(rest);
    let version = version::numbers(rest.trim_end_matches('t'))?;
    (version::minor(&version) != version).then_some(version)
}
