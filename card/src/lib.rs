//! What is known of a thing, as one value: the [`Card`]. `kb show` prints it, the site makes a page of it, and
//! [`Card::document`] is both programs' JSON. Nothing is decided here: cards hold what the facts and the typed view of
//! them say.

// A diagnostic is made once, when a question ends.
#![allow(clippy::result_large_err)]

mod about;
mod card;
pub mod diagnosis;
pub mod fact;
mod find;
pub mod gpu;
pub mod image;
pub mod list;
pub mod package;
pub mod pages;
pub mod records;
pub mod system;
pub mod truths;

pub use card::{Card, entry_text, fact_value, sentence, source_value, word};
pub use find::{dispute, find, pages};
