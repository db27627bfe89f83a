//! From what people paste to the cause.
//!
//! A pasted text is a probe: [`read`] turns tables, lists and reports into the observations that a probe of the machine
//! gives, each with the line it stands on. [`text`] makes lines of what was pasted, whatever it went through.

pub mod line;
pub mod read;
pub mod text;

pub use line::Line;
