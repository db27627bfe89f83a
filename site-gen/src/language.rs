//! The languages of the site, and the words of its pages.

use kb_core::answer::words::Speaker;
use kb_core::kb::Kb;

/// A language that the whole site is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English, at the root.
    English,
    /// Simplified Chinese, under `zh/`.
    Chinese,
}

impl Language {
    /// All of them, the default first.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// As in `lang` and in word tables.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-Hans",
        }
    }

    /// How it calls itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// What its addresses begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Language::English => "",
            Language::Chinese => "zh/",
        }
    }
}

/// What speaks a language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tongue<'k> {
    pub(crate) language: Language,
    speaker: Speaker<'k>,
}

impl<'k> Tongue<'k> {
    pub(crate) fn new(kb: &'k Kb, language: Language) -> Self {
        Tongue { language, speaker: Speaker::new(kb, language.tag()) }
    }

    /// A sentence without places.
    pub(crate) fn word(&self, id: &str) -> String {
        self.speaker.say(id, &[])
    }

    /// A sentence with its places filled.
    pub(crate) fn say(&self, id: &str, values: &[(&str, String)]) -> String {
        self.speaker.say(id, values)
    }

    /// The label of a key: its word, or the key itself as words.
    pub(crate) fn label(&self, key: &str) -> String {
        let id = kb_card::word(key);
        if self.speaker.has(&id) { self.speaker.say(&id, &[]) } else { key.replace(['_', '-'], " ") }
    }

    /// The sentence if there is one.
    pub(crate) fn known(&self, id: &str) -> Option<String> {
        self.speaker.has(id).then(|| self.speaker.say(id, &[]))
    }
}
