//! Sets of Python versions: which interpreters the files of a build are for.

use super::{PythonVersion, VersionSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of interpreters by minor version: bit N stands for Python 3.N, the last bit for Python 2.7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct Interpreters(u32);

const TWO: u32 = 31;
/// The newest minor version that can be told apart; newer ones count as it.
const NEWEST: u32 = 30;

/// As a number that is small for the sets that there are, because small numbers are written in few bytes: 2.7 is the
/// lowest bit, and of a set without an end those are written that are not in it.
impl From<Interpreters> for u64 {
    fn from(set: Interpreters) -> u64 {
        let bits = set.0.rotate_left(1);
        if set.is_open() { u64::from(!bits) << 1 | 1 } else { u64::from(bits) << 1 }
    }
}

impl From<u64> for Interpreters {
    fn from(number: u64) -> Interpreters {
        let bits = (number >> 1) as u32;
        Interpreters(if number & 1 == 1 { !bits } else { bits }.rotate_right(1))
    }
}

impl Interpreters {
    /// Every interpreter.
    pub const ALL: Interpreters = Interpreters(u32::MAX);
    /// None at all.
    pub const NONE: Interpreters = Interpreters(0);

    /// Who can install a file with this tag: `cp312` exactly that one, `cp38-abi3` from there on, `py3` any Python 3.
    pub fn of_tag(tag: &str) -> Interpreters {
        let (interpreter, abi) = tag.split_once('-').unwrap_or((tag, ""));
        let number = |digits: &str| -> Option<(u32, u32)> {
            let (major, minor) = digits.split_at_checked(1)?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        let (digits, and_newer) = match (interpreter.strip_prefix("cp"), interpreter.strip_prefix("py")) {
            (Some(digits), _) => (digits, abi == "abi3"),
            (None, Some("3")) => ("30", true),
            (None, Some("2")) => ("27", false),
            (None, Some(digits)) => (digits, true),
            (None, None) => return Interpreters::NONE,
        };
        match number(digits) {
            Some((3, minor)) if and_newer => Interpreters((u32::MAX << minor.min(NEWEST)) & !(1 << TWO)),
            Some((3, minor)) => Interpreters(1 << minor.min(NEWEST)),
            Some((2, 7)) => Interpreters(1 << TWO),
            _ => Interpreters::NONE,
        }
    }

    /// Who can install one of several files.
    pub fn of_tags(tags: &[impl AsRef<str>]) -> Interpreters {
        tags.iter().fold(Interpreters::NONE, |set, tag| set.or(Interpreters::of_tag(tag.as_ref())))
    }

    /// The interpreters in a range of versions.
    pub fn of_range(range: &VersionSet) -> Interpreters {
        Interpreters::such_that(|python| range.contains(&python.0))
    }

    /// This interpreter alone; none where it is neither a Python 3 nor 2.7.
    pub fn only(python: PythonVersion) -> Interpreters {
        let bit = match (python.major(), python.minor()) {
            (3, minor) => minor.min(NEWEST),
            (2, 7) => TWO,
            _ => return Interpreters::NONE,
        };
        Interpreters(1 << bit)
    }

    /// Those for which a condition on their version holds.
    pub fn such_that(condition: impl Fn(PythonVersion) -> bool) -> Interpreters {
        let every = Interpreters::ALL.versions().filter(|python| condition(*python));
        every.fold(Interpreters::NONE, |set, python| set.or(Interpreters::only(python)))
    }

    /// Is this interpreter one of them?
    pub fn contains(self, python: PythonVersion) -> bool {
        !self.and(Interpreters::only(python)).is_empty()
    }

    /// Each of them, the oldest first. The newest that can be told apart stands for all after it.
    pub fn versions(self) -> impl Iterator<Item = PythonVersion> {
        let two = (self.0 & 1 << TWO != 0).then(|| PythonVersion::new(&[2, 7]));
        let three = (0..=NEWEST).filter(move |minor| self.0 & 1 << minor != 0);
        two.into_iter().chain(three.map(|minor| PythonVersion::new(&[3, minor])))
    }

    /// Are all after some version among them?
    pub fn is_open(self) -> bool {
        self.0 & 1 << NEWEST != 0
    }

    /// The one of them that is closest to an interpreter: the least change.
    pub fn nearest(self, python: PythonVersion) -> Option<PythonVersion> {
        let have = if python.major() == 3 { python.minor() } else { 0 };
        let inside = (0..=NEWEST).filter(|minor| self.0 & 1 << minor != 0);
        inside.min_by_key(|minor| minor.abs_diff(have)).map(|minor| PythonVersion::new(&[3, minor]))
    }

    /// Those in either set.
    pub fn or(self, other: Interpreters) -> Interpreters {
        Interpreters(self.0 | other.0)
    }

    /// Those in both sets.
    pub fn and(self, other: Interpreters) -> Interpreters {
        Interpreters(self.0 & other.0)
    }

    /// Those outside the set.
    pub fn complement(self) -> Interpreters {
        Interpreters(!self.0)
    }

    /// Are all of them in another set?
    pub fn within(self, other: Interpreters) -> bool {
        self.and(other.complement()).is_empty()
    }

    /// Is no interpreter left?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// `3.10, 3.11, >=3.14`.
impl fmt::Display for Interpreters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |minor: u32| self.0 & 1 << minor != 0;
        // Everything from here on.
        let open = (0..=NEWEST).rev().take_while(|m| has(*m)).last();
        let mut parts = Vec::new();
        parts.extend(has(TWO).then(|| "2.7".to_owned()));
        parts.extend((0..open.unwrap_or(NEWEST + 1)).filter(|m| has(*m)).map(|m| format!("3.{m}")));
        parts.extend(open.map(|m| format!(">=3.{m}")));
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        let v = |t: &str| t.parse::<PythonVersion>().expect(t);
        for (tag, python, fits) in [
            ("cp312", "3.12", true),
            ("cp312", "3.12.4", true),
            ("cp312", "3.11", false),
            ("cp38-abi3", "3.13", true),
            ("cp38-abi3", "3.7", false),
            ("py3", "3.14", true),
            ("py3", "2.7", false),
            ("py2", "2.7", true),
            ("cp27", "2.7", true),
            ("py39", "3.8", false),
            ("py39", "3.10", true),
            ("cp313t", "3.13", false),
            ("", "3.13", false),
            ("py", "3.13", false),
        ] {
            assert_eq!(Interpreters::of_tag(tag).contains(v(python)), fits, "{tag} {python}");
        }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        for tags in [&["cp312"][..], &["cp27", "cp38-abi3"], &["py3"], &["cp27", "cp36"], &[]] {
            let set = Interpreters::of_tags(tags);
            for set in [set, set.complement()] {
                assert_eq!(Interpreters::from(u64::from(set)), set, "{set}");
            }
        }
        assert_eq!(u64::from(Interpreters::ALL), 1);
        assert_eq!(u64::from(Interpreters::NONE), 0);
    }

    #[test]
    fn they_print_as_lists() {
        for (tags, text) in
            [(&["cp310", "cp312"][..], "3.10, 3.12"), (&["cp27", "cp38-abi3"], "2.7, >=3.8"), (&[], "")]
        {
            assert_eq!(Interpreters::of_tags(tags).to_string(), text);
        }
        let range = ">=3.8,<3.11".parse().expect("a range");
        assert_eq!(Interpreters::of_range(&range).to_string(), "3.8, 3.9, 3.10");
    }
}
