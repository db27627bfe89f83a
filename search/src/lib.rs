//! The search of the site: who writes the index, the browser and the command line use the same words of a text.
//!
//! ```
//! use kb_search::{Document, Index, Scope};
//!
//! let page = Document {
//!     address: "/gpu/rtx-3090/".into(),
//!     title: "GeForce RTX 3090".into(),
//!     aliases: vec!["RTX 3090".into()],
//!     text: "Compute capability 8.6, 24 GB. It needs driver 455.23 or newer.".into(),
//!     ..Document::default()
//! };
//! let bytes = Index::build(vec![page], Scope::Full);
//! let index = Index::open(&bytes)?;
//! assert_eq!(index.search("rtx3090", 10)[0].document.address, "/gpu/rtx-3090/");
//! # Ok::<(), kb_search::OpenError>(())
//! ```
//!
//! The names of this field decide the design. A version is one word: `12.1` is neither 12 nor 1, and no typing error makes
//! it `12.2`. `sm_90a` and `libcudnn.so.8` are found whole and by their parts, `RTX3090`, `rtx 3090` and `RTX-3090` are one
//! name, and Chinese needs no dictionary: every two neighbouring characters are a word.
//!
//! An index is a block of bytes ([`Index::build`]), used as it is ([`Index::open`]). With [`Scope::Names`] it knows titles
//! and aliases, with [`Scope::Full`] texts too; a page loads the small one first and then takes the large one in its place.

mod dictionary;
mod document;
mod format;
mod index;
mod postings;
mod query;
pub mod tokens;
mod typo;
mod write;

pub use document::{Document, Listing, Scope};
pub use format::OpenError;
pub use index::Index;
pub use query::{Hit, Query, Why};
