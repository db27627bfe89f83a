//! What stands in a column of a table.

use crate::version::{ComputeTarget, Dotted, VersionSet};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A driver branch: `R570`. Its number is the first part of a Linux driver version, and not of a Windows one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Branch(pub u16);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", self.0)
    }
}

impl fmt::Debug for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Branch {
    type Err = crate::version::VersionError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.trim().trim_start_matches(['R', 'r']);
        match digits.parse::<u16>() {
            Ok(n) if n >= 100 && digits.bytes().all(|b| b.is_ascii_digit()) => Ok(Branch(n)),
            _ => Err(crate::version::VersionError {
                text: text.to_owned(),
                expected: "a driver branch such as R570",
            }),
        }
    }
}

/// A typed cell. Which variant a column holds is its [`ColumnType`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Value {
    /// Words, catalogue ids, PEP 440 versions and requirements, dates: text that the column's type has checked.
    Text(CompactString),
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A version of a dotted scheme.
    Version(Dotted),
    /// A compute capability, perhaps with `a` or `f`.
    Compute(ComputeTarget),
    /// A set of dotted versions; apart, as it is twice the size of the others and cells are many.
    Range(Box<VersionSet>),
    /// A driver branch.
    Branch(Branch),
    /// A branch, and the first driver of it; `None` means from the branch's start.
    BranchSince(Branch, Option<Dotted>),
    /// Several of one type.
    List(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(t) => f.write_str(t),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Integer(i) => write!(f, "{i}"),
            Value::Version(v) => write!(f, "{v}"),
            Value::Compute(c) => write!(f, "{c}"),
            Value::Range(r) => write!(f, "{r}"),
            Value::Branch(b) => write!(f, "{b}"),
            Value::BranchSince(b, None) => write!(f, "{b}"),
            Value::BranchSince(b, Some(v)) => write!(f, "{b} {v}"),
            Value::List(list) => {
                for (i, v) in list.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{v}")?;
                }
                Ok(())
            }
        }
    }
}

/// The kind of a single cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Free text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// `2026`, `2026-11` or `2026-11-30`.
    Date,
    /// The id of a GPU in the catalogue.
    Gpu,
    /// The id of a package in the catalogue.
    Package,
    /// The id of a channel in the catalogue.
    Channel,
    /// `linux-x86_64`, `windows-x86_64`, `any` …
    Platform,
    /// `linux`, `windows`, `macos`.
    Os,
    /// `R570`.
    Branch,
    /// `R570 570.86.16`, or `R575` for the whole branch.
    BranchSince,
    /// A version of a dotted scheme: driver, CUDA, cuDNN, Python and others.
    Dotted,
    /// A set of them.
    DottedRange,
    /// `8.6`, `9.0a`.
    Compute,
    /// A version by PEP 440.
    Pep440,
    /// A specifier set by PEP 440, alternatives joined by ` || `.
    Pep440Range,
    /// A requirement by PEP 508.
    Requirement,
}

/// The type of a column: kind, whether it is a list, whether it may be absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ColumnType {
    /// Kind of each cell.
    pub kind: Kind,
    /// Written as `[kind]`.
    pub list: bool,
    /// Written with `?`.
    pub optional: bool,
}

impl ColumnType {
    /// Reads `driver`, `[compute]?`, `cuda-range` … ; `None` for a word that names no kind.
    pub fn parse(text: &str) -> Option<ColumnType> {
        let (text, optional) = match text.strip_suffix('?') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (word, list) = match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        let kind = match word {
            "text" => Kind::Text,
            "bool" => Kind::Bool,
            "integer" => Kind::Integer,
            "date" => Kind::Date,
            "gpu" => Kind::Gpu,
            "package" => Kind::Package,
            "channel" => Kind::Channel,
            "platform" => Kind::Platform,
            "os" => Kind::Os,
            "branch" => Kind::Branch,
            "branch-since" => Kind::BranchSince,
            "driver" | "cuda" | "cudnn" | "python" | "dotted" => Kind::Dotted,
            "driver-range" | "cuda-range" | "cudnn-range" | "python-range" | "dotted-range"
            | "compute-range" => Kind::DottedRange,
            "compute" => Kind::Compute,
            "pep440" => Kind::Pep440,
            "pep440-range" => Kind::Pep440Range,
            "requirement" => Kind::Requirement,
            _ => return None,
        };
        Some(ColumnType { kind, list, optional })
    }
}
