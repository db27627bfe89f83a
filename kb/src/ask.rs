//! The one door to the engine.

use kb_core::answer::Answer;
use kb_core::diag::Diagnostic;
use kb_core::request::RawRequest;
use kb_core::world::World;

/// Answers a question.
///
/// # Errors
/// What is wrong with the question.
pub(crate) fn ask(world: &World<'_>, raw: &RawRequest) -> Result<Answer, Vec<Diagnostic>> {
    kb_core::ask(world, raw)
}
