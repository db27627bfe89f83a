//! From what people paste to the cause.
//!
//! A pasted text is a probe: [`read`] turns tables, lists and reports into the observations that a probe of the machine
//! gives, [`sift`] finds the messages in it, each with the line it stands on. [`text`] makes lines of what was pasted,
//! whatever it went through; [`check`] holds what was seen against the facts, [`reason`] weighs it.

pub mod case;
pub mod check;
pub mod diagnosis;
pub mod fix;
pub mod follow;
mod fragments;
mod interpreter;
pub mod line;
pub mod lines;
pub mod machine;
pub mod needles;
pub mod normal;
pub mod read;
pub mod reason;
pub mod redact;
pub mod seen;
pub mod sift;
mod stream;
pub mod system;
pub mod text;

pub use line::Line;

/// A message that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Index of the signature.
    pub signature: usize,
    /// The line it stands on, from 1.
    pub line: usize,
    /// The line, cleaned; where a console broke it, with what follows.
    pub text: String,
}
