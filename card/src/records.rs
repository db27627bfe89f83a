//! Sources, disputes, guides and their claims, word tables.

use crate::Card;
use kb_core::kb::Kb;
use kb_core::record::{Article, Claim};
use serde_json::json;

/// The cards of an id.
pub fn find(kb: &Kb, id: &str) -> Vec<Card> {
    let is = |other: &str| other.eq_ignore_ascii_case(id);
    let mut out = Vec::new();
    for (index, source) in kb.sources.iter().enumerate().filter(|(_, s)| is(&s.id)) {
        let mut card = Card::new("source", &*source.id, &*source.title);
        card.put("publisher", &*source.publisher);
        card.put("type", source.kind.word());
        card.text("address", source.address.as_deref());
        card.text("date", source.date.as_deref());
        card.text("note", source.note.as_deref());
        let tables: Vec<_> = kb
            .tables
            .iter()
            .filter(|t| usize::from(t.source) == index)
            .filter_map(|t| {
                let relation = kb.relations.get(usize::from(t.relation))?;
                Some(json!({ "id": format!("{}/{}", relation.id, t.stem), "rows": t.rows.len(), "locator": t.locator, "read_on": t.read_on }))
            })
            .collect();
        card.put("tables", tables);
        out.push(card);
    }
    for dispute in kb.disputes.iter().filter(|d| is(&d.id) || d.names.iter().any(|n| is(n))) {
        let mut card = Card::new("dispute", &*dispute.id, "");
        let source = |s: u16| kb.sources.get(usize::from(s)).map(|s| s.id.to_string());
        card.list("key", dispute.key.iter().map(|(k, v)| format!("{k} {v}")));
        card.text("prefer", dispute.prefer.and_then(source).as_deref());
        card.list("over", dispute.over.iter().filter_map(|s| source(*s)));
        card.put("since", &*dispute.since);
        card.list("names", &dispute.names);
        card.sources = dispute.prefer.into_iter().chain(dispute.over.iter().copied()).collect();
        card.prose = dispute.prose.to_string();
        out.push(card);
    }
    for article in kb.articles.iter().filter(|a| is(&a.id)) {
        out.push(guide(article));
    }
    for (article, claim) in
        kb.articles.iter().flat_map(|a| a.claims.iter().map(move |c| (a, c))).filter(|(_, c)| is(&c.id))
    {
        out.push(self::claim(kb, article, claim));
    }
    out
}

fn guide(article: &Article) -> Card {
    let mut card = Card::new("article", &*article.id, &*article.title);
    card.text("language", article.language.as_deref());
    card.text("scope", article.scope.as_deref());
    card.put(
        "claims",
        article
            .claims
            .iter()
            .map(|c| json!({ "id": c.id, "verdict": c.verdict, "says": c.statement }))
            .collect::<Vec<_>>(),
    );
    card
}

fn claim(kb: &Kb, article: &Article, claim: &Claim) -> Card {
    let mut card = Card::new("claim", &*claim.id, &*claim.statement);
    card.put("verdict", &*claim.verdict);
    card.put("evidence", &*claim.evidence);
    card.text("correct", claim.correct.as_deref());
    card.put("article", &*article.id);
    card.list("subject", claim.subject.iter().map(|(k, v)| format!("{k} {v}")));
    card.list("named_in", kb.topics.iter().filter(|t| t.claims.contains(&claim.id)).map(|t| &t.id));
    card.sources.clone_from(&claim.sources);
    card
}
