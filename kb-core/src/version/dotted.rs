//! Versions made of numbers and dots: `12.4`, `8.9.7.29`, `535.104.05`.

use super::VersionError;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The most parts that any of the schemes uses (`8.9.7.29`).
const MAX_PARTS: usize = 4;

/// One to four numbers with dots between them.
///
/// Missing parts count as zero when two versions are compared as numbers ([`Dotted::cmp_number`]), so `12.4` and
/// `12.4.0` are the same release; the total order of `Ord` puts the shorter text first, so that it agrees with `Eq`.
/// Leading zeros are kept: `535.104.05` prints as it was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dotted {
    parts: [u32; MAX_PARTS],
    /// Digits of each part as written; 0 for a part that is not there.
    widths: [u8; MAX_PARTS],
}

impl Dotted {
    /// A version from its numbers, at most four.
    pub const fn new(numbers: &[u32]) -> Dotted {
        let mut parts = [0; MAX_PARTS];
        let mut widths = [0; MAX_PARTS];
        let mut i = 0;
        while i < numbers.len() && i < MAX_PARTS {
            parts[i] = numbers[i];
            widths[i] = digits(numbers[i]);
            i += 1;
        }
        Dotted { parts, widths }
    }

    /// How many parts were written.
    pub fn len(&self) -> usize {
        self.widths.iter().take_while(|w| **w > 0).count()
    }

    /// Never true: a version has at least one part.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The part at `index`; 0 when it was not written.
    pub fn part(&self, index: usize) -> u32 {
        self.parts.get(index).copied().unwrap_or(0)
    }

    /// The first part.
    pub fn major(&self) -> u32 {
        self.parts[0]
    }

    /// The second part; 0 when it was not written.
    pub fn minor(&self) -> u32 {
        self.parts[1]
    }

    /// The first `count` parts.
    pub fn prefix(&self, count: usize) -> Dotted {
        let mut out = *self;
        for i in count..MAX_PARTS {
            out.parts[i] = 0;
            out.widths[i] = 0;
        }
        out
    }

    /// Compares as numbers; a missing part is zero.
    pub fn cmp_number(&self, other: &Dotted) -> Ordering {
        self.parts.cmp(&other.parts)
    }

    /// The smallest version that no longer starts with this one: `12.4` gives `12.5`.
    pub(crate) fn bumped(&self) -> Dotted {
        let last = self.len().saturating_sub(1);
        let mut out = *self;
        out.parts[last] = out.parts[last].saturating_add(1);
        out.widths[last] = out.widths[last].max(digits(out.parts[last]));
        out
    }

    /// Does this version start with the parts of `prefix`?
    pub fn starts_with(&self, prefix: &Dotted) -> bool {
        let n = prefix.len();
        self.len() >= n && self.parts[..n] == prefix.parts[..n]
    }
}

const fn digits(mut n: u32) -> u8 {
    let mut d = 1;
    while n >= 10 {
        n /= 10;
        d += 1;
    }
    d
}

impl Ord for Dotted {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts.cmp(&other.parts).then_with(|| self.widths.cmp(&other.widths))
    }
}

impl PartialOrd for Dotted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dotted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (part, width)) in self.parts.iter().zip(self.widths).enumerate().take(self.len()) {
            if i > 0 {
                f.write_str(".")?;
            }
            write!(f, "{part:0width$}", width = usize::from(width))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Dotted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Dotted {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || VersionError {
            text: text.to_owned(),
            expected: "one to four numbers with dots, such as 12.4.1",
        };
        let mut parts = [0; MAX_PARTS];
        let mut widths = [0; MAX_PARTS];
        for (i, piece) in text.split('.').enumerate() {
            let digits_only =
                !piece.is_empty() && piece.len() <= 9 && piece.bytes().all(|b| b.is_ascii_digit());
            if i >= MAX_PARTS || !digits_only {
                return Err(error());
            }
            parts[i] = piece.parse().map_err(|_| error())?;
            widths[i] = piece.len() as u8;
        }
        Ok(Dotted { parts, widths })
    }
}

impl Serialize for Dotted {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            return s.collect_str(self);
        }
        // Compact form: the written widths only where a leading zero makes them differ from the plain ones.
        let n = self.len();
        let plain = (0..n).all(|i| self.widths[i] == digits(self.parts[i]));
        let widths: &[u8] = if plain { &[] } else { &self.widths[..n] };
        (&self.parts[..n], widths).serialize(s)
    }
}

impl<'de> Deserialize<'de> for Dotted {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        if d.is_human_readable() {
            let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
            return text.parse().map_err(D::Error::custom);
        }
        type Compact = (smallvec::SmallVec<[u32; MAX_PARTS]>, smallvec::SmallVec<[u8; MAX_PARTS]>);
        let (parts, widths) = Compact::deserialize(d)?;
        let mut out = Dotted::new(&parts);
        for (to, from) in out.widths.iter_mut().zip(&widths) {
            *to = *from;
        }
        Ok(out)
    }
}

macro_rules! scheme {
    ($(#[$doc:meta])* $name:ident, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Dotted);

        impl $name {
            /// A version from its numbers.
            pub const fn new(numbers: &[u32]) -> Self {
                Self(Dotted::new(numbers))
            }

            /// Is this version at least `other`, compared as numbers?
            pub fn at_least(&self, other: &Self) -> bool {
                self.0.cmp_number(&other.0).is_ge()
            }
        }

        impl std::ops::Deref for $name {
            type Target = Dotted;
            fn deref(&self) -> &Dotted {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = VersionError;
            fn from_str(text: &str) -> Result<Self, VersionError> {
                let text = text.trim();
                text.parse().map($name).map_err(|_| VersionError { text: text.to_owned(), expected: $expected })
            }
        }
    };
}

scheme!(
    /// A CUDA release: `12.4` (any update of it) or `12.4.1`.
    CudaVersion,
    "a CUDA version such as 12.4 or 12.4.1"
);
scheme!(
    /// A cuDNN release: `9.1.0` or with its build number, `9.1.0.70`.
    CudnnVersion,
    "a cuDNN version such as 8.9.7 or 9.1.0.70"
);
scheme!(
    /// An NCCL release: `2.21.5`.
    NcclVersion,
    "an NCCL version such as 2.21.5"
);
scheme!(
    /// A Python release: `3.12`.
    PythonVersion,
    "a Python version such as 3.12"
);
scheme!(
    /// An NVIDIA driver version: `535.104.05` on Linux, `537.13` on Windows.
    ///
    /// A Windows number is not its branch number (573.76 belongs to R570), so the branch is never read off the
    /// number: it is looked up together with the operating system.
    DriverVersion,
    "a driver version such as 535.104.05 (Linux) or 537.13 (Windows)"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_was_read() {
        for text in ["12.4", "535.104.05", "8.9.7.29", "580", "450.80.02", "9.10.2.21"] {
            assert_eq!(text.parse::<Dotted>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn orders_by_number() {
        let v = |t: &str| t.parse::<Dotted>().expect(t);
        assert!(v("12.10") > v("12.9"));
        assert!(v("535.104.05") > v("535.54.03"));
        assert_eq!(v("12.4").cmp_number(&v("12.4.0")), Ordering::Equal);
        assert_ne!(v("12.4"), v("12.4.0"));
    }

    #[test]
    fn refuses_what_is_not_a_version() {
        for text in ["", ".", "12.", "12.x", "1.2.3.4.5", "-1", "12,4", "99999999999", "２.1"] {
            assert!(text.parse::<Dotted>().is_err(), "{text}");
        }
    }
}
