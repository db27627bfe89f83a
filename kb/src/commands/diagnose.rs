//! `kb diagnose`: from an error log to its cause.

use super::Session;
use crate::Outcome;
use crate::args::Diagnose;
use crate::output::{diagnosis as writer, json};
use diagnose::diagnosis::{self, Findings};
use diagnose::needles::Needles;
use diagnose::sift::{Excerpt, sift};
use kb_core::diag::Diagnostic;
use kb_core::observe::Observation;
use std::fs::File;
use std::path::Path;

/// Reads everything, then names the causes.
pub(super) fn run(session: &Session<'_>, args: &Diagnose) -> Outcome {
    let needles = Needles::new(session.kb, &diagnose::read::ANCHORS);
    let mut whole: Option<Excerpt> = None;
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let stdin = [std::path::PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files[..] };
    for path in files {
        match read(&needles, path) {
            Ok(excerpt) => match &mut whole {
                Some(whole) => whole.append(excerpt, &path.display().to_string()),
                None => whole = Some(excerpt.named(&path.display().to_string())),
            },
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes.into());
    }
    let findings = diagnosis::observe(&needles, whole.unwrap_or_default(), given(args));
    Ok(explain(session, args, &findings))
}

/// Prints the causes; the exit code.
fn explain(session: &Session<'_>, args: &Diagnose, findings: &Findings) -> u8 {
    let found = diagnosis::diagnose(session.world(), findings, session.language);
    let code = if found.causes.is_empty() { 3 } else { 1 };
    if session.global.json {
        json::print(&found);
    } else {
        let mut screen = session.screen();
        writer::print(&mut screen, &found, args.all);
        screen.print();
    }
    code
}

/// What was said by hand.
fn given(args: &Diagnose) -> Vec<Observation> {
    let one = |what: &str, value: &String| Observation {
        what: what.to_owned(),
        value: value.clone(),
        raw: None,
        method: "given".to_owned(),
        line: None,
        place: None,
    };
    let mut out: Vec<Observation> = args.gpu.iter().map(|g| one("gpu", g)).collect();
    out.extend(args.os.iter().map(|v| one("os", v)));
    out.extend(args.driver.iter().map(|v| one("driver", v)));
    out.extend(args.python.iter().map(|v| one("python", v)));
    out
}

fn read(needles: &Needles<'_>, path: &Path) -> Result<Excerpt, Diagnostic> {
    let fail = |error: std::io::Error| {
        Diagnostic::error("unreadable", format!("{}: the file cannot be read: {error}", path.display()))
    };
    let excerpt = if path.as_os_str() == "-" {
        sift(needles, &mut std::io::stdin().lock())
    } else if path.is_dir() {
        return Err(Diagnostic::error("unreadable", format!("{}: this is a directory", path.display()))
            .help("name the log in it"));
    } else {
        File::open(path).and_then(|mut file| sift(needles, &mut file))
    };
    let excerpt = excerpt.map_err(fail)?;
    if excerpt.bytes == 0 {
        return Err(Diagnostic::error("empty-file", format!("{}: there is nothing in it", shown(path)))
            .help("paste the whole output, with the lines above the error"));
    }
    Ok(excerpt)
}

fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}
