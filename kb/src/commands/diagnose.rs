//! `kb diagnose`: from an error log to its cause.

use super::Session;
use crate::Outcome;
use crate::args::Diagnose;
use diagnose::needles::Needles;
use diagnose::sift::{Excerpt, sift};
use explain::{Explainer, Stream};
use kb_core::diag::Diagnostic;
use std::fs::File;
use std::path::Path;

mod bundle;
mod explain;
mod follow;
mod given;
mod input;
mod program;
mod run;
mod tail;

/// Reads everything, then names the causes.
pub(super) fn run(session: &Session<'_>, args: &Diagnose) -> Outcome {
    // Before anything is read, or run for an hour.
    if let Some(path) = &args.bundle {
        bundle::check(path)?;
    }
    let needles = Needles::new(session.kb, &diagnose::read::ANCHORS);
    let explainer = Explainer::new(session, args, &needles)?;
    if let Some((program, arguments)) = args.run.split_first() {
        return run::run(&explainer, program, arguments);
    }
    if args.follow {
        return follow::run(&explainer);
    }
    let explained = explainer.explain(read_all(&explainer)?);
    explainer.print(&explained, Stream::Out);
    explainer.bundle(&explained)?;
    Ok(if explained.found.causes.is_empty() { 3 } else { 1 })
}

/// All texts behind each other.
fn read_all(explainer: &Explainer<'_>) -> Result<Excerpt, Vec<Diagnostic>> {
    let (needles, args) = (explainer.needles, explainer.args);
    let mut whole: Option<Excerpt> = None;
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let stdin = [std::path::PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files[..] };
    for path in files {
        if path.as_os_str() == "-" {
            input::tell_waiting(explainer);
        }
        // A message has no name to be called by.
        let name =
            || input::message(path).map_or_else(|| path.display().to_string(), |_| "message".to_owned());
        match read(needles, path) {
            Ok(excerpt) => match &mut whole {
                Some(whole) => whole.append(excerpt, &name()),
                None => whole = Some(excerpt.named(&name())),
            },
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(whole.unwrap_or_default()) } else { Err(mistakes) }
}

fn read(needles: &Needles<'_>, path: &Path) -> Result<Excerpt, Diagnostic> {
    let excerpt = if path.as_os_str() == "-" {
        sift(needles, &mut std::io::stdin().lock())
    } else if let Some(message) = input::message(path) {
        sift(needles, &mut message.as_bytes())
    } else if path.is_dir() {
        return Err(Diagnostic::error("unreadable", format!("{}: this is a directory", path.display()))
            .help("name the log in it"));
    } else {
        File::open(path).and_then(|mut file| sift(needles, &mut file))
    };
    let excerpt = excerpt.map_err(|error| unreadable(path, &error))?;
    if excerpt.bytes == 0 {
        return Err(Diagnostic::error("empty-file", format!("{}: there is nothing in it", shown(path)))
            .help("paste the whole output, with the lines above the error"));
    }
    Ok(excerpt)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("unreadable", format!("{}: the file cannot be read: {error}", shown(path)))
}

fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}
