//! What was said by hand with `--gpu`, `--os`, `--driver`, `--python`: read as `kb solve` reads it, with its messages.

use crate::args::{Diagnose, Question};
use crate::{Failure, spelling};
use kb_core::kb::Kb;
use kb_core::observe::Observation;
use kb_core::request::{RawRequest, Request};
use kb_core::world::World;

/// The options as observations. The world is only asked for where there is an option.
///
/// # Errors
/// Names and versions that nobody knows.
pub(super) fn observations<'a>(
    kb: &Kb,
    args: &Diagnose,
    world: impl FnOnce() -> &'a World<'a>,
) -> Result<Vec<Observation>, Failure> {
    let typed = Question {
        gpu: args.gpu.clone(),
        os: args.os.clone(),
        driver: args.driver.clone(),
        python: args.python.clone(),
        ..Question::default()
    };
    if typed.gpu.is_empty() && [&typed.os, &typed.driver, &typed.python].iter().all(|v| v.is_none()) {
        return Ok(Vec::new());
    }
    let question = spelling::question(kb, &typed)?;
    let raw = RawRequest {
        command: "solve".to_owned(),
        gpus: question.gpu.clone(),
        os: question.os.clone(),
        driver: question.driver.clone(),
        python: question.python.clone(),
        ..RawRequest::default()
    };
    if let Err(mut mistakes) = Request::parse(world(), &raw) {
        // The system may stand in the text: without --os every system's driver will do.
        mistakes.retain(|m| question.os.is_some() || m.code != "driver-of-another-system");
        if !mistakes.is_empty() {
            return Err(mistakes.into());
        }
    }
    let one = |what: &str, value: &String| Observation {
        what: what.to_owned(),
        value: value.clone(),
        raw: None,
        method: "given".to_owned(),
        line: None,
        place: None,
    };
    let mut out: Vec<Observation> = question.gpu.iter().map(|g| one("gpu", g)).collect();
    out.extend(question.os.iter().map(|v| one("os", v)));
    out.extend(question.driver.iter().map(|v| one("driver", v)));
    out.extend(question.python.iter().map(|v| one("python", v)));
    Ok(out)
}
