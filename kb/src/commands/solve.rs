//! `kb solve`: what fits.

use super::Session;
use crate::args::{Command, Solve};
use crate::output::answer::{self, Context};
use crate::output::{json, overview};
use crate::{Outcome, ask, request};

/// Asks, prints, and gives the verdict's exit code.
pub(super) fn run(session: &Session<'_>, command: &Command, args: &Solve) -> Outcome {
    let (mut raw, notes) = request::of(session.kb, command)?;
    raw.lang = Some(session.language.to_owned());
    let answer = ask::ask(session.world(), &raw, &notes.origins)?;
    session.tell(&notes);
    if session.global.json {
        json::print(&session.document(&answer, &notes));
    } else {
        let mut screen = session.screen();
        let context = Context { kb: session.kb, raw: &raw, why: args.why, understood: &answer, behind: None };
        if raw.wants.is_empty() && answer.answers.len() > 1 && !args.why {
            overview::print(&mut screen, &context, &answer);
        } else {
            answer::print(&mut screen, &context, &answer);
        }
        screen.print();
    }
    Ok(super::code(answer.verdict))
}
