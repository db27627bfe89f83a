//! All fixed texts of all signatures, and what a line with one of them on it says.

use crate::fragments::Fragments;
use kb_core::kb::Kb;
use kb_core::record::Signature;
use regex::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// What a needle belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A signature, by its index.
    Signature(u32),
    /// A text at which a reader starts, with how many lines it may want from there on.
    Anchor(u16),
}

/// The texts, ready for searching, and the patterns that are compiled when they are first needed.
#[derive(Debug)]
pub struct Needles<'kb> {
    /// The facts.
    pub kb: &'kb Kb,
    /// The signatures, as the owners count them.
    pub signatures: &'kb [Signature],
    owners: Vec<Owner>,
    texts: Vec<&'kb str>,
    fragments: Fragments,
    patterns: Vec<OnceLock<Option<Regex>>>,
}

/// As kb-data's loader allows it.
const LARGEST_PATTERN: usize = 1 << 20;

impl<'kb> Needles<'kb> {
    /// The needles of all signatures, and those of the readers.
    pub fn new(kb: &'kb Kb, anchors: &[(&'kb str, u16)]) -> Self {
        let signatures = &kb.signatures[..];
        let (mut owners, mut texts) = (Vec::new(), Vec::new());
        for (index, signature) in signatures.iter().enumerate() {
            for needle in &signature.needles {
                owners.push(Owner::Signature(u32::try_from(index).unwrap_or(u32::MAX)));
                texts.push(&**needle);
            }
        }
        for (text, lines) in anchors {
            owners.push(Owner::Anchor(*lines));
            texts.push(text);
        }
        let patterns = signatures.iter().map(|_| OnceLock::new()).collect();
        let fragments = Fragments::new(&texts);
        Needles { kb, signatures, owners, texts, fragments, patterns }
    }

    /// Each place of each needle in a text: its index, and the byte where it begins. Lines come in order; of one line the
    /// needles are in none.
    pub(crate) fn find(&self, text: &str, found: impl FnMut(usize, usize)) {
        self.fragments.find(&self.texts, text, found);
    }

    /// To whom a needle belongs.
    pub(crate) fn owner(&self, pattern: usize) -> Owner {
        self.owners[pattern]
    }

    /// The pattern of a signature; `None` if it has none.
    pub(crate) fn pattern(&self, signature: usize) -> Option<&Regex> {
        let text = self.signatures[signature].pattern.as_deref()?;
        self.patterns[signature]
            .get_or_init(|| RegexBuilder::new(text).size_limit(LARGEST_PATTERN).build().ok())
            .as_ref()
    }

    /// Does somebody say on this line that the message does not come? A sentence of a person, with a denial in front.
    pub(crate) fn is_denied(&self, signature: usize, line: &str) -> bool {
        const PEOPLE: [&str; 6] = ["I ", "we ", "We ", "my ", "My ", "It "];
        const DENIALS: [&str; 10] = [
            "never ",
            "no longer ",
            "do not get ",
            "don't get ",
            "did not get ",
            "didn't get ",
            "don't have ",
            "not see ",
            "without ",
            "used to ",
        ];
        let starts = line.trim_start();
        if !PEOPLE.iter().any(|p| starts.starts_with(p) || line.contains(&format!(" {p}"))) {
            return false;
        }
        let lower = line.to_ascii_lowercase();
        let needles = self.signatures[signature].needles.iter();
        let at = needles.filter_map(|n| lower.find(&n.to_ascii_lowercase())).min();
        at.is_some_and(|at| {
            let after = lower.get(at..).unwrap_or("");
            DENIALS.iter().any(|d| lower.get(..at).is_some_and(|before| before.contains(d)))
                || [" never happen", " is gone", " any more", " no longer", " anymore", " went away"]
                    .iter()
                    .any(|d| after.contains(d))
        })
    }

    /// Is this line the message, given that a needle stands on it?
    pub(crate) fn confirms(&self, signature: usize, line: &str) -> bool {
        match &self.signatures[signature].pattern {
            None => true,
            // A pattern that cannot be compiled (from a directory that was not checked) matches nothing.
            Some(_) => self.pattern(signature).is_some_and(|p| p.is_match(line)),
        }
    }
}
