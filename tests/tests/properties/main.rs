//! Properties of the engine on made-up worlds, and of its parts on made-up values.
//!
//! `KB_PROPTEST_CASES` says how many cases each property tries (64), `KB_PROPTEST_SEED` from which seed. A case that
//! fails is shrunk and written to `tests/worlds/`, where it is tried again by every later run.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod drivers;
mod generate;
mod growth;
mod model;
mod oracle;
mod render;
mod runner;

mod bytes;
mod claims;
mod conflicts;
mod panics;
mod sat;
mod sets;
mod shuffles;
mod verdicts;
mod versions;
