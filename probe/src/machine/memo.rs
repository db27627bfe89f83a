//! A machine that is asked once for what several observations are made from.

use super::{About, Cpu, DpkgPackage, Family, Machine, PciDevice, Ran, Refusal, RegistryKey};
use crate::library::LibraryFacts;
use crate::place;
use crate::python::SiteReport;
use nvml_report::NvmlReport;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

type Once<T> = RefCell<HashMap<String, Result<T, Refusal>>>;

/// Asks another machine and remembers the answers that take long and are wanted again: environments share directories of
/// packages, libraries, and nearly all of their paths' beginnings.
pub(crate) struct Memo<'m> {
    machine: &'m dyn Machine,
    variables: RefCell<HashMap<String, Option<String>>>,
    resolved: Once<String>,
    libraries: Once<LibraryFacts>,
    sites: Once<SiteReport>,
}

impl<'m> Memo<'m> {
    /// Remembers what `machine` answers from now on.
    pub(crate) fn new(machine: &'m dyn Machine) -> Self {
        Memo {
            machine,
            variables: RefCell::default(),
            resolved: Once::default(),
            libraries: Once::default(),
            sites: Once::default(),
        }
    }

    /// A path without links, by way of its directory: paths that are asked for have their beginnings in common, and the
    /// system follows each from the top.
    fn follow(&self, path: &str) -> Result<String, Refusal> {
        let family = self.machine.family();
        let parts = path.rsplit_once('/').filter(|(above, name)| {
            family != Family::Windows
                && path.starts_with('/')
                && !above.is_empty()
                && !above.ends_with('/')
                && !matches!(*name, "" | "." | "..")
        });
        let Some((above, name)) = parts else { return self.machine.resolved(path) };
        let path = place::join(family, &self.resolved(above)?, name);
        match self.machine.about(&path)?.link {
            Some(_) => self.machine.resolved(&path),
            None => Ok(path),
        }
    }
}

fn once<T: Clone>(
    known: &Once<T>,
    key: &str,
    ask: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    if let Some(answer) = known.borrow().get(key) {
        return answer.clone();
    }
    let answer = ask();
    known.borrow_mut().insert(key.to_owned(), answer.clone());
    answer
}

impl Machine for Memo<'_> {
    fn named_python(&self) -> Option<String> {
        self.machine.named_python()
    }
    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
        self.machine.variables(wanted)
    }
    fn variable(&self, name: &str) -> Option<String> {
        if let Some(known) = self.variables.borrow().get(name) {
            return known.clone();
        }
        let answer = self.machine.variable(name);
        self.variables.borrow_mut().insert(name.to_owned(), answer.clone());
        answer
    }
    fn resolved(&self, path: &str) -> Result<String, Refusal> {
        once(&self.resolved, path, || self.follow(path))
    }
    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal> {
        once(&self.libraries, path, || self.machine.library(path))
    }
    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal> {
        once(&self.sites, site, || self.machine.distributions(site))
    }

    fn family(&self) -> Family {
        self.machine.family()
    }
    fn cpu(&self) -> Cpu {
        self.machine.cpu()
    }
    fn arch(&self) -> String {
        self.machine.arch()
    }
    fn directory(&self) -> Option<String> {
        self.machine.directory()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        self.machine.read(path)
    }
    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal> {
        self.machine.head(path, bytes)
    }
    fn about(&self, path: &str) -> Result<About, Refusal> {
        self.machine.about(path)
    }
    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        self.machine.list(directory, wanted)
    }
    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal> {
        self.machine.loader_cache()
    }
    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal> {
        self.machine.registry(key)
    }
    fn pci(&self) -> Result<Vec<PciDevice>, Refusal> {
        self.machine.pci()
    }
    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
        self.machine.dpkg(wanted)
    }
    fn nvml(&self) -> NvmlReport {
        self.machine.nvml()
    }
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
        self.machine.run(program, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Capture, Live, Replay};

    const PATHS: [&str; 13] = [
        "/",
        "/lib",
        "/lib/x.so",
        "/lib/x.so/",
        "/lib//x.so",
        "/lib/../lib/x.so",
        "/lib/x.so.1",
        "/lib/gone.so",
        "/lib/nothing",
        "/usr/lib/x.so/deeper",
        "/round/x",
        "lib/x.so",
        "",
    ];

    #[test]
    fn paths_lead_where_the_machine_says() {
        let text = r#"
            schema = 1
            family = "linux"
            arch = "x86_64"
            [[path]]
            at = "/lib"
            link = "usr/lib"
            [[path]]
            at = "/usr/lib/x.so"
            link = "x.so.1"
            [[path]]
            at = "/usr/lib/x.so.1"
            [[path]]
            at = "/usr/lib/gone.so"
            link = "gone.so.1"
            [[path]]
            at = "/round"
            link = "/round"
        "#;
        let machine = Replay::new(Capture::parse(text).expect("is a capture"));
        let memo = Memo::new(&machine);
        // Twice: what is remembered is what was said.
        for path in PATHS.iter().chain(&PATHS) {
            assert_eq!(memo.resolved(path).ok(), machine.resolved(path).ok(), "{path}");
        }
        assert_eq!(memo.resolved("/lib/x.so").as_deref(), Ok("/usr/lib/x.so.1"));
    }

    #[cfg(unix)]
    #[test]
    fn paths_of_this_machine_as_well() {
        let place = tempfile::tempdir().expect("there is room");
        let at = |name: &str| place.path().join(name);
        std::fs::create_dir(at("real")).expect("there is room");
        std::fs::write(at("real/x.so.1"), "").expect("there is room");
        for (to, from) in
            [("real", "lib"), ("x.so.1", "real/x.so"), ("nothing", "real/gone.so"), ("round", "round")]
        {
            std::os::unix::fs::symlink(to, at(from)).expect("there is room");
        }
        let memo = Memo::new(&Live);
        for path in PATHS.iter().chain(&PATHS).filter(|p| p.starts_with('/')) {
            let path = format!("{}{path}", place.path().display());
            assert_eq!(memo.resolved(&path), Live.resolved(&path), "{path}");
        }
    }

    #[test]
    fn variables_by_name() {
        let of = |family: &str| {
            let text = format!(
                "schema = 1\nfamily = \"{family}\"\narch = \"x86_64\"\nvariables = {{ Path = \"a\" }}"
            );
            Replay::new(Capture::parse(&text).expect("is a capture"))
        };
        let (linux, windows) = (of("linux"), of("windows"));
        let (linux, windows) = (Memo::new(&linux), Memo::new(&windows));
        assert_eq!((linux.variable("PATH"), linux.variable("Path").as_deref()), (None, Some("a")));
        assert_eq!(windows.variable("PATH").as_deref(), Some("a"));
    }
}
