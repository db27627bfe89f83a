//! What a whole data directory has beyond its facts: a page for each rule of the engine, and words to answer in.

use super::words::FIRST;
use super::{file, rule_pages};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::reason::RuleId;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let rules: Vec<&str> = RuleId::ALL.iter().map(|rule| rule.word()).collect();
    out.extend(rule_pages(kb, &rules));
    if !kb.words.iter().any(|words| &*words.language == FIRST) {
        out.push(
            Diagnostic::error("missing-sentence", "there are no sentences in English")
                .at(file(format!("words/{FIRST}.toml")))
                .help("without them answers have no words: take the file of the built-in data"),
        );
    }
}
