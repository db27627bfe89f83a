//! `imported/<importer>/checked.toml`: when an importer last looked at a package, also where it found nothing new.

use super::role::Role;
use super::scalar::{self, DateForm};
use super::{Loader, check};
use kb_core::diag::Diagnostic;
use kb_core::record::Checked;
use std::collections::BTreeSet;

impl Loader<'_, '_> {
    pub(super) fn read_checked(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Checked { importer } = role { Some(*importer) } else { None },
            |importer, _, f| {
                f.text("by", "\"<name of the importer>\"");
                let mut seen = BTreeSet::new();
                for row in f.tables("row") {
                    let package = row.text("package", "\"torch\"");
                    let on = row.text("on", "\"2026-11-30\"");
                    row.finish();
                    let package = package.filter(|p| check(&row, p, self.names.package(p.text)).is_some());
                    let on = on.filter(|o| check(&row, o, scalar::date(o.text, DateForm::Day)).is_some());
                    let (Some(package), Some(on)) = (package, on) else { continue };
                    if !seen.insert(package.text) {
                        let message = format!("the package `{}` is named twice", package.text);
                        row.report(package.span.clone(), Diagnostic::error("duplicate-id", message));
                        continue;
                    }
                    found.push(Checked {
                        importer: importer.into(),
                        package: package.boxed(),
                        on: on.boxed(),
                    });
                }
            },
        );
        let all = &mut self.kb.checked;
        for one in found {
            let key = |c: &Checked| (c.package.clone(), c.importer.clone());
            match all.binary_search_by_key(&key(&one), key) {
                Ok(index) => all[index] = one,
                Err(index) => all.insert(index, one),
            }
        }
    }
}
