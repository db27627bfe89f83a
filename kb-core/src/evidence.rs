//! Where a fact comes from, and how sure that makes it.

use serde::{Deserialize, Serialize};

/// What kind of thing a source is; the order is from strongest to weakest where nothing else decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// Read from the machine code inside a published file.
    DeviceCode,
    /// Printed or done by the program on real hardware.
    Measured,
    /// Read from a published file itself: a wheel, an installer, a manifest, a package index.
    Artifact,
    /// A page, release note or manual of the vendor.
    VendorDocument,
    /// The vendor's source tree, build script, pull request or maintainer's answer.
    Maintainer,
    /// A maintained data set or project of somebody else.
    ThirdParty,
    /// A user's issue, a forum post, a copied output.
    Report,
    /// Our own inference from named facts.
    Derived,
}

impl SourceKind {
    /// All kinds, strongest first.
    pub const ALL: [SourceKind; 8] = [
        SourceKind::DeviceCode,
        SourceKind::Measured,
        SourceKind::Artifact,
        SourceKind::VendorDocument,
        SourceKind::Maintainer,
        SourceKind::ThirdParty,
        SourceKind::Report,
        SourceKind::Derived,
    ];

    /// The word used in data files and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            SourceKind::DeviceCode => "device-code",
            SourceKind::Measured => "measured",
            SourceKind::Artifact => "artifact",
            SourceKind::VendorDocument => "vendor-document",
            SourceKind::Maintainer => "maintainer",
            SourceKind::ThirdParty => "third-party",
            SourceKind::Report => "report",
            SourceKind::Derived => "derived",
        }
    }

    /// In which of the three ways such a source knows what it says.
    pub fn truth(self) -> Truth {
        match self {
            SourceKind::DeviceCode | SourceKind::Measured => Truth::Measured,
            SourceKind::Artifact => Truth::Declared,
            _ => Truth::Documented,
        }
    }
}

/// How a fact about a file is known; the order is from strongest to weakest, the same as that of the kinds of source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    /// The code in the file, or what it did on hardware.
    Measured,
    /// A text inside the file says so.
    Declared,
    /// Somebody outside the file says so.
    Documented,
}

impl Truth {
    /// The word used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Truth::Measured => "measured",
            Truth::Declared => "declared",
            Truth::Documented => "documented",
        }
    }
}

/// Something that can be looked at again: a page, a file, a measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// File name in `sources/`.
    pub id: Box<str>,
    /// What it is called.
    pub title: Box<str>,
    /// Who publishes it.
    pub publisher: Box<str>,
    /// Its kind.
    pub kind: SourceKind,
    /// A web address, or `owner/name: path` of a repository.
    pub address: Option<Box<str>>,
    /// The edition that was read.
    pub date: Option<Box<str>>,
    /// Anything a reader should know.
    pub note: Option<Box<str>>,
}

/// How sure a fact or an answer is. Computed, never typed in; an answer is as sure as its weakest link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Two independent sources say so, or it was measured.
    Confirmed,
    /// A source that is first-hand for this kind of claim.
    Primary,
    /// A source that is not first-hand.
    Secondary,
    /// Somebody reports it.
    Reported,
    /// Inferred from other facts.
    Inferred,
}

impl Grade {
    /// The word used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Grade::Confirmed => "confirmed",
            Grade::Primary => "primary",
            Grade::Secondary => "secondary",
            Grade::Reported => "reported",
            Grade::Inferred => "inferred",
        }
    }

    /// The grade of a fact from the kinds of the sources that state it and the kinds that are first-hand for it.
    pub fn of(stated_by: impl IntoIterator<Item = SourceKind>, primary: &[SourceKind]) -> Grade {
        let mut best = Grade::Inferred;
        let mut count = 0;
        for kind in stated_by {
            if kind == SourceKind::Derived {
                continue;
            }
            count += 1;
            let grade = match kind {
                k if k.truth() == Truth::Measured => Grade::Confirmed,
                k if primary.contains(&k) => Grade::Primary,
                SourceKind::Report => Grade::Reported,
                _ => Grade::Secondary,
            };
            best = best.min(grade);
        }
        if count > 1 && best == Grade::Primary { Grade::Confirmed } else { best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_the_order_of_their_truths() {
        assert!(SourceKind::ALL.is_sorted());
        assert!(SourceKind::ALL.map(SourceKind::truth).is_sorted());
        assert_eq!(SourceKind::DeviceCode.truth(), Truth::Measured);
        assert_eq!(SourceKind::Artifact.truth(), Truth::Declared);
        assert_eq!(SourceKind::Report.truth(), Truth::Documented);
    }

    #[test]
    fn machine_code_that_was_read_is_measured() {
        assert_eq!(Grade::of([SourceKind::DeviceCode], &[]), Grade::Confirmed);
        assert_eq!(Grade::of([SourceKind::Artifact], &[SourceKind::Artifact]), Grade::Primary);
    }
}
