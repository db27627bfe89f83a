//! Typed reading of rows: columns are looked up once per relation, cells by position.

use crate::fact::{FactId, Row};
use crate::kb::Kb;
use crate::value::{Branch, Value};
use crate::version::{ComputeTarget, Dotted, VersionSet};

/// The rows of a relation together with the positions of the columns a rule reads.
pub(crate) fn rows<'kb, const N: usize>(
    kb: &'kb Kb,
    relation: &str,
    columns: [&str; N],
) -> impl Iterator<Item = (FactId, Cells<'kb, N>)> {
    let at: [Option<usize>; N] = match kb.relations.iter().find(|r| &*r.id == relation) {
        Some(relation) => columns.map(|name| relation.column(name)),
        None => [None; N],
    };
    kb.facts_of(relation).map(move |(id, row)| (id, Cells { row, at }))
}

/// One row, its cells addressed by the order in which the columns were asked for.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'kb, const N: usize> {
    row: &'kb Row,
    at: [Option<usize>; N],
}

impl<'kb, const N: usize> Cells<'kb, N> {
    fn get(&self, i: usize) -> Option<&'kb Value> {
        self.row.cells.get(self.at[i]?)?.as_ref()
    }

    pub(crate) fn text(&self, i: usize) -> Option<&'kb str> {
        match self.get(i)? {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    pub(crate) fn version(&self, i: usize) -> Option<Dotted> {
        match self.get(i)? {
            Value::Version(v) => Some(*v),
            _ => None,
        }
    }

    pub(crate) fn range(&self, i: usize) -> Option<&'kb VersionSet> {
        match self.get(i)? {
            Value::Range(r) => Some(&**r),
            _ => None,
        }
    }

    pub(crate) fn compute(&self, i: usize) -> Option<ComputeTarget> {
        match self.get(i)? {
            Value::Compute(c) => Some(*c),
            _ => None,
        }
    }

    pub(crate) fn branch(&self, i: usize) -> Option<Branch> {
        match self.get(i)? {
            Value::Branch(b) => Some(*b),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, i: usize) -> bool {
        matches!(self.get(i), Some(Value::Bool(true)))
    }

    /// `None` when the cell is absent; an empty list is a statement of its own.
    pub(crate) fn list(&self, i: usize) -> Option<&'kb [Value]> {
        match self.get(i)? {
            Value::List(l) => Some(l),
            _ => None,
        }
    }

    pub(crate) fn computes(&self, i: usize) -> Option<Vec<ComputeTarget>> {
        Some(
            self.list(i)?
                .iter()
                .filter_map(|v| match v {
                    Value::Compute(c) => Some(*c),
                    _ => None,
                })
                .collect(),
        )
    }

    pub(crate) fn branches(&self, i: usize) -> Vec<Branch> {
        self.list(i)
            .unwrap_or_default()
            .iter()
            .filter_map(|v| match v {
                Value::Branch(b) => Some(*b),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn texts(&self, i: usize) -> Vec<&'kb str> {
        self.list(i)
            .unwrap_or_default()
            .iter()
            .filter_map(|v| match v {
                Value::Text(t) => Some(&**t),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn integers(&self, i: usize) -> Vec<i64> {
        self.list(i)
            .unwrap_or_default()
            .iter()
            .filter_map(|v| match v {
                Value::Integer(n) => Some(*n),
                _ => None,
            })
            .collect()
    }
}
