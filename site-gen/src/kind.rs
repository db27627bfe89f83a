//! The kinds of things that have a page each.

/// A kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Gpu,
    Capability,
    Branch,
    Cuda,
    Cudnn,
    Package,
    Release,
    Channel,
    Image,
    Accelerator,
    Signature,
    Cause,
    Rule,
    Relation,
    Dispute,
    Topic,
    Advisory,
    Source,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub(crate) const ALL: [Kind; 18] = [
        Kind::Gpu,
        Kind::Capability,
        Kind::Branch,
        Kind::Cuda,
        Kind::Cudnn,
        Kind::Package,
        Kind::Release,
        Kind::Channel,
        Kind::Image,
        Kind::Accelerator,
        Kind::Signature,
        Kind::Cause,
        Kind::Rule,
        Kind::Relation,
        Kind::Dispute,
        Kind::Topic,
        Kind::Advisory,
        Kind::Source,
    ];

    /// As cards say it, and as in `ui-k-…` and the addresses of documents.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Gpu => "gpu",
            Kind::Capability => "capability",
            Kind::Branch => "branch",
            Kind::Cuda => "cuda",
            Kind::Cudnn => "cudnn",
            Kind::Package => "package",
            Kind::Release => "release",
            Kind::Channel => "channel",
            Kind::Image => "image",
            Kind::Accelerator => "accelerator",
            Kind::Signature => "signature",
            Kind::Cause => "cause",
            Kind::Rule => "rule",
            Kind::Relation => "relation",
            Kind::Dispute => "dispute",
            Kind::Topic => "topic",
            Kind::Advisory => "advisory",
            Kind::Source => "source",
        }
    }

    /// The first part of the addresses of its pages.
    pub(crate) fn segment(self) -> &'static str {
        match self {
            Kind::Branch => "driver",
            // A release stands below its package.
            Kind::Release => "package",
            Kind::Signature => "errors",
            Kind::Cause => "causes",
            Kind::Rule => "rules",
            Kind::Relation => "tables",
            Kind::Dispute => "disputes",
            Kind::Topic => "topics",
            Kind::Advisory => "advisories",
            Kind::Source => "sources",
            other => other.word(),
        }
    }

    /// What all of them are called together: a word of the site.
    pub(crate) fn plural(self) -> String {
        format!("ui-site-all-{}", self.word())
    }

    /// Are its cards written in several languages?
    pub(crate) fn translated(self) -> bool {
        matches!(self, Kind::Signature | Kind::Cause)
    }

    /// Has it a page that lists all of them? Releases are listed by their package.
    pub(crate) fn listed(self) -> bool {
        self != Kind::Release
    }
}
