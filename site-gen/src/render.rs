//! Pages to HTML.

use crate::Options;
use crate::book::Book;
use crate::kind::Kind;
use crate::language::{Language, Tongue};
use crate::page::{Page, Piece, Section};
use crate::pages::{matrix, myths, tools};
use kb_core::diag::Diagnostic;
use serde::Serialize;
use tera::{Context, Tera};

/// Where mistakes are told.
const REPORT: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues/new");

/// What all pages of a language share.
#[derive(Serialize)]
struct Shared {
    lang: &'static str,
    base: String,
    nav: String,
    made: String,
    words: Labels,
    /// Words of the script: `key=word`, joined by `|`.
    script: String,
    /// Is there an index to search in?
    search: bool,
}

#[derive(Serialize)]
struct Labels {
    skip: String,
    path: String,
    report: String,
    undo: String,
}

/// A page of another language.
#[derive(Serialize)]
struct Other {
    lang: &'static str,
    text: &'static str,
    href: String,
}

/// What the template is given of one page.
#[derive(Serialize)]
struct Shown<'p> {
    head: String,
    title: &'p str,
    description: &'p str,
    kind: Option<&'p str>,
    crumbs: &'p [Piece],
    sections: &'p [Section],
    canonical: Option<String>,
    alternates: Vec<Piece>,
    others: Vec<Other>,
    json: Option<String>,
    report: String,
}

/// Makes the pages of one language.
pub(crate) struct Renderer<'b, 'w, 'k> {
    tera: Tera,
    book: &'b Book<'w, 'k>,
    language: Language,
    languages: Vec<Language>,
    origin: String,
}

impl<'b, 'w, 'k> Renderer<'b, 'w, 'k> {
    /// # Errors
    /// If the templates of this crate are no templates.
    pub(crate) fn new(
        book: &'b Book<'w, 'k>,
        tongue: &Tongue<'k>,
        options: &Options,
    ) -> Result<Self, Diagnostic> {
        let mut tera = Tera::default();
        tera.add_raw_template("page.html", include_str!("templates/page.html"))
            .map_err(|e| Diagnostic::error("template", e.to_string()))?;
        let values = [
            ("version", book.kb.version.to_string()),
            ("facts", book.kb.fact_count().to_string()),
            ("date", options.generated_at.clone()),
        ];
        let shared = Shared {
            lang: tongue.language.tag(),
            base: book.base.clone(),
            nav: nav(book, tongue),
            script: script(tongue),
            search: options.module(crate::search::MODULE).is_some(),
            made: tongue.say("ui-site-made", &values),
            words: Labels {
                skip: tongue.word("ui-site-skip"),
                path: tongue.word("ui-site-path"),
                report: tongue.word("ui-site-report"),
                undo: tongue.word("ui-site-undo"),
            },
        };
        tera.global_context().insert("site", &shared);
        Ok(Renderer {
            tera,
            book,
            language: tongue.language,
            languages: options.languages.clone(),
            origin: options.origin.trim_end_matches('/').to_owned(),
        })
    }

    /// The page's file and its HTML.
    ///
    /// # Errors
    /// What the template engine says, with the page.
    pub(crate) fn page(&self, page: &Page) -> Result<(String, Vec<u8>), Diagnostic> {
        let missing = page.address == "404";
        let absolute = |language| format!("{}{}", self.origin, self.book.link(language, &page.address));
        let mut alternates: Vec<Piece> =
            self.languages.iter().map(|l| Piece::link(l.tag(), Some(absolute(*l)))).collect();
        if let Some(first) = self.languages.first() {
            alternates.push(Piece::link("x-default", Some(absolute(*first))));
        }
        let others = self.languages.iter().filter(|l| **l != self.language);
        let elsewhere = if missing { "" } else { &*page.address };
        let others = others
            .map(|l| Other { lang: l.tag(), text: l.own_name(), href: self.book.link(*l, elsewhere) })
            .collect();
        let shown = Shown {
            head: if page.address.is_empty() {
                format!("kb: {}", page.title)
            } else {
                format!("{} · kb", page.title)
            },
            title: &page.title,
            description: &page.description,
            kind: page.kind.as_deref(),
            crumbs: &page.crumbs,
            sections: &page.sections,
            canonical: (!missing).then(|| absolute(self.language)),
            alternates,
            others,
            json: page.json.as_ref().map(|path| format!("{}{path}", self.book.base)),
            report: self.report(page),
        };
        let mut context = Context::new();
        context.insert("page", &shown);
        let html = self
            .tera
            .render("page.html", &context)
            .map_err(|e| Diagnostic::error("template", format!("/{}: {e}", page.address)))?;
        let file = if missing {
            "404.html".to_owned()
        } else {
            format!("{}{}index.html", self.language.prefix(), page.address)
        };
        Ok((file, html.into_bytes()))
    }

    /// Where a mistake on a page is told, with what it is about filled in.
    fn report(&self, page: &Page) -> String {
        let title = percent(&page.subject);
        let body = percent(&format!("{}{}", self.origin, self.book.link(self.language, &page.address)));
        format!("{REPORT}?title={title}&body={body}")
    }
}

/// The words that the script says.
fn script(tongue: &Tongue<'_>) -> String {
    let words = ["copy", "copied", "filter", "columns", "markdown", "csv"];
    words
        .map(|key| format!("{key}={}", tongue.word(&format!("ui-site-js-{key}")).replace('|', " ")))
        .join("|")
}

/// The navigation, made once for all pages.
fn nav(book: &Book<'_, '_>, tongue: &Tongue<'_>) -> String {
    let kinds = [
        Kind::Gpu,
        Kind::Branch,
        Kind::Cuda,
        Kind::Cudnn,
        Kind::Package,
        Kind::Signature,
        Kind::Cause,
        Kind::Relation,
    ];
    let mut links: Vec<(String, String)> = [
        ("ui-site-solve", tools::SOLVE),
        ("ui-site-check", tools::CHECK),
        ("ui-site-diagnose", tools::DIAGNOSE),
        ("ui-site-matrix", matrix::ADDRESS),
    ]
    .map(|(word, address)| (tongue.word(word), address.to_owned()))
    .into();
    links.extend(kinds.into_iter().map(|k| (tongue.word(&k.plural()), format!("{}/", k.segment()))));
    links.push((tongue.word("ui-site-myths"), myths::ADDRESS.to_owned()));
    let mut out = format!("<a class=\"mark\" href=\"{}\">kb</a>", escape(&book.link(tongue.language, "")));
    out.push_str(&format!("<nav aria-label=\"{}\"><ul>", escape(&tongue.word("ui-site-nav"))));
    for (text, address) in links {
        let href = book.link(tongue.language, &address);
        out.push_str(&format!("<li><a href=\"{}\">{}</a></li>", escape(&href), escape(&text)));
    }
    out.push_str("</ul></nav>");
    out.push_str(&format!(
        "<search hidden><input type=\"search\" id=\"q\" aria-label=\"{}\" placeholder=\"{}\" autocomplete=\"off\"></search>",
        escape(&tongue.word("ui-site-search")),
        escape(&tongue.word("ui-site-search")),
    ));
    out
}

/// A text as HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A text as a value in an address.
fn percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
