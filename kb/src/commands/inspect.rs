//! `kb inspect`: what wheels, libraries and directories hold.

use super::Session;
use crate::Outcome;
use crate::args::Inspect;
use crate::inspect::{Inspected, Progress, Run, Says, inspect, runs_on};
use crate::output::{inspect as writer, json};
use crate::spelling;
use artifact::Error;
use kb_core::diag::Diagnostic;
use kb_core::request::{GpuTarget, RawRequest, Request};
use serde_json::{Value, json};
use std::path::Path;

/// What is said about one GPU.
pub(crate) struct Verdict {
    /// The GPU.
    pub gpu: GpuTarget,
    /// Does it run there?
    pub run: Run,
    /// Why.
    pub says: Vec<Says>,
}

/// Inspects each file; with GPUs the exit code is that of the worst answer.
pub(super) fn run(session: &Session<'_>, args: &Inspect) -> Outcome {
    let gpus = gpus(session, &args.gpu)?;
    let mut screen = session.screen();
    let (mut documents, mut mistakes, mut code) = (Vec::new(), Vec::new(), 0);
    for path in &args.files {
        let about = {
            let file = path.display().to_string();
            let progress = Progress::start(&screen.say("ui-inspect-reading", &[("file", file)]));
            inspect(path, &progress)
        };
        let about = match about {
            Ok(about) => about,
            Err(error) => {
                mistakes.push(mistake(path, &error));
                continue;
            }
        };
        let verdicts = verdicts(&about, &gpus);
        code = verdicts.iter().map(|v| exit(v.run)).fold(code, worse);
        if session.global.json {
            documents.push(writer::document(&screen, &about, &verdicts));
        } else {
            writer::print(&mut screen, &about, &verdicts);
        }
    }
    if !session.global.json {
        // What could be read is shown all the same.
        screen.print();
    } else if mistakes.is_empty() {
        json::print(&document(documents));
    }
    if mistakes.is_empty() { Ok(code) } else { Err(mistakes.into()) }
}

fn verdicts(about: &Inspected, gpus: &[GpuTarget]) -> Vec<Verdict> {
    let one = |gpu: &GpuTarget| {
        let (run, says) = runs_on(about, gpu);
        Verdict { gpu: gpu.clone(), run, says }
    };
    gpus.iter().map(one).collect()
}

/// One document, or a list of several.
fn document(mut documents: Vec<Value>) -> Value {
    let one = (documents.len() == 1).then(|| documents.remove(0));
    one.unwrap_or_else(|| json!({ "schema": 1, "command": "inspect", "files": documents }))
}

/// The GPUs of `--gpu`, understood as everywhere.
fn gpus(session: &Session<'_>, typed: &[String]) -> Result<Vec<GpuTarget>, crate::Failure> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let gpus = typed.iter().map(|t| spelling::gpu(session.kb, &spelling::plain(t))).collect();
    let raw = RawRequest { command: "check".to_owned(), gpus, ..RawRequest::default() };
    let request = Request::parse(session.world(), &raw)?;
    if request.gpus().is_empty() {
        return Err(Diagnostic::error("usage", "--gpu: no GPU is named")
            .help("leave --gpu out to see what the file holds")
            .into());
    }
    Ok(request.gpus().to_vec())
}

fn mistake(path: &Path, error: &Error) -> Diagnostic {
    let out = Diagnostic::error("unreadable", format!("{}: {error}", path.display()));
    if path.exists() {
        out.help("kb inspect reads wheels, 64-bit ELF and PE libraries, and directories with them")
    } else {
        out
    }
}

fn exit(run: Run) -> u8 {
    match run {
        Run::Yes => 0,
        Run::No => 1,
        Run::Unknown => 3,
    }
}

/// Of two exit codes the worse one: no, then unknown, then yes.
fn worse(a: u8, b: u8) -> u8 {
    match (a, b) {
        (1, _) | (_, 1) => 1,
        _ => a.max(b),
    }
}
