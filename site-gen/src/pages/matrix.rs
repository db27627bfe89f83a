//! The matrix: every GPU and every main framework.

use super::{index, thing};
use crate::book::Thing;
use crate::card_page::Maker;
use crate::kind::Kind;
use crate::page::{Cell, Column, Line, Page, Section};
use crate::runs::{Run, SYSTEMS, frameworks};

/// Where it stands.
pub(crate) const ADDRESS: &str = "matrix/";

/// The page. `runs` are those of the GPUs, in their order.
pub(crate) fn page(maker: Maker<'_, '_, '_>, gpus: &[(&Thing, &[Run])]) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let frameworks = frameworks(book.world);
    let mut columns = vec![
        Column { label: tongue.word("ui-k-gpu"), key: "gpu".to_owned() },
        Column { label: tongue.label("compute_capability"), key: "capability".to_owned() },
    ];
    columns.extend(frameworks.iter().map(|f| Column {
        label: book.kb.packages[*f].name.to_string(),
        key: crate::card_page::fragment(&book.kb.packages[*f].id),
    }));
    let rows = gpus.iter().map(|(gpu, runs)| {
        let crate::book::At::Index(at) = gpu.at else { return Line::default() };
        let page = book.link(tongue.language, &gpu.address);
        let capability =
            book.world.gpus.get(at).and_then(|g| g.capability.as_ref()).map(|c| c.value.to_string());
        let capability = capability.unwrap_or_default();
        let href = book.href(tongue.language, Kind::Capability, &capability);
        let mut cells =
            vec![Cell::link(&*book.kb.gpus[at].name, Some(page.clone())), Cell::link(capability, href)];
        cells.extend(frameworks.iter().map(|framework| {
            match runs.iter().find(|r| r.framework == *framework && r.os == SYSTEMS[0]) {
                Some(run) => Cell {
                    text: run
                        .version
                        .clone()
                        .unwrap_or_else(|| tongue.word(&format!("ui-site-{}", thing::mark(run.verdict)))),
                    href: None,
                    mark: Some(thing::mark(run.verdict)),
                },
                None => Cell::default(),
            }
        }));
        Line { id: None, cells }
    });
    let title = tongue.word("ui-site-matrix");
    Page {
        address: ADDRESS.to_owned(),
        description: tongue.word("ui-site-about-matrix"),
        kind: None,
        crumbs: index::home(book, tongue),
        sections: vec![Section::Table {
            id: "matrix".to_owned(),
            title: tongue.word("ui-site-matrix-head"),
            columns,
            rows: rows.collect(),
            tools: true,
            note: Some(tongue.word("ui-site-legend")),
            lang: None,
        }],
        json: None,
        subject: "matrix".to_owned(),
        title,
    }
}
