//! The page of a thing: its card, and of a GPU what runs on it.

use crate::book::{Book, Thing};
use crate::card_page::{Maker, text_of};
use crate::kind::Kind;
use crate::language::Tongue;
use crate::page::{Cell, Command, Line, Page, Piece, Section, shortened};
use crate::runs::Run;
use kb_card::Card;
use kb_core::answer::Verdict;
use kb_core::fact::FactId;

/// The longest title, in characters.
const TITLE: usize = 300;

/// The page. `runs` are the engine's answers for a GPU.
pub(crate) fn page(maker: Maker<'_, '_, '_>, thing: &Thing, card: &Card, runs: &[Run]) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let before = if runs.is_empty() { Vec::new() } else { what_runs(maker, runs) };
    let mut sections = maker.sections(card, !in_page_language(book, thing), before);
    if thing.kind == Kind::Dispute {
        sections.extend(maker.facts(&disputed(book, thing)));
    }
    let title = title(book, tongue, thing, card);
    let about = format!("ui-site-about-{}", thing.kind.word());
    let capability = text_of(card, "compute_capability").unwrap_or("-").to_owned();
    Page {
        address: thing.address.clone(),
        description: tongue.say(&about, &[("title", title.clone()), ("capability", capability)]),
        title,
        kind: Some(tongue.word(&format!("ui-k-{}", thing.kind.word()))),
        crumbs: crumbs(book, tongue, thing),
        sections,
        json: Some(document(thing)),
        subject: shortened(format!("{} {}", thing.kind.word(), thing.id), TITLE),
    }
}

/// Where the thing stands as JSON, below the root.
pub(crate) fn document(thing: &Thing) -> String {
    let inner = thing.address.strip_prefix(thing.kind.segment()).unwrap_or(&thing.address).trim_matches('/');
    format!("api/v1/{}/{inner}.json", thing.kind.word())
}

/// Only messages and causes are written in Chinese as well, and not all of them.
fn in_page_language(book: &Book<'_, '_>, thing: &Thing) -> bool {
    let crate::book::At::Index(index) = thing.at else { return false };
    match thing.kind {
        Kind::Signature => book.kb.signatures.get(index).is_some_and(|s| s.prose.zh.is_some()),
        Kind::Cause => book.kb.causes.get(index).is_some_and(|c| c.prose.zh.is_some()),
        _ => false,
    }
}

/// The facts that a dispute is about: those with the values of its key.
fn disputed(book: &Book<'_, '_>, thing: &Thing) -> Vec<FactId> {
    let kb = book.kb;
    let Some(dispute) = kb.disputes.iter().find(|d| *d.id == *thing.id) else { return Vec::new() };
    let Some(relation) = kb.relations.get(usize::from(dispute.relation)) else { return Vec::new() };
    let same = |fact: FactId, column: &str, wanted: &str| {
        kb.cell(fact, column).is_some_and(|v| v.to_string() == wanted)
    };
    kb.facts_of(&relation.id)
        .map(|(fact, _)| fact)
        .filter(|fact| dispute.key.iter().all(|(column, wanted)| same(*fact, column, wanted)))
        .collect()
}

/// What a thing is called: its name, or its id said as what it is.
/// It stands in the head, the heading and the path, so a long one is cut.
pub(crate) fn title(book: &Book<'_, '_>, tongue: &Tongue<'_>, thing: &Thing, card: &Card) -> String {
    let said = |id: &str| tongue.say(id, &[("id", thing.id.clone())]);
    let title = match thing.kind {
        Kind::Capability => said("ui-site-name-capability"),
        Kind::Branch => said("ui-site-name-branch"),
        Kind::Cuda => said("ui-site-name-cuda"),
        Kind::Cudnn => said("ui-site-name-cudnn"),
        Kind::Release => {
            let (package, version) = thing.id.split_once("==").unwrap_or((&thing.id, ""));
            let name = book.kb.package(package).map_or(package, |p| &book.kb.packages[p].name);
            format!("{name} {version}")
        }
        Kind::Dispute => {
            let dispute = book.kb.disputes.iter().find(|d| *d.id == *thing.id);
            let relation = dispute.and_then(|d| book.kb.relations.get(usize::from(d.relation)));
            let name = thing.id.split_once('/').map_or(&*thing.id, |(_, name)| name);
            relation.map_or_else(|| thing.id.clone(), |r| format!("{}: {name}", r.title))
        }
        _ if card.title.trim().is_empty() => thing.id.clone(),
        _ => card.title.clone(),
    };
    shortened(title, TITLE)
}

fn crumbs(book: &Book<'_, '_>, tongue: &Tongue<'_>, thing: &Thing) -> Vec<Piece> {
    let language = tongue.language;
    let mut out = vec![Piece::link(tongue.word("ui-site-home"), Some(book.link(language, "")))];
    let list = if thing.kind == Kind::Release { Kind::Package } else { thing.kind };
    out.push(Piece::link(
        tongue.word(&list.plural()),
        Some(book.link(language, &format!("{}/", list.segment()))),
    ));
    if let (Kind::Release, Some((package, _))) = (thing.kind, thing.id.split_once("==")) {
        let name = book.kb.package(package).map_or(package, |p| &book.kb.packages[p].name);
        out.push(Piece::link(name, book.href(language, Kind::Package, package)));
    }
    out
}

/// `SASS 8.6` for `sass 8.6`, as the formats are written.
fn how(run: &Run) -> String {
    let how = run.how.as_deref().unwrap_or_default();
    match how.split_once(' ') {
        Some((format @ ("sass" | "ptx"), target)) => format!("{} {target}", format.to_uppercase()),
        _ => how.to_owned(),
    }
}

/// How a verdict is shown.
pub(crate) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fits => "fits",
        Verdict::Conflict => "conflict",
        Verdict::Unknown => "unknown",
    }
}

/// The newest build of each framework, with the drivers it runs on, and the commands.
fn what_runs(maker: Maker<'_, '_, '_>, runs: &[Run]) -> Vec<Section> {
    let (book, tongue) = (maker.book, maker.tongue);
    let language = tongue.language;
    let place = crate::Language::ALL.iter().position(|l| *l == language).unwrap_or(0);
    let text = |value: &Option<String>| Cell::text(value.clone().unwrap_or_default());
    let name = |run: &Run| book.kb.packages[run.framework].name.to_string();
    let rows = runs
        .iter()
        .map(|run| {
            let package = &*book.kb.packages[run.framework].id;
            let installed = run.package.as_deref().unwrap_or(package);
            let newest = match &run.version {
                Some(version) => {
                    let plain = version.split('+').next().unwrap_or(version);
                    let href = book.href(language, Kind::Release, &format!("{installed}=={plain}"));
                    Cell { text: version.clone(), href, mark: Some(mark(run.verdict)) }
                }
                None => Cell {
                    text: tongue.word(&format!("ui-site-{}", mark(run.verdict))),
                    href: None,
                    mark: Some(mark(run.verdict)),
                },
            };
            let why = run.why.get(place).or(run.why.first()).cloned().unwrap_or_default();
            let channel = run.channel.as_deref().unwrap_or_default();
            Line {
                id: None,
                cells: vec![
                    Cell::link(name(run), book.href(language, Kind::Package, package)),
                    Cell::text(maker.system(run.os)),
                    newest,
                    Cell::link(channel, book.href(language, Kind::Channel, channel)),
                    text(&run.cuda),
                    if run.version.is_some() { Cell::text(how(run)) } else { Cell::text(why) },
                    text(&run.least),
                    text(&run.below),
                    Cell::text(
                        run.grade.map(|g| tongue.word(&format!("ui-site-grade-{g}"))).unwrap_or_default(),
                    ),
                ],
            }
        })
        .collect();
    let heads = [
        "framework",
        "system",
        "newest",
        "channel",
        "cuda",
        "runs",
        "least-driver",
        "last-branch",
        "evidence",
    ];
    let mut out = vec![Section::Table {
        id: "runs".to_owned(),
        title: tongue.word("ui-site-runs"),
        columns: maker.columns(&heads),
        rows,
        tools: false,
        note: Some(tongue.word("ui-site-runs-note")),
        lang: None,
    }];
    let commands: Vec<Command> = runs
        .iter()
        .filter(|run| run.verdict == Verdict::Fits)
        .filter_map(|run| {
            Some(Command {
                label: format!("{}, {}", name(run), maker.system(run.os)),
                text: run.command.clone()?,
            })
        })
        .collect();
    if !commands.is_empty() {
        out.push(Section::Commands {
            id: "install".to_owned(),
            title: tongue.word("ui-f-install"),
            commands,
        });
    }
    out
}
