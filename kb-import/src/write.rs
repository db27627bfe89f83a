//! Tables as files: the authored form of kb-data, sorted by whoever made the rows, the same bytes for the same rows.

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

    /// Writes the table below the data directory. One whose rows are what they were keeps its day: when they were last
    /// compared stands in `checked.toml`. A table without rows has no file. Says whether anything changed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, data: &Path, today: &str) -> io::Result<bool> {
        let path = data.join("imported").join(BY).join(self.relation).join(format!("{}.toml", self.name));
        let old = fs::read_to_string(&path).ok();
        if self.rows.is_empty() {
            return match old {
                Some(_) => fs::remove_file(&path).map(|()| true),
                None => Ok(false),
            };
        }
        let kept = old.as_deref().and_then(read_on).unwrap_or(today);
        if old.as_deref() == Some(self.text(kept).as_str()) {
            return Ok(false);
        }
        index::write(&path, self.text(today).as_bytes())?;
        Ok(true)
    }
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
