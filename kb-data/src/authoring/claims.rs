//! `claims/<article>.toml`: what guides say, and what became of it.

use super::fields::Fields;
use super::role::Role;
use super::{Loader, Spot, check, put, source_list};
use kb_core::diag::Diagnostic;
use kb_core::record::{Article, Claim};
use std::collections::BTreeMap;
use toml::de::DeValue;

const VERDICTS: [&str; 5] = ["confirmed", "refuted", "partly", "disputed", "unverifiable"];

impl Loader<'_, '_> {
    pub(super) fn read_claims(&mut self) {
        let mut found = Vec::new();
        let mut spots: BTreeMap<Box<str>, Spot> = BTreeMap::new();
        self.each(
            |role| if let Role::Claims(id) = role { Some(*id) } else { None },
            |id, file, f| {
                let head = f.table_needed("article", "[article] and below it id = \"…\", title = \"…\"");
                let mut title = None;
                let (mut language, mut scope) = (None, None);
                if let Some(head) = &head {
                    if let Some(own) = head.text_opt("id")
                        && own.text != id
                    {
                        let message = format!("the file is called `{id}`, its article `{}`", own.text);
                        head.report(
                            own.span,
                            Diagnostic::error("bad-id", message).help("give both one name"),
                        );
                    }
                    title = head.text("title", "\"What the guide is about\"");
                    language = head.boxed_opt("language");
                    scope = head.boxed_opt("scope");
                    head.finish();
                }
                let mut claims = Vec::new();
                for block in f.tables("claim") {
                    let claim = self.claim(&block);
                    block.finish();
                    let Some(claim) = claim else { continue };
                    if let Some(first) = spots.get(&claim.id) {
                        let message = format!("two claims have the id `{}`", claim.id);
                        let place = self.place(first);
                        let out = Diagnostic::error("duplicate-id", message);
                        block.report(
                            block.span(),
                            out.note(format!("the other stands in {}:{}", place.path, place.line)),
                        );
                        continue;
                    }
                    spots.insert(claim.id.clone(), Spot { file, span: block.span() });
                    claims.push(claim);
                }
                let Some(title) = title else { return };
                found.push(Article { id: id.into(), title: title.boxed(), language, scope, claims });
            },
        );
        self.seen.claims = spots;
        for article in found {
            put(&mut self.kb.articles, article, |a| &a.id);
        }
    }

    fn claim(&self, f: &Fields<'_, '_>) -> Option<Claim> {
        let id = f.text("id", "\"A001\"");
        let statement = f.text("statement", "\"CUDA 12.4 needs driver 550 on Linux\"");
        let kind = f.text("kind", "\"driver-minimum\"");
        let verdict = f.word("verdict", &VERDICTS.map(|v| (v, v)));
        let evidence = f.text("evidence", "\"what speaks for the verdict\"");
        let correct = f.boxed_opt("correct");
        let texts = f.texts("sources");
        let sources = source_list(&self.names, f, &texts);
        if let Some(value) = f.get("basis")
            && !matches!(value.get_ref(), DeValue::Array(_))
        {
            f.as_text("basis", value, "\"…\"");
        }
        let also_in = f.texts("also-in").iter().map(|t| t.boxed()).collect();
        let mut subject = Vec::new();
        if let Some(table) = f.table("subject") {
            for (key, value) in table.in_order() {
                if let DeValue::Array(items) = value.get_ref() {
                    let texts: Vec<_> =
                        items.iter().filter_map(|item| table.as_text(key.text, item, "\"…\"")).collect();
                    let joined: Vec<&str> = texts.iter().map(|t| t.text).collect();
                    subject.push((key.boxed(), joined.join(", ").into()));
                } else if let Some(text) = table.as_text(key.text, value, "\"…\"") {
                    check(&table, &text, not_empty(text.text));
                    subject.push((key.boxed(), text.boxed()));
                }
            }
        }
        Some(Claim {
            id: id?.boxed(),
            statement: statement?.boxed(),
            kind: kind?.boxed(),
            verdict: verdict?.into(),
            evidence: evidence?.boxed(),
            correct,
            subject,
            sources,
            also_in,
        })
    }
}

fn not_empty(text: &str) -> Result<(), Diagnostic> {
    if text.trim().is_empty() {
        return Err(Diagnostic::error("missing-key", "an empty text says nothing").help("leave the key out"));
    }
    Ok(())
}
