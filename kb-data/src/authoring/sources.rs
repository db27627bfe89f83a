//! `sources/<id>.toml`.

use super::base;
use super::role::Role;
use super::scalar::{self, DateForm};
use super::{Loader, check, put};
use kb_core::diag::Diagnostic;
use kb_core::evidence::{Source, SourceKind};

impl Loader<'_, '_> {
    pub(super) fn read_sources(&mut self) {
        let mut sources = std::mem::take(&mut self.kb.sources);
        let before: Vec<Box<str>> = sources.iter().map(|s| s.id.clone()).collect();
        // A file that cannot be read still has an id: who points to it is not to blame.
        for (role, _) in self.files {
            if let Role::Source(id) = role {
                put(&mut sources, unread(id), |s| &s.id);
            }
        }
        self.each(
            |role| if let Role::Source(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let mut source = unread(id);
                if let Some(title) = f.text("title", "\"CUDA Toolkit release notes, driver table\"") {
                    source.title = title.boxed();
                }
                if let Some(publisher) = f.text("publisher", "\"NVIDIA\"") {
                    source.publisher = publisher.boxed();
                }
                if let Some(kind) = f.word("kind", &SourceKind::ALL.map(|k| (k.word(), k))) {
                    source.kind = kind;
                }
                let (repository, path) = (f.text_opt("repository"), f.text_opt("path"));
                source.address = match (f.boxed_opt("address"), &repository, &path) {
                    (Some(address), _, _) => Some(address),
                    (None, Some(repository), Some(path)) => {
                        Some(format!("{}: {}", repository.text, path.text).into())
                    }
                    (None, Some(repository), None) => Some(repository.boxed()),
                    (None, None, _) => None,
                };
                if let (Some(path), None) = (&path, &repository) {
                    let message = "`path` names a file in no repository";
                    f.report(
                        path.span.clone(),
                        Diagnostic::error("missing-key", message).help("write repository = \"owner/name\""),
                    );
                }
                if let Some(date) = f.text_opt("date") {
                    check(f, &date, scalar::date(date.text, DateForm::Any));
                    source.date = Some(date.boxed());
                }
                source.note = f.boxed_opt("note");
                put(&mut sources, source, |s| &s.id);
            },
        );
        self.names.sources = sources.iter().map(|s| s.id.clone()).collect();
        let map: Vec<u16> = before.iter().map(|id| self.names.source(id).unwrap_or_default()).collect();
        base::renumber_sources(&mut self.kb, &map);
        self.kb.sources = sources;
    }
}

fn unread(id: &str) -> Source {
    Source {
        id: id.into(),
        title: id.into(),
        publisher: "".into(),
        kind: SourceKind::Report,
        address: None,
        date: None,
        note: None,
    }
}
