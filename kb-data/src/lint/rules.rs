//! Every rule of the engine has a page, and every page a rule.

use super::file;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;

/// Compares the pages in `rules/` with the ids of the rules that there are in code.
pub fn rule_pages(kb: &Kb, rules: &[&str]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for rule in rules.iter().filter(|rule| !kb.rules.iter().any(|page| *page.id == ***rule)) {
        let path = format!("rules/{rule}.md");
        out.push(
            Diagnostic::error("missing-page", format!("the rule `{rule}` has no page"))
                .help(format!("write {path}"))
                .at(file(path)),
        );
    }
    for page in kb.rules.iter().filter(|page| !rules.contains(&&*page.id)) {
        let message = format!("the page `{}` is about a rule that does not exist", page.id);
        out.push(Diagnostic::error("unknown-rule", message).at(file(format!("rules/{}.md", page.id))));
    }
    out
}
