//! The index that the search box asks: one for the names, which comes first, and one for the texts, in each language.

use crate::book::{At, Book, Thing};
use crate::kind::Kind;
use crate::language::Language;
use crate::page::{Page, Piece, Section};
use flate2::{Compression, GzBuilder};
use kb_search::{Document, Index, Scope};
use std::io::Write as _;

/// The module that reads an index in the browser.
pub(crate) const MODULE: &str = "search.wasm";

/// The most characters of a page's text: what stands further down is in its tables.
const LONGEST: usize = 3_000;

/// A page as it is found.
pub(crate) fn document(
    book: &Book<'_, '_>,
    language: Language,
    thing: Option<&Thing>,
    page: &Page,
) -> Document {
    Document {
        address: book.link(language, &page.address),
        title: page.title.clone(),
        kind: page.kind.clone().unwrap_or_default(),
        language: language.tag().to_owned(),
        aliases: thing.map(|t| aliases(book, t)).unwrap_or_default(),
        text: text(page, thing.is_some_and(|t| t.kind == Kind::Release)),
        // What somebody looks for is a thing; of releases there are many with nearly the same text.
        weight: match thing.map(|t| t.kind) {
            None => 60,
            Some(Kind::Release | Kind::Image | Kind::Source | Kind::Dispute) => 80,
            Some(_) => 100,
        },
    }
}

/// The files of an index: `search/en.names.gz`, `search/en.full.gz`. They are compressed already, as hosts leave files of
/// an unknown kind as they are.
pub(crate) fn files(language: Language, documents: Vec<Document>) -> [(String, Vec<u8>); 2] {
    let file =
        |name: &str, bytes: Vec<u8>| (format!("search/{}.{name}.gz", language.tag()), compressed(&bytes));
    let names = Index::build(documents.clone(), Scope::Names);
    [file("names", names), file("full", Index::build(documents, Scope::Full))]
}

/// The same bytes for the same bytes: without a name and a time.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    // Memory takes everything.
    let _ = out.write_all(bytes);
    out.finish().unwrap_or_default()
}

/// Other names of a thing: who types one of them wants its page.
fn aliases(book: &Book<'_, '_>, thing: &Thing) -> Vec<String> {
    let kb = book.kb;
    let texts = |list: &[Box<str>]| list.iter().map(|t| t.to_string()).collect::<Vec<_>>();
    let mut out = vec![thing.id.clone()];
    match (thing.kind, thing.at) {
        (Kind::Gpu, At::Index(index)) => {
            out.extend(texts(&kb.gpus[index].aliases));
            out.extend(texts(&kb.gpus[index].driver_names));
        }
        (Kind::Branch, At::Branch(branch)) => {
            let number = branch.to_string();
            let number = number.trim_start_matches(['R', 'r']);
            out.extend(["driver ", "R", "nvidia driver ", "驱动 "].map(|word| format!("{word}{number}")));
        }
        (Kind::Package, At::Index(index)) => out.extend(texts(&kb.packages[index].aliases)),
        (Kind::Signature, _) => {
            let found = kb.signatures.iter().find(|s| *s.id == *thing.id);
            out.extend(found.map(|s| texts(&s.needles)).unwrap_or_default());
        }
        (Kind::Cause, _) => {
            let found = kb.causes.iter().find(|c| *c.id == *thing.id);
            out.extend(found.map(|c| texts(&c.names)).unwrap_or_default());
        }
        _ => {}
    }
    out
}

/// What stands on a page; of many alike only what tells them apart.
fn text(page: &Page, short: bool) -> String {
    let mut out = page.description.clone();
    let mut add = |text: &str| {
        if out.len() < LONGEST {
            out.push('\n');
            out.push_str(text);
        }
    };
    fn lines(pieces: &[Piece]) -> impl Iterator<Item = &str> {
        pieces.iter().map(|p| &*p.text)
    }
    for section in &page.sections {
        match section {
            Section::Fields { fields } => {
                for field in fields {
                    add(&field.label);
                    lines(&field.pieces).for_each(&mut add);
                }
            }
            _ if short => {}
            // What is asked for, not what is known.
            Section::Form { .. } => {}
            Section::Prose { html, .. } => add(&plain(html)),
            Section::Note { text } => add(text),
            Section::List { title, items, .. } => {
                add(title);
                lines(items).for_each(&mut add);
            }
            Section::Facts { groups, .. } => {
                groups.iter().flat_map(|g| lines(&g.claims)).for_each(&mut add);
            }
            Section::Table { rows, .. } => {
                for cell in rows.iter().take(20).flat_map(|row| &row.cells) {
                    add(&cell.text);
                }
            }
            Section::Commands { commands, .. } => commands.iter().for_each(|c| add(&c.text)),
            Section::Steps { steps, .. } => {
                for step in steps {
                    add(&step.says);
                    step.commands.iter().for_each(|c| add(&c.text));
                }
            }
            Section::Claims { claims, .. } => {
                for claim in claims {
                    add(&claim.title);
                    claim.texts.iter().for_each(|t| add(t));
                }
            }
        }
    }
    out
}

/// The text of HTML that `prose` made: tags away, the four characters that it writes in another way as they are.
fn plain(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = rest[at..].split_once('>').map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn tags_are_no_text() {
        assert_eq!(
            plain("<p>a &lt;b&gt; <code>c</code></p>").split_whitespace().collect::<Vec<_>>(),
            ["a", "<b>", "c"]
        );
        assert_eq!(plain("a < b").trim(), "a");
    }
}
