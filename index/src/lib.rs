//! A package index (PyPI, or a mirror that speaks its protocol): the files it lists, and those files read by ranges.
//!
//! The only crate with a network. What it brings is bytes: [`Project::parse`] and everything in `artifact` are pure
//! functions of them, so whatever works against the index works against recorded bytes ([`Recorded`]).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
mod cached;
mod error;
mod fetch;
mod html;
mod live;
mod project;
mod recorded;
mod remote_file;

pub use address::{host, public};
pub use cached::{Cached, Segments, write};
pub use error::{Cause, FetchError};
pub use fetch::Fetch;
pub use live::Live;
pub use project::{File, Project, normalised};
pub use recorded::{Recorded, Recording};
pub use remote_file::RemoteFile;

/// Where packages are asked for unless somebody names another index.
pub const PYPI: &str = "https://pypi.org/simple/";
