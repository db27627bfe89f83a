//! What there is of each kind, as entries: `kb list` prints them.

pub mod imports;
mod items;

pub use items::{count, of};

use serde_json::{Map, Value, json};

/// The kinds of things, in the order in which they are shown.
pub const KINDS: [&str; 17] = [
    "gpus",
    "branches",
    "packages",
    "releases",
    "channels",
    "facts",
    "relations",
    "sources",
    "disputes",
    "topics",
    "advisories",
    "causes",
    "signatures",
    "claims",
    "rules",
    "accelerators",
    "words",
];

/// A line of a list: its id, what filters compare, and the JSON object.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is found by.
    pub id: String,
    /// Its name.
    pub title: String,
    /// What it is one of: an architecture, a package, a publisher.
    pub group: String,
    /// The object in JSON, with id and title.
    pub value: Map<String, Value>,
}

impl Entry {
    /// An entry with nothing but a name.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        let (id, title) = (id.into(), title.into());
        let mut value = Map::new();
        value.insert("id".to_owned(), json!(id));
        value.insert("title".to_owned(), json!(title));
        Entry { id, title, group: String::new(), value }
    }

    /// Adds a key.
    #[must_use]
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.value.insert(key.to_owned(), value);
        self
    }

    /// Says what it is one of.
    #[must_use]
    pub fn of(mut self, group: &str) -> Self {
        group.clone_into(&mut self.group);
        self
    }
}
