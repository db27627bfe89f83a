//! `disputes/<relation>/<name>.md`: which of two sources is followed, and why.

use super::cell::Cells;
use super::near::list;
use super::role::Role;
use super::scalar::{self, DateForm};
use super::{Loader, Spot, check, put, source_list};
use kb_core::diag::Diagnostic;
use kb_core::record::Dispute;

/// The word for "no source is to be followed".
const NEITHER: &str = "neither";

impl Loader<'_, '_> {
    pub(super) fn read_disputes(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Dispute { relation, name } = role { Some((*relation, *name)) } else { None },
            |(relation, name), file, f| {
                let id = format!("{relation}/{name}").into_boxed_str();
                let head = f.table_needed("key", "key = { toolkit = \"12.8.0\", os = \"linux\" }");
                let prefer = f.text("prefer", "\"<source>\" or \"neither\"");
                let over = f.texts("over");
                let since = f.text("since", "\"2026-11-30\"");
                let names = f.boxed_list("names");
                if let Some(date) = &since {
                    check(f, date, scalar::date(date.text, DateForm::Day));
                }
                // "neither" without `over` means every source that disagrees.
                let incomplete = over.is_empty() && prefer.as_ref().is_none_or(|p| p.text != NEITHER);
                if incomplete {
                    let help = "name the sources that are not followed: over = [\"…\"]";
                    f.log.push(
                        Diagnostic::error("missing-key", "the key `over` is missing or empty")
                            .at(f.file.whole())
                            .help(help),
                    );
                }
                let over = source_list(&self.names, f, &over);
                let prefer = match &prefer {
                    Some(text) if text.text == NEITHER => Some(None),
                    Some(text) => check(f, text, self.names.source(text.text)).map(Some),
                    None => None,
                };
                let Some(number) = self.kb.relations.iter().position(|r| &*r.id == relation) else {
                    if let Err(diagnostic) = self.names.relation(relation) {
                        f.log.push(diagnostic.at(f.file.whole()));
                    }
                    return;
                };
                let relation = &self.kb.relations[number];
                let cells = Cells { file: f.file, log: f.log, names: &self.names };
                let mut key = Vec::new();
                let mut sound = !incomplete;
                let head = head.map(|h| h.in_order()).unwrap_or_default();
                for (column, value) in head {
                    let known = relation.key.iter().any(|k| &**k == column.text);
                    let Some(index) = relation.column(column.text).filter(|_| known) else {
                        let message = format!("`{}` is not in the key of `{}`", column.text, relation.id);
                        let keys = list(relation.key.iter().map(|k| &**k));
                        f.report(
                            column.span,
                            Diagnostic::error("unknown-key", message).note(format!("its key: {keys}")),
                        );
                        sound = false;
                        continue;
                    };
                    match cells.read(column.text, relation.columns[index].1, value) {
                        Some(cell) => key.push((column.text.into(), cell.to_string().into_boxed_str())),
                        None => sound = false,
                    }
                }
                let (Some(prefer), Some(since), true) = (prefer, since, sound && !key.is_empty()) else {
                    return;
                };
                let dispute = Dispute {
                    id,
                    relation: number as u16,
                    key,
                    prefer,
                    over,
                    since: since.boxed(),
                    names,
                    prose: f.file.prose.into(),
                };
                let span = f.get("key").map_or(0..0, |value| value.span());
                found.push((dispute, Spot { file, span }));
            },
        );
        for (dispute, spot) in found {
            self.seen.disputes.insert(dispute.id.clone(), spot);
            put(&mut self.kb.disputes, dispute, |d| &d.id);
        }
    }
}
