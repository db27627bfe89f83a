//! How the values of a build are known: what was measured in its files, what they declare, what is documented of
//! them, side by side. Which value is followed was decided in kb-core; here nothing is chosen.

mod answer;
mod dropped;
mod group;

pub use answer::{Behind, behind};
pub use group::{Group, groups};

use kb_core::evidence::Truth;
use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::value::Value;
use kb_core::world::{Build, PackageWorld, Stated};
use serde_json::{Value as Json, json};

/// A build, or builds of which the same is said, and its columns.
pub type Known = (String, Vec<Column>);

/// The values of one column, the strongest truth first.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// `cuda`, `cudnn`, `sass`, `ptx`.
    pub name: &'static str,
    /// Who says what.
    pub values: Vec<Said>,
    /// The dispute that decided, by its id; without one the stronger truth did.
    pub dispute: Option<String>,
}

/// A value, and who states it in one way.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// How it is known.
    pub truth: Truth,
    /// What is said.
    pub what: What,
    /// Who says so: indexes of sources.
    pub sources: Vec<u16>,
    /// Do answers rest on it?
    pub followed: bool,
}

/// What a source says in a column.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A version.
    One(String),
    /// All targets.
    List(Vec<String>),
    /// These targets are not there; of others nothing is said.
    Dropped(Vec<String>),
}

impl What {
    fn of(value: &Value) -> What {
        match value {
            Value::List(items) => What::List(items.iter().map(ToString::to_string).collect()),
            other => What::One(other.to_string()),
        }
    }

    /// Can both be true?
    fn goes_with(&self, other: &What) -> bool {
        match (self, other) {
            // 12.4 and 12.4.0 are one release.
            (What::One(a), What::One(b)) => trimmed(a) == trimmed(b),
            (What::List(a), What::List(b)) => {
                a.iter().all(|target| b.contains(target)) && b.iter().all(|target| a.contains(target))
            }
            (What::List(list), What::Dropped(targets)) | (What::Dropped(targets), What::List(list)) => {
                !targets.iter().any(|target| list.contains(target))
            }
            _ => true,
        }
    }
}

fn trimmed(version: &str) -> &str {
    let mut out = version;
    while let Some(shorter) = out.strip_suffix(".0") {
        out = shorter;
    }
    out
}

impl Column {
    /// Do sources contradict each other?
    pub fn differs(&self) -> bool {
        self.values
            .iter()
            .enumerate()
            .any(|(i, a)| self.values[i + 1..].iter().any(|b| !a.what.goes_with(&b.what)))
    }

    /// The truths that state one value, if there are several and nobody contradicts.
    pub fn agreeing(&self) -> Option<Vec<Truth>> {
        let mut truths: Vec<Truth> = self.stated().map(|said| said.truth).collect();
        truths.dedup();
        (truths.len() > 1 && !self.differs()).then_some(truths)
    }

    /// What answers rest on, as its strongest source knows it.
    pub fn followed(&self) -> Option<&Said> {
        self.values.iter().find(|said| said.followed)
    }

    /// Is what contradicts the followed value of another truth?
    pub fn ranks(&self) -> bool {
        let Some(followed) = self.followed() else { return false };
        self.values.iter().any(|said| said.truth != followed.truth && !said.what.goes_with(&followed.what))
    }

    fn stated(&self) -> impl Iterator<Item = &Said> {
        self.values.iter().filter(|said| !matches!(said.what, What::Dropped(_)))
    }

    /// An element of `truths`.
    pub fn json(&self, kb: &Kb) -> Json {
        let values = self.values.iter().map(|said| {
            let (value, dropped) = match &said.what {
                What::One(text) => (json!(text), Json::Null),
                What::List(list) => (json!(list), Json::Null),
                What::Dropped(list) => (Json::Null, json!(list)),
            };
            let sources = said.sources.iter().filter_map(|s| kb.sources.get(usize::from(*s)));
            let mut out = json!({
                "truth": said.truth.word(),
                "value": value,
                "sources": sources.map(|s| &*s.id).collect::<Vec<_>>(),
                "followed": said.followed,
            });
            if let (Some(keys), false) = (out.as_object_mut(), dropped.is_null()) {
                keys.insert("dropped".to_owned(), dropped);
            }
            out
        });
        json!({ "column": self.name, "values": values.collect::<Vec<_>>(), "dispute": self.dispute })
    }
}

/// The columns of a build that anybody says something of.
pub fn columns(kb: &Kb, package: &PackageWorld, build: &Build) -> Vec<Column> {
    let mut out = vec![
        column(kb, "cuda", build.cuda.as_ref()),
        column(kb, "cudnn", build.cudnn.as_ref()),
        column(kb, "sass", build.device_code.as_ref()),
        column(kb, "ptx", build.device_code.as_ref()),
    ];
    for (fact, targets) in dropped::of(kb, package, build) {
        // Whoever counts machine code out does not speak of PTX.
        out[2].add(kb, fact, &What::Dropped(targets), false);
    }
    for column in &mut out {
        column.values.sort_by_key(|said| (said.truth, !said.followed));
    }
    out.retain(|column| column.stated().next().is_some());
    out
}

fn column<T>(kb: &Kb, name: &'static str, stated: Option<&Stated<T>>) -> Column {
    let mut out = Column { name, values: Vec::new(), dispute: None };
    let Some(stated) = stated else { return out };
    let facts = stated.facts.iter().map(|f| (*f, true)).chain(stated.against.iter().map(|f| (*f, false)));
    for (fact, followed) in facts {
        if let Some(value) = kb.cell(fact, name) {
            out.add(kb, fact, &What::of(value), followed);
        }
    }
    out.dispute = stated.dispute.and_then(|d| kb.disputes.get(d)).map(|d| d.id.to_string());
    out
}

impl Column {
    /// Adds what a fact says, once for each way in which its sources know it.
    fn add(&mut self, kb: &Kb, fact: FactId, what: &What, followed: bool) {
        let own = std::iter::once(kb.table(fact).source).chain(kb.row(fact).also.iter().copied());
        for source in own {
            let Some(kind) = kb.sources.get(usize::from(source)).map(|s| s.kind) else { continue };
            let truth = kind.truth();
            let same = |said: &&mut Said| {
                let alike = std::mem::discriminant(&said.what) == std::mem::discriminant(what);
                said.truth == truth && alike && said.what.goes_with(what) && !matches!(what, What::Dropped(_))
            };
            match self.values.iter_mut().find(same) {
                Some(said) => {
                    said.followed |= followed;
                    if !said.sources.contains(&source) {
                        said.sources.push(source);
                    }
                }
                None => {
                    self.values.push(Said { truth, what: what.clone(), sources: vec![source], followed });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(truth: Truth, what: What, followed: bool) -> Said {
        Said { truth, what, sources: vec![0], followed }
    }

    fn list(targets: &[&str]) -> Vec<String> {
        targets.iter().map(ToString::to_string).collect()
    }

    fn of(values: Vec<Said>) -> Column {
        Column { name: "sass", values, dispute: None }
    }

    #[test]
    fn one_release_may_be_spelled_in_two_ways() {
        assert!(What::One("12.4".into()).goes_with(&What::One("12.4.0".into())));
        assert!(!What::One("12.5".into()).goes_with(&What::One("12.5.1".into())));
        assert!(What::List(list(&["8.0", "9.0"])).goes_with(&What::List(list(&["9.0", "8.0"]))));
    }

    #[test]
    fn several_truths_agree_or_differ() {
        let measured = || said(Truth::Measured, What::List(list(&["7.0", "8.0"])), true);
        let documented = |targets| said(Truth::Documented, What::List(list(targets)), false);
        let agreeing = of(vec![measured(), documented(&["8.0", "7.0"])]);
        assert_eq!(agreeing.agreeing(), Some(vec![Truth::Measured, Truth::Documented]));
        let differing = of(vec![measured(), documented(&["8.0"])]);
        assert!(differing.differs() && differing.agreeing().is_none());
        assert_eq!(differing.followed().map(|s| s.truth), Some(Truth::Measured));
        assert_eq!(of(vec![measured()]).agreeing(), None);
    }

    #[test]
    fn what_is_counted_out_contradicts_only_a_list_that_has_it() {
        let measured = || said(Truth::Measured, What::List(list(&["7.0", "8.0"])), true);
        let dropped = |targets| said(Truth::Documented, What::Dropped(list(targets)), false);
        let differing = of(vec![measured(), dropped(&["7.0"])]);
        assert!(differing.differs() && differing.ranks());
        let one_truth = said(Truth::Documented, What::List(list(&["7.0"])), true);
        assert!(!of(vec![one_truth, dropped(&["7.0"])]).ranks());
        let other = of(vec![measured(), dropped(&["5.0"])]);
        assert!(!other.differs() && other.agreeing().is_none());
    }
}
