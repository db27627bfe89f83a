//! `advisories/<id>.md`: combinations known to be bad.

use super::cell::SYSTEMS;
use super::fields::{Fields, Text, unknown_word};
use super::role::Role;
use super::scalar::{self, DateForm};
use super::{Loader, check, put};
use kb_core::catalog::Scheme;
use kb_core::diag::Diagnostic;
use kb_core::record::{Advisory, Severity};

const SEVERITIES: [(&str, Severity); 3] =
    [("breaks", Severity::Breaks), ("degrades", Severity::Degrades), ("note", Severity::Note)];

impl Loader<'_, '_> {
    pub(super) fn read_advisories(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Advisory(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let title = f.text("title", "\"torch.compile fails on Python 3.12\"");
                let severity = f.word("severity", &SEVERITIES);
                let when = f.table_needed("when", "[when] and below it torch = \">=2.0, <2.4\"");
                let when = when.map(|w| self.conditions(&w)).unwrap_or_default();
                let say = f.table_needed("say", "[say] and below it finding = \"…\", fix = \"…\"");
                let mut said = None;
                if let Some(say) = say {
                    let (finding, fix) = (say.text("finding", "\"…\""), say.text("fix", "\"…\""));
                    say.finish();
                    said = finding.zip(fix);
                }
                let mut evidence = Vec::new();
                let blocks = f.tables("evidence");
                for block in &blocks {
                    let source = block.text("source", "\"<source>\"");
                    let index = source.and_then(|s| check(block, &s, self.names.source(s.text)));
                    let locator = block.boxed_opt("locator");
                    let read_on = block.text_opt("read-on");
                    if let Some(date) = &read_on {
                        check(block, date, scalar::date(date.text, DateForm::Any));
                    }
                    block.finish();
                    evidence.extend(index.map(|i| (i, locator, read_on.map(|d| d.boxed()))));
                }
                if blocks.is_empty() {
                    let out =
                        Diagnostic::error("missing-source", "nothing says where this advisory comes from");
                    f.log.push(out.at(f.file.whole()).help("write [[evidence]] and below it source = \"…\""));
                }
                let (Some(title), Some(severity), Some((finding, fix)), false) =
                    (title, severity, said, when.is_empty())
                else {
                    return;
                };
                found.push(Advisory {
                    id: id.into(),
                    title: title.boxed(),
                    severity,
                    when,
                    finding: finding.boxed(),
                    fix: fix.boxed(),
                    evidence,
                    prose: f.file.prose.into(),
                });
            },
        );
        for advisory in found {
            put(&mut self.kb.advisories, advisory, |a| &a.id);
        }
    }

    /// The conditions, of which none may be faulty: an advisory with one left out would say more than was meant.
    fn conditions(&self, f: &Fields<'_, '_>) -> Vec<(Box<str>, Box<str>)> {
        let mut out = Vec::new();
        let mut sound = true;
        for (key, value) in f.in_order() {
            let Some(text) = f.as_text(key.text, value, "\">=2.6, <3\"") else {
                sound = false;
                continue;
            };
            match self.condition(&key, &text) {
                Ok(()) => out.push((key.boxed(), text.boxed())),
                Err((span, diagnostic)) => {
                    f.report(span, diagnostic);
                    sound = false;
                }
            }
        }
        if out.is_empty() && sound {
            f.report(
                f.span(),
                Diagnostic::error("missing-key", "`[when]` has no condition")
                    .help("write torch = \">=2.0, <2.4\""),
            );
        }
        if sound { out } else { Vec::new() }
    }

    fn condition(
        &self,
        key: &Text<'_>,
        value: &Text<'_>,
    ) -> Result<(), (std::ops::Range<usize>, Diagnostic)> {
        let text = value.text;
        let package = |id: &str| self.kb.packages.iter().find(|p| &*p.id == id);
        let result = match key.text {
            "gpu-compute" => scalar::dotted_range(text).map(drop),
            "os" if SYSTEMS.contains(&text) => Ok(()),
            "os" => Err(unknown_word("os", text, &SYSTEMS)),
            "gpu" => self.names.gpu(text),
            "channel" => text.split("||").try_for_each(|id| self.names.channel(id.trim())),
            // `R570`, or a range over the numbers of branches.
            "driver-branch" => scalar::branch(text)
                .map(drop)
                .or_else(|_| scalar::dotted_range(&text.replace(['R', 'r'], "")).map(drop)),
            "python" => scalar::dotted_range(text).map(drop),
            id => match package(id).map(|p| p.scheme) {
                // `==2.15.0[and-cuda]`: only with that extra.
                Some(Scheme::Pep440) => {
                    scalar::pep440_range(text.split('[').next().unwrap_or(text)).map(drop)
                }
                Some(_) => scalar::dotted_range(text).map(drop),
                // The package's own file is faulty.
                None if self.names.package(id).is_ok() => Ok(()),
                None => {
                    let out = self.names.package(id).err();
                    let out = out.unwrap_or_else(|| Diagnostic::error("dangling-package", "no such package"));
                    let known = "besides packages: gpu-compute, gpu, os, driver-branch, channel, python";
                    return Err((key.span.clone(), out.note(known)));
                }
            },
        };
        result.map_err(|diagnostic| (value.span.clone(), diagnostic))
    }
}
