//! Many fixed texts in a log of any size, whatever the case of ASCII letters.
//!
//! An automaton of all texts reads a table at every byte, and with twenty thousand texts that table is in no cache any
//! more. Here only every third position or so is looked at: of each text some neighbouring fragments are known, one of
//! which must stand at such a position, and a table of bits tells in one step that a fragment is of none of them. Where
//! it may be of one, the whole text is compared. What it costs hardly depends on how many texts there are.

use std::ops::Range;

/// Positions between two looks at most: each text has to be in the table with as many fragments.
const WIDEST: usize = 3;

/// The most bytes of a fragment. More are rarer, but fragments and steps share the bytes of the shortest text.
const LONGEST: usize = 6;

/// The least.
const SHORTEST: usize = 4;

/// Bits of the table for each fragment in it, a power of two: of looks at anything else one in so many goes on.
const SPARSE: usize = 32;

/// Bytes that are read at once.
const WORD: usize = size_of::<u64>();

/// The bit that tells the cases of an ASCII letter apart, in each byte. Without it some other characters are one as well,
/// which the comparison sees.
const CASE: u64 = 0x2020_2020_2020_2020;

/// Spreads the bits of a fragment (2^64 divided by the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The texts, ready for searching.
#[derive(Debug)]
pub(crate) struct Fragments {
    /// From one look to the next.
    step: usize,
    /// Bytes of a fragment.
    length: usize,
    /// Which fragments there are, by so many upper bits of their hash.
    bits: Vec<u64>,
    bits_of_hash: u32,
    /// Where the entries of a hash begin, by fewer of its upper bits; one more at the end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

/// A fragment of a text.
#[derive(Clone, Copy, Default, Debug)]
struct Entry {
    /// Its bytes, as [`Fragments::key`] has them.
    key: u64,
    text: u32,
    /// Where in the text it stands.
    offset: u32,
}

impl Fragments {
    /// Those of some texts. A text of less than four bytes is not found.
    pub(crate) fn new(texts: &[&str]) -> Self {
        let shortest = texts.iter().map(|t| t.len()).filter(|l| *l >= SHORTEST).min().unwrap_or(WORD);
        let step = (shortest + 1 - SHORTEST).min(WIDEST);
        let length = (shortest + 1 - step).min(LONGEST);
        let mut out = Fragments {
            step,
            length,
            bits: Vec::new(),
            bits_of_hash: 0,
            starts: Vec::new(),
            entries: Vec::new(),
        };
        let common = Common::of(texts);
        let mut all = Vec::with_capacity(texts.len() * step);
        for (index, text) in texts.iter().enumerate() {
            let bytes = text.as_bytes();
            let text = u32::try_from(index).unwrap_or(u32::MAX);
            for at in common.rarest(bytes, length, step) {
                let Some(word) = padded(bytes, at) else { continue };
                all.push(Entry { key: out.key(word), text, offset: u32::try_from(at).unwrap_or(u32::MAX) });
            }
        }
        out.fill(&all);
        out
    }

    /// Makes the tables.
    fn fill(&mut self, all: &[Entry]) {
        let size = all.len().next_power_of_two().max(u64::BITS as usize);
        self.bits_of_hash = (size * SPARSE).trailing_zeros();
        self.bits = vec![0; size * SPARSE / u64::BITS as usize];
        self.starts = vec![0; size + 1];
        self.entries = vec![Entry::default(); all.len()];
        for entry in all {
            let bit = hash(entry.key, self.bits_of_hash);
            self.bits[bit / 64] |= 1 << (bit % 64);
            self.starts[bit / SPARSE + 1] += 1;
        }
        for bucket in 0..size {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        let mut next = self.starts.clone();
        for entry in all {
            let place = &mut next[hash(entry.key, self.bits_of_hash) / SPARSE];
            self.entries[*place as usize] = *entry;
            *place += 1;
        }
    }

    /// Every place of every text: its index, and the byte where it begins. In the order of the lines they stand on, if no
    /// text goes over a line's end.
    pub(crate) fn find(&self, texts: &[&str], within: &str, mut found: impl FnMut(usize, usize)) {
        let bytes = within.as_bytes();
        let (bits, bits_of_hash) = (&self.bits[..], self.bits_of_hash);
        let mut look = |at: usize, word: [u8; WORD]| {
            let key = self.key(word);
            let bit = hash(key, bits_of_hash);
            if bits[bit / 64] >> (bit % 64) & 1 == 1 {
                self.compare(texts, bytes, at, key, &mut found);
            }
        };
        let mut at = 0;
        while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            look(at, *word);
            at += self.step;
        }
        while at < bytes.len() {
            padded(bytes, at).into_iter().for_each(|word| look(at, word));
            at += self.step;
        }
    }

    /// The texts with this fragment that stand around it.
    #[inline(never)]
    fn compare(
        &self,
        texts: &[&str],
        bytes: &[u8],
        at: usize,
        key: u64,
        found: &mut impl FnMut(usize, usize),
    ) {
        let bucket = hash(key, self.bits_of_hash) / SPARSE;
        let range: Range<usize> = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        for entry in self.entries[range].iter().filter(|e| e.key == key) {
            let text = texts[entry.text as usize].as_bytes();
            let Some(start) = at.checked_sub(entry.offset as usize) else { continue };
            let there = bytes.get(start..start + text.len());
            if there.is_some_and(|there| there.eq_ignore_ascii_case(text)) {
                found(entry.text as usize, start);
            }
        }
    }

    /// The fragment at the beginning of a word, without the case of letters and without what follows it.
    fn key(&self, word: [u8; WORD]) -> u64 {
        (u64::from_le_bytes(word) | CASE) << (64 - 8 * self.length)
    }
}

/// So many bits for a fragment; at least one.
fn hash(key: u64, bits: u32) -> usize {
    usize::try_from(key.wrapping_mul(SPREAD) >> (u64::BITS - bits)).unwrap_or(0)
}

/// The word at a place near the end of a text, filled up with zeros.
fn padded(bytes: &[u8], at: usize) -> Option<[u8; WORD]> {
    let rest = bytes.get(at..)?;
    let mut out = [0; WORD];
    let length = rest.len().min(WORD);
    out[..length].copy_from_slice(&rest[..length]);
    Some(out)
}

/// How often three bytes follow each other in the texts: what is common there is common in logs.
struct Common(Vec<u16>);

impl Common {
    /// A power of two.
    const SIZE: usize = 1 << 14;

    /// Bytes of a text among which its rarest are sought.
    const MOST: usize = 48;

    fn of(texts: &[&str]) -> Self {
        let mut counts = vec![0_u16; Self::SIZE];
        for window in texts.iter().flat_map(|t| t.as_bytes().windows(3)) {
            let count = &mut counts[Self::place(window)];
            *count = count.saturating_add(1);
        }
        Common(counts)
    }

    fn place(three: &[u8]) -> usize {
        let number = three.iter().fold(0_u32, |n, b| n << 8 | u32::from(b | 0x20));
        number.wrapping_mul(0x9e37_79b1) as usize >> 18
    }

    /// Where the fragments begin that are known of a text: neighbours, and the rarest.
    fn rarest(&self, text: &[u8], length: usize, step: usize) -> Range<usize> {
        // Enough of a long text: a program that starts has thousands of texts to look at.
        let text = &text[..text.len().min(Self::MOST)];
        let Some(last) = (text.len() + 1).checked_sub(length + step) else { return 0..0 };
        let mut counts = [0_u32; Self::MOST];
        for (count, three) in counts.iter_mut().zip(text.windows(3)) {
            *count = u32::from(self.0[Self::place(three)]);
        }
        // A fragment is as rare as the rarest three bytes in it.
        let of = |at: usize| counts[at..at + length - 2].iter().copied().min().unwrap_or(0);
        let mut fragments = [0_u32; Self::MOST];
        for (at, fragment) in fragments.iter_mut().enumerate().take(text.len() - length + 1) {
            *fragment = of(at);
        }
        let of = |at: &usize| fragments[*at..*at + step].iter().sum::<u32>();
        let best = (0..=last).min_by_key(of).unwrap_or(0);
        best..best + step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a simple search finds.
    fn simple(texts: &[&str], within: &str) -> Vec<(usize, usize)> {
        let lower = within.to_ascii_lowercase();
        let mut out = Vec::new();
        for (index, text) in texts.iter().enumerate().filter(|(_, t)| t.len() >= SHORTEST) {
            let text = text.to_ascii_lowercase();
            let starts = (0..lower.len()).filter(|at| lower.as_bytes()[*at..].starts_with(text.as_bytes()));
            out.extend(starts.map(|at| (index, at)));
        }
        out.sort_unstable();
        out
    }

    fn found(texts: &[&str], within: &str) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        Fragments::new(texts).find(texts, within, |text, at| out.push((text, at)));
        out.sort_unstable();
        out
    }

    #[test]
    fn a_text_is_found_wherever_it_stands() {
        let texts = ["CUDA error", "no kernel image", "Überlauf des Puffers"];
        for before in 0..20 {
            for text in texts {
                let within = format!("{}{}\n", "x".repeat(before), text.to_ascii_uppercase());
                assert_eq!(found(&texts, &within), simple(&texts, &within), "{within}");
                let within = within.trim_end();
                assert_eq!(found(&texts, within), simple(&texts, within), "{within}");
                assert_eq!(found(&texts, within).len(), 1);
            }
        }
    }

    #[test]
    fn without_texts_nothing_is_found() {
        assert!(found(&[], "anything at all").is_empty());
        assert!(found(&["abc", ""], "abc abc").is_empty());
    }

    proptest! {
        // Few letters, so that the texts overlap, repeat themselves and stand in each other.
        #[test]
        fn the_same_places_as_a_simple_search(
            texts in prop::collection::vec("[abAB@`é]{4,12}", 0..12),
            within in "[abAB@`é\n]{0,80}",
        ) {
            let texts: Vec<&str> = texts.iter().map(|t| &**t).collect();
            prop_assert_eq!(found(&texts, &within), simple(&texts, &within));
        }

        #[test]
        fn pieces_of_the_text_are_found(within in "\\PC{8,60}", cuts in prop::collection::vec((0_usize..60, 4_usize..20), 1..6)) {
            let pieces: Vec<String> = cuts
                .iter()
                .map(|(at, length)| within.chars().skip(*at).take(*length).collect())
                .collect();
            let texts: Vec<&str> = pieces.iter().map(|t| &**t).collect();
            prop_assert_eq!(found(&texts, &within), simple(&texts, &within));
        }
    }
}
