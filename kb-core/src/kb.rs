//! The knowledge base as one immutable value.

use crate::catalog::{Accelerator, Ambiguous, Channel, Gpu, Package};
use crate::evidence::{Grade, Source, SourceKind};
use crate::fact::{FactId, Relation, Row, Table};
use crate::record::{Advisory, Article, Cause, Checked, Dispute, RulePage, Signature, Topic, Words};
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// Everything that is known. Made by kb-data's loader, or by hand in tests; never changed afterwards.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Kb {
    /// The data's own version, `YYYY.MM.DD`: the newest date at which a table was read.
    pub version: Box<str>,
    /// Sorted by id.
    pub sources: Vec<Source>,
    /// Sorted by id.
    pub relations: Vec<Relation>,
    /// Sorted by relation, then stem. Packed apart from the rest.
    #[serde(skip)]
    pub tables: Vec<Table>,
    /// When importers last looked, sorted by package, then importer. No answer needs it.
    #[serde(skip)]
    pub checked: Vec<Checked>,
    /// In the order of the files.
    pub gpus: Vec<Gpu>,
    /// Spellings that name several GPUs.
    pub ambiguous: Vec<Ambiguous>,
    /// Sorted by id.
    pub packages: Vec<Package>,
    /// Sorted by id.
    pub channels: Vec<Channel>,
    /// Sorted by id.
    pub accelerators: Vec<Accelerator>,
    /// Sorted by id.
    pub disputes: Vec<Dispute>,
    /// Sorted by id.
    pub topics: Vec<Topic>,
    /// Sorted by id.
    pub advisories: Vec<Advisory>,
    /// Sorted by id.
    pub articles: Vec<Article>,
    /// Sorted by id.
    pub rules: Vec<RulePage>,
    /// Sorted by id. For `diagnose` alone: no answer needs them.
    #[serde(skip)]
    pub signatures: Vec<Signature>,
    /// Sorted by id, as the signatures.
    #[serde(skip)]
    pub causes: Vec<Cause>,
    /// Sorted by language.
    pub words: Vec<Words>,
}

impl Kb {
    /// The row behind a handle.
    pub fn row(&self, id: FactId) -> &Row {
        &self.tables[usize::from(id.table)].rows[id.row as usize]
    }

    /// The table a fact stands in.
    pub fn table(&self, id: FactId) -> &Table {
        &self.tables[usize::from(id.table)]
    }

    /// The relation of a fact.
    pub fn relation(&self, id: FactId) -> &Relation {
        &self.relations[usize::from(self.table(id).relation)]
    }

    /// The readable id of a fact: `relation/table#key,key`.
    pub fn fact_name(&self, id: FactId) -> String {
        let table = self.table(id);
        let relation = &self.relations[usize::from(table.relation)];
        format!("{}/{}#{}", relation.id, table.stem, self.key_text(id))
    }

    /// The key values of a fact, joined by commas; absent ones are left empty.
    pub fn key_text(&self, id: FactId) -> String {
        let relation = self.relation(id);
        let row = self.row(id);
        let mut out = String::new();
        for (i, key) in relation.key.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            if let Some(value) = relation.column(key).and_then(|c| row.cells.get(c)).and_then(Option::as_ref)
            {
                out.push_str(&value.to_string());
            }
        }
        out
    }

    /// The cell of a fact in a column.
    pub fn cell(&self, id: FactId, column: &str) -> Option<&Value> {
        let index = self.relation(id).column(column)?;
        self.row(id).cells.get(index)?.as_ref()
    }

    /// All facts that were not withdrawn, of one relation.
    pub fn facts_of<'a>(&'a self, relation: &str) -> impl Iterator<Item = (FactId, &'a Row)> + 'a {
        let wanted = self.relations.iter().position(|r| &*r.id == relation);
        self.tables.iter().enumerate().filter(move |(_, t)| Some(usize::from(t.relation)) == wanted).flat_map(
            |(i, t)| {
                t.rows
                    .iter()
                    .enumerate()
                    .filter(|(_, row)| row.withdrawn.is_none())
                    .map(move |(j, row)| (FactId { table: i as u16, row: j as u32 }, row))
            },
        )
    }

    /// The number of facts, withdrawn ones included.
    pub fn fact_count(&self) -> usize {
        self.tables.iter().map(|t| t.rows.count()).sum()
    }

    /// Finds a fact by its readable id.
    pub fn find_fact(&self, name: &str) -> Option<FactId> {
        let (head, key) = name.split_once('#')?;
        let (relation, stem) = head.split_once('/')?;
        for (i, table) in self.tables.iter().enumerate() {
            if &*table.stem != stem || &*self.relations[usize::from(table.relation)].id != relation {
                continue;
            }
            for j in 0..table.rows.len() {
                let id = FactId { table: i as u16, row: j as u32 };
                if self.key_text(id) == key {
                    return Some(id);
                }
            }
        }
        None
    }

    /// How sure a fact is.
    pub fn grade(&self, id: FactId) -> Grade {
        Grade::of(self.kinds(id), &self.relation(id).primary)
    }

    /// The strongest kind of source that states a fact.
    pub fn kind(&self, id: FactId) -> SourceKind {
        self.kinds(id).min().unwrap_or(SourceKind::Derived)
    }

    fn kinds(&self, id: FactId) -> impl Iterator<Item = SourceKind> + '_ {
        std::iter::once(self.table(id).source)
            .chain(self.row(id).also.iter().copied())
            .map(|s| self.sources[usize::from(s)].kind)
    }

    /// A package by its id.
    pub fn package(&self, id: &str) -> Option<usize> {
        self.packages.binary_search_by(|p| (*p.id).cmp(id)).ok()
    }

    /// A channel by its id.
    pub fn channel(&self, id: &str) -> Option<usize> {
        self.channels.binary_search_by(|c| (*c.id).cmp(id)).ok()
    }

    /// A source by its id.
    pub fn source(&self, id: &str) -> Option<usize> {
        self.sources.binary_search_by(|s| (*s.id).cmp(id)).ok()
    }

    /// A cause by its id.
    pub fn cause(&self, id: &str) -> Option<usize> {
        self.causes.binary_search_by(|c| (*c.id).cmp(id)).ok()
    }

    /// A GPU by its id.
    pub fn gpu(&self, id: &str) -> Option<usize> {
        self.gpus.iter().position(|g| &*g.id == id)
    }
}
