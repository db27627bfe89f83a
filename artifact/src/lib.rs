//! What a file says of itself.
//!
//! A wheel's name, metadata and version files say what it was built with; the device code in its libraries says on which
//! GPUs it can run; the libraries' tables say what must be there for it to be loaded. None of that needs a GPU, an
//! installation or the whole file: this crate reads headers, over any source of [`Bytes`].
//!
//! ```no_run
//! use artifact::{Options, describe_wheel};
//!
//! let file = std::fs::File::open("bitsandbytes-0.45.0-py3-none-manylinux_2_24_x86_64.whl")?;
//! let wheel = describe_wheel(&file, "bitsandbytes-0.45.0-py3-none-manylinux_2_24_x86_64.whl", &Options::default())?;
//! for library in &wheel.libraries {
//!     println!("{} {:?}", library.path, library.code.get().map(|c| c.sass.keys().collect::<Vec<_>>()));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It observes and judges nothing: that code for 8.0 runs on 8.6 is a rule of `kb-core`.
//!
//! Files come from anybody. Nothing that a file says about its own size is believed, nothing is written to disk, memory
//! is bounded whatever the input ([`Limits`]), and no input makes it panic.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod blocks;
pub mod bundled;
mod bytes;
pub mod code;
mod describe;
mod error;
pub mod installed;
pub mod library;
pub mod stated;
mod versions;
pub mod wheel;

pub use blocks::Blocks;
pub use bytes::{Bytes, Cursor, Window};
pub use describe::{Options, Reading, Wheel, WheelLibrary, describe_library, describe_wheel};
pub use error::{Error, Limits};
pub use versions::{Versions, describe_versions};
