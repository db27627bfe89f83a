//! A log that is still being written: what is in it so far, whenever that is asked.

use crate::lines::Lines;
use crate::needles::{Needles, Owner};
use crate::sift::{Excerpt, Sieve};
use std::collections::HashSet;

/// The state between two pieces of a growing log.
#[derive(Debug)]
pub struct Follower<'n> {
    needles: &'n Needles<'n>,
    lines: Lines,
    /// What came since the last look.
    sieve: Sieve<'n>,
    /// What was in the log at the last look.
    before: Excerpt,
    /// Messages about causes that were found at any time.
    known: HashSet<usize>,
    /// One of them came since the last look.
    news: bool,
}

impl<'n> Follower<'n> {
    /// Nothing came yet.
    pub fn new(needles: &'n Needles<'n>) -> Self {
        Follower {
            needles,
            lines: Lines::default(),
            sieve: Sieve::new(needles),
            before: Excerpt::default(),
            known: HashSet::new(),
            news: false,
        }
    }

    /// The next piece.
    pub fn push(&mut self, bytes: &[u8]) {
        let Follower { needles, lines, sieve, known, news, .. } = self;
        lines.push(bytes, &mut |text| {
            *news |= speaks(needles, known, text);
            sieve.push(text.as_bytes());
        });
    }

    /// Did a message come that speaks for a cause, and that had not come before the last look?
    pub fn news(&self) -> bool {
        self.news
    }

    /// Everything so far, but for a line whose end has not come.
    pub fn look(&mut self) -> Excerpt {
        self.news = false;
        let piece = std::mem::replace(&mut self.sieve, Sieve::new(self.needles)).finish();
        join(&mut self.before, piece);
        self.before.clone()
    }

    /// Everything.
    pub fn finish(mut self) -> Excerpt {
        let sieve = &mut self.sieve;
        std::mem::take(&mut self.lines).finish(&mut |text| sieve.push(text.as_bytes()));
        join(&mut self.before, self.sieve.finish());
        self.before
    }
}

/// It is one text still, whose lines go on counting.
fn join(before: &mut Excerpt, piece: Excerpt) {
    before.append(piece, "");
    before.files.clear();
}

/// Is there a message about a cause in these lines that is not known yet?
fn speaks(needles: &Needles<'_>, known: &mut HashSet<usize>, text: &str) -> bool {
    let mut news = false;
    needles.find(text, |needle, at| {
        let Owner::Signature(index) = needles.owner(needle) else { return };
        let index = index as usize;
        let signature = &needles.signatures[index];
        if known.contains(&index) || (signature.states.is_none() && signature.suggests.is_empty()) {
            return;
        }
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |i| i + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
        if needles.confirms(index, &text[start..end]) {
            known.insert(index);
            news = true;
        }
    });
    news
}

#[cfg(test)]
mod tests {
    use super::*;
    use kb_core::kb::Kb;
    use kb_core::record::Signature;

    fn kb() -> Kb {
        let signature = |needle: &str, cause: Option<&str>| Signature {
            id: needle.replace(' ', "-").into(),
            needles: vec![needle.into()],
            states: cause.map(Into::into),
            ..Signature::default()
        };
        Kb {
            signatures: vec![signature("it is too old", Some("old")), signature("never mind", None)],
            ..Kb::default()
        }
    }

    #[test]
    fn a_message_is_news_once() {
        let kb = kb();
        let needles = Needles::new(&kb, &[]);
        let mut follower = Follower::new(&needles);
        follower.push(b"never mind\nall is we");
        assert!(!follower.news());
        follower.push(b"ll\nthe driver: it is TOO old");
        assert!(!follower.news(), "the line may go on");
        follower.push(b"\n");
        assert!(follower.news());
        let so_far = follower.look();
        assert_eq!((so_far.total, so_far.hits.len()), (3, 2));
        follower.push(b"again: it is too old\nlast");
        assert!(!follower.news());
        let all = follower.finish();
        assert_eq!((all.total, all.hits.len(), all.hits[2].line), (5, 3, 4));
        assert!(all.files.is_empty());
    }
}
