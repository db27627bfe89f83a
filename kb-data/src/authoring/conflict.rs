//! Disputes: facts under one key that say different things, and the files that settle them.

use super::overlap::{Releases, canonical, differ, is_range};
use super::{Loader, cell, pairs};
use kb_core::diag::Diagnostic;
use kb_core::fact::{FactId, Relation, Row};
use kb_core::record::Dispute;
use kb_core::value::{ColumnType, Kind, Value};
use kb_core::version::Dotted;
use std::collections::{BTreeMap, BTreeSet};

/// The columns of a relation, sorted by the part they play in the comparison.
struct Shape {
    exact: Vec<(usize, ColumnType)>,
    ranges: Vec<(usize, ColumnType)>,
    values: Vec<(usize, ColumnType)>,
    /// The key column that names the package, for sets by PEP 440.
    package: Option<usize>,
}

impl Shape {
    fn of(relation: &Relation) -> Shape {
        let mut shape = Shape { exact: Vec::new(), ranges: Vec::new(), values: Vec::new(), package: None };
        for (index, (name, column)) in relation.columns.iter().enumerate() {
            let to = match relation.key.contains(name) {
                false => &mut shape.values,
                true if is_range(*column) => &mut shape.ranges,
                true => &mut shape.exact,
            };
            to.push((index, *column));
            if column.kind == Kind::Package && !column.list && relation.key.contains(name) {
                shape.package = Some(index);
            }
        }
        shape
    }

    /// Equal for facts whose exact key cells are equal and that have the same key columns at all.
    fn group(&self, row: &Row) -> String {
        let mut out = String::new();
        for (index, column) in &self.exact {
            match &row.cells[*index] {
                Some(value) => out.push_str(&canonical(column.kind, value)),
                None => out.push('\u{0}'),
            }
            out.push('\u{1f}');
        }
        for (index, _) in &self.ranges {
            out.push(if row.cells[*index].is_some() { '1' } else { '0' });
        }
        out
    }

    fn ranges_meet(&self, a: &Row, b: &Row, releases: &mut Releases) -> bool {
        let package = self.package.and_then(|index| text(a.cells[index].as_ref())).unwrap_or("");
        self.ranges.iter().all(|(index, _)| match (&a.cells[*index], &b.cells[*index]) {
            (Some(Value::Range(a)), Some(Value::Range(b))) => a.overlaps(b),
            (Some(Value::Text(a)), Some(Value::Text(b))) => releases.overlap(package, a, b),
            (a, b) => a.is_none() && b.is_none(),
        })
    }

    /// Equal only for rows that cannot contradict each other: what the columns hold that are no key.
    fn said(&self, row: &Row) -> Vec<Option<String>> {
        self.values.iter().map(|(i, c)| row.cells[*i].as_ref().map(|v| canonical(c.kind, v))).collect()
    }

    /// The hulls of the rows' sets in the first key column that is one; other columns are compared later.
    fn hulls(&self, rows: &[&Row], releases: &mut Releases) -> Vec<pairs::Hull> {
        let Some((index, _)) = self.ranges.first() else { return vec![pairs::EVERYTHING; rows.len()] };
        let cells = || rows.iter().map(|row| row.cells[*index].as_ref());
        let dotted: Vec<_> = cells()
            .map(|cell| match cell {
                Some(Value::Range(set)) => (set.lowest(), set.highest()),
                _ => (None, None),
            })
            .collect();
        if dotted.iter().any(|(low, high)| low.is_some() || high.is_some()) {
            return ranked(&dotted, Dotted::cmp_number);
        }
        let pep: Vec<_> = rows
            .iter()
            .zip(cells())
            .map(|(row, cell)| {
                let package = self.package.and_then(|i| text(row.cells[i].as_ref())).unwrap_or("");
                text(cell).map_or((None, None), |set| releases.bounds(package, set))
            })
            .collect();
        ranked(&pep, Ord::cmp)
    }

    /// The columns in which two rows contradict each other.
    fn differing(&self, a: &Row, b: &Row) -> Vec<usize> {
        self.values
            .iter()
            .filter(|(index, column)| match (&a.cells[*index], &b.cells[*index]) {
                (Some(a), Some(b)) => a != b && differ(column.kind, a, b),
                _ => false,
            })
            .map(|(index, _)| *index)
            .collect()
    }
}

/// Bounds as ranks among each other.
fn ranked<T: Clone>(
    bounds: &[(Option<T>, Option<T>)],
    compare: impl Fn(&T, &T) -> std::cmp::Ordering + Copy,
) -> Vec<pairs::Hull> {
    let points = bounds.iter().flat_map(|(low, high)| [low, high]).flatten().cloned().collect();
    let points = pairs::ranks(points, compare);
    let rank = |point: &Option<T>, none| point.as_ref().map_or(none, |p| pairs::rank(&points, p, compare));
    let (from, to) = pairs::EVERYTHING;
    bounds.iter().map(|(low, high)| (rank(low, from), rank(high, to))).collect()
}

fn text(value: Option<&Value>) -> Option<&str> {
    match value {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

/// Two facts that contradict each other.
struct Conflict {
    a: FactId,
    b: FactId,
    columns: Vec<usize>,
}

/// More contradictions under one key are not looked for.
const MOST: usize = 100_000;

/// Which disputes were of use, and which of their sources.
type Used = BTreeMap<usize, BTreeSet<u16>>;

impl Loader<'_, '_> {
    pub(super) fn check_conflicts(&self) {
        // Only relations that this tree says something about: what the base holds was checked before.
        let mut touched: BTreeSet<u16> = BTreeSet::new();
        for (number, relation) in self.kb.relations.iter().enumerate() {
            let in_tables = self.seen.rows.keys().any(|(r, _)| *r == relation.id);
            let in_disputes = self.seen.disputes.keys().any(|d| d.split('/').next() == Some(&relation.id));
            if in_tables || in_disputes {
                touched.insert(number as u16);
            }
        }
        let mut releases = Releases::new(&self.kb);
        let mut used = Used::new();
        for number in touched {
            let relation = &self.kb.relations[usize::from(number)];
            let conflicts = self.conflicts(relation, &mut releases);
            self.judge(number, conflicts, &mut releases, &mut used);
        }
        self.report_stale(&used);
    }

    fn conflicts(&self, relation: &Relation, releases: &mut Releases) -> Vec<Conflict> {
        let shape = Shape::of(relation);
        if shape.values.is_empty() {
            return Vec::new();
        }
        let mut groups: BTreeMap<String, Vec<(FactId, &Row)>> = BTreeMap::new();
        for (id, row) in self.kb.facts_of(&relation.id) {
            groups.entry(shape.group(row)).or_default().push((id, row));
        }
        let mut out = Vec::new();
        for facts in groups.values() {
            if facts.len() < 2 {
                continue;
            }
            let rows: Vec<&Row> = facts.iter().map(|(_, row)| *row).collect();
            let hulls = shape.hulls(&rows, releases);
            let classed: Vec<_> = hulls.into_iter().zip(rows.iter().map(|row| shape.said(row))).collect();
            let first = out.len();
            pairs::sweep(&classed, |a, b| {
                // So many contradictions are one mistake; to list them all would take all memory.
                if out.len() - first >= MOST {
                    return;
                }
                let ((a, row_a), (b, row_b)) = (&facts[a], &facts[b]);
                let columns = shape.differing(row_a, row_b);
                if !columns.is_empty() && shape.ranges_meet(row_a, row_b, releases) {
                    out.push(Conflict { a: *a, b: *b, columns });
                }
            });
            out[first..].sort_by_key(|c| (c.b, c.a));
        }
        out
    }

    /// Reports the conflicts that nothing settles, neither a dispute nor the rank of two truths: one message for a fact,
    /// with the facts it contradicts.
    fn judge(&self, number: u16, conflicts: Vec<Conflict>, releases: &mut Releases, used: &mut Used) {
        let disputes: Vec<(usize, Settles)> = self
            .kb
            .disputes
            .iter()
            .enumerate()
            .filter(|(_, d)| d.relation == number)
            .map(|(index, d)| (index, self.settles(d)))
            .collect();
        let ranked = self.kb.relations[usize::from(number)].ranked;
        let truth = |id: FactId| self.kb.kind(id).truth();
        let mut open: BTreeMap<FactId, Vec<(FactId, Vec<usize>)>> = BTreeMap::new();
        for conflict in conflicts {
            // A dispute may speak of these two all the same: it explains, and is not stale.
            let mut settled = ranked && truth(conflict.a) != truth(conflict.b);
            for (index, settles) in &disputes {
                if self.covers(settles, &conflict, releases) {
                    settled = true;
                    let seen = used.entry(*index).or_default();
                    seen.extend(self.sources(conflict.a));
                    seen.extend(self.sources(conflict.b));
                }
            }
            if settled {
                continue;
            }
            // The message stands at a fact of this tree.
            let (at, other) = if self.spot(conflict.b).is_some() {
                (conflict.b, conflict.a)
            } else {
                (conflict.a, conflict.b)
            };
            open.entry(at).or_default().push((other, conflict.columns));
        }
        for (at, others) in open {
            self.report_open(at, &others);
        }
    }

    fn report_open(&self, at: FactId, others: &[(FactId, Vec<usize>)]) {
        let Some(spot) = self.spot(at) else { return };
        let relation = self.kb.relation(at);
        let said = |id: FactId, columns: &[usize]| {
            let cells = columns.iter().filter_map(|c| {
                let value = self.kb.row(id).cells[*c].as_ref()?;
                let shown = value.to_string();
                Some(format!(
                    "{} = {}",
                    relation.columns[*c].0,
                    if shown.is_empty() { "none" } else { &shown }
                ))
            });
            cells.collect::<Vec<_>>().join(", ")
        };
        let columns: BTreeSet<usize> = others.iter().flat_map(|(_, c)| c.iter().copied()).collect();
        let columns: Vec<usize> = columns.into_iter().collect();
        let message =
            format!("{} says {}; somebody says otherwise", self.kb.fact_name(at), said(at, &columns));
        let mut out = Diagnostic::error("unresolved-dispute", message).at(self.place(spot));
        for (other, columns) in others.iter().take(3) {
            let place = self.spot(*other).map(|s| self.place(s));
            let place = place.map_or_else(String::new, |p| format!(" ({}:{})", p.path, p.line));
            out = out.note(format!("{} says {}{place}", self.kb.fact_name(*other), said(*other, columns)));
        }
        if others.len() > 3 {
            out = out.note(format!("and {} more", others.len() - 3));
        }
        let one_source = others.iter().all(|(o, _)| self.kb.table(*o).source == self.kb.table(at).source);
        self.log.push(out.help(if one_source {
            "one source cannot say two things under one key: narrow a range, add a key column, or withdraw a row".to_owned()
        } else {
            format!("write disputes/{}/<name>.md that says which source is preferred and why, or withdraw a row", relation.id)
        }));
    }

    fn report_stale(&self, used: &Used) {
        for (index, dispute) in self.kb.disputes.iter().enumerate() {
            let Some(spot) = self.seen.disputes.get(&dispute.id) else { continue };
            let relation = &self.kb.relations[usize::from(dispute.relation)].id;
            if self.seen.broken.contains(relation) {
                continue;
            }
            match used.get(&index) {
                None => self.log.push(
                    Diagnostic::error("stale-dispute", format!("the facts of the dispute {} do not disagree", dispute.id))
                        .at(self.place(spot))
                        .note("a dispute settles two facts under its key, one of them from a source in `over`, that say different things")
                        .help("delete the file if the sources now agree, or correct its key"),
                ),
                Some(seen) => {
                    for source in dispute.over.iter().filter(|s| !seen.contains(s)) {
                        let name = &self.kb.sources[usize::from(*source)].id;
                        self.log.push(
                            Diagnostic::error("stale-dispute", format!("`{name}` does not disagree in the dispute {}", dispute.id))
                                .at(self.place(spot))
                                .help(format!("take `{name}` out of `over`")),
                        );
                    }
                }
            }
        }
    }

    fn spot(&self, id: FactId) -> Option<&super::Spot> {
        let table = self.kb.table(id);
        let relation = &self.kb.relations[usize::from(table.relation)].id;
        self.seen.rows.get(&(relation.clone(), table.stem.clone()))?.get(id.row as usize)
    }

    fn sources(&self, id: FactId) -> impl Iterator<Item = u16> {
        std::iter::once(self.kb.table(id).source).chain(self.kb.row(id).also.iter().copied())
    }

    fn settles(&self, dispute: &Dispute) -> Settles {
        let relation = &self.kb.relations[usize::from(dispute.relation)];
        let mut key = Vec::new();
        for (name, said) in &dispute.key {
            let Some(index) = relation.column(name) else { continue };
            let column = relation.columns[index].1;
            let one = |text: &str| cell::parse(name, column.kind, text, &self.names).ok();
            let value = if column.list {
                said.split(", ").map(one).collect::<Option<_>>().map(Value::List)
            } else {
                one(said)
            };
            key.extend(value.map(|value| (index, column, value)));
        }
        let package = Shape::of(relation).package;
        Settles { key, package, over: dispute.over.clone(), prefer: dispute.prefer }
    }

    /// A dispute settles a conflict if its key meets the keys of both facts (a column it does not name may have any
    /// value) and one of them has a source in `over`: it is overruled against everybody, not only against the source
    /// that is preferred. "neither" without `over` is about every source.
    fn covers(&self, settles: &Settles, conflict: &Conflict, releases: &mut Releases) -> bool {
        let everybody = settles.over.is_empty() && settles.prefer.is_none();
        let over = |id: FactId| self.sources(id).any(|s| settles.over.contains(&s));
        if !(everybody || over(conflict.a) || over(conflict.b)) {
            return false;
        }
        [conflict.a, conflict.b].into_iter().all(|id| {
            let row = self.kb.row(id);
            let package = settles.package.and_then(|i| text(row.cells[i].as_ref())).unwrap_or("");
            settles.key.iter().all(|(index, column, wanted)| match (&row.cells[*index], wanted) {
                (Some(Value::Range(a)), Value::Range(b)) => a.overlaps(b),
                (Some(Value::Text(a)), Value::Text(b)) if is_range(*column) => {
                    releases.overlap(package, a, b)
                }
                (Some(a), b) => canonical(column.kind, a) == canonical(column.kind, b),
                (None, _) => false,
            })
        })
    }
}

/// A dispute, ready to be compared.
struct Settles {
    key: Vec<(usize, ColumnType, Value)>,
    package: Option<usize>,
    over: Vec<u16>,
    prefer: Option<u16>,
}
