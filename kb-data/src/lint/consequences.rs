//! A cause does not follow from itself: with a cycle of `over` no order of the causes is right.

use super::file;
use crate::authoring::cycle;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::collections::BTreeMap;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let next: BTreeMap<&str, Vec<&str>> =
        kb.causes.iter().map(|c| (&*c.id, c.over.iter().map(|o| &**o).collect())).collect();
    let mut told: Vec<&str> = Vec::new();
    for id in next.keys() {
        if told.contains(id) {
            continue;
        }
        let Some(path) = cycle(id, &next) else { continue };
        let message = format!("the cause is a consequence of itself: {}", path.join(" → "));
        out.push(
            Diagnostic::error("cycle", message)
                .at(file(format!("causes/{id}.md")))
                .help("`over` names what is only a consequence: take one of them out"),
        );
        told.extend(path);
    }
}
