//! `kb inspect`: what wheels, libraries and directories hold, here or in an index.

use super::Session;
use crate::Outcome;
use crate::args::Inspect;
#[cfg(feature = "remote")]
use crate::inspect::remote::{self, Remote, Typed};
use crate::inspect::{Inspected, Progress, Run, Says, Target, inspect, runs_on};
use crate::output::{inspect as writer, json};
use crate::spelling;
use artifact::Error;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use kb_core::request::{GpuTarget, RawRequest, Request};
use serde_json::{Value, json};
#[cfg(feature = "remote")]
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

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
    let (mut screen, reader) = (session.screen(), Reader::new(session, args));
    let (mut documents, mut mistakes, mut code) = (Vec::new(), Vec::new(), 0);
    for path in &joined(&args.files) {
        let about = match reader.read(path) {
            Ok(about) => about,
            Err(mistake) => {
                mistakes.push(mistake);
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

/// The arguments; of a name and a version in two of them, as `pip list` prints them, one is made.
fn joined(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    for path in files {
        let both = out.last().and_then(|last| {
            let elsewhere =
                |p: &PathBuf| p.to_str().filter(|_| p.symlink_metadata().is_err()).map(str::to_owned);
            let one = spelling::requirements(&[elsewhere(last)?, elsewhere(path)?]);
            <[String; 1]>::try_from(one).ok()
        });
        match (both, out.last_mut()) {
            (Some([text]), Some(last)) => *last = text.into(),
            _ => out.push(path.clone()),
        }
    }
    out
}

/// Reads what is named, wherever it is.
struct Reader<'s, 'a> {
    #[cfg(feature = "remote")]
    session: &'s Session<'a>,
    speaker: Speaker<'a>,
    args: &'s Inspect,
    #[cfg(feature = "remote")]
    remote: OnceCell<Remote>,
}

impl<'s, 'a> Reader<'s, 'a> {
    fn new(session: &'s Session<'a>, args: &'s Inspect) -> Self {
        Reader {
            #[cfg(feature = "remote")]
            session,
            speaker: Speaker::new(session.kb, session.language),
            args,
            #[cfg(feature = "remote")]
            remote: OnceCell::new(),
        }
    }

    fn read(&self, path: &Path) -> Result<Inspected, Diagnostic> {
        let shown = path.display().to_string();
        let progress = Progress::start(&self.speaker.say("ui-inspect-reading", &[("file", shown)]));
        match Target::of(path) {
            Target::Local => inspect(path, !self.args.no_code, &progress).map_err(|e| mistake(path, &e)),
            Target::Open(text) => {
                let text = [("text", text)];
                Err(Diagnostic::error("bad-requirement", self.speaker.say("ui-remote-open", &text))
                    .help(self.speaker.say("ui-remote-open-help", &[])))
            }
            elsewhere => self.elsewhere(&elsewhere, &progress),
        }
    }

    #[cfg(feature = "remote")]
    fn elsewhere(&self, target: &Target, progress: &Progress) -> Result<Inspected, Diagnostic> {
        let said = |problem| remote::diagnostic(self.session.kb, &self.speaker, &problem);
        let remote = match self.remote.get() {
            Some(remote) => remote,
            None => {
                let typed = Typed {
                    platform: self.args.platform.as_deref(),
                    python: self.args.wheel_python.as_deref(),
                    index_url: self.args.index_url.as_deref(),
                    code: !self.args.no_code,
                };
                let made = Remote::new(&typed).map_err(said)?;
                self.remote.get_or_init(|| made)
            }
        };
        let read = match target {
            Target::Address(url) => remote.address(url, progress),
            Target::Project { name, version } => remote.project(name, version.as_deref(), progress),
            Target::Local | Target::Open(_) => return Err(Diagnostic::error("unreadable", "")),
        };
        read.map_err(said)
    }

    /// Without a network there is only this machine.
    #[cfg(not(feature = "remote"))]
    fn elsewhere(&self, _: &Target, _: &Progress) -> Result<Inspected, Diagnostic> {
        Err(Diagnostic::error("no-network", self.speaker.say("ui-remote-no-network", &[]))
            .help(self.speaker.say("ui-remote-no-ranges-help", &[])))
    }
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
