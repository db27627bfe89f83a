//! A loaded Kb under a tree: its indexes move when sources and relations are added.

use kb_core::kb::Kb;

/// Moves every index of a source: `map[old]` is the new one.
pub(super) fn renumber_sources(kb: &mut Kb, map: &[u16]) {
    let one = |index: &mut u16| {
        if let Some(new) = map.get(usize::from(*index)) {
            *index = *new;
        }
    };
    let all = |list: &mut Vec<u16>| list.iter_mut().for_each(one);
    for table in &mut kb.tables {
        one(&mut table.source);
        table.rows.iter_mut().for_each(|row| all(&mut row.also));
    }
    kb.gpus.iter_mut().for_each(|g| all(&mut g.sources));
    kb.channels.iter_mut().for_each(|c| all(&mut c.sources));
    kb.accelerators.iter_mut().flat_map(|a| &mut a.offers).for_each(|o| all(&mut o.sources));
    for dispute in &mut kb.disputes {
        dispute.prefer.iter_mut().for_each(one);
        all(&mut dispute.over);
    }
    kb.advisories.iter_mut().flat_map(|a| &mut a.evidence).for_each(|e| one(&mut e.0));
    kb.articles.iter_mut().flat_map(|a| &mut a.claims).for_each(|c| all(&mut c.sources));
}

/// Moves every index of a relation: `map[old]` is the new one.
pub(super) fn renumber_relations(kb: &mut Kb, map: &[u16]) {
    let one = |index: &mut u16| {
        if let Some(new) = map.get(usize::from(*index)) {
            *index = *new;
        }
    };
    kb.tables.iter_mut().for_each(|t| one(&mut t.relation));
    kb.disputes.iter_mut().for_each(|d| one(&mut d.relation));
}
