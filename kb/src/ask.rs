//! The one door to the engine.

use kb_core::answer::Answer;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::world::World;

/// Answers a question.
///
/// # Errors
/// What is wrong with the question.
pub(crate) fn ask(kb: &Kb, raw: &RawRequest) -> Result<Answer, Vec<Diagnostic>> {
    kb_core::ask(&World::new(kb), raw)
}
