//! Bytes that somebody pasted, as lines that can be read.
//!
//! [`decode`] finds the encoding, [`lines`] takes away what terminals, mail programs and web pages put around a text,
//! [`joined`] undoes the line breaks of narrow consoles. Line numbers are always those of the decoded text.

mod ansi;
mod clean;
mod decode;
mod html;
mod joined;
mod prefix;
mod run_together;

pub use clean::{clean, lines};
pub use decode::{Decoded, decode};
pub use joined::joined;
