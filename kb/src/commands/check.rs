//! `kb check`: does what is stated work?

use super::Session;
use crate::args::{Check, Command};
use crate::output::answer::{self, Context};
use crate::output::json;
use crate::{Outcome, ask, request};

/// Asks, prints, and gives the verdict's exit code.
pub(super) fn run(session: &Session<'_>, command: &Command, args: &Check) -> Outcome {
    let (mut raw, notes) = request::of(session.kb, command)?;
    raw.lang = Some(session.language.to_owned());
    let answer = ask::ask(session.world(), &raw, &notes.origins)?;
    session.tell(&notes);
    if session.global.json {
        json::print(&session.document(&answer, &notes));
    } else {
        let mut screen = session.screen();
        answer::print(
            &mut screen,
            &Context { kb: session.kb, raw: &raw, why: args.why, understood: &answer, behind: None },
            &answer,
        );
        screen.print();
    }
    Ok(super::code(answer.verdict))
}
