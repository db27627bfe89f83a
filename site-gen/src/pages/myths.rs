//! What guides say, and what became of it.

use super::index;
use crate::card_page::{Maker, fragment};
use crate::page::{Checked, Page, Section};
use kb_core::record::Claim;

/// Where it stands.
pub(crate) const ADDRESS: &str = "myths/";

/// In this order: what does not hold first.
const VERDICTS: [&str; 5] = ["refuted", "partly", "disputed", "unverifiable", "confirmed"];

/// The page, with the claims of all guides by verdict.
pub(crate) fn page(maker: Maker<'_, '_, '_>) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let all: Vec<&Claim> = book.kb.articles.iter().flat_map(|a| &a.claims).collect();
    let mut sections = Vec::new();
    let mut verdicts: Vec<&str> = VERDICTS.to_vec();
    for claim in &all {
        if !verdicts.contains(&&*claim.verdict) {
            verdicts.push(&claim.verdict);
        }
    }
    if maker.english().is_some() {
        sections.push(Section::Note { text: tongue.word("ui-site-untranslated") });
    }
    for verdict in verdicts {
        let claims: Vec<Checked> =
            all.iter().filter(|c| &*c.verdict == verdict).map(|claim| checked(maker, claim)).collect();
        if !claims.is_empty() {
            let title =
                tongue.known(&format!("ui-site-verdict-{verdict}")).unwrap_or_else(|| verdict.to_owned());
            sections.push(Section::Claims { id: fragment(verdict), title, claims, lang: maker.english() });
        }
    }
    Page {
        address: ADDRESS.to_owned(),
        title: tongue.word("ui-site-myths"),
        description: tongue.word("ui-site-about-myths"),
        kind: None,
        crumbs: index::home(book, tongue),
        sections,
        json: None,
        subject: "claims".to_owned(),
    }
}

fn checked(maker: Maker<'_, '_, '_>, claim: &Claim) -> Checked {
    let mut texts = Vec::new();
    if let Some(correct) = &claim.correct {
        texts.push(correct.to_string());
    }
    if !claim.evidence.is_empty() {
        texts.push(claim.evidence.to_string());
    }
    Checked {
        id: fragment(&claim.id),
        title: claim.statement.to_string(),
        verdict: claim.verdict.to_string(),
        texts,
        links: claim.sources.iter().map(|s| maker.source(*s)).collect(),
    }
}
