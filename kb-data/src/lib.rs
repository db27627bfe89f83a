//! The data of the knowledge base, and everything that reads or checks its authored form.
//!
//! [`builtin`](builtin()) gives the data compiled into this crate. [`authoring::load`] reads a
//! [`DataTree`](tree::DataTree) — a directory, or texts in memory — and returns a [`Kb`](kb_core::kb::Kb) together
//! with every mistake it found; [`authoring::load_over`] lays a directory over a loaded one.
//!
//! A row of a table is parsed by the column types that its relation declares, so a new relation, GPU, release or
//! source changes no Rust.

pub mod tree;

#[cfg(feature = "authoring")]
pub mod authoring;
#[cfg(feature = "builtin")]
pub mod blob;
#[cfg(feature = "builtin")]
mod builtin;
#[cfg(feature = "authoring")]
pub mod lint;
#[cfg(feature = "authoring")]
pub mod scaffold;

#[cfg(feature = "builtin")]
pub use builtin::{builtin, builtin_for_diagnosis, builtin_full, builtin_in, sizes, world};
