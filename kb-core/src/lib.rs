//! Facts, graph, solver and explanations for GPU machine-learning stacks.
//!
//! The truth about such a stack is a chain: GPU → compute capability → driver branch → CUDA runtime → cuDNN → the
//! framework's *build* → Python, operating system, C library. This crate holds the chain's facts as values, asks every
//! link of it for every build that could serve, and explains what came out.
//!
//! ```
//! use kb_core::{kb::Kb, request::RawRequest, world::World};
//!
//! let kb = Kb::default(); // kb_data::builtin() has the real facts
//! let world = World::new(&kb);
//! let question = RawRequest { command: "solve".into(), ..RawRequest::default() };
//! match kb_core::ask(&world, &question) {
//!     Ok(answer) => println!("{:?}: {} answers", answer.verdict, answer.answers.len()),
//!     Err(mistakes) => mistakes.iter().for_each(|m| eprintln!("{m}")),
//! }
//! ```
//!
//! Six nouns: a *package* has releases and builds; a *fact* is a row of one source's table; a *request* is a question
//! as understood; an *edge* is one evaluated link; an *answer* is the result with its reasons; a *source* is where a
//! fact can be looked at again.
//!
//! What it does not do: it reads no file, clock, environment variable or device, prints nothing, and starts no thread.
//! The same knowledge base and the same question give the same bytes.

pub mod answer;
mod ask;
pub mod catalog;
mod chips;

pub mod decode;
pub mod diag;
pub mod evidence;
pub mod fact;
pub mod graph;
pub mod kb;
pub mod observe;
pub mod pep;
pub mod platform;
pub mod reason;
pub mod record;
pub mod request;
pub mod rule;
mod solve;
pub mod value;
pub mod version;
pub mod world;

pub use ask::{answer, ask};
