//! kb's website: every thing of the knowledge base as a page in each language, all tables, and a static JSON API.
//!
//! [`generate`] makes a map of paths to bytes; [`write()`] puts it into a directory. The same facts and options give the
//! same bytes. No rule of compatibility is here: pages show cards and rows, and what runs on a GPU is the engine's
//! answer. Ids and texts come from data, which comes from anybody: they are escaped, addresses are made of plain
//! characters alone, and no page loads or runs anything from elsewhere.

// A diagnostic is made once, when a site cannot be made.
#![allow(clippy::result_large_err)]

mod address;
mod api;
mod book;
mod card_page;
mod kind;
mod language;
mod links;
mod modules;
mod page;
mod pages;
mod prose;
mod render;
mod runs;
mod search;
mod sitemap;
mod write;

pub use language::Language;
pub use modules::Modules;
pub use write::{MARKER, Written, write};

use book::Book;
use card_page::Maker;
use kb_core::diag::Diagnostic;
use kb_core::world::World;
use kind::Kind;
use language::Tongue;
use rayon::prelude::*;
use render::Renderer;
use runs::Run;
use std::collections::BTreeMap;

/// The site: paths with `/` between their parts, and what stands there.
pub type Site = BTreeMap<String, Vec<u8>>;

/// How a site is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path that it is served under: `/`, `/kb/`.
    pub base_path: String,
    /// The scheme and host that it is served from, `https://example.org`; empty where nobody knows. Canonical addresses
    /// and the sitemap begin with it.
    pub origin: String,
    /// The day that pages say they were made on, `YYYY-MM-DD`; there is no clock here.
    pub generated_at: String,
    /// The languages of the pages, the default first.
    pub languages: Vec<Language>,
    /// The modules for browsers with their data, by file name, as `scripts/wasm.sh` writes them. Without them no page
    /// has a form.
    pub modules: Option<Modules>,
}

impl Options {
    /// A module by the name of its file.
    fn module(&self, name: &str) -> Option<&Vec<u8>> {
        self.modules.as_ref()?.get(name)
    }

    /// A site of all languages at the root of some host.
    pub fn new(generated_at: impl Into<String>) -> Self {
        Options {
            base_path: "/".to_owned(),
            origin: String::new(),
            generated_at: generated_at.into(),
            languages: Language::ALL.to_vec(),
            modules: None,
        }
    }
}

/// Files that are the same for every site.
const STATIC: [(&str, &[u8]); 4] = [
    ("static/site.css", include_bytes!("static/site.css")),
    ("static/site.js", include_bytes!("static/site.js")),
    ("static/search.js", include_bytes!("static/search.js")),
    ("static/wasm.js", include_bytes!("static/wasm.js")),
];

/// What one thing gives: its files, its title, and for a GPU what runs on it.
struct Made {
    files: Vec<(String, Vec<u8>)>,
    title: Vec<String>,
    runs: Vec<Run>,
    /// How it is found, by language.
    documents: Vec<kb_search::Document>,
}

/// Makes the site.
///
/// # Errors
/// Ids without an address, two things with one address, links that lead nowhere, options that name no place.
pub fn generate(world: &World<'_>, options: &Options) -> Result<Site, Vec<Diagnostic>> {
    origin(&options.origin).map_err(|d| vec![d])?;
    let book = Book::new(world, options)?;
    let tongues: Vec<Tongue<'_>> = options.languages.iter().map(|l| Tongue::new(world.kb, *l)).collect();
    let renderers: Vec<Renderer<'_, '_, '_>> = tongues
        .iter()
        .map(|t| Renderer::new(&book, t, options))
        .collect::<Result<_, _>>()
        .map_err(|d| vec![d])?;
    let makers: Vec<(Maker<'_, '_, '_>, &Renderer<'_, '_, '_>)> = tongues
        .iter()
        .zip(&renderers)
        .map(|(tongue, renderer)| (Maker { book: &book, tongue }, renderer))
        .collect();
    let made: Vec<Result<Made, Diagnostic>> =
        book.things.par_iter().map(|thing| make(thing, &makers, options)).collect();
    let mut site: Site = STATIC.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    if let Some(modules) = &options.modules {
        modules::add(&mut site, modules).map_err(|d| vec![d])?;
    }
    let (mut titles, mut runs, mut mistakes) = (vec![Vec::new(); tongues.len()], Vec::new(), Vec::new());
    let mut documents = vec![Vec::new(); tongues.len()];
    for result in made {
        match result {
            Ok(made) => {
                site.extend(made.files);
                for (list, title) in titles.iter_mut().zip(made.title) {
                    list.push(title);
                }
                runs.push(made.runs);
                for (list, document) in documents.iter_mut().zip(made.documents) {
                    list.push(document);
                }
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let gpus: Vec<_> =
        book.things.iter().zip(&runs).filter(|(t, _)| t.kind == Kind::Gpu).map(|(t, r)| (t, &**r)).collect();
    let mut pages = Vec::new();
    for (number, (maker, renderer)) in makers.iter().enumerate() {
        let listed = Kind::ALL.into_iter().filter(|k| k.listed());
        pages.extend(listed.map(|kind| (*renderer, pages::index::page(*maker, kind, &titles[number]))));
        pages.push((renderer, pages::home::page(*maker)));
        pages.push((renderer, pages::myths::page(*maker)));
        pages.push((renderer, pages::matrix::page(*maker, &gpus)));
        let tools = pages::tools::pages(*maker, options.modules.as_ref());
        pages.extend(tools.into_iter().map(|page| (*renderer, page)));
        if number == 0 {
            pages.push((renderer, pages::home::missing(*maker)));
        }
    }
    for (list, (maker, renderer)) in documents.iter_mut().zip(&makers) {
        let own = pages.iter().filter(|(r, page)| std::ptr::eq(*r, *renderer) && page.address != "404");
        list.extend(own.map(|(_, page)| search::document(&book, maker.tongue.language, None, page)));
    }
    let rendered: Vec<Result<_, Diagnostic>> =
        pages.par_iter().map(|(renderer, page)| renderer.page(page)).collect();
    for result in rendered {
        site.extend([result.map_err(|d| vec![d])?]);
    }
    if let Some(module) = options.module(search::MODULE) {
        site.insert(format!("static/{}", search::MODULE), module.clone());
        let indexed: Vec<_> =
            documents.into_par_iter().zip(&options.languages).map(|(d, l)| search::files(*l, d)).collect();
        site.extend(indexed.into_iter().flatten());
    }
    site.extend([api::index(&book, options, titles.first().map_or(&[], Vec::as_slice))]);
    sitemap::add(&mut site, &book.base, options.origin.trim_end_matches('/'));
    let broken = links::check(&site, &book.base);
    if broken.is_empty() { Ok(site) } else { Err(broken) }
}

/// The pages of a thing in all languages, and its document.
fn make(
    thing: &book::Thing,
    makers: &[(Maker<'_, '_, '_>, &Renderer<'_, '_, '_>)],
    options: &Options,
) -> Result<Made, Diagnostic> {
    let mut made = Made { files: Vec::new(), title: Vec::new(), runs: Vec::new(), documents: Vec::new() };
    if let (Kind::Gpu, book::At::Index(index), Some((maker, _))) = (thing.kind, thing.at, makers.first()) {
        made.runs = runs::of(maker.book.world, index, &options.languages, &options.generated_at);
    }
    let mut kept = None;
    for (number, (maker, renderer)) in makers.iter().enumerate() {
        if kept.is_none() || thing.kind.translated() {
            kept = maker.book.card(thing, maker.tongue.language);
        }
        let Some(card) = &kept else {
            let message = format!("nothing is known of {} `{}`", thing.kind.word(), thing.id);
            return Err(Diagnostic::error("no-card", message));
        };
        if number == 0 {
            made.files.push(api::thing(maker.book, options, thing, card));
        }
        made.title.push(pages::thing::title(maker.book, maker.tongue, thing, card));
        let pages = match thing.kind {
            Kind::Relation => pages::table::pages(*maker, thing, card),
            _ => vec![pages::thing::page(*maker, thing, card, &made.runs)],
        };
        if let Some(first) = pages.first().filter(|_| options.module(search::MODULE).is_some()) {
            made.documents.push(search::document(maker.book, maker.tongue.language, Some(thing), first));
        }
        for page in &pages {
            made.files.push(renderer.page(page)?);
        }
    }
    Ok(made)
}

/// How many pages there are by the first part of their address, over all languages; the home page is under `/`.
pub fn counts(site: &Site) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for path in site.keys().filter(|p| p.ends_with(".html")) {
        let path = Language::ALL
            .iter()
            .filter(|l| !l.prefix().is_empty())
            .find_map(|l| path.strip_prefix(l.prefix()))
            .unwrap_or(path);
        let segment = path.split_once('/').map_or("/", |(first, _)| first);
        *out.entry(segment.to_owned()).or_default() += 1;
    }
    out
}

/// Is it a scheme and a host, or nothing?
fn origin(text: &str) -> Result<(), Diagnostic> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host.map(|h| h.trim_end_matches('/')) {
        _ if text.is_empty() => Ok(()),
        Some(host) if !host.is_empty() && host.chars().all(plain) => Ok(()),
        _ => Err(Diagnostic::error("origin", format!("`{text}` is no place that a site can be served from"))
            .help("write it as https://example.org; the path below it is --base-path")),
    }
}
