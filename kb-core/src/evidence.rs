//! Where a fact comes from, and how sure that makes it.

use serde::{Deserialize, Serialize};

/// What kind of thing a source is; the order is from strongest to weakest where nothing else decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
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
    pub const ALL: [SourceKind; 7] = [
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
            SourceKind::Measured => "measured",
            SourceKind::Artifact => "artifact",
            SourceKind::VendorDocument => "vendor-document",
            SourceKind::Maintainer => "maintainer",
            SourceKind::ThirdParty => "third-party",
            SourceKind::Report => "report",
            SourceKind::Derived => "derived",
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
                SourceKind::Measured => Grade::Confirmed,
                k if primary.contains(&k) => Grade::Primary,
                SourceKind::Report => Grade::Reported,
                _ => Grade::Secondary,
            };
            best = best.min(grade);
        }
        if count > 1 && best == Grade::Primary { Grade::Confirmed } else { best }
    }
}
