//! Every source is used; what was inferred says how.

use super::{file, table_file};
use kb_core::diag::Diagnostic;
use kb_core::evidence::SourceKind;
use kb_core::kb::Kb;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let mut used = vec![false; kb.sources.len()];
    let mut mark = |index: u16| {
        if let Some(used) = used.get_mut(usize::from(index)) {
            *used = true;
        }
    };
    for table in &kb.tables {
        mark(table.source);
        table.rows.iter().flat_map(|row| &row.also).for_each(|s| mark(*s));
    }
    kb.gpus.iter().flat_map(|g| &g.sources).for_each(|s| mark(*s));
    kb.channels.iter().flat_map(|c| &c.sources).for_each(|s| mark(*s));
    kb.accelerators.iter().flat_map(|a| &a.offers).flat_map(|o| &o.sources).for_each(|s| mark(*s));
    kb.disputes.iter().flat_map(|d| d.prefer.iter().chain(&d.over)).for_each(|s| mark(*s));
    kb.advisories.iter().flat_map(|a| &a.evidence).for_each(|e| mark(e.0));
    kb.articles.iter().flat_map(|a| &a.claims).flat_map(|c| &c.sources).for_each(|s| mark(*s));
    for (source, _) in kb.sources.iter().zip(&used).filter(|(_, used)| !**used) {
        out.push(
            Diagnostic::warning("unused-source", format!("nothing is taken from `{}`", source.id))
                .at(file(format!("sources/{}.toml", source.id)))
                .help("use it, or delete the file"),
        );
    }
    for table in &kb.tables {
        let derived =
            kb.sources.get(usize::from(table.source)).is_some_and(|s| s.kind == SourceKind::Derived);
        let silent = table.rows.iter().filter(|row| row.note.is_none() && row.withdrawn.is_none()).count();
        if derived && table.locator.is_none() && silent > 0 {
            out.push(
                Diagnostic::warning(
                    "unexplained-inference",
                    format!("{silent} inferred rows do not say from what"),
                )
                .at(table_file(kb, table))
                .help("write note = \"…\" with the facts it follows from"),
            );
        }
    }
}
