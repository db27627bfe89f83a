//! Directories and libraries, each looked at once.

use super::name;
use crate::library::LibraryFacts;
use crate::machine::{Family, Machine, Refusal, variable};
use crate::place;
use crate::toolkit::{self, Root};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

type Once<T> = RefCell<BTreeMap<String, T>>;

/// A machine, and what is known of its directories and libraries until now.
pub(crate) struct Look<'m> {
    /// The machine.
    pub machine: &'m dyn Machine,
    /// Its manner.
    pub family: Family,
    /// Its processor.
    pub arch: String,
    /// A further file name that is asked for.
    file: Option<String>,
    listed: Once<Rc<Vec<String>>>,
    libraries: Once<Option<Rc<LibraryFacts>>>,
    resolved: Once<Option<String>>,
    cache: OnceCell<Vec<(String, String)>>,
    toolkits: OnceCell<Vec<Root>>,
    wheels: Once<Rc<Vec<String>>>,
    /// Libraries that could not be read, by their keys.
    unread: Once<Refusal>,
    refused: RefCell<Vec<(String, Refusal)>>,
}

impl<'m> Look<'m> {
    /// Of CUDA's libraries, and of a further file.
    pub(crate) fn new(machine: &'m dyn Machine, file: Option<&str>) -> Self {
        Look {
            machine,
            family: machine.family(),
            arch: machine.arch(),
            file: file.map(str::to_owned),
            listed: Once::default(),
            libraries: Once::default(),
            resolved: Once::default(),
            cache: OnceCell::new(),
            toolkits: OnceCell::new(),
            wheels: Once::default(),
            unread: Once::default(),
            refused: RefCell::default(),
        }
    }

    /// Are two file names one?
    pub(super) fn same(&self, a: &str, b: &str) -> bool {
        if self.family == Family::Windows { a.eq_ignore_ascii_case(b) } else { a == b }
    }

    /// The libraries in a directory, sorted; none where there is no such directory. Links that lead nowhere are among them.
    pub(super) fn names(&self, directory: &str) -> Rc<Vec<String>> {
        // `/lib` and `/usr/lib` are mostly one.
        let Some(real) = self.resolved(directory) else { return Rc::default() };
        let key = place::key(self.family, &real);
        if let Some(known) = self.listed.borrow().get(&key) {
            return known.clone();
        }
        let wanted =
            |n: &str| self.file.as_ref().is_some_and(|f| self.same(f, n)) || name::parsed(n).is_some();
        let names = self.machine.list(&real, &wanted).unwrap_or_else(|why| {
            // A file in place of a directory has no libraries in it.
            if why == Refusal::Denied {
                self.refuse(directory, why);
            }
            Vec::new()
        });
        let names = Rc::new(names);
        self.listed.borrow_mut().insert(key, names.clone());
        names
    }

    /// A file in a directory, whole path, if it is there.
    pub(super) fn file(&self, directory: &str, name: &str) -> Option<String> {
        let names = self.names(directory);
        let spelled = names.iter().find(|n| self.same(n, name))?;
        let path = place::join(self.family, directory, spelled);
        self.resolved(&path).map(|_| path)
    }

    /// A path without links, if there is something.
    pub(super) fn resolved(&self, path: &str) -> Option<String> {
        let key = place::key(self.family, path);
        if let Some(known) = self.resolved.borrow().get(&key) {
            return known.clone();
        }
        let found = self.machine.resolved(path).ok();
        self.resolved.borrow_mut().insert(key, found.clone());
        found
    }

    /// What a library says of itself, if it can be read.
    pub(super) fn library(&self, path: &str) -> Option<Rc<LibraryFacts>> {
        let real = self.resolved(path)?;
        let key = place::key(self.family, &real);
        if let Some(known) = self.libraries.borrow().get(&key) {
            return known.clone();
        }
        let read = match self.machine.library(&real) {
            Ok(facts) => Some(Rc::new(facts)),
            Err(why) => {
                self.unread.borrow_mut().insert(key.clone(), why);
                None
            }
        };
        self.libraries.borrow_mut().insert(key, read.clone());
        read
    }

    /// The loader's cache.
    pub(super) fn cache(&self) -> &[(String, String)] {
        self.cache.get_or_init(|| {
            self.machine.loader_cache().unwrap_or_else(|why| {
                self.refuse(crate::loader_cache::PATH, why);
                Vec::new()
            })
        })
    }

    /// Directories of libraries in NVIDIA's wheels below a directory of packages: `nvidia/cudnn/lib`.
    pub(super) fn wheels(&self, site: &str) -> Rc<Vec<String>> {
        if let Some(known) = self.wheels.borrow().get(site) {
            return known.clone();
        }
        let found = Rc::new(super::requester::wheel_directories(self, site));
        self.wheels.borrow_mut().insert(site.to_owned(), found.clone());
        found
    }

    /// Directories that may be toolkits.
    pub(super) fn toolkits(&self) -> &[Root] {
        self.toolkits.get_or_init(|| toolkit::roots(self.machine))
    }

    /// A variable that is not empty.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        variable(self.machine, name).filter(|v| !v.is_empty())
    }

    /// Keeps that a library that asks for others could not be read: what it asks for, and where, is then not known.
    pub(super) fn unread(&self, path: &str) {
        let key = self.resolved(path).map(|real| place::key(self.family, &real));
        let why = key.and_then(|k| self.unread.borrow().get(&k).cloned());
        if let Some(why) = why {
            self.refuse(path, why);
        }
    }

    fn refuse(&self, path: &str, why: Refusal) {
        if !why.is_absence() {
            self.refused.borrow_mut().push((path.to_owned(), why));
        }
    }

    /// What could not be looked at since this was last asked: directories, libraries that ask, the loader's cache.
    pub(super) fn refused(&self) -> Vec<(String, Refusal)> {
        self.refused.take()
    }
}
