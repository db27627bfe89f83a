//! `kb why`: where a fact comes from, or the chain behind an answer.

use super::{Session, show};
use crate::args::{Command, Why};
use crate::output::answer::{self, Context};
use crate::output::chain::Chain;
use crate::output::{json, svg, write_out};
use crate::{Outcome, ask, request, spelling};
use kb_card::truths;
use kb_core::diag::Diagnostic;
use serde_json::Value;

/// A fact's evidence for a fact's id; the chain of an answer for everything else.
pub(super) fn run(session: &Session<'_>, command: &Command, args: &Why) -> Outcome {
    let what: Vec<String> = args.what.iter().map(|w| spelling::plain(w)).collect();
    let id = what.join(" ");
    if id.contains('#') {
        return facts(session, &id, &what);
    }
    let dispute = kb_card::dispute(session.kb, id.trim());
    if !dispute.is_empty() {
        return Ok(show::print(session, "why", &id, dispute));
    }
    let (mut raw, notes) = request::of(session.kb, command)?;
    raw.lang = Some(session.language.to_owned());
    let mut answer = ask::ask(session.world(), &raw, &notes.origins)?;
    session.tell(&notes);
    let mut screen = session.screen();
    if session.global.json {
        "why".clone_into(&mut answer.command);
        let mut document = session.document(&answer, &notes);
        let items = document.get_mut("answers").and_then(Value::as_array_mut);
        for (item, behind) in items.into_iter().flatten().zip(truths::behind(session.world(), &answer)) {
            if let Some(keys) = item.as_object_mut() {
                keys.extend(behind.json(session.kb).map(|(key, value)| (key.to_owned(), value)));
            }
        }
        json::print(&document);
    } else if args.dot || args.svg {
        let (_, word) = answer::verdict_word(answer.verdict);
        let what = answer.answers.first().map(answer::named).unwrap_or_default();
        let end = screen.say("ui-verdict-of", &[("verdict", screen.say(word, &[])), ("what", what)]);
        let chain = Chain::of(&answer, &raw, end);
        let text = if args.dot { chain.dot() } else { svg::svg(&chain, &screen.say("ui-decides", &[])) };
        write_out(text.as_bytes(), false);
    } else {
        answer::print(
            &mut screen,
            &Context {
                kb: session.kb,
                raw: &raw,
                why: true,
                understood: &answer,
                behind: truths::behind(session.world(), &answer).into_iter().next(),
            },
            &answer,
        );
        screen.print();
    }
    Ok(super::code(answer.verdict))
}

/// The evidence of a fact, or of several. A fact's id may hold spaces, so the whole is tried first.
fn facts(session: &Session<'_>, id: &str, what: &[String]) -> Outcome {
    let whole = kb_card::fact::card(session.kb, id);
    if what.len() > 1 && whole.is_err() {
        if let Some(other) = what.iter().find(|w| !w.contains('#'))
            && what.iter().any(|w| kb_card::fact::card(session.kb, w).is_ok())
        {
            let message = format!("`{other}` is no fact's id: a fact and a question are not asked together");
            return Err(Diagnostic::error("usage", message)
                .help(format!("ask twice: kb why '{}', then kb why {other}", what[0]))
                .into());
        }
        if what.iter().all(|w| w.contains('#')) {
            let cards =
                what.iter().map(|w| kb_card::fact::card(session.kb, w)).collect::<Result<Vec<_>, _>>()?;
            return Ok(show::print(session, "why", id, cards));
        }
    }
    Ok(show::print(session, "why", id, vec![whole?]))
}
