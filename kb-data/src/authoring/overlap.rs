//! When are two key values the same, when do two ranges meet, when do two cells say different things?

use super::scalar;
use kb_core::kb::Kb;
use kb_core::value::{ColumnType, Kind, Value};
use pep440_rs::{Version, VersionSpecifiers};
use std::collections::HashMap;
use std::ops::Bound;
use std::str::FromStr;
use version_ranges::Ranges;

/// Is the column compared as a set, not as a text?
pub(super) fn is_range(column: ColumnType) -> bool {
    !column.list && matches!(column.kind, Kind::DottedRange | Kind::Pep440Range)
}

/// A text that is equal for values that mean the same: `12.4` and `12.4.0`, lists in another order.
pub(super) fn canonical(kind: Kind, value: &Value) -> String {
    match value {
        Value::Version(v) => {
            let mut n = v.len();
            while n > 1 && v.part(n - 1) == 0 {
                n -= 1;
            }
            let parts: Vec<String> = (0..n).map(|i| v.part(i).to_string()).collect();
            parts.join(".")
        }
        Value::Text(text) if kind == Kind::Pep440 => match Version::from_str(text) {
            Ok(version) => {
                let release = version.release();
                let n = release.iter().rposition(|part| *part != 0).map_or(1, |last| last + 1);
                let short = release[..n.min(release.len())].to_vec();
                version.with_release(short).to_string()
            }
            Err(_) => text.to_string(),
        },
        Value::Text(text) if matches!(kind, Kind::Requirement | Kind::Pep440Range) => {
            text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
        }
        Value::List(items) => {
            let mut all: Vec<String> = items.iter().map(|item| canonical(kind, item)).collect();
            all.sort();
            all.dedup();
            all.join(", ")
        }
        other => other.to_string(),
    }
}

/// Do two cells say different things? A month does not contradict a day in it.
pub(super) fn differ(kind: Kind, a: &Value, b: &Value) -> bool {
    let (a, b) = (canonical(kind, a), canonical(kind, b));
    match kind {
        Kind::Date => !a.starts_with(&b) && !b.starts_with(&a),
        _ => a != b,
    }
}

/// Decides whether sets by PEP 440 meet: on the releases of the package as far as they are known, and on the numbers
/// alone above the newest and below the oldest of them (an index need not have every release).
pub(super) struct Releases {
    of: HashMap<Box<str>, Known>,
    sets: HashMap<(Box<str>, Box<str>), Set>,
}

/// The releases of one package.
struct Known {
    versions: Vec<Version>,
    /// Below the oldest and above the newest.
    outside: Ranges<Version>,
}

/// A set by PEP 440, ready to be compared.
struct Set {
    /// A bit per known release.
    bits: Vec<u64>,
    ranges: Ranges<Version>,
}

impl Releases {
    /// The releases that the relation `release` knows.
    pub(super) fn new(kb: &Kb) -> Self {
        let mut versions: HashMap<Box<str>, Vec<Version>> = HashMap::new();
        for (id, _) in kb.facts_of("release") {
            if let (Some(Value::Text(package)), Some(Value::Text(version))) =
                (kb.cell(id, "package"), kb.cell(id, "version"))
                && let Ok(version) = Version::from_str(version)
            {
                versions.entry(package.as_str().into()).or_default().push(version);
            }
        }
        let known = |versions: Vec<Version>| Known { outside: outside(&versions), versions };
        let of = versions.into_iter().map(|(package, versions)| (package, known(versions))).collect();
        Releases { of, sets: HashMap::new() }
    }

    /// Do two sets share a release of the package?
    pub(super) fn overlap(&mut self, package: &str, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        self.prepare(package, a);
        self.prepare(package, b);
        let key = |text: &str| (package.into(), text.into());
        let (Some(a), Some(b)) = (self.sets.get(&key(a)), self.sets.get(&key(b))) else { return false };
        let common = a.ranges.intersection(&b.ranges);
        match self.of.get(package) {
            None => !common.is_empty(),
            Some(known) => {
                let released = a.bits.iter().zip(&b.bits).any(|(x, y)| x & y != 0);
                released || !common.intersection(&known.outside).is_empty()
            }
        }
    }

    /// The lowest and the highest version that a set may share with another one; `None` where it has no bound.
    pub(super) fn bounds(&mut self, package: &str, text: &str) -> (Option<Version>, Option<Version>) {
        self.prepare(package, text);
        let Some(set) = self.sets.get(&(package.into(), text.into())) else { return (None, None) };
        let released = self.of.get(package).map_or(&[][..], |known| known.versions.as_slice());
        let inside = || {
            let bits = released.iter().enumerate();
            bits.filter(|(i, _)| set.bits[i / 64] & (1 << (i % 64)) != 0).map(|(_, version)| version)
        };
        let Some((low, high)) = set.ranges.bounding_range() else {
            // No number is in the ranges; releases may be all the same.
            let nothing = || Version::new([0]);
            let (low, high) = (inside().min().cloned(), inside().max().cloned());
            return (Some(low.unwrap_or_else(nothing)), Some(high.unwrap_or_else(nothing)));
        };
        let end = |bound: Bound<&Version>| match bound {
            Bound::Included(v) | Bound::Excluded(v) => Some(v.clone()),
            Bound::Unbounded => None,
        };
        // The two ways to read a set differ about pre-releases and labels: the hull holds both.
        let low = end(low).map(|low| inside().min().map_or(low.clone(), |v| low.clone().min(v.clone())));
        let high = end(high).map(|high| inside().max().map_or(high.clone(), |v| high.clone().max(v.clone())));
        (low, high)
    }

    fn prepare(&mut self, package: &str, text: &str) {
        let key = (package.into(), text.into());
        if self.sets.contains_key(&key) {
            return;
        }
        let alternatives: Vec<VersionSpecifiers> = scalar::pep440_range(text).unwrap_or_default();
        let releases = self.of.get(package).map_or(&[][..], |known| known.versions.as_slice());
        let mut bits = vec![0u64; releases.len().div_ceil(64)];
        for (i, version) in releases.iter().enumerate() {
            if alternatives.iter().any(|set| set.contains(version)) {
                bits[i / 64] |= 1 << (i % 64);
            }
        }
        let ranges = alternatives.into_iter().fold(Ranges::empty(), |all, set| all.union(&Ranges::from(set)));
        self.sets.insert(key, Set { bits, ranges });
    }
}

/// The versions below the lowest and above the highest of some.
pub(crate) fn outside(versions: &[Version]) -> Ranges<Version> {
    match (versions.iter().min(), versions.iter().max()) {
        (Some(low), Some(high)) => {
            Ranges::strictly_lower_than(low.clone()).union(&Ranges::strictly_higher_than(high.clone()))
        }
        _ => Ranges::full(),
    }
}
