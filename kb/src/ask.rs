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
    kb_core::ask(world, raw).map_err(|mistakes| mistakes.into_iter().map(|m| untyped(m, raw)).collect())
}

/// A mistake in a value that nobody typed is not the fault of the option it is called after.
fn untyped(mistake: Diagnostic, raw: &RawRequest) -> Diagnostic {
    let about = |name: &str| match name {
        "gpu" => matches!(mistake.code, "unknown-gpu" | "ambiguous-gpu" | "not-cuda" | "no-capability"),
        "os" => mistake.code == "unknown-os",
        "arch" => mistake.code == "unknown-arch",
        name => mistake.message.starts_with(&format!("--{name}:")),
    };
    match raw.assumed.iter().find(|name| about(name)) {
        Some(name) => {
            let note = format!("{name} was not typed: the value is from observations or from this machine");
            mistake.note(note)
        }
        None => mistake,
    }
}
