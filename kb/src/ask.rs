//! The one door to the engine.

use kb_core::answer::Answer;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::{RawRequest, Request};
use kb_core::world::World;

mod sample;

/// Answers a question.
///
/// # Errors
/// What is wrong with the question.
pub(crate) fn ask(kb: &Kb, raw: &RawRequest) -> Result<Answer, Vec<Diagnostic>> {
    let world = World::new(kb);
    // STUB until kb_core::ask is merged: the mistakes are the engine's, the answer is a sample.
    Request::parse(&world, raw)?;
    Ok(sample::answer(raw))
}
