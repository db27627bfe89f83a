//! All fixed texts of all signatures in one automaton.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use kb_core::kb::Kb;
use kb_core::record::Signature;
use regex::{Regex, RegexBuilder};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What a needle belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// A signature, by its index.
    Signature(u32),
    /// A text at which a reader starts, with how many lines it may want from there on.
    Anchor(u16),
}

/// The automaton, and the patterns that are compiled when they are first needed.
#[derive(Debug)]
pub struct Needles<'kb> {
    /// The facts.
    pub kb: &'kb Kb,
    /// The signatures, as the owners count them.
    pub signatures: &'kb [Signature],
    owners: Vec<Owner>,
    texts: Vec<&'kb str>,
    /// Needles by their first bytes, which costs nothing to build: for a text of a few screens.
    prefixes: HashMap<[u8; PREFIX], Vec<u32>>,
    /// Quick to build: for what somebody pastes.
    small: OnceLock<AhoCorasick>,
    /// Quick to run: for a log of a hundred megabytes.
    large: OnceLock<AhoCorasick>,
    patterns: Vec<OnceLock<Option<Regex>>>,
}

/// With more bytes of needles than this a table with a row for each state no longer fits in the caches, nor in the
/// memory that a run may take.
const LARGEST_TABLE: usize = 64 * 1024;

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
        let mut prefixes: HashMap<[u8; PREFIX], Vec<u32>> = HashMap::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            if let Some(prefix) = prefix(text.as_bytes()) {
                prefixes.entry(prefix).or_default().push(u32::try_from(index).unwrap_or(u32::MAX));
            }
        }
        let patterns = signatures.iter().map(|_| OnceLock::new()).collect();
        Needles {
            kb,
            signatures,
            owners,
            texts,
            prefixes,
            small: OnceLock::new(),
            large: OnceLock::new(),
            patterns,
        }
    }

    /// The needles on a line, each place of one, by looking at every position. An automaton of two thousand texts takes
    /// longer to build than a short log takes to be read so.
    pub(crate) fn on_line(&self, line: &str, mut found: impl FnMut(usize)) {
        let bytes = line.as_bytes();
        for at in 0..bytes.len() {
            let Some(candidates) = prefix(&bytes[at..]).and_then(|p| self.prefixes.get(&p)) else { continue };
            for index in candidates {
                let needle = self.texts[*index as usize].as_bytes();
                if bytes[at..].get(..needle.len()).is_some_and(|b| b.eq_ignore_ascii_case(needle)) {
                    found(*index as usize);
                }
            }
        }
    }

    /// The automaton for a short text.
    pub(crate) fn small(&self) -> &AhoCorasick {
        self.small.get_or_init(|| build(&self.texts, AhoCorasickKind::NoncontiguousNFA))
    }

    /// The automaton for a long text; building it takes some milliseconds.
    pub(crate) fn large(&self) -> &AhoCorasick {
        self.large.get_or_init(|| {
            let bytes: usize = self.texts.iter().map(|t| t.len()).sum();
            let kind =
                if bytes <= LARGEST_TABLE { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
            build(&self.texts, kind)
        })
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

/// So many bytes of a needle are looked up; the loader lets none be shorter.
const PREFIX: usize = 4;

fn prefix(bytes: &[u8]) -> Option<[u8; PREFIX]> {
    let mut out: [u8; PREFIX] = bytes.get(..PREFIX)?.try_into().ok()?;
    out.make_ascii_lowercase();
    Some(out)
}

fn build(texts: &[&str], kind: AhoCorasickKind) -> AhoCorasick {
    let build = |kind: Option<AhoCorasickKind>, texts: &[&str]| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(kind)
            .build(texts)
    };
    // It fails only for more needles than fit in memory; then nothing is found.
    build(Some(kind), texts).or_else(|_| build(None, &[])).unwrap_or_else(|_| empty())
}

fn empty() -> AhoCorasick {
    // No pattern is the least that can be built.
    AhoCorasick::new::<[&str; 0], &str>([]).unwrap_or_else(|_| unreachable!("an automaton of nothing"))
}
