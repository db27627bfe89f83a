//! The home page, and the page for addresses that there are not.

use super::{index, matrix, myths, tools};
use crate::card_page::Maker;
use crate::kind::Kind;
use crate::page::{Cell, Line, Page, Piece, Section};
use crate::runs::frameworks;

/// The kinds, with how many there are.
fn kinds(maker: Maker<'_, '_, '_>) -> Section {
    let (book, tongue) = (maker.book, maker.tongue);
    let items = Kind::ALL.into_iter().filter(|k| k.listed()).map(|kind| {
        let count = book.things.iter().filter(|t| t.kind == kind).count();
        let text = format!("{} ({count})", tongue.word(&kind.plural()));
        Piece::link(text, Some(book.link(tongue.language, &format!("{}/", kind.segment()))))
    });
    Section::List {
        id: "all".to_owned(),
        title: tongue.word("ui-site-all"),
        items: items.collect(),
        code: false,
        lang: None,
    }
}

/// The home page.
pub(crate) fn page(maker: Maker<'_, '_, '_>) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let language = tongue.language;
    let link = |word: &str, address: &str| Piece::link(tongue.word(word), Some(book.link(language, address)));
    let starts = vec![
        link("ui-site-start-solve", tools::SOLVE),
        link("ui-site-start-check", tools::CHECK),
        link("ui-site-start-diagnose", tools::DIAGNOSE),
        link("ui-site-start-gpu", &format!("{}/", Kind::Gpu.segment())),
        link("ui-site-start-matrix", matrix::ADDRESS),
        link("ui-site-start-error", &format!("{}/", Kind::Signature.segment())),
        link("ui-site-start-driver", &format!("{}/", Kind::Branch.segment())),
        link("ui-site-start-tables", &format!("{}/", Kind::Relation.segment())),
        link("ui-site-start-myths", myths::ADDRESS),
    ];
    let rows = frameworks(book.world)
        .into_iter()
        .map(|index| {
            let package = &book.kb.packages[index];
            // A family has no releases of its own.
            let own = |index: usize| &book.world.package(index, None).releases;
            let member =
                package.members.iter().filter_map(|m| book.kb.package(m)).find(|m| !own(*m).is_empty());
            let at = if own(index).is_empty() { member.unwrap_or(index) } else { index };
            let releases = own(at);
            let newest =
                releases.iter().rev().find(|r| !r.yanked && !r.prerelease).map(|r| r.text.to_string());
            let newest = newest.unwrap_or_default();
            let href = book.href(language, Kind::Release, &format!("{}=={newest}", book.kb.packages[at].id));
            Line {
                id: None,
                cells: vec![
                    Cell::link(&*package.name, book.href(language, Kind::Package, &package.id)),
                    Cell::link(newest, href),
                    Cell::text(releases.len().to_string()),
                ],
            }
        })
        .collect();
    Page {
        address: String::new(),
        title: tongue.word("ui-site-title"),
        description: tongue.word("ui-site-about"),
        kind: None,
        crumbs: Vec::new(),
        sections: vec![
            Section::Note { text: tongue.word("ui-site-about") },
            Section::List {
                id: "start".to_owned(),
                title: tongue.word("ui-site-start"),
                items: starts,
                code: false,
                lang: None,
            },
            Section::Table {
                id: "frameworks".to_owned(),
                title: tongue.word("ui-site-frameworks"),
                columns: maker.columns(&["framework", "newest-release", "releases"]),
                rows,
                tools: false,
                note: None,
                lang: None,
            },
            kinds(maker),
        ],
        json: Some("api/v1/index.json".to_owned()),
        subject: "home page".to_owned(),
    }
}

/// The page that servers show where there is none.
pub(crate) fn missing(maker: Maker<'_, '_, '_>) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    Page {
        address: "404".to_owned(),
        title: tongue.word("ui-site-missing"),
        description: tongue.word("ui-site-missing"),
        kind: None,
        crumbs: index::home(book, tongue),
        sections: vec![Section::Note { text: tongue.word("ui-site-missing-note") }, kinds(maker)],
        json: None,
        subject: "missing page".to_owned(),
    }
}
