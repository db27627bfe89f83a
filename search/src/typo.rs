//! Words with a typing error: a letter too many, too few, another one, or two that changed places.

use crate::tokens::{has_digit, is_cjk_word};
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use std::sync::OnceLock;

/// From this many letters on one error is forgiven, and two.
const ONE: usize = 5;
const TWO: usize = 8;
/// Longer words are taken as they are: their automaton would be large.
const MOST: usize = 40;

/// Tables for one error and for two, made when the first word asks for them.
#[derive(Default)]
pub(crate) struct Typos {
    one: OnceLock<LevenshteinAutomatonBuilder>,
    two: OnceLock<LevenshteinAutomatonBuilder>,
}

impl Typos {
    /// What recognises words near this one; `None` where no error is forgiven: in short words, in everything that has a
    /// digit (`12.1` is not `12.2`), in Chinese.
    pub(crate) fn near(&self, word: &str) -> Option<Near> {
        let letters = word.chars().count();
        if !(ONE..=MOST).contains(&letters) || has_digit(word) || is_cjk_word(word) {
            return None;
        }
        let builder = if letters < TWO {
            self.one.get_or_init(|| LevenshteinAutomatonBuilder::new(1, true))
        } else {
            self.two.get_or_init(|| LevenshteinAutomatonBuilder::new(2, true))
        };
        Some(Near { automaton: builder.build_dfa(word) })
    }
}

/// Recognises the words near one.
pub(crate) struct Near {
    automaton: DFA,
}

impl Near {
    pub(crate) fn start(&self) -> u32 {
        self.automaton.initial_state()
    }

    /// Can no word match that begins like this?
    pub(crate) fn is_ruled_out(&self, start: &[u8]) -> bool {
        let mut state = self.start();
        start.iter().any(|&byte| {
            state = self.automaton.transition(state, byte);
            state == SINK_STATE
        })
    }

    /// Goes on in a word from the states of its first bytes, and puts those of the others behind them. The number of
    /// errors if the word is near.
    pub(crate) fn walk(&self, states: &mut Vec<u32>, word: &[u8]) -> Option<u8> {
        let mut state = *states.last()?;
        for &byte in word.get(states.len() - 1..)? {
            state = self.automaton.transition(state, byte);
            if state == SINK_STATE {
                return None;
            }
            states.push(state);
        }
        match self.automaton.distance(state) {
            Distance::Exact(errors) => Some(errors),
            Distance::AtLeast(_) => None,
        }
    }

    /// The number of errors in one word if it is near.
    #[cfg(test)]
    pub(crate) fn distance(&self, word: &str) -> Option<u8> {
        self.walk(&mut vec![self.start()], word.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(asked: &str, word: &str) -> Option<u8> {
        Typos::default().near(asked)?.distance(word)
    }

    #[test]
    fn one_error_in_five_letters_two_in_eight() {
        assert_eq!(distance("torhc", "torch"), Some(1), "changed places");
        assert_eq!(distance("cudn", "cudnn"), None, "four letters");
        assert_eq!(distance("cudnnn", "cudnn"), Some(1));
        assert_eq!(distance("trchh", "torch"), None, "two errors in five letters");
        assert_eq!(distance("xofrmers", "xformers"), Some(1));
        assert_eq!(distance("tensrflwo", "tensorflow"), Some(2));
    }

    #[test]
    fn numbers_and_chinese_are_meant_as_they_are() {
        assert_eq!(distance("12.10.5", "12.10.6"), None);
        assert_eq!(distance("libcudnn8", "libcudnn9"), None);
        assert_eq!(distance("显存不足够", "显存不足够"), None);
    }
}
