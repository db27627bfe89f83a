//! Facts from package indexes and wheels: what fills `kb-data/data/imported/pypi`.
//!
//! ```text
//! index page ──releases──▶ final releases ──┐
//! ranges of wheels ──read──▶ what they state ─┼─ Held ──tables──▶ rows ──write──▶ TOML
//! libraries, streamed ──measure──▶ ledger ───┘
//! ```
//!
//! Everything right of the first column is a pure function of bytes. [`Source`] brings the bytes, live or recorded, and
//! keeps them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bundled;
pub mod check;
mod group;
mod held;
mod ledger;
mod markers;
mod measure;
pub mod packages;
mod read;
mod releases;
pub mod run;
mod source;
mod tables;
mod write;

pub use held::Held;
pub use ledger::{Library, Measured};
pub use packages::Package;
pub use read::{Member, Reading};
pub use releases::{PLATFORMS, Release, Wheel};
pub use run::{Plan, Report};
pub use source::{NotRead, Read, Source};
pub use write::{Cell, Row, Table};
