//! The one door to the engine.

use crate::request::Origin;
use kb_core::answer::Answer;
use kb_core::diag::Diagnostic;
use kb_core::request::{RawRequest, Request};
use kb_core::world::World;

/// Answers a question. `origins` are the values of the request that were read from files.
///
/// # Errors
/// What is wrong with the question.
pub(crate) fn ask(
    world: &World<'_>,
    raw: &RawRequest,
    origins: &[Origin],
) -> Result<Answer, Vec<Diagnostic>> {
    kb_core::ask(world, raw).map_err(|mistakes| blamed(world, raw, origins, mistakes))
}

/// Names the file that a wrong value was read from, where the message would name the option that was not typed. A
/// mistake is a file's if it is still there when nothing but the file's values is asked.
fn blamed(
    world: &World<'_>,
    raw: &RawRequest,
    origins: &[Origin],
    mut mistakes: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut places: Vec<&str> = origins.iter().map(|o| &*o.place).collect();
    places.dedup();
    for place in places {
        let of_place: Vec<&Origin> = origins.iter().filter(|o| o.place == place).collect();
        let own = Request::parse(world, &only(raw, &of_place)).err().unwrap_or_default();
        for mistake in &mut mistakes {
            let option = |o: &&&Origin| mistake.message.contains(&format!("--{}", o.option));
            if own.contains(mistake) {
                let options: Vec<String> = of_place.iter().map(|o| format!("--{}: ", o.option)).collect();
                let message = &mistake.message;
                let bare = options.iter().find_map(|o| message.strip_prefix(&**o)).unwrap_or(message);
                mistake.message = format!("{place}: {bare}");
            } else if let Some(origin) = of_place.iter().find(option) {
                mistake.notes.push(format!("the value of {} is from {place}", origin.option));
            }
        }
    }
    mistakes
}

/// The request without what was typed; the system decides which driver numbers there are.
fn only(raw: &RawRequest, origins: &[&Origin]) -> RawRequest {
    let mut out = RawRequest { command: "solve".to_owned(), os: raw.os.clone(), ..RawRequest::default() };
    for origin in origins {
        match origin.option {
            "gpu" => out.gpus.clone_from(&raw.gpus),
            "driver" => out.driver.clone_from(&raw.driver),
            "arch" => out.arch.clone_from(&raw.arch),
            "glibc" => out.glibc.clone_from(&raw.glibc),
            "cuda" => out.cuda.clone_from(&raw.cuda),
            "cudnn" => out.cudnn.clone_from(&raw.cudnn),
            "python" => out.python.clone_from(&raw.python),
            "cuda-toolkit" => {
                out.wants = raw.wants.iter().filter(|w| w.starts_with("cuda-toolkit")).cloned().collect();
            }
            _ => {}
        }
    }
    out
}
