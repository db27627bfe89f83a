//! `facts/<relation>/<source>.toml` and `imported/<importer>/<relation>/<name>.toml`: the tables.

use super::cell::{Cells, example, wants};
use super::fields::{Fields, Text};
use super::relations::COVERAGE;
use super::role::Role;
use super::scalar::{self, DateForm};
use super::{Loader, Spot, check, source_list};
use kb_core::diag::Diagnostic;
use kb_core::fact::{Relation, Row, Table};
use std::collections::HashMap;
use std::ops::Range;

/// What the path of a table says.
struct Origin<'t> {
    relation: &'t str,
    stem: String,
    importer: Option<&'t str>,
}

/// A row and where it stands.
type Placed = (Row, Range<usize>);

impl Loader<'_, '_> {
    pub(super) fn read_tables(&mut self) {
        let mut tables = Vec::new();
        let mut broken = Vec::new();
        self.each(
            |role| match role {
                Role::Facts { relation, stem } => {
                    Some(Origin { relation, stem: (*stem).to_owned(), importer: None })
                }
                Role::Imported { importer, relation, name } => {
                    Some(Origin { relation, stem: format!("{importer}-{name}"), importer: Some(importer) })
                }
                _ => None,
            },
            |origin, file, f| {
                if let Some((table, spots, whole)) = self.table(&origin, f) {
                    if !whole {
                        broken.push(origin.relation.into());
                    }
                    let spots: Vec<Spot> = spots.into_iter().map(|span| Spot { file, span }).collect();
                    tables.push((table, spots));
                } else {
                    broken.push(origin.relation.into());
                }
            },
        );
        self.seen.broken.extend::<Vec<Box<str>>>(broken);
        for (table, spots) in tables {
            self.add_table(table, spots);
        }
        self.kb.tables.sort_by(|a, b| (a.relation, &a.stem).cmp(&(b.relation, &b.stem)));
    }

    fn add_table(&mut self, table: Table, spots: Vec<Spot>) {
        let relation = self.kb.relations[usize::from(table.relation)].id.clone();
        let name = (relation, table.stem.clone());
        if let Some(first) = self.seen.rows.get(&name) {
            let other = first.first().map_or("another file", |spot| self.files[spot.file].1.path);
            let message = format!("two tables of `{}` would be called `{}`", name.0, name.1);
            if let Some(spot) = spots.first() {
                self.log.push(
                    Diagnostic::error("duplicate-id", message)
                        .at(self.files[spot.file].1.whole())
                        .note(format!("the other is {other}"))
                        .help("rename one of the files"),
                );
            }
            return;
        }
        self.seen.rows.insert(name, spots);
        let same = |t: &Table| t.relation == table.relation && t.stem == table.stem;
        match self.kb.tables.iter().position(same) {
            Some(index) => self.kb.tables[index] = table,
            None => self.kb.tables.push(table),
        }
    }

    /// The table, where its rows stand, and whether none of them was left out.
    fn table(&self, origin: &Origin<'_>, f: &Fields<'_, '_>) -> Option<(Table, Vec<Range<usize>>, bool)> {
        let source = f.text("source", "\"<id of a file in sources/>\"");
        let locator = f.boxed_opt("locator");
        let read_on = f.text("read-on", "\"2026-11-30\"");
        let coverage = f.text_opt("coverage").and_then(|text| f.one_of("coverage", &text, &COVERAGE));
        let mut from = None;
        if origin.importer.is_some() {
            f.text("by", "\"<name of the importer>\"");
            from = f.boxed_opt("from");
            f.text_opt("sha256");
        }
        if let Some(date) = &read_on {
            check(f, date, scalar::date(date.text, DateForm::Day));
        }
        let index = source.as_ref().and_then(|text| check(f, text, self.names.source(text.text)));
        if let (Some(text), None) = (&source, origin.importer) {
            check_stem(f, text, &origin.stem);
        }
        let blocks = f.tables("row");
        let Some(number) = self.kb.relations.iter().position(|r| &*r.id == origin.relation) else {
            if let Err(diagnostic) = self.names.relation(origin.relation) {
                f.log.push(diagnostic.at(f.file.whole()));
            }
            return None;
        };
        let relation = &self.kb.relations[number];
        let count = blocks.len();
        if count == 0 {
            let help = "a table without rows says nothing; write [[row]] blocks or delete the file";
            f.log
                .push(Diagnostic::error("missing-key", "no `[[row]]` is here").at(f.file.whole()).help(help));
        }
        let mut rows: Vec<Placed> = Vec::with_capacity(count);
        let mut keys: HashMap<String, usize> = HashMap::with_capacity(count);
        for block in &blocks {
            let Some(row) = self.row(relation, index, block) else { continue };
            let key = key_text(relation, &row);
            if let Some(first) = keys.get(&key) {
                let line = f.file.place_of(rows[*first].1.clone()).line;
                let name = format!("{}/{}#{key}", relation.id, origin.stem);
                block.report(block.span(), duplicate(&name, line, rows[*first].0.cells == row.cells));
                continue;
            }
            keys.insert(key, rows.len());
            rows.push((row, block.span()));
        }
        let (rows, spans): (Vec<Row>, Vec<_>) = rows.into_iter().unzip();
        let whole = rows.len() == count;
        let table = Table {
            relation: number as u16,
            source: index?,
            stem: origin.stem.as_str().into(),
            locator: locator.or(from),
            read_on: read_on.map(|date| date.boxed()),
            coverage: coverage.unwrap_or(relation.coverage),
            imported_by: origin.importer.map(Into::into),
            rows: rows.into(),
        };
        Some((table, spans, whole))
    }

    fn row(&self, relation: &Relation, source: Option<u16>, f: &Fields<'_, '_>) -> Option<Row> {
        let cells = Cells { file: f.file, log: f.log, names: &self.names };
        let mut out = Vec::with_capacity(relation.columns.len());
        let mut sound = true;
        // Column names live as long as the relation, which outlives this row's reader.
        let f: Fields<'_, '_> = f.again();
        for (name, column) in &relation.columns {
            let cell = match f.get(name) {
                Some(value) => {
                    let cell = cells.read(name, *column, value);
                    sound &= cell.is_some();
                    cell
                }
                None if column.optional => None,
                None => {
                    sound = false;
                    let message = format!("this row has no `{name}`, which wants {}", wants(column.kind).0);
                    f.report(
                        f.span(),
                        Diagnostic::error("missing-key", message)
                            .help(format!("write {name} = {}", example(*column))),
                    );
                    None
                }
            };
            out.push(cell);
        }
        let texts = f.texts("also");
        let also = source_list(&self.names, &f, &texts);
        if let Some(position) = also.iter().position(|s| Some(*s) == source) {
            let message = "`also` names the table's own source";
            f.report(
                texts[position].span.clone(),
                Diagnostic::error("duplicate-id", message).help("take it out: it counts once"),
            );
        }
        let withdrawn = f.table("withdrawn").and_then(|w| {
            let (on, why) = (w.text("on", "\"2026-11-30\""), w.text("why", "\"the page was corrected\""));
            if let Some(on) = &on {
                check(&w, on, scalar::date(on.text, DateForm::Day));
            }
            w.finish();
            Some((on?.boxed(), why?.boxed()))
        });
        let row =
            Row { cells: out, also, locator: f.boxed_opt("locator"), note: f.boxed_opt("note"), withdrawn };
        f.finish();
        sound.then_some(row)
    }
}

/// The file of a table is called after its source.
fn check_stem(f: &Fields<'_, '_>, source: &Text<'_>, stem: &str) {
    let head = stem.split_once("--").map_or(stem, |(head, _)| head);
    if head != source.text {
        let message = format!("the file is called `{stem}`, its source `{}`", source.text);
        f.report(
            source.span.clone(),
            Diagnostic::error("bad-id", message).help(format!(
                "a table is called after its source: {0}.toml, or {0}--<part>.toml",
                source.text
            )),
        );
    }
}

fn duplicate(name: &str, line: usize, equal: bool) -> Diagnostic {
    let out = Diagnostic::error("duplicate-fact", format!("the fact {name} is already there"))
        .note(format!("the first stands in line {line}"));
    if equal {
        out.help("delete one of the two rows")
    } else {
        out.help("one source says two things here: the key is too small, or one of the rows is wrong")
    }
}

/// The key values of a row, joined by commas, as in the fact's id.
pub(super) fn key_text(relation: &Relation, row: &Row) -> String {
    let mut out = String::new();
    for (i, key) in relation.key.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if let Some(Some(value)) = relation.column(key).and_then(|c| row.cells.get(c)) {
            out.push_str(&value.to_string());
        }
    }
    out
}
