//! `relations/<id>.md`: the columns of a kind of table.

use super::base;
use super::fields::Fields;
use super::near::list;
use super::role::Role;
use super::scalar::placeholders;
use super::{Loader, put};
use kb_core::diag::Diagnostic;
use kb_core::evidence::SourceKind;
use kb_core::fact::{Coverage, Relation};
use kb_core::value::ColumnType;
use toml::de::DeValue;

/// Keys that every row has; no column may be called so.
pub(super) const ROW_KEYS: [&str; 4] = ["also", "locator", "note", "withdrawn"];

/// The words for what absence means.
pub(super) const COVERAGE: [(&str, Coverage); 2] =
    [("partial", Coverage::Partial), ("complete", Coverage::Complete)];

const TYPES: &str = "text, bool, integer, date, gpu, package, channel, platform, os, branch, branch-since, driver, \
    cuda, cudnn, python, dotted, compute, pep440, requirement, driver-range, cuda-range, cudnn-range, python-range, \
    dotted-range, compute-range, pep440-range; a list is [compute], an optional one ends in `?`";

impl Loader<'_, '_> {
    pub(super) fn read_relations(&mut self) {
        let mut relations = std::mem::take(&mut self.kb.relations);
        let before: Vec<Box<str>> = relations.iter().map(|r| r.id.clone()).collect();
        self.names.relations.extend(before.iter().cloned());
        for (role, _) in self.files {
            if let Role::Relation(id) = role {
                self.names.relations.insert((*id).into());
            }
        }
        self.each(
            |role| if let Role::Relation(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let Some(relation) = read(id, f) else { return };
                let old = relations.iter().find(|r| *r.id == *id);
                if old.is_some_and(|old| old.columns != relation.columns || old.key != relation.key) {
                    f.log.push(
                        Diagnostic::error("duplicate-id", format!("the relation `{id}` exists with other columns"))
                            .at(f.file.whole())
                            .help("a relation that is already there keeps its columns and its key; give this one another name"),
                    );
                    return;
                }
                put(&mut relations, relation, |r| &r.id);
            },
        );
        let index = |id: &str| relations.binary_search_by(|r| (*r.id).cmp(id)).unwrap_or_default() as u16;
        let map: Vec<u16> = before.iter().map(|id| index(id)).collect();
        base::renumber_relations(&mut self.kb, &map);
        self.kb.relations = relations;
    }
}

fn read(id: &str, f: &Fields<'_, '_>) -> Option<Relation> {
    let title = f.text("title", "\"The lowest driver with which programs of a CUDA release start\"");
    let says = f.text("says", "\"Programs built with CUDA {toolkit} start with driver {driver} or newer\"");
    let key = f.texts("key");
    let primary = f.texts("primary");
    let kinds = SourceKind::ALL.map(|k| (k.word(), k));
    let primary = primary.iter().filter_map(|text| f.one_of("primary", text, &kinds)).collect();
    let coverage = f.text_opt("coverage");
    let coverage =
        coverage.and_then(|text| f.one_of("coverage", &text, &COVERAGE)).unwrap_or(Coverage::Partial);
    let ranked = f.flag("ranked");
    let columns = columns(&f.table_needed("columns", "[columns] and below it name = \"type\"")?);
    let known = |name: &str| columns.iter().any(|(n, _)| &**n == name);
    let names = || list(columns.iter().map(|(n, _)| &**n));

    if key.is_empty() {
        let help = "name the columns whose values make a row's identity: key = [\"toolkit\", \"os\"]";
        f.log
            .push(Diagnostic::error("missing-key", "the key `key` is missing").at(f.file.whole()).help(help));
        return None;
    }
    let mut sound = true;
    for text in &key {
        if !known(text.text) {
            let message = format!("`key` names `{}`, which is no column", text.text);
            f.report(
                text.span.clone(),
                Diagnostic::error("dangling-column", message).note(format!("columns: {}", names())),
            );
            sound = false;
        }
    }
    let says = says?;
    match placeholders(says.text) {
        Err(diagnostic) => f.report(says.span.clone(), diagnostic),
        Ok(places) => {
            for place in places.iter().filter(|p| !known(p)) {
                let message = format!("`says` has the place {{{place}}}, which is no column");
                f.report(
                    says.span.clone(),
                    Diagnostic::error("unknown-placeholder", message).note(format!("columns: {}", names())),
                );
            }
        }
    }
    sound.then_some(())?;
    Some(Relation {
        id: id.into(),
        title: title?.boxed(),
        says: says.boxed(),
        key: key.iter().map(|t| t.boxed()).collect(),
        primary,
        coverage,
        ranked,
        columns,
        prose: f.file.prose.into(),
    })
}

fn columns(f: &Fields<'_, '_>) -> Vec<(Box<str>, ColumnType)> {
    let mut out = Vec::new();
    for (name, value) in f.in_order() {
        if ROW_KEYS.contains(&name.text) {
            let message = format!("no column can be called `{}`: every row has that key already", name.text);
            f.report(name.span, Diagnostic::error("duplicate-id", message));
            continue;
        }
        let word = match value.get_ref() {
            DeValue::String(word) => word.as_ref(),
            _ => "",
        };
        match ColumnType::parse(word) {
            Some(column) => out.push((name.text.into(), column)),
            None => f.report(
                value.span(),
                Diagnostic::error("unknown-word", format!("`{word}` is no type of column"))
                    .note(format!("types: {TYPES}")),
            ),
        }
    }
    out
}
