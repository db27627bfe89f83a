//! What NVIDIA's management library (NVML) says of a machine, as one plain value.
//!
//! [`read`] loads the library with the system's loader, asks it everything and returns a [`NvmlReport`]; a [`Monitor`]
//! does so again and again. Nothing is judged here: what could not be read stands in the report with the name of its
//! error.
//!
//! - A reading takes no longer than its deadline. A call that does not come back is named, and what was read before it
//!   is kept. The thread in which it hangs cannot be ended; it is left alone.
//! - Whatever the library answers is taken as data: text without an end or in no encoding, counts that cannot be,
//!   numbers of a later version. Such a field is absent, and a failure names it.
//! - An older library lacks newer functions. Where there was an older form of a function it is asked; else the one
//!   field is absent with `function-not-found`.
//!
//! The functions are called by their C signatures (`nvml-wrapper-sys`) and not through the safe layer above it, which
//! hides what this crate is to tell: it asks for the driver's version inside the initialisation, so that a call that
//! hangs there has the wrong name; it knows the memory only by a function that drivers before R510 do not have; it has
//! no name for the driver model MCDM; and it reads on behind a text without an end.

mod codes;
mod monitor;
mod places;
mod raw;
mod reader;
mod report;

pub use monitor::{Monitor, Options, read};
pub use places::places;
pub use report::{Changing, Device, Extent, Failure, Hang, MigInstance, NvmlReport, Tried};
