//! The pages of a relation: what its rows claim, then all rows.

use crate::book::Thing;
use crate::card_page::Maker;
use crate::kind::Kind;
use crate::page::{Cell, Column, Line, Page, Piece, Section};
use kb_card::Card;
use kb_core::fact::FactId;
use kb_core::value::{Kind as Sort, Value};

/// All pages of a relation, the first with its card.
pub(crate) fn pages(maker: Maker<'_, '_, '_>, thing: &Thing, card: &Card) -> Vec<Page> {
    let (book, tongue) = (maker.book, maker.tongue);
    let Some(relation) = book.kb.relations.iter().position(|r| *r.id == *thing.id) else { return Vec::new() };
    let parts = book.table_pages(relation);
    let total = parts.len();
    let mut out = Vec::with_capacity(total);
    for (index, rows) in parts.into_iter().enumerate() {
        let mut page = super::thing::page(maker, thing, card, &[]);
        if index > 0 {
            let first = book.link(tongue.language, &thing.address);
            page.crumbs.push(Piece::link(page.title.clone(), Some(first)));
            page.address = format!("{}{}/", thing.address, index + 1);
            page.title =
                tongue.say("ui-site-part", &[("title", page.title), ("number", (index + 1).to_string())]);
            page.sections.clear();
        } else {
            // The rows are below; which tables they stand in is told by the rows.
            page.sections.retain(|s| !matches!(s, Section::Facts { .. }));
        }
        if total > 1 {
            page.sections.push(turn(maker, thing, index, total));
        }
        page.sections.push(table(maker, relation, rows));
        out.push(page);
    }
    out
}

/// Links to all parts.
fn turn(maker: Maker<'_, '_, '_>, thing: &Thing, index: usize, total: usize) -> Section {
    let (book, tongue) = (maker.book, maker.tongue);
    let items = (0..total).map(|part| {
        let address =
            if part == 0 { thing.address.clone() } else { format!("{}{}/", thing.address, part + 1) };
        let href = (part != index).then(|| book.link(tongue.language, &address));
        Piece::link((part + 1).to_string(), href)
    });
    Section::Fields {
        fields: vec![crate::page::Field { label: tongue.word("ui-site-parts"), pieces: items.collect() }],
    }
}

fn table(maker: Maker<'_, '_, '_>, index: usize, rows: &[FactId]) -> Section {
    let (kb, tongue) = (maker.book.kb, maker.tongue);
    let relation = &kb.relations[index];
    let mut columns: Vec<Column> = relation
        .columns
        .iter()
        .map(|(name, _)| Column { label: tongue.label(name), key: crate::card_page::fragment(name) })
        .collect();
    columns.extend(maker.columns(&["evidence", "source", "read-on", "link"]));
    let lines = rows.iter().map(|fact| line(maker, *fact)).collect();
    let count = rows.len().to_string();
    Section::Table {
        id: "rows".to_owned(),
        title: tongue.say("ui-facts", &[("count", count)]),
        columns,
        rows: lines,
        tools: rows.len() > 8,
        note: None,
        lang: maker.english(),
    }
}

fn line(maker: Maker<'_, '_, '_>, fact: FactId) -> Line {
    let (book, kb, tongue) = (maker.book, maker.book.kb, maker.tongue);
    let (relation, row, table) = (kb.relation(fact), kb.row(fact), kb.table(fact));
    let mut cells: Vec<Cell> = relation
        .columns
        .iter()
        .zip(&row.cells)
        .map(|((_, sort), value)| cell(maker, sort.kind, value.as_ref()))
        .collect();
    let mut grade = tongue.word(&format!("ui-site-grade-{}", kb.grade(fact).word()));
    if let Some((on, why)) = &row.withdrawn {
        grade = tongue
            .say("ui-site-withdrawn", &[("says", grade), ("on", on.to_string()), ("why", why.to_string())]);
    }
    cells.push(Cell::text(grade));
    let source = maker.source(table.source);
    cells.push(Cell::link(kb.sources.get(usize::from(table.source)).map_or("", |s| &*s.id), source.href));
    cells.push(Cell::text(table.read_on.as_deref().unwrap_or_default()));
    let fragment = book.fragment(fact).unwrap_or_default().to_owned();
    cells.push(Cell::link("#", Some(format!("#{fragment}"))));
    Line { id: Some(fragment), cells }
}

fn cell(maker: Maker<'_, '_, '_>, sort: Sort, value: Option<&Value>) -> Cell {
    let Some(value) = value else { return Cell::default() };
    let text = match value {
        Value::List(list) if list.is_empty() => maker.tongue.word("none"),
        value => value.to_string(),
    };
    let kind = match sort {
        Sort::Gpu => Some(Kind::Gpu),
        Sort::Package => Some(Kind::Package),
        Sort::Channel => Some(Kind::Channel),
        Sort::Branch => Some(Kind::Branch),
        Sort::Compute => Some(Kind::Capability),
        _ => None,
    };
    let href = kind.and_then(|kind| maker.book.href(maker.tongue.language, kind, &text));
    Cell::link(text, href)
}
