//! From what people paste to the cause.
//!
//! A pasted text is a probe: [`read`] turns tables, lists and reports into the observations that a probe of the machine
//! gives, each with the line it stands on.

pub mod line;
pub mod read;

pub use line::Line;
