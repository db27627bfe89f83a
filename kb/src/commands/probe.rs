//! `kb probe`: what this machine has.

use super::{Session, this_machine};
use crate::args::Probe;
use crate::output::{json, probe as writer};
use crate::{Failure, Outcome};
use diagnose::redact::Redactor;
use kb_core::diag::Diagnostic;
use probe::machine::{CAPTURE_FILE, Capture, Recorder};
use std::path::Path;

mod redacted;

/// Looks, and prints what was seen.
pub(super) fn run(session: &Session<'_>, args: &Probe) -> Outcome {
    let seen = match &args.capture {
        None => this_machine::observe(session, &args.machine)?,
        Some(directory) => {
            let wanted = this_machine::wanted(session, &args.machine);
            let (seen, mut capture) = this_machine::with(&args.machine, |machine| {
                let recorder = Recorder::new(machine);
                let seen = probe::observe(&recorder, &wanted);
                (seen, recorder.capture())
            })?;
            this_machine::check(&args.machine, seen.environments.len(), &seen.failures)?;
            if args.machine.python.is_some() {
                // Whoever looks at the capture looks at the same environment.
                capture.python = seen.environments.first().map(|e| e.root.clone());
            }
            write(session, directory, &capture)?;
            seen
        }
    };
    if session.global.json {
        json::print(&seen);
    } else {
        let mut screen = session.screen();
        writer::print(&mut screen, &seen, args.all);
        if let Some(directory) = &args.capture {
            let path = directory.join(CAPTURE_FILE).display().to_string();
            screen.blank();
            screen.para(0, &screen.say("ui-probe-captured", &[("path", path)]));
        }
        screen.print();
    }
    Ok(0)
}

/// Writes a capture with private names replaced. A directory that has one already gets the new one; one with something
/// else in it is left alone.
fn write(session: &Session<'_>, directory: &Path, capture: &Capture) -> Result<(), Failure> {
    let fail = |why: String| {
        Failure::from(Diagnostic::error("unwritable", format!("--capture {}: {why}", directory.display())))
    };
    if directory.is_file() {
        return Err(fail("this is a file; a directory is wanted".to_owned()));
    }
    let file = directory.join(CAPTURE_FILE);
    let others = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    if !file.exists() && others.count() > 0 {
        return Err(fail("it has other things in it; name a new directory".to_owned()));
    }
    if file.exists() && Capture::load(&file).is_err() {
        return Err(fail(format!("{CAPTURE_FILE} in it is no capture; name a new directory")));
    }
    let mut tree = toml::Value::try_from(capture).map_err(|e| fail(e.to_string()))?;
    redacted::redact(&mut tree, &mut Redactor::new(session.kb));
    let text = toml::to_string(&tree).map_err(|e| fail(e.to_string()))?;
    // What is written has to be what can be read.
    Capture::parse(&text).map_err(|why| fail(format!("the capture would not be readable: {why}")))?;
    std::fs::create_dir_all(directory).map_err(|e| fail(e.to_string()))?;
    std::fs::write(&file, text).map_err(|e| fail(e.to_string()))
}
