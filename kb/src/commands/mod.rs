//! The commands, one file each: arguments → request → library → writer → exit code.

mod check;
mod completions;
mod decode;
mod diagnose;
mod doctor;
mod explain;
mod inspect;
mod lint;
mod list;
mod man;
mod new;
mod probe;
mod show;
mod site;
mod snapshot;
mod solve;
mod this_machine;
mod watch;
mod which;
mod why;

pub(crate) use doctor::{Examined, Found};
pub(crate) use inspect::{Shown, Verdict};
pub(crate) use lint::directory;
pub(crate) use snapshot::{Drift, Effect};

use crate::args::{Command, Global};
use crate::data::{self, Need};
use crate::language;
use crate::output::{Screen, json, shown, write_err};
use crate::request::Notes;
use crate::{Failure, Outcome};
use kb_core::answer::words::Speaker;
use kb_core::kb::Kb;
use kb_core::world::World;
use serde_json::json;

/// How many lines that were left out are told one by one.
const TOLD: usize = 8;

/// What every command works with.
pub(crate) struct Session<'a> {
    /// Options of all commands.
    pub global: &'a Global,
    /// The facts.
    pub kb: &'a Kb,
    /// The language that is spoken.
    pub language: &'a str,
}

impl<'a> Session<'a> {
    /// A screen for the answer.
    pub(crate) fn screen(&self) -> Screen<'a> {
        Screen::new(Speaker::new(self.kb, self.language), self.global.color)
    }

    /// The rules' view of the facts; leaked like them.
    pub(crate) fn world(&self) -> &'a World<'a> {
        Box::leak(Box::new(data::world(self.global, self.kb)))
    }

    /// An answer as the document, with what was left out of the question.
    pub(crate) fn document(&self, answer: &kb_core::answer::Answer, notes: &Notes) -> serde_json::Value {
        let speaker = Speaker::new(self.kb, self.language);
        let left_out: Vec<serde_json::Value> = notes
            .left_out
            .iter()
            .map(|l| json!({ "file": l.file, "line": l.line, "text": l.text, "why": l.why.say(&speaker) }))
            .collect();
        let mut out = serde_json::to_value(answer).unwrap_or_default();
        if let Some(keys) = out.as_object_mut() {
            keys.insert("left_out".to_owned(), json!(left_out));
        }
        out
    }

    /// Tells what was noticed on the way, on standard error.
    pub(crate) fn tell(&self, notes: &Notes) {
        let speaker = Speaker::new(self.kb, self.language);
        for (id, values) in &notes.said {
            let values: Vec<(&str, String)> = values.iter().map(|(k, v)| (*k, v.clone())).collect();
            write_err(&format!("{}\n", shown(&speaker.say(id, &values))));
        }
        let mut named = notes.left_out.iter().filter(|l| l.named);
        for line in named.by_ref().take(TOLD) {
            let place = line.place().map(|p| format!("{p}: ")).unwrap_or_default();
            let values = [("place", place), ("text", line.text.clone()), ("why", line.why.say(&speaker))];
            write_err(&format!("{}\n", shown(&speaker.say("ui-left-out", &values))));
        }
        let more = named.count();
        if more > 0 {
            let sentence = speaker.say("ui-left-out-more", &[("count", more.to_string())]);
            write_err(&format!("{}\n", shown(&sentence)));
        }
    }
}

/// Runs a command.
///
/// # Errors
/// What is wrong with the question or the data.
pub(crate) fn run(global: &Global, command: &Command) -> Outcome {
    // These need no facts.
    match command {
        Command::Completions(a) => return Ok(completions::run(global, a)),
        Command::Man(a) => return man::run(global, a),
        Command::Lint(a) => return lint::run(global, a),
        _ => {}
    }
    let language = language::choose(global.lang.as_deref())?;
    let need = match command {
        Command::Solve(_) | Command::Check(_) | Command::Which(_) | Command::Watch(_) => Need::Core,
        // What is seen is judged by nobody; only a capture is written with what is public told from what is private.
        Command::Probe(a) if a.capture.is_none() => Need::Core,
        Command::Diagnose(_) | Command::Probe(_) | Command::Doctor(_) | Command::Snapshot(_) => {
            Need::Diagnosis
        }
        _ => Need::Full,
    };
    let today = match command {
        Command::Solve(a) => a.question.today.as_deref(),
        Command::Check(a) => a.question.today.as_deref(),
        Command::Why(a) => a.question.today.as_deref(),
        _ => None,
    };
    let kb = match command {
        Command::New(_) => data::load_for_new(global),
        _ => data::load(global, need, &language, today)?,
    };
    // The program ends with the answer: taking the facts apart again would only cost time.
    let kb: &'static Kb = Box::leak(Box::new(kb));
    let session = Session { global, kb, language: &language };
    match command {
        Command::Solve(a) => solve::run(&session, command, a),
        Command::Check(a) => check::run(&session, command, a),
        Command::Show(a) => show::run(&session, a),
        Command::List(a) => list::run(&session, a),
        Command::Why(a) => why::run(&session, command, a),
        Command::Explain(a) => explain::run(&session, a),
        Command::Decode(a) => decode::run(&session, a),
        Command::Inspect(a) => inspect::run(&session, a),
        Command::Which(a) => which::run(&session, a),
        Command::Diagnose(a) => diagnose::run(&session, a),
        Command::Probe(a) => probe::run(&session, a),
        Command::Doctor(a) => doctor::run(&session, a),
        Command::Snapshot(a) => snapshot::run(&session, a),
        Command::Watch(a) => watch::run(&session, a),
        Command::New(a) => new::run(&session, a),
        Command::Site(a) => site::run(&session, a),
        Command::Completions(_) | Command::Man(_) | Command::Lint(_) => Ok(0),
    }
}

/// `kb --version`.
pub(crate) fn version(global: &Global) -> u8 {
    let kb = match data::load(global, Need::Core, "en", None) {
        Ok(kb) => kb,
        Err(Failure { diagnostics }) => {
            crate::output::diagnostics::print(&diagnostics, global.color);
            return 2;
        }
    };
    let (tool, data) = (env!("CARGO_PKG_VERSION"), &*kb.version);
    if global.json {
        json::print(&json!({ "schema": 1, "command": "version", "version": tool, "data": data }));
    } else {
        crate::output::write_out(format!("kb {tool} (data {data})\n").as_bytes(), false);
    }
    0
}

/// A text that is for another program: as it is, or as the document.
fn text(global: &Global, command: &str, text: &[u8]) {
    if global.json {
        let text = String::from_utf8_lossy(text);
        json::print(&json!({ "schema": 1, "command": command, "text": text }));
    } else {
        crate::output::write_out(text, false);
    }
}

/// An exit code of kb-core as the program's.
pub(crate) fn code(verdict: kb_core::answer::Verdict) -> u8 {
    u8::try_from(verdict.exit_code()).unwrap_or(2)
}
