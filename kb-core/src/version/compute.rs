//! Compute capabilities and the targets that device code is compiled for.

use super::VersionError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a GPU can execute: `8.6`, `12.0`.
///
/// Reads `8.6`, `86`, `sm_86`, `sm86`, `compute_86`, `cc8.6`, `cc 8.6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ComputeCapability {
    /// Machine code never crosses this number.
    pub major: u8,
    /// Machine code runs on the same or a higher one.
    pub minor: u8,
}

impl ComputeCapability {
    /// A capability from its two numbers.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Debug for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ComputeCapability {
    type Err = VersionError;
    fn from_str(text: &str) -> Result<Self, VersionError> {
        match text.parse::<ComputeTarget>() {
            Ok(ComputeTarget { capability, suffix: Suffix::None }) => Ok(capability),
            _ => Err(VersionError {
                text: text.to_owned(),
                expected: "a compute capability such as 8.6 (also sm_86, cc8.6)",
            }),
        }
    }
}

/// How far code for a target reaches beyond its own capability.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Suffix {
    /// General code: machine code runs on the same major and equal or higher minor, PTX on anything equal or newer.
    #[default]
    None,
    /// `a`: architecture-specific; exactly this capability.
    A,
    /// `f`: family-specific; this family only.
    F,
}

/// What device code was compiled for: `8.6`, `9.0a`, `12.0f`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ComputeTarget {
    /// The capability it names.
    pub capability: ComputeCapability,
    /// Its reach.
    pub suffix: Suffix,
}

impl ComputeTarget {
    /// General code for a capability.
    pub const fn general(major: u8, minor: u8) -> Self {
        Self { capability: ComputeCapability::new(major, minor), suffix: Suffix::None }
    }

    /// Can machine code (SASS) for this target run on a GPU of capability `gpu`?
    ///
    /// Same major and not above the GPU's minor; `a` exactly; `f` within the family, which is the same major from
    /// the named minor on. Source: the rule page `device-code`.
    pub fn sass_runs_on(self, gpu: ComputeCapability) -> bool {
        match self.suffix {
            Suffix::A => self.capability == gpu,
            Suffix::None | Suffix::F => {
                self.capability.major == gpu.major && self.capability.minor <= gpu.minor
            }
        }
    }

    /// Can the driver compile PTX for this target into code for a GPU of capability `gpu`?
    pub fn ptx_runs_on(self, gpu: ComputeCapability) -> bool {
        match self.suffix {
            Suffix::None => self.capability <= gpu,
            Suffix::A | Suffix::F => self.sass_runs_on(gpu),
        }
    }
}

impl fmt::Display for ComputeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::A => "a",
            Suffix::F => "f",
        };
        write!(f, "{}{suffix}", self.capability)
    }
}

impl fmt::Debug for ComputeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ComputeTarget {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let error = || VersionError {
            text: text.to_owned(),
            expected: "a compute target such as 8.6, 9.0a or sm_120f",
        };
        let lower = text.trim().to_ascii_lowercase();
        let body = ["sm_", "compute_", "sm", "cc", "compute"]
            .iter()
            .find_map(|prefix| lower.strip_prefix(prefix))
            .unwrap_or(&lower)
            .trim_start_matches([' ', '_', '-']);
        let (body, suffix) = match body.as_bytes().last() {
            Some(b'a') => (&body[..body.len() - 1], Suffix::A),
            Some(b'f') => (&body[..body.len() - 1], Suffix::F),
            _ => (body, Suffix::None),
        };
        let (major, minor) = match body.split_once('.') {
            Some(pair) => pair,
            // Without a dot the last digit is the minor number: 86, 120.
            None if body.len() >= 2 && body.is_ascii() => body.split_at(body.len() - 1),
            None => return Err(error()),
        };
        let number = |t: &str| {
            (!t.is_empty() && t.len() <= 2 && t.bytes().all(|b| b.is_ascii_digit()))
                .then(|| t.parse::<u8>().ok())
                .flatten()
        };
        match (number(major), number(minor)) {
            (Some(major), Some(minor)) if major > 0 && minor < 10 => {
                Ok(ComputeTarget { capability: ComputeCapability::new(major, minor), suffix })
            }
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> ComputeTarget {
        text.parse().expect(text)
    }

    #[test]
    fn reads_the_usual_spellings() {
        for (text, shown) in [
            ("8.6", "8.6"),
            ("sm_86", "8.6"),
            ("SM86", "8.6"),
            ("compute_90", "9.0"),
            ("cc8.6", "8.6"),
            ("120f", "12.0f"),
            ("sm_90a", "9.0a"),
        ] {
            assert_eq!(target(text).to_string(), shown);
        }
        for text in ["", "8", "a", "sm_", "8.x", "8.6.1", "rtx3090", "0.1"] {
            assert!(text.parse::<ComputeTarget>().is_err(), "{text}");
        }
    }

    #[test]
    fn reach() {
        let cc = |t: &str| target(t).capability;
        assert!(target("8.0").sass_runs_on(cc("8.6")));
        assert!(!target("8.6").sass_runs_on(cc("8.0")));
        assert!(!target("9.0").sass_runs_on(cc("10.0")));
        assert!(target("9.0").ptx_runs_on(cc("12.0")));
        assert!(!target("9.0a").ptx_runs_on(cc("9.1")));
        assert!(target("12.0f").sass_runs_on(cc("12.1")));
        assert!(!target("10.0f").ptx_runs_on(cc("12.0")));
    }
}
