//! From the authored form to a [`Kb`]: every file is read, every mistake is reported, nothing stops at the first.
//!
//! Files are read in an order in which what is pointed to comes before what points: sources, relations, the
//! catalogue, tables, then disputes, topics, advisories, claims, rules and words. Comparisons between files
//! (disputes, cycles, pointers to facts) come last.

// A diagnostic is large, and made once for each mistake: boxing it would only make the code longer.
#![allow(clippy::result_large_err)]

mod accelerators;
mod advisories;
mod base;
mod causes;
mod cell;
mod channels;
mod checked;
mod claims;
mod conflict;
mod disputes;
mod fields;
mod file;
mod gpus;
mod links;
mod names;
mod near;
mod overlap;
mod packages;
mod pairs;
mod relations;
mod role;
mod rules;
mod scalar;
mod signatures;
mod sources;
mod tables;
mod topics;

use crate::tree::DataTree;
use fields::Fields;
use file::{File, Log};
use kb_core::diag::{Diagnostic, Place};
use kb_core::kb::Kb;
use names::Names;
use role::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// For lints and templates, which the build script does not have.
#[allow(unused_imports)]
pub(crate) use {
    links::cycle,
    overlap::outside,
    scalar::{id as check_id, pep440_range, placeholders},
};

/// Is this a day, `YYYY-MM-DD`?
pub(crate) fn day(text: &str) -> Result<(), Diagnostic> {
    scalar::date(text, scalar::DateForm::Day)
}

/// Is this a version by PEP 440?
pub(crate) fn check_version(text: &str) -> Result<(), Diagnostic> {
    scalar::pep440(text).map(|_| ())
}

/// An example of a cell of a kind.
pub(crate) fn example_of(kind: kb_core::value::Kind) -> &'static str {
    cell::wants(kind).1
}

/// Reads a tree. What is faulty is left out of the value and reported, so a Kb comes with any tree; it is fit for
/// use if no diagnostic is an error. Diagnostics are sorted by place.
pub fn load(tree: &DataTree) -> (Kb, Vec<Diagnostic>) {
    load_over(Kb::default(), tree)
}

/// Lays a tree over what is already known: tables and catalogue entries are added, and one with the same name (a
/// table: the same relation and file name; all others: the same id) replaces the old one.
///
/// Facts get new handles. A relation may be added; one that exists keeps its columns.
pub fn load_over(base: Kb, tree: &DataTree) -> (Kb, Vec<Diagnostic>) {
    let log = Log::default();
    for trouble in tree.troubles() {
        log.push(trouble.clone());
    }
    let mut files = Vec::new();
    for (path, bytes) in tree.files() {
        match role::of(path) {
            Ok(Role::Ignored) => {}
            Ok(role) => match File::open(path, bytes) {
                Ok(file) => files.push((role, file)),
                Err(diagnostic) => log.push(diagnostic),
            },
            Err(diagnostic) => log.push(diagnostic),
        }
    }
    let kb =
        Loader { log: &log, files: &files, names: Names::default(), kb: base, seen: Seen::default() }.run();
    (kb, log.into_sorted())
}

/// A place that is worked out only if it is shown: a file, and a span of its TOML.
#[derive(Clone)]
struct Spot {
    file: usize,
    span: Range<usize>,
}

/// What is remembered of the files beside the Kb itself, for the comparisons at the end.
#[derive(Default)]
struct Seen {
    /// Relation id and stem of a table → where its rows stand. Tables of the base are not here.
    rows: BTreeMap<(Box<str>, Box<str>), Vec<Spot>>,
    /// Relations of which a row was left out because of a mistake: what is missed there may be in it.
    broken: BTreeSet<Box<str>>,
    /// Ids of disputes of this tree.
    disputes: BTreeMap<Box<str>, Spot>,
    /// Pointers to claims and facts: what, from where.
    pointers: Vec<(links::Pointer, Spot)>,
    /// Where packages point to other packages.
    packages: BTreeMap<Box<str>, Spot>,
    /// Ids of causes and signatures that others name: what, from where.
    diagnosis: Vec<(causes::Named, Spot)>,
    /// Where claims stand.
    claims: BTreeMap<Box<str>, Spot>,
}

struct Loader<'a, 't> {
    log: &'a Log,
    files: &'a [(Role<'t>, File<'t>)],
    names: Names,
    kb: Kb,
    seen: Seen,
}

impl<'a, 't> Loader<'a, 't> {
    fn run(mut self) -> Kb {
        self.read_sources();
        self.read_relations();
        self.gather_names();
        self.read_gpus();
        self.read_packages();
        self.read_channels();
        self.read_accelerators();
        self.read_tables();
        self.read_checked();
        self.read_disputes();
        self.read_advisories();
        self.read_claims();
        self.read_topics();
        self.read_rules();
        self.read_words();
        self.read_signatures();
        self.read_causes();
        self.check_causes();
        self.check_links();
        self.check_conflicts();
        self.kb.version = self.newest();
        self.kb
    }

    /// Runs a reader on the parsed keys of each file whose role is wanted.
    fn each<R>(
        &self,
        mut wanted: impl FnMut(&Role<'t>) -> Option<R>,
        mut read: impl FnMut(R, usize, &Fields<'_, 't>),
    ) {
        for (index, (role, file)) in self.files.iter().enumerate() {
            let Some(what) = wanted(role) else { continue };
            match file.parse() {
                Ok(document) => {
                    let fields = Fields::new(file, self.log, document.get_ref(), 0..0);
                    read(what, index, &fields);
                    fields.finish();
                }
                Err(diagnostic) => self.log.push(diagnostic),
            }
        }
    }

    /// Ids that are file names, so that packages and channels can point to each other.
    fn gather_names(&mut self) {
        let names = &mut self.names;
        names.packages.extend(self.kb.packages.iter().map(|p| p.id.clone()));
        names.channels.extend(self.kb.channels.iter().map(|c| c.id.clone()));
        names.gpus.extend(self.kb.gpus.iter().map(|g| g.id.clone()));
        for (role, _) in self.files {
            match role {
                Role::Package(id) => names.packages.insert((*id).into()),
                Role::Channel(id) => names.channels.insert((*id).into()),
                _ => false,
            };
        }
    }

    fn place(&self, spot: &Spot) -> Place {
        self.files[spot.file].1.place_of(spot.span.clone())
    }

    /// The newest date at which a table was read, `YYYY.MM.DD`.
    fn newest(&self) -> Box<str> {
        let newest = self.kb.tables.iter().filter_map(|t| t.read_on.as_deref()).max();
        newest.map_or_else(|| "0000.00.00".into(), |date| date.replace('-', ".").into_boxed_str())
    }
}

/// Adds or replaces by id, keeping the list sorted by it.
fn put<T>(list: &mut Vec<T>, item: T, id: impl Fn(&T) -> &str) {
    match list.binary_search_by(|old| id(old).cmp(id(&item))) {
        Ok(index) => list[index] = item,
        Err(index) => list.insert(index, item),
    }
}

/// The indexes of the sources that a list names; those that do not exist are reported.
fn source_list(names: &Names, fields: &Fields<'_, '_>, texts: &[fields::Text<'_>]) -> Vec<u16> {
    let mut out = Vec::with_capacity(texts.len());
    for text in texts {
        match names.source(text.text) {
            Ok(index) if out.contains(&index) => fields.report(
                text.span.clone(),
                Diagnostic::error("duplicate-id", format!("the source `{}` is named twice", text.text)),
            ),
            Ok(index) => out.push(index),
            Err(diagnostic) => fields.report(text.span.clone(), diagnostic),
        }
    }
    out
}

/// Reports what a check says about a text.
fn check<T>(fields: &Fields<'_, '_>, text: &fields::Text<'_>, result: Result<T, Diagnostic>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(diagnostic) => {
            fields.report(text.span.clone(), diagnostic);
            None
        }
    }
}
