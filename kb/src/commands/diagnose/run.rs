//! `kb diagnose -- COMMAND`: another program runs as if kb were not there, and a failure of it is explained.

use super::explain::{Explained, Explainer, Stream};
use super::program::program;
use crate::interrupt::Passing;
use crate::output::{diagnostics, json};
use crate::{Outcome, interrupt, output};
use diagnose::lines::Lines;
use diagnose::sift::Sieve;
use kb_core::diag::Diagnostic;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// As shells have it: there is no such program, or it cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

/// Read at once.
const CHUNK: usize = 1 << 16;

/// By this variable Python writes at once what it writes.
const UNBUFFERED: &str = "PYTHONUNBUFFERED";

/// What a program left running may still write; after so much silence the explanation no longer waits for it.
const SILENCE: Duration = Duration::from_secs(1);

/// Runs a program and explains its failure; its exit code.
pub(super) fn run(explainer: &Explainer<'_>, name: &OsStr, arguments: &[OsString]) -> Outcome {
    interrupt::listen();
    let mut command = Command::new(program(name));
    if io::stdout().is_terminal() && std::env::var_os(UNBUFFERED).is_none() {
        // On a terminal Python writes line by line, into a pipe in blocks: whoever watches waits for no block.
        command.env(UNBUFFERED, "1");
    }
    let child =
        command.args(arguments).stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let code = match child {
        Ok(child) => watch(explainer, child),
        Err(error) => return Ok(not_started(explainer, name, &error)),
    };
    match u8::try_from(code) {
        // Where output was lost, success is none: `unwritten` has another code for that.
        Ok(code) if code == 0 || !output::unwritten() => Ok(code),
        // Windows has larger ones, such as 0xC0000005.
        _ => std::process::exit(code),
    }
}

/// Says why a program did not start.
fn not_started(explainer: &Explainer<'_>, name: &OsStr, error: &io::Error) -> u8 {
    let name = name.to_string_lossy();
    let (code, mistake) = if error.kind() == io::ErrorKind::NotFound {
        let mistake = Diagnostic::error("command-not-found", format!("{name}: there is no such command"));
        (NOT_FOUND, mistake.help("name a program that is in PATH, or its path; an alias of a shell is none"))
    } else {
        let mistake = Diagnostic::error("command-not-run", format!("{name}: it cannot be run: {error}"));
        (
            NOT_RUN,
            mistake
                .help("a script has to be executable, or runs by its interpreter: kb diagnose -- sh script"),
        )
    };
    if explainer.session.global.json {
        json::print_err(&diagnostics::document("diagnose", &[mistake]));
    } else {
        diagnostics::print(&[mistake], explainer.session.global.color);
    }
    code
}

/// What both streams of the program said.
struct Heard<'n> {
    /// `None` once it is explained.
    sieve: Option<Sieve<'n>>,
    /// How often something came.
    count: usize,
    /// Does the last line want an end, on whichever stream it came, and on standard error?
    open: bool,
    open_err: bool,
    /// Whoever read kb's output has gone.
    unread: bool,
}

impl Heard<'_> {
    fn push(&mut self, text: &str) {
        if let Some(sieve) = &mut self.sieve {
            sieve.push(text.as_bytes());
        }
    }
}

type Shared<'n> = Mutex<Heard<'n>>;

/// A thread that fell over while it listened leaves what it heard.
fn lock<'s, 'n>(shared: &'s Shared<'n>) -> MutexGuard<'s, Heard<'n>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes everything through until the program ends, and explains; the exit code.
fn watch(explainer: &Explainer<'_>, mut child: Child) -> i32 {
    let sieve = Some(Sieve::new(explainer.needles));
    let shared = Mutex::new(Heard { sieve, count: 0, open: false, open_err: false, unread: false });
    let (ended, ends) = channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let (shared, ended_too) = (&shared, ended.clone());
        scope.spawn(move || out.map(|out| pass(out, Stream::Out, shared, ended_too)));
        scope.spawn(move || err.map(|err| pass(err, Stream::Err, shared, ended)));
        let status = {
            let _passing = Passing::to(&child);
            child.wait()
        };
        // What it wrote last may still be on its way.
        let mut count = lock(shared).count;
        while ends.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
            let now = lock(shared).count;
            if now == count {
                break;
            }
            count = now;
        }
        let code = status.map_or(i32::from(NOT_RUN), code);
        if let Err(mistake) = after(explainer, code, shared) {
            // The exit code is the program's all the same.
            diagnostics::print(&[mistake], explainer.session.global.color);
        }
        // What it left running still writes through kb, as it would through any pipe: the scope waits for it.
        code
    })
}

/// One stream, as it comes.
fn pass(mut from: impl Read, to: Stream, shared: &Shared<'_>, ended: Sender<()>) {
    let mut console = Console::of(to);
    let mut lines = Lines::default();
    let mut buffer = vec![0; CHUNK];
    loop {
        let piece = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => &buffer[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let written = console.write(piece);
        let mut heard = lock(shared);
        heard.count += 1;
        heard.open = !piece.ends_with(b"\n");
        if to == Stream::Err {
            heard.open_err = heard.open;
        }
        lines.push(piece, &mut |text| heard.push(text));
        if let Err(error) = written {
            // Whoever read has gone away, or the disk is full: by its closed pipe the program learns it.
            heard.unread = !output::tell_unwritten(to.name(), &error);
            break;
        }
    }
    lines.finish(&mut |text| lock(shared).push(text));
    drop(ended);
}

/// A stream of kb's own, to which bytes go unchanged.
struct Console {
    stream: Stream,
    /// On Windows a stream that is a console takes only text in UTF-8; the console itself takes every byte.
    raw: Option<std::fs::File>,
}

impl Console {
    fn of(stream: Stream) -> Self {
        let terminal = match stream {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        };
        let raw = (cfg!(windows) && terminal)
            .then(|| std::fs::OpenOptions::new().write(true).open("CONOUT$").ok())
            .flatten();
        Console { stream, raw }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match (&mut self.raw, self.stream) {
            (Some(raw), _) => raw.write_all(bytes),
            (None, Stream::Out) => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            (None, Stream::Err) => io::stderr().lock().write_all(bytes),
        }
    }
}

/// The exit code, as a shell tells it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(1)
}

/// Explains what was heard: all of it after a failure; after success only what the program got over, in few lines.
fn after(explainer: &Explainer<'_>, code: i32, shared: &Shared<'_>) -> Result<(), Diagnostic> {
    let (sieve, open, unread) = {
        let mut heard = lock(shared);
        // On a terminal the two streams are one.
        let both = io::stdout().is_terminal() && io::stderr().is_terminal();
        (heard.sieve.take(), if both { heard.open } else { heard.open_err }, heard.unread)
    };
    let Some(sieve) = sieve else { return Ok(()) };
    let explained = explainer.explain(sieve.finish());
    let json = explainer.session.global.json;
    // A program that somebody stopped has not failed, nor one whose output nobody wanted any more.
    // It may have ended before kb itself heard of the signal.
    let stopped = interrupt::came() || code == interrupt::ENDED_BY_CTRL_C;
    let quiet = (stopped || unread) && explained.found.causes.is_empty();
    let survived = code == 0;
    let nothing = explained.found.causes.is_empty() && !explainer.args.all;
    if !json && !survived && !quiet && nothing {
        gap(open);
        let mut screen = explainer.screen();
        screen.para(0, &screen.say("ui-diag-run-nothing", &[("code", code.to_string())]));
        screen.print_err();
    } else if json || (!survived && !quiet) {
        gap(open);
        explainer.print(&explained, Stream::Err);
    } else if survived && got_over(&explained) {
        gap(open);
        let mut screen = explainer.screen();
        output::diagnosis_brief::print(&mut screen, &explained.found);
        screen.print_err();
    }
    explainer.bundle(&explained)
}

/// Did the program go on in spite of something that is at least likely?
fn got_over(explained: &Explained) -> bool {
    explained.found.causes.first().is_some_and(|cause| cause.certainty != "possible" && !cause.negative)
}

/// An empty line between the program's output and kb's.
fn gap(open: bool) {
    output::write_err(if open { "\n\n" } else { "\n" });
}
