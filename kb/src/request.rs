//! From what was typed to a [`RawRequest`]; what was not typed comes from observations, then from this machine.

use crate::args::{Command, Question};
use crate::{Failure, facts, files, machine};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;

/// What is to be told beside the answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Notes {
    /// Sentences: id and values.
    pub said: Vec<(&'static str, Vec<(&'static str, String)>)>,
}

impl Notes {
    pub(crate) fn push(&mut self, id: &'static str, values: Vec<(&'static str, String)>) {
        self.said.push((id, values));
    }
}

/// The request of `solve`, `check` or `why`.
///
/// # Errors
/// If a file cannot be read or says nothing.
pub(crate) fn of(kb: &Kb, command: &Command) -> Result<(RawRequest, Notes), Failure> {
    let (name, positional, question) = match command {
        Command::Solve(a) => ("solve", &a.wants, &a.question),
        Command::Check(a) => ("check", &a.wants, &a.question),
        Command::Why(a) => (
            if a.what.iter().any(|w| w.contains(['=', '<', '>'])) { "check" } else { "solve" },
            &a.what,
            &a.question,
        ),
        _ => return Err(Diagnostic::error("usage", "this command asks no question").into()),
    };
    let mut notes = Notes::default();
    let mut raw = typed(name, question);
    let typed_channels = !raw.channels.is_empty();
    for text in positional {
        if name == "check" && files::is_file(text) {
            let read = files::read(kb, text, &mut notes)?;
            raw.wants.extend(read.wants);
            raw.cuda = raw.cuda.take().or(read.cuda);
            raw.cudnn = raw.cudnn.take().or(read.cudnn);
            raw.python = raw.python.take().or(read.python);
            if !typed_channels {
                raw.channels.extend(read.channels);
            }
        } else {
            raw.wants.push(text.clone());
        }
    }
    raw.wants.extend(question.want.iter().cloned());
    raw.channels.dedup();
    if name == "check"
        && raw.wants.is_empty()
        && raw.cuda.is_none()
        && raw.cudnn.is_none()
        && raw.driver.is_none()
    {
        return Err(Diagnostic::error("nothing-to-check", "there is nothing to check")
            .help(
                "name what is to be judged: kb check torch==2.9.1+cu126 --gpu rtx3090, or a requirements.txt",
            )
            .into());
    }
    if let Some(path) = &question.facts {
        facts::fill(kb, &mut raw, path)?;
    }
    fill_from_machine(&mut raw, question.here, &mut notes);
    Ok((raw, notes))
}

fn typed(command: &str, q: &Question) -> RawRequest {
    RawRequest {
        command: command.to_owned(),
        gpus: q.gpu.clone(),
        gpus_mode: q.gpus.clone(),
        os: q.os.clone(),
        arch: q.arch.clone(),
        glibc: q.glibc.clone(),
        driver: q.driver.clone(),
        cuda: q.cuda.clone(),
        cudnn: q.cudnn.clone(),
        python: q.python.clone(),
        channels: q.channel.clone(),
        policy: q.policy.clone(),
        today: q.today.clone(),
        ..RawRequest::default()
    }
}

/// The system is always known; the processor goes with it, Python and glibc only where asked for.
fn fill_from_machine(raw: &mut RawRequest, here: bool, notes: &mut Notes) {
    let own_system = raw.os.is_none();
    if own_system {
        raw.os = Some(machine::os().to_owned());
        raw.assumed.push("os".to_owned());
    }
    if raw.arch.is_none()
        && own_system
        && let Some(arch) = machine::arch().filter(|a| here || *a != "x86_64")
    {
        raw.arch = Some(arch.to_owned());
        raw.assumed.push("arch".to_owned());
    }
    if !here {
        return;
    }
    if raw.python.is_none()
        && let Some(python) = machine::python()
    {
        raw.python = Some(python);
        raw.assumed.push("python".to_owned());
    }
    if own_system
        && raw.glibc.is_none()
        && let Some(glibc) = machine::glibc()
    {
        raw.glibc = Some(glibc);
        raw.assumed.push("glibc".to_owned());
    }
    if raw.gpus.is_empty() || raw.driver.is_none() {
        notes.push("ui-here-no-probe", Vec::new());
    }
}
