//! PEP 440 versions and the part of PEP 508 that a request needs.
//!
//! Versions and specifiers are `pep440_rs`. A requirement is read here, because the crates for PEP 508 bring regular
//! expressions and internationalised domain names, several times this library's size in the browser; data files are
//! checked with one of them when they are loaded.

mod marker;

use crate::version::{Dotted, Interpreters, PythonVersion};
use compact_str::CompactString;
pub use pep440_rs::{Version, VersionSpecifiers};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::OnceLock;

/// `jax[cuda12]>=0.9,<1; python_version < "3.13"`, without address; of the marker that part which is about Python.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Requirement {
    /// Normalised name: lower case, `-` for runs of `-`, `_` and `.`.
    pub name: CompactString,
    /// Sorted, normalised.
    pub extras: Vec<CompactString>,
    /// The text of the specifiers as written; empty when any version will do.
    pub specifier: CompactString,
    /// The interpreters with which it holds: all of them without a marker, none for a marker that is about something
    /// else, of which nothing can be claimed.
    pub when: Interpreters,
    /// Parsed when first asked for: the data holds thousands of requirements, and a question looks at a few.
    #[serde(skip)]
    parsed: OnceLock<Option<VersionSpecifiers>>,
}

impl PartialEq for Requirement {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.extras, &self.specifier, self.when)
            == (&other.name, &other.extras, &other.specifier, other.when)
    }
}

impl Requirement {
    /// Any version of a package.
    pub fn any(name: &str) -> Requirement {
        Requirement {
            name: name.into(),
            extras: Vec::new(),
            specifier: CompactString::default(),
            when: Interpreters::ALL,
            parsed: OnceLock::new(),
        }
    }

    /// The specifiers; `None` when any version will do.
    pub fn versions(&self) -> Option<&VersionSpecifiers> {
        let parse =
            || VersionSpecifiers::from_str(&self.specifier).ok().filter(|_| !self.specifier.is_empty());
        self.parsed.get_or_init(parse).as_ref()
    }

    /// Gives up the version and the extras.
    pub(crate) fn free(&mut self) {
        *self = Requirement::any(&self.name);
    }

    /// Does a release satisfy it? A requirement with a local label (`==2.9.1+cu126`) is compared without it.
    pub fn accepts(&self, version: &Version) -> bool {
        self.versions().is_none_or(|v| v.contains(version))
    }

    /// The version when exactly one is asked for: `==2.9.1`, or `<=0.9,>=0.9` as JAX writes it.
    pub fn exact(&self) -> Option<&Version> {
        use pep440_rs::Operator::{Equal, ExactEqual, GreaterThanEqual, LessThanEqual};
        let mut clauses = self.versions()?.iter();
        let first = clauses.next()?;
        let exact = match (first.operator(), clauses.next()) {
            (Equal | ExactEqual, None) => true,
            (low, Some(second)) => {
                let ends = [*low, *second.operator()];
                first.version() == second.version()
                    && (ends == [LessThanEqual, GreaterThanEqual]
                        || ends == [GreaterThanEqual, LessThanEqual])
            }
            _ => false,
        };
        (exact && clauses.next().is_none()).then(|| first.version())
    }
}

impl Requirement {
    /// Is there a release that satisfies both? Without a list of releases two exact pins can still be compared.
    pub fn meets<'a>(&self, other: &Requirement, releases: impl Iterator<Item = &'a Version>) -> bool {
        let mut releases = releases.peekable();
        if releases.peek().is_some() {
            return releases.any(|v| self.accepts(v) && other.accepts(v));
        }
        match (self.exact(), other.exact()) {
            (Some(x), Some(y)) => x == y,
            (Some(x), None) => other.accepts(x),
            (None, Some(y)) => self.accepts(y),
            (None, None) => true,
        }
    }
}

impl Requirement {
    /// Does it hold? Without an interpreter in the question, with each of those that are possible.
    pub fn holds(&self, python: Option<PythonVersion>, possible: Interpreters) -> bool {
        match python {
            Some(python) => self.when.contains(python),
            None => possible.within(self.when),
        }
    }

    /// The versions that it asks for, and when: `>=1.26.0,<2.0.0 (python_version >= "3.12")`.
    pub(crate) fn wanted(&self) -> String {
        match marker::text(self.when) {
            Some(marker) => format!("{} ({marker})", self.specifier),
            None => self.specifier.to_string(),
        }
    }

    /// Is it, with the interpreters of another one, asking for nothing that the other does not ask for?
    pub(crate) fn repeats(&self, other: &Requirement) -> bool {
        (&self.name, &self.extras, &self.specifier) == (&other.name, &other.extras, &other.specifier)
            && self.when.within(other.when)
    }
}

/// As PEP 508 writes it: `triton==3.1.0; python_version < "3.13"`.
impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if !self.extras.is_empty() {
            write!(f, "[{}]", self.extras.join(","))?;
        }
        f.write_str(&self.specifier)?;
        match marker::text(self.when) {
            Some(marker) => write!(f, "; {marker}"),
            None => Ok(()),
        }
    }
}

/// The normal form of a package name (PEP 503).
pub fn normal_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.trim().chars() {
        if matches!(c, '-' | '_' | '.') {
            if !out.ends_with('-') {
                out.push('-');
            }
        } else {
            out.extend(c.to_lowercase());
        }
    }
    out
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (body, marker) =
            text.split_once(';').map_or((text, None), |(body, marker)| (body.trim(), Some(marker)));
        let end =
            body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(body.len());
        let (name, mut rest) = body.split_at(end);
        if name.is_empty() {
            return Err("it does not start with a package name".to_owned());
        }
        rest = rest.trim_start();
        let mut extras = Vec::new();
        if let Some(inside) = rest.strip_prefix('[') {
            let (list, after) = inside.split_once(']').ok_or("the list of extras is not closed with `]`")?;
            extras = list.split(',').map(normal_name).filter(|e| !e.is_empty()).collect();
            extras.sort();
            extras.dedup();
            rest = after.trim_start();
        }
        if rest.starts_with('@') {
            return Err("an address after `@` cannot be judged; name a version".to_owned());
        }
        let specifier = rest.trim_start_matches('(').trim_end_matches(')').trim();
        // `torch=2.9` is what conda and many people write.
        let single = specifier.strip_prefix('=').filter(|r| !r.starts_with('='));
        let specifier = single.map_or_else(|| specifier.to_owned(), |r| format!("=={r}"));
        let versions = if specifier.is_empty() {
            None
        } else {
            // Its own words bring tables of character widths, which are large in the browser.
            let wrong = |_| format!("`{specifier}` is no list of versions such as >=2.4,<3");
            Some(VersionSpecifiers::from_str(&specifier).map_err(wrong)?)
        };
        let extras = extras.into_iter().map(CompactString::from).collect();
        Ok(Requirement {
            name: normal_name(name).into(),
            extras,
            specifier: specifier.into(),
            when: marker.map_or(Interpreters::ALL, |m| marker::interpreters(m).unwrap_or(Interpreters::NONE)),
            parsed: OnceLock::from(versions),
        })
    }
}

/// A version as a dotted one: of one to four numbers, and nothing else.
pub(crate) fn dotted(version: &Version) -> Option<Dotted> {
    let numbers = version.release();
    let plain = version.epoch() == 0
        && !version.any_prerelease()
        && !version.is_post()
        && !version.is_local()
        && numbers.len() <= 4;
    let mut parts = [0; 4];
    for (part, number) in parts.iter_mut().zip(numbers) {
        *part = u32::try_from(*number).ok().filter(|n| *n < 1_000_000_000)?;
    }
    plain.then(|| Dotted::new(&parts[..numbers.len()]))
}

/// Alternatives of specifiers, as the column type `pep440-range` writes them.
pub fn alternatives(text: &str) -> Vec<VersionSpecifiers> {
    text.split("||").filter_map(|part| VersionSpecifiers::from_str(part.trim()).ok()).collect()
}

/// Is a release in one of the alternatives? Pre-releases only count when a clause names them exactly.
pub fn contains(alternatives: &[VersionSpecifiers], version: &Version) -> bool {
    alternatives.iter().any(|a| {
        a.contains(version) && (!version.any_prerelease() || a.iter().any(|s| s.version() == version))
    })
}
