//! Facts: rows of tables, each table transcribed from one source.

use crate::evidence::SourceKind;
use crate::value::{ColumnType, Value};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// A kind of table: what its rows claim and which columns they have. One file in `relations/`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Relation {
    /// File name in `relations/`, and directory name in `facts/`.
    pub id: Box<str>,
    /// One line.
    pub title: Box<str>,
    /// The claim as a sentence with `{column}` places.
    pub says: Box<str>,
    /// Columns whose values make a row's identity, in order.
    pub key: Vec<Box<str>>,
    /// Kinds of source that are first-hand for this claim.
    pub primary: Vec<SourceKind>,
    /// What a missing row means unless the table says otherwise.
    pub coverage: Coverage,
    /// Rows are about files: of two that differ, the one known by the stronger [`Truth`](crate::evidence::Truth) is
    /// followed, and no dispute file is needed.
    pub ranked: bool,
    /// All columns, in the order they are shown.
    pub columns: Vec<(Box<str>, ColumnType)>,
    /// What a row claims and what it does not (Markdown). Empty in the bundle for the browser.
    pub prose: Box<str>,
}

impl Relation {
    /// The position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|(n, _)| &**n == name)
    }
}

/// What absence means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// A row that is missing means "no".
    Complete,
    /// A row that is missing means "unknown".
    Partial,
}

/// One table of one source: one file.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Index into [`Kb::relations`](crate::kb::Kb::relations).
    pub relation: u16,
    /// Index into [`Kb::sources`](crate::kb::Kb::sources).
    pub source: u16,
    /// The file's name without directory and ending; part of the facts' ids.
    pub stem: Box<str>,
    /// Where in the source the table stands.
    pub locator: Option<Box<str>>,
    /// When it was read, `YYYY-MM-DD`.
    pub read_on: Option<Box<str>>,
    /// What a missing row means.
    pub coverage: Coverage,
    /// Which importer wrote it, for tables under `imported/`.
    pub imported_by: Option<Box<str>>,
    /// The rows, in the order of the file.
    pub rows: Rows,
}

/// The rows of a table: a slice that is unpacked when it is first looked at.
///
/// A question touches a few dozen of several hundred tables, and a start must cost about a millisecond; so the data
/// that is compiled in keeps each table packed until somebody reads it.
#[derive(Clone)]
pub struct Rows {
    unpacked: OnceLock<Vec<Row>>,
    packed: Option<Packed>,
}

#[derive(Clone, Copy)]
struct Packed {
    bytes: &'static [u8],
    count: usize,
    unpack: fn(&[u8]) -> Vec<Row>,
}

impl Rows {
    /// Rows that stay packed in `bytes` until they are looked at; `count` is how many there are.
    pub fn packed(bytes: &'static [u8], count: usize, unpack: fn(&[u8]) -> Vec<Row>) -> Rows {
        Rows { unpacked: OnceLock::new(), packed: Some(Packed { bytes, count, unpack }) }
    }

    /// How many rows there are, without unpacking them.
    pub fn count(&self) -> usize {
        match (self.unpacked.get(), self.packed) {
            (Some(rows), _) => rows.len(),
            (None, Some(packed)) => packed.count,
            (None, None) => 0,
        }
    }

    fn get(&self) -> &Vec<Row> {
        self.unpacked.get_or_init(|| self.packed.map_or_else(Vec::new, |p| (p.unpack)(p.bytes)))
    }
}

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        Rows { unpacked: OnceLock::from(rows), packed: None }
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        rows.into_iter().collect::<Vec<Row>>().into()
    }
}

impl std::ops::Deref for Rows {
    type Target = [Row];
    fn deref(&self) -> &[Row] {
        self.get()
    }
}

impl std::ops::DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut [Row] {
        self.get();
        self.unpacked.get_mut().map(Vec::as_mut_slice).unwrap_or_default()
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = &'a Row;
    type IntoIter = std::slice::Iter<'a, Row>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One fact.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// A cell for each column of the relation.
    pub cells: Vec<Option<Value>>,
    /// Other sources that say the same: indexes into [`Kb::sources`](crate::kb::Kb::sources).
    pub also: Vec<u16>,
    /// Where in the source, if it differs from the table's.
    pub locator: Option<Box<str>>,
    /// Anything a reader should know.
    pub note: Option<Box<str>>,
    /// When and why it was withdrawn; a withdrawn fact takes no part in reasoning and stays readable.
    pub withdrawn: Option<(Box<str>, Box<str>)>,
}

/// A fact's handle: which table, which row. Its readable id is made by [`Kb::fact_name`](crate::kb::Kb::fact_name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FactId {
    /// Index into [`Kb::tables`](crate::kb::Kb::tables).
    pub table: u16,
    /// Index into its rows.
    pub row: u32,
}
