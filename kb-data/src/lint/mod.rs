//! What good data is, beyond what can be loaded. One file per lint.

mod bilingual;
mod causes;
mod channels;
mod consequences;
mod gpus;
mod hidden;
mod main_order;
mod pages;
mod parallel;
mod ranges;
mod rules;
mod signatures;
mod sources;
mod spellings;
mod whole;
mod words;

use crate::authoring;
use crate::tree::{DataTree, whole_file};
use kb_core::diag::{Diagnostic, Place};
use kb_core::fact::Table;
use kb_core::kb::Kb;

pub use rules::rule_pages;

/// Loads a tree and adds to the loader's messages what the lints say.
pub fn lint(tree: &DataTree) -> Vec<Diagnostic> {
    let (kb, mut diagnostics) = authoring::load(tree);
    diagnostics.extend(lint_kb(&kb));
    lint_files(&kb, tree, &mut diagnostics);
    diagnostics
}

/// The same for a tree that stands on its own: it has to have what every answer needs, rules' pages and words.
pub fn lint_whole(tree: &DataTree) -> Vec<Diagnostic> {
    let (kb, mut diagnostics) = authoring::load(tree);
    diagnostics.extend(lint_kb(&kb));
    lint_files(&kb, tree, &mut diagnostics);
    whole::check(&kb, &mut diagnostics);
    diagnostics
}

/// Lints that look at the files themselves.
fn lint_files(kb: &Kb, tree: &DataTree, out: &mut Vec<Diagnostic>) {
    hidden::check(tree, out);
    gpus::check(kb, tree, out);
}

/// The same for a tree that is laid over what is already known. Lints speak of the tree's own files only.
pub fn lint_over(base: Kb, tree: &DataTree) -> Vec<Diagnostic> {
    let (kb, mut diagnostics) = authoring::load_over(base, tree);
    let own = |d: &Diagnostic| d.place.as_ref().is_some_and(|p| tree.get(&p.path).is_some());
    diagnostics.extend(lint_kb(&kb).into_iter().filter(own));
    lint_files(&kb, tree, &mut diagnostics);
    diagnostics
}

/// Tables of a tree that say they were read, and packages that importers looked at, after the day that is asked about.
pub fn read_later(tree: &DataTree, today: &str) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (path, bytes) in tree.files().filter(|(p, _)| p.starts_with("facts/") || p.starts_with("imported/")) {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let Ok(table) = text.parse::<toml::Table>() else { continue };
        let looked = table.get("row").and_then(toml::Value::as_array).into_iter().flatten();
        let looked = looked.filter(|_| path.ends_with("/checked.toml")).filter_map(|row| row.get("on"));
        if let Some(date) = looked.filter_map(toml::Value::as_str).filter(|d| *d > today).max() {
            out.push(
                Diagnostic::warning(
                    "read-later",
                    format!("a package was looked at on {date}, and today is {today}"),
                )
                .at(file(path.to_owned())),
            );
        }
        if let Some(date) = table.get("read-on").and_then(toml::Value::as_str).filter(|d| *d > today) {
            out.push(
                Diagnostic::warning("read-later", format!("read-on is {date}, and today is {today}"))
                    .at(file(path.to_owned()))
                    .help("write the day on which the source was read"),
            );
        }
    }
    out
}

/// Is this a date that exists, year, month and day?
///
/// # Errors
/// What is wrong with it.
#[allow(clippy::result_large_err)]
pub fn day(text: &str) -> Result<(), Diagnostic> {
    authoring::day(text)
}

/// What the lints say about a loaded Kb, sorted by file. It must be a whole one, with prose.
pub fn lint_kb(kb: &Kb) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    pages::check(kb, &mut out);
    spellings::check(kb, &mut out);
    words::check(kb, &mut out);
    sources::check(kb, &mut out);
    main_order::check(kb, &mut out);
    channels::check(kb, &mut out);
    parallel::check(kb, &mut out);
    ranges::check(kb, &mut out);
    signatures::check(kb, &mut out);
    causes::check(kb, &mut out);
    consequences::check(kb, &mut out);
    out.sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
    out
}

fn file(path: String) -> Place {
    whole_file(&path)
}

fn table_file(kb: &Kb, table: &Table) -> Place {
    let relation = &kb.relations[usize::from(table.relation)].id;
    match &table.imported_by {
        Some(importer) => {
            let name = table.stem.strip_prefix(&format!("{importer}-")).unwrap_or(&table.stem);
            file(format!("imported/{importer}/{relation}/{name}.toml"))
        }
        None => file(format!("facts/{relation}/{}.toml", table.stem)),
    }
}
