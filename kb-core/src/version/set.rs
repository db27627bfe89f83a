//! Sets of versions: one syntax for every dotted scheme.

use super::{Dotted, VersionError};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A set of dotted versions, written `12.4` (that release), `12.4.*` (all that start so), `>=12.4, <13`, `*`, or
/// several of these joined by ` || `.
///
/// Versions are compared as numbers: `12.4` contains `12.4.0` and not `12.4.1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct VersionSet {
    intervals: SmallVec<[Interval; 1]>,
}

/// Versions from `low` to `high`; `None` means no bound on that side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Interval {
    low: Option<Bound>,
    high: Option<Bound>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Bound {
    at: Dotted,
    included: bool,
}

impl VersionSet {
    /// Every version.
    pub fn any() -> Self {
        VersionSet { intervals: smallvec![Interval { low: None, high: None }] }
    }

    /// Exactly one release.
    pub fn exactly(version: Dotted) -> Self {
        let bound = Some(Bound { at: version, included: true });
        VersionSet { intervals: smallvec![Interval { low: bound, high: bound }] }
    }

    /// All versions that start with the parts of `prefix`.
    pub fn starting_with(prefix: Dotted) -> Self {
        VersionSet {
            intervals: smallvec![Interval {
                low: Some(Bound { at: prefix, included: true }),
                high: Some(Bound { at: prefix.bumped(), included: false }),
            }],
        }
    }

    /// Is `version` in the set?
    pub fn contains(&self, version: &Dotted) -> bool {
        self.intervals.iter().any(|interval| {
            let above = match &interval.low {
                None => true,
                Some(b) => match version.cmp_number(&b.at) {
                    Ordering::Greater => true,
                    Ordering::Equal => b.included,
                    Ordering::Less => false,
                },
            };
            let below = match &interval.high {
                None => true,
                Some(b) => match version.cmp_number(&b.at) {
                    Ordering::Less => true,
                    Ordering::Equal => b.included,
                    Ordering::Greater => false,
                },
            };
            above && below
        })
    }

    /// Do the two sets share a version?
    pub fn overlaps(&self, other: &VersionSet) -> bool {
        self.intervals.iter().any(|a| other.intervals.iter().any(|b| a.overlaps(b)))
    }

    /// The lowest bound of the set, if every part of it has one.
    pub fn lowest(&self) -> Option<Dotted> {
        let mut lows = Vec::with_capacity(self.intervals.len());
        for interval in &self.intervals {
            lows.push(interval.low?.at);
        }
        lows.into_iter().min_by(Dotted::cmp_number)
    }

    /// The highest bound of the set, if every part of it has one.
    pub fn highest(&self) -> Option<Dotted> {
        let mut highs = Vec::with_capacity(self.intervals.len());
        for interval in &self.intervals {
            highs.push(interval.high?.at);
        }
        highs.into_iter().max_by(Dotted::cmp_number)
    }

    /// Does the set have a version below (`false` when every part starts above) the given one?
    pub fn is_any(&self) -> bool {
        self.intervals.iter().any(|i| i.low.is_none() && i.high.is_none())
    }
}

impl Interval {
    fn overlaps(&self, other: &Interval) -> bool {
        fn apart(high: &Option<Bound>, low: &Option<Bound>) -> bool {
            match (high, low) {
                (Some(h), Some(l)) => match h.at.cmp_number(&l.at) {
                    Ordering::Less => true,
                    Ordering::Equal => !(h.included && l.included),
                    Ordering::Greater => false,
                },
                _ => false,
            }
        }
        !apart(&self.high, &other.low) && !apart(&other.high, &self.low)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op =
            |b: &Bound, strict: &'static str, loose: &'static str| if b.included { loose } else { strict };
        match (&self.low, &self.high) {
            (None, None) => f.write_str("*"),
            (Some(l), Some(h)) if l == h => write!(f, "{}", l.at),
            (Some(l), Some(h)) if l.included && !h.included && h.at == l.at.bumped() => {
                write!(f, "{}.*", l.at)
            }
            (Some(l), None) => write!(f, "{}{}", op(l, ">", ">="), l.at),
            (None, Some(h)) => write!(f, "{}{}", op(h, "<", "<="), h.at),
            (Some(l), Some(h)) => write!(f, "{}{}, {}{}", op(l, ">", ">="), l.at, op(h, "<", "<="), h.at),
        }
    }
}

impl fmt::Display for VersionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, interval) in self.intervals.iter().enumerate() {
            if i > 0 {
                f.write_str(" || ")?;
            }
            fmt::Display::fmt(interval, f)?;
        }
        Ok(())
    }
}

impl FromStr for VersionSet {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let mut intervals = SmallVec::new();
        for alternative in text.split("||") {
            intervals.push(interval(alternative.trim()).ok_or_else(|| VersionError {
                text: text.to_owned(),
                expected: "a set of versions such as 12.4, 12.4.*, or >=12.4, <13",
            })?);
        }
        Ok(VersionSet { intervals })
    }
}

fn interval(text: &str) -> Option<Interval> {
    if text == "*" {
        return Some(Interval { low: None, high: None });
    }
    let mut out = Interval { low: None, high: None };
    let mut clauses = 0;
    for clause in text.split(',') {
        let clause = clause.trim();
        clauses += 1;
        let (op, rest) = ["==", ">=", "<=", ">", "<", "="]
            .iter()
            .find_map(|op| clause.strip_prefix(op).map(|rest| (*op, rest.trim())))
            .unwrap_or(("==", clause));
        if matches!(op, "==" | "=") {
            let single = match rest.strip_suffix(".*") {
                Some(prefix) => VersionSet::starting_with(prefix.parse().ok()?),
                None => VersionSet::exactly(rest.parse().ok()?),
            };
            out = *single.intervals.first()?;
            if clauses > 1 || text.contains(',') {
                return None;
            }
            continue;
        }
        let at: Dotted = rest.parse().ok()?;
        let (slot, included) = match op {
            ">=" => (&mut out.low, true),
            ">" => (&mut out.low, false),
            "<=" => (&mut out.high, true),
            _ => (&mut out.high, false),
        };
        if slot.replace(Bound { at, included }).is_some() {
            return None;
        }
    }
    // An interval that holds nothing is a mistake, not an empty set.
    if let (Some(l), Some(h)) = (&out.low, &out.high) {
        match l.at.cmp_number(&h.at) {
            Ordering::Greater => return None,
            Ordering::Equal if !(l.included && h.included) => return None,
            _ => {}
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> VersionSet {
        text.parse().expect(text)
    }

    fn v(text: &str) -> Dotted {
        text.parse().expect(text)
    }

    #[test]
    fn contains() {
        assert!(set("12.*").contains(&v("12.9.1")));
        assert!(!set("12.*").contains(&v("13.0")));
        assert!(set("12.4.*").contains(&v("12.4")));
        assert!(set("12.4").contains(&v("12.4.0")));
        assert!(!set("12.4").contains(&v("12.4.1")));
        assert!(set(">=11.1, <12").contains(&v("11.8")));
        assert!(set("<8.6 || >=9.11").contains(&v("9.28.0.42")));
        assert!(!set("<8.6 || >=9.11").contains(&v("9.10.2.21")));
    }

    #[test]
    fn round_trip() {
        for text in ["12.4", "12.4.*", ">=12.4, <13", "*", ">9", "<=3.13", "<8.6 || >=9.11", "12.9.*"] {
            assert_eq!(set(text).to_string(), text);
        }
    }

    #[test]
    fn refuses() {
        for text in ["", ">=", ">=13, <12", "12.4.*, <13", ">=1, >=2", "~=1.2", "12.x", "<12, >=12"] {
            assert!(text.parse::<VersionSet>().is_err(), "{text}");
        }
    }

    #[test]
    fn overlap() {
        assert!(set("12.*").overlaps(&set(">=12.9")));
        assert!(!set("12.*").overlaps(&set("13.*")));
        assert!(!set("<12").overlaps(&set(">=12")));
        assert!(set("<=12").overlaps(&set(">=12")));
    }
}
