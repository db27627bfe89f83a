//! Tables as files: the authored form of kb-data, sorted by whoever made the rows, the same bytes for the same rows.

use crate::held::Held;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// A cell of a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// A text, a version, a range, an id.
    Text(String),
    /// A list of such.
    List(Vec<String>),
    /// A flag.
    Flag(bool),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<Vec<String>> for Cell {
    fn from(list: Vec<String>) -> Cell {
        Cell::List(list)
    }
}

/// A row: its cells in the order of the columns, those that are absent left out.
pub type Row = Vec<(&'static str, Cell)>;

/// A table, as it is written to `imported/pypi/<relation>/<name>.toml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The relation.
    pub relation: &'static str,
    /// The name of the file without its ending.
    pub name: String,
    /// The source's id.
    pub source: &'static str,
    /// Where in the source.
    pub locator: Option<&'static str>,
    /// The address that was read.
    pub from: Option<String>,
    /// Is a row that is missing a "no"?
    pub complete: bool,
    /// The rows.
    pub rows: Vec<Row>,
}

/// The importer's name, in `by` and as a directory.
pub(crate) const BY: &str = "pypi";

impl Table {
    /// A table of one package that is read in its index; `relation/package` is its file.
    pub(crate) fn of(held: &Held, relation: &'static str, source: &'static str, rows: Vec<Row>) -> Table {
        Table {
            relation,
            name: held.name().to_owned(),
            source,
            locator: None,
            from: Some(held.page()),
            complete: false,
            rows,
        }
    }

    /// Its text, read on a day.
    pub fn text(&self, read_on: &str) -> String {
        let mut out = format!("source = {}\nby = {}\n", quoted(self.source), quoted("pypi-index"));
        if let Some(locator) = self.locator {
            let _ = writeln!(out, "locator = {}", quoted(locator));
        }
        if let Some(from) = &self.from {
            let _ = writeln!(out, "from = {}", quoted(from));
        }
        let _ = writeln!(out, "read-on = {}", quoted(read_on));
        if self.complete {
            out.push_str("coverage = \"complete\"\n");
        }
        for row in &self.rows {
            out.push_str("\n[[row]]\n");
            for (column, cell) in row {
                let _ = match cell {
                    Cell::Text(text) => writeln!(out, "{column} = {}", quoted(text)),
                    Cell::Flag(flag) => writeln!(out, "{column} = {flag}"),
                    Cell::List(list) => {
                        let list: Vec<String> = list.iter().map(|t| quoted(t)).collect();
                        writeln!(out, "{column} = [{}]", list.join(", "))
                    }
                };
            }
        }
        out
    }

    /// Where its file is, below the data directory.
    pub fn path(&self) -> String {
        format!("imported/{BY}/{}/{}.toml", self.relation, self.name)
    }

    /// What its file holds after an import, if it held `old` before. A table whose rows are what they were keeps its
    /// day: when they were last compared stands in `checked.toml`. One without rows has no file, which is no text.
    pub fn updated(&self, old: &str, today: &str) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let same = self.text(read_on(old).unwrap_or(today));
        if same == old { same } else { self.text(today) }
    }

    /// Writes the table below the data directory. Says whether anything changed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, data: &Path, today: &str) -> io::Result<bool> {
        let path = data.join(self.path());
        let old = fs::read_to_string(&path).unwrap_or_default();
        let new = self.updated(&old, today);
        if new == old {
            return Ok(false);
        }
        if new.is_empty() {
            fs::remove_file(&path)?
        } else {
            index::write(&path, new.as_bytes())?
        }
        Ok(true)
    }
}

/// The versions in the text of a table of releases.
pub(crate) fn versions(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(|l| l.strip_prefix("version = \"")?.strip_suffix('"')).collect()
}

/// The day in the head of a table.
fn read_on(text: &str) -> Option<&str> {
    text.lines().find_map(|l| l.strip_prefix("read-on = \"")?.strip_suffix('"'))
}

/// A basic string of TOML. JSON's strings are that too, but for one control character.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: Vec<Row>) -> Table {
        Table {
            relation: "release",
            name: "x".into(),
            source: "pypi-index",
            locator: None,
            from: Some("https://i/x/".into()),
            complete: true,
            rows,
        }
    }

    #[test]
    fn what_is_written_is_toml_that_says_the_same() {
        let text = table(vec![vec![
            ("a", "q\"\\\u{7f}é".into()),
            ("b", vec!["1".to_owned()].into()),
            ("c", Cell::Flag(true)),
        ]])
        .text("2026-12-01");
        let back: toml::Table = text.parse().unwrap();
        assert_eq!(back["row"][0]["a"].as_str(), Some("q\"\\\u{7f}é"));
        assert_eq!(back["row"][0]["b"][0].as_str(), Some("1"));
        assert_eq!(back["row"][0]["c"].as_bool(), Some(true));
        assert_eq!(back["read-on"].as_str(), Some("2026-12-01"));
    }

    #[test]
    fn a_second_run_changes_nothing_and_keeps_the_day() {
        let data = std::env::temp_dir().join(format!("kb-import-write-{}", std::process::id()));
        let table = table(vec![vec![("a", "1".into())]]);
        assert!(table.write(&data, "2026-01-01").unwrap());
        assert!(!table.write(&data, "2026-02-02").unwrap());
        let path = data.join("imported/pypi/release/x.toml");
        assert!(fs::read_to_string(&path).unwrap().contains("2026-01-01"));
        let more = Table { rows: vec![vec![("a", "2".into())]], ..table.clone() };
        assert!(more.write(&data, "2026-02-02").unwrap());
        assert!(fs::read_to_string(&path).unwrap().contains("2026-02-02"));
        assert!(Table { rows: Vec::new(), ..table }.write(&data, "2026-02-02").unwrap());
        assert!(!path.exists());
        fs::remove_dir_all(&data).unwrap();
    }
}
