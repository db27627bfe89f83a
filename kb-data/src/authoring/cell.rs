//! A cell of a table, parsed by the type of its column.

use super::fields::{integer, unknown_word, wrong_type};
use super::file::{File, Log};
use super::names::Names;
use super::scalar::{self, DateForm};
use kb_core::diag::Diagnostic;
use kb_core::value::{ColumnType, Kind, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// The platforms a build can be for.
pub(super) const PLATFORMS: [&str; 6] =
    ["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64", "any"];
/// The operating systems.
pub(super) const SYSTEMS: [&str; 3] = ["linux", "windows", "macos"];

/// What a column wants, in words, and an example.
pub(super) fn wants(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Text => ("a text in quotes", "\"…\""),
        Kind::Bool => ("true or false", "true"),
        Kind::Integer => ("a whole number", "12"),
        Kind::Date => ("a date in quotes", "\"2026-11-30\""),
        Kind::Gpu => ("the id of a GPU", "\"rtx-3090\""),
        Kind::Package => ("the id of a package", "\"torch\""),
        Kind::Channel => ("the id of a channel", "\"pypi\""),
        Kind::Platform => ("a platform", "\"linux-x86_64\""),
        Kind::Os => ("an operating system", "\"linux\""),
        Kind::Branch => ("a driver branch", "\"R570\""),
        Kind::BranchSince => ("a driver branch and its first driver", "\"R570 570.86.16\""),
        Kind::Dotted => ("a version in quotes", "\"12.4.1\""),
        Kind::DottedRange => ("a set of versions in quotes", "\">=12.4, <13\""),
        Kind::Compute => ("a compute capability in quotes", "\"8.6\""),
        Kind::Pep440 => ("a version by PEP 440 in quotes", "\"2.9.1\""),
        Kind::Pep440Range => ("a set of versions by PEP 440 in quotes", "\">=2.6, <3\""),
        Kind::Requirement => ("a requirement in quotes", "\"numpy>=1.26\""),
    }
}

/// An example of a whole cell.
pub(super) fn example(column: ColumnType) -> String {
    let one = wants(column.kind).1;
    if column.list { format!("[{one}]") } else { one.to_owned() }
}

/// Reads cells of one file.
pub(super) struct Cells<'a, 't> {
    pub(super) file: &'a File<'t>,
    pub(super) log: &'a Log,
    pub(super) names: &'a Names,
}

impl Cells<'_, '_> {
    /// The cell's value, or `None` after reporting why not.
    pub(super) fn read(&self, name: &str, column: ColumnType, value: &Spanned<DeValue<'_>>) -> Option<Value> {
        if !column.list {
            return self.single(name, column, value);
        }
        match value.get_ref() {
            DeValue::Array(items) => {
                let read: Vec<Option<Value>> = items.iter().map(|v| self.single(name, column, v)).collect();
                read.into_iter().collect::<Option<Vec<_>>>().map(Value::List)
            }
            other => {
                let text = format!("{name} = {}", example(column));
                self.report(
                    value.span(),
                    wrong_type(
                        name,
                        other,
                        &format!("a list of cells, each {}", wants(column.kind).0),
                        &text,
                    ),
                );
                None
            }
        }
    }

    fn single(&self, name: &str, column: ColumnType, value: &Spanned<DeValue<'_>>) -> Option<Value> {
        let found = value.get_ref();
        let text = match (column.kind, found) {
            (Kind::Bool, DeValue::Boolean(b)) => return Some(Value::Bool(*b)),
            (Kind::Integer, DeValue::Integer(_)) if integer(found).is_some() => {
                return integer(found).map(Value::Integer);
            }
            (Kind::Bool | Kind::Integer, _) => None,
            (_, DeValue::String(text)) => Some(text.as_ref()),
            _ => None,
        };
        let Some(text) = text else {
            let example = format!("{name} = {}", example(column));
            self.report(value.span(), wrong_type(name, found, wants(column.kind).0, &example));
            return None;
        };
        match parse(name, column.kind, text, self.names) {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.report(value.span(), diagnostic);
                None
            }
        }
    }

    fn report(&self, span: Range<usize>, diagnostic: Diagnostic) {
        self.log.push(diagnostic.at(self.file.place_of(span)));
    }
}

/// A text as the value of a column's kind.
pub(super) fn parse(name: &str, kind: Kind, text: &str, names: &Names) -> Result<Value, Diagnostic> {
    let as_text = || Value::Text(text.into());
    match kind {
        Kind::Text if text.trim().is_empty() => {
            Err(Diagnostic::error("missing-key", format!("`{name}` is empty"))
                .help("leave the key out if nothing is known"))
        }
        Kind::Text => Ok(as_text()),
        Kind::Bool => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(unknown_word(name, text, &["true", "false"])),
        },
        Kind::Integer => text.parse().map(Value::Integer).map_err(|_| {
            Diagnostic::error("wrong-type", format!("`{name}` wants a whole number")).help("for example: 12")
        }),
        Kind::Date => scalar::date(text, DateForm::Any).map(|()| as_text()),
        Kind::Gpu => names.gpu(text).map(|()| as_text()),
        Kind::Package => names.package(text).map(|()| as_text()),
        Kind::Channel => names.channel(text).map(|()| as_text()),
        Kind::Platform if PLATFORMS.contains(&text) => Ok(as_text()),
        Kind::Platform => Err(unknown_word(name, text, &PLATFORMS)),
        Kind::Os if SYSTEMS.contains(&text) => Ok(as_text()),
        Kind::Os => Err(unknown_word(name, text, &SYSTEMS)),
        Kind::Branch => scalar::branch(text).map(Value::Branch),
        Kind::BranchSince => scalar::branch_since(text).map(|(b, since)| Value::BranchSince(b, since)),
        Kind::Dotted => scalar::dotted(text, "a version").map(Value::Version),
        Kind::DottedRange => scalar::dotted_range(text).map(|set| Value::Range(Box::new(set))),
        Kind::Compute => scalar::compute(text).map(Value::Compute),
        Kind::Pep440 => scalar::pep440(text).map(|_| as_text()),
        Kind::Pep440Range => scalar::pep440_range(text).map(|_| as_text()),
        Kind::Requirement => scalar::requirement(text).map(|()| as_text()),
    }
}
