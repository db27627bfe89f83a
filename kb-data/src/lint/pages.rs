//! Every relation says what a row claims and what it does not; disputes, advisories and rules have a page.

use super::file;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    for relation in &kb.relations {
        let paragraphs = relation.prose.split("\n\n").filter(|p| !p.trim().is_empty()).count();
        if paragraphs < 2 {
            out.push(
                Diagnostic::error(
                    "missing-page",
                    format!("the page of `{}` wants two paragraphs", relation.id),
                )
                .at(file(format!("relations/{}.md", relation.id)))
                .help("the first says what a row claims, the second what it does not claim"),
            );
        }
    }
    let disputes = kb.disputes.iter().map(|d| ("disputes", &d.id, &d.prose));
    let advisories = kb.advisories.iter().map(|a| ("advisories", &a.id, &a.prose));
    let rules = kb.rules.iter().map(|r| ("rules", &r.id, &r.prose));
    for (directory, id, prose) in disputes.chain(advisories).chain(rules) {
        if prose.trim().is_empty() {
            out.push(
                Diagnostic::error("missing-page", format!("`{id}` has no text below its keys"))
                    .at(file(format!("{directory}/{id}.md")))
                    .help("say why, for somebody who has to decide whether it still holds"),
            );
        }
    }
}
