//! What is searched, and what is known of it when it is found.

/// A page as the index is made from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Where it is; one document has one address.
    pub address: String,
    /// Its heading.
    pub title: String,
    /// What kind of page it is, in a word: `gpu`, `release`, `error`. Few different ones.
    pub kind: String,
    /// Tag of its language: `en`, `zh`.
    pub language: String,
    /// Other names: who types one of them wants this page.
    pub aliases: Vec<String>,
    /// Its text, without markup. Cells of a table are parted by line breaks or tabs.
    pub text: String,
    /// How much it counts, in percent; below 100 for pages that only list others.
    pub weight: u8,
}

impl Default for Document {
    fn default() -> Self {
        Document {
            address: String::new(),
            title: String::new(),
            kind: String::new(),
            language: "en".into(),
            aliases: Vec::new(),
            text: String::new(),
            weight: 100,
        }
    }
}

/// How much an index knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Titles and aliases: small, for the first key that is pressed.
    Names,
    /// Texts too.
    Full,
}

/// A document as an index shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing<'i> {
    /// Where it is.
    pub address: &'i str,
    /// Its heading.
    pub title: &'i str,
    /// What kind of page it is.
    pub kind: &'i str,
    /// Tag of its language.
    pub language: &'i str,
}
