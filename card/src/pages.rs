//! Things with a page: rules, relations, topics, advisories.

use crate::Card;
use kb_core::kb::Kb;
use kb_core::reason::RuleId;
use serde_json::json;

/// The pages of an id.
pub fn find(kb: &Kb, id: &str) -> Vec<Card> {
    let is = |other: &str| other.eq_ignore_ascii_case(id);
    let mut out = Vec::new();
    for rule in kb.rules.iter().filter(|r| is(&r.id)) {
        let mut card = Card::new("rule", &*rule.id, &*rule.title);
        card.list("reads", &rule.reads);
        card.prose = rule.prose.to_string();
        out.push(card);
    }
    // A rule of the program that has no page in this data.
    if out.is_empty()
        && let Some(rule) = RuleId::ALL.into_iter().find(|r| is(r.word()))
    {
        out.push(Card::new("rule", rule.word(), ""));
    }
    for relation in kb.relations.iter().filter(|r| is(&r.id)) {
        let mut card = Card::new("relation", &*relation.id, &*relation.title);
        card.put("says", &*relation.says);
        card.list("key", &relation.key);
        card.list("columns", relation.columns.iter().map(|(name, _)| name));
        card.list("primary", relation.primary.iter().map(|k| k.word()));
        card.put(
            "coverage",
            if relation.coverage == kb_core::fact::Coverage::Complete { "complete" } else { "partial" },
        );
        card.put("rows", json!(kb.facts_of(&relation.id).count()));
        let tables = kb
            .tables
            .iter()
            .filter(|t| kb.relations.get(usize::from(t.relation)).is_some_and(|r| r.id == relation.id));
        card.list("tables", tables.clone().map(|t| &t.stem));
        for table in tables {
            if !card.sources.contains(&table.source) {
                card.sources.push(table.source);
            }
        }
        card.list("read_by", kb.rules.iter().filter(|r| r.reads.contains(&relation.id)).map(|r| &r.id));
        card.prose = relation.prose.to_string();
        out.push(card);
    }
    for topic in kb.topics.iter().filter(|t| is(&t.id) || t.names.iter().any(|n| is(n))) {
        let mut card = Card::new("topic", &*topic.id, &*topic.title);
        card.put("resolution", &*topic.resolution);
        card.text("follows", topic.rule.as_deref());
        card.put("positions", topic.positions.iter().map(|p| json!({ "says": p })).collect::<Vec<_>>());
        card.list("claims", &topic.claims);
        card.facts = topic.facts.iter().filter_map(|f| kb.find_fact(f)).collect();
        card.list("names", &topic.names);
        card.prose = topic.prose.to_string();
        out.push(card);
    }
    for advisory in kb.advisories.iter().filter(|a| is(&a.id)) {
        let mut card = Card::new("advisory", &*advisory.id, &*advisory.title);
        card.put("severity", json!(advisory.severity));
        card.list("when", advisory.when.iter().map(|(what, range)| format!("{what} {range}")));
        card.put("finding", &*advisory.finding);
        card.put("fix", &*advisory.fix);
        card.sources = advisory.evidence.iter().map(|e| e.0).collect();
        card.list("locator", advisory.evidence.iter().filter_map(|e| e.1.as_ref()));
        card.prose = advisory.prose.to_string();
        out.push(card);
    }
    out
}
