//! What was seen, gathered.

use crate::machine::{Machine, Refusal};
use kb_core::observe::Observation;
use serde::Serialize;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Something that could not be looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The observation that is missing for it.
    pub what: String,
    /// How it was tried.
    pub method: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Why it failed.
    pub says: String,
}

/// A machine, and what was seen of it until now.
pub struct Sink<'m> {
    /// The machine.
    pub machine: &'m dyn Machine,
    /// What was seen, in the order in which it was.
    pub observations: Vec<Observation>,
    /// What could not be.
    pub failures: Vec<Failure>,
    /// Where equal observations would be, by their hash.
    places: HashMap<u64, Vec<usize>>,
}

impl<'m> Sink<'m> {
    /// Nothing yet.
    pub fn new(machine: &'m dyn Machine) -> Self {
        Sink { machine, observations: Vec::new(), failures: Vec::new(), places: HashMap::new() }
    }

    /// A value, how it was found and, where that says something, at which place.
    pub fn see(
        &mut self,
        what: impl Into<String>,
        value: impl Into<String>,
        method: &str,
        place: Option<&str>,
    ) {
        self.add(what.into(), value.into(), None, method, place);
    }

    /// A value in its normal form and what it was made from, which is left out where it is the same.
    pub fn made(
        &mut self,
        what: impl Into<String>,
        value: impl Into<String>,
        raw: &str,
        method: &str,
        place: Option<&str>,
    ) {
        let value = value.into();
        let raw = (raw != value).then(|| raw.to_owned());
        self.add(what.into(), value, raw, method, place);
    }

    fn add(&mut self, what: String, value: String, raw: Option<String>, method: &str, place: Option<&str>) {
        let place = place.map(str::to_owned);
        let new = Observation { what, value, raw, method: method.to_owned(), line: None, place };
        debug_assert!(kb_core::observe::is_name(&new.what), "{new:?}");
        let mut hasher = DefaultHasher::new();
        (&new.what, &new.value, &new.method, &new.place).hash(&mut hasher);
        let known = self.places.entry(hasher.finish()).or_default();
        if !known.iter().any(|i| self.observations.get(*i) == Some(&new)) {
            known.push(self.observations.len());
            self.observations.push(new);
        }
    }

    /// Something that could not be looked at. That it is not there is a failure only where the caller says so.
    pub fn fail(&mut self, what: &str, method: &str, place: Option<&str>, why: impl std::fmt::Display) {
        let new = Failure {
            what: what.to_owned(),
            method: method.to_owned(),
            place: place.map(str::to_owned),
            says: why.to_string(),
        };
        if !self.failures.contains(&new) {
            self.failures.push(new);
        }
    }

    /// The result, or a failure unless it is that nothing is there.
    pub fn tried<T>(
        &mut self,
        what: &str,
        method: &str,
        place: &str,
        result: Result<T, Refusal>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(why) => {
                if !why.is_absence() {
                    self.fail(what, method, Some(place), why);
                }
                None
            }
        }
    }

    /// The text of a small file, if it is there.
    pub fn text(&mut self, what: &str, path: &str) -> Option<String> {
        let result = crate::machine::read_text(self.machine, path);
        self.tried(what, "file", path, result)
    }

    /// Was a value of this name seen?
    pub fn has(&self, what: &str) -> bool {
        self.observations.iter().any(|o| o.what == what)
    }
}
