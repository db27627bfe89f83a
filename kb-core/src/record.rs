//! What is kept beside the facts: disputes, topics, advisories, claims, pages, words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two sources that say different things under one key, and which one is followed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dispute {
    /// `<relation>/<file name>`.
    pub id: Box<str>,
    /// Index of the relation.
    pub relation: u16,
    /// Column and value, as text.
    pub key: Vec<(Box<str>, Box<str>)>,
    /// Index of the preferred source; `None` means that neither is to be followed.
    pub prefer: Option<u16>,
    /// Indexes of the sources that are not followed.
    pub over: Vec<u16>,
    /// Since when it is settled so.
    pub since: Box<str>,
    /// What it is called elsewhere.
    pub names: Vec<Box<str>>,
    /// Who says what, why this one, what would settle it (Markdown).
    pub prose: Box<str>,
}

/// A question on which guides and vendors disagree, with its resolution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Topic {
    /// File name in `topics/`.
    pub id: Box<str>,
    /// The question.
    pub title: Box<str>,
    /// What it is called elsewhere, such as `K03`.
    pub names: Vec<Box<str>>,
    /// Who says what.
    pub positions: Vec<Box<str>>,
    /// What holds.
    pub resolution: Box<str>,
    /// What follows for the data.
    pub rule: Option<Box<str>>,
    /// Ids of claims.
    pub claims: Vec<Box<str>>,
    /// Ids of facts.
    pub facts: Vec<Box<str>>,
    /// Markdown.
    pub prose: Box<str>,
}

/// How bad an advisory's combination is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It does not work.
    Breaks,
    /// It works badly.
    Degrades,
    /// Worth knowing.
    Note,
}

/// A place where something can be looked at again: index of the source, where in it, when it was read.
pub type Evidence = (u16, Option<Box<str>>, Option<Box<str>>);

/// A combination known to be bad: all conditions must hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advisory {
    /// File name in `advisories/`.
    pub id: Box<str>,
    /// One line.
    pub title: Box<str>,
    /// How bad.
    pub severity: Severity,
    /// Package id (or `gpu-compute`, `os`, `channel`, `python`) and the versions or value.
    pub when: Vec<(Box<str>, Box<str>)>,
    /// What happens.
    pub finding: Box<str>,
    /// What to do.
    pub fix: Box<str>,
    /// Where it is known from.
    pub evidence: Vec<Evidence>,
    /// Markdown.
    pub prose: Box<str>,
}

/// A guide whose claims were checked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Article {
    /// File name in `claims/`.
    pub id: Box<str>,
    /// What it is about.
    pub title: Box<str>,
    /// `zh-Hans`, `zh-Hant`, `en`.
    pub language: Option<Box<str>>,
    /// What it covers.
    pub scope: Option<Box<str>>,
    /// What it says.
    pub claims: Vec<Claim>,
}

/// One statement of a guide and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// `A001`.
    pub id: Box<str>,
    /// What is claimed, in our words.
    pub statement: Box<str>,
    /// `version-binding`, `driver-minimum` …
    pub kind: Box<str>,
    /// `confirmed`, `refuted`, `partly`, `disputed`, `unverifiable`.
    pub verdict: Box<str>,
    /// Why.
    pub evidence: Box<str>,
    /// What holds instead.
    pub correct: Option<Box<str>>,
    /// What it is about: os, framework, version, cuda, cudnn, driver, python, gpu.
    pub subject: Vec<(Box<str>, Box<str>)>,
    /// Indexes of sources.
    pub sources: Vec<u16>,
    /// Ids of other articles that say the same.
    pub also_in: Vec<Box<str>>,
}

/// When an importer last looked at a package.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// Directory name in `imported/`.
    pub importer: Box<str>,
    /// Id of the package.
    pub package: Box<str>,
    /// The day, `YYYY-MM-DD`.
    pub on: Box<str>,
}

/// The page of a way of reasoning. One file in `rules/`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RulePage {
    /// File name in `rules/`, the same as the rule's id.
    pub id: Box<str>,
    /// One line.
    pub title: Box<str>,
    /// Relations it reads.
    pub reads: Vec<Box<str>>,
    /// Markdown.
    pub prose: Box<str>,
}

/// Every sentence the program says, in one language: id → template.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Words {
    /// `en`, `zh-Hans`, `zh-Hant`.
    pub language: Box<str>,
    /// Sentence id → template with `{value}` places.
    pub sentences: BTreeMap<Box<str>, Box<str>>,
}
