//! Files that `kb check` reads: what they ask for, as far as kb knows the packages.

mod conda;
mod dockerfile;
mod found;
mod installs;
mod known;
mod lock;
mod marker;
mod places;
mod poetry;
mod pylock;
mod pyproject;
mod requirements;
mod shell;
mod typed;
mod uv;
mod variables;

use crate::Failure;
use crate::facts::read_text;
use crate::request::Notes;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::path::Path;

pub(crate) use found::LeftOut;
pub(crate) use known::Read;
use marker::Applies;
pub(crate) use marker::{Environment, dotted};
pub(crate) use places::Places;
pub(crate) use typed::{command, is_command, joined};

/// Is this argument a file and not a requirement? A name that is both is a file only if it looks like one.
pub(crate) fn is_file(text: &str) -> bool {
    text == "-"
        || format(text).is_some()
        || text.contains(['/', '\\']) && !text.contains("://")
        || (text.contains('.') && !text.contains(['=', '<', '>', '~', '[']) && Path::new(text).is_file())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Requirements,
    Lock,
    Conda,
    Dockerfile,
}

fn format(path: &str) -> Option<Format> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    if name.contains("dockerfile") || name.contains("containerfile") {
        Some(Format::Dockerfile)
    } else if name.ends_with(".txt") || name.ends_with(".in") && !name.contains('=') {
        Some(Format::Requirements)
    } else if name == "uv.lock" || name == "poetry.lock" || name.ends_with(".toml") {
        Some(Format::Lock)
    } else if name.ends_with(".yml") || name.ends_with(".yaml") {
        Some(Format::Conda)
    } else {
        None
    }
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, is of no kind that kb reads, or names nothing that kb knows.
pub(crate) fn read(
    kb: &Kb,
    path: &str,
    known_format: bool,
    environment: &Environment,
    notes: &mut Notes,
) -> Result<Read, Failure> {
    // Standard input, a file named with -r, and what a command prints (`<(pip freeze)`) hold requirements.
    let stream = || std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    let plain = path == "-" || known_format || stream();
    let Some(format) = format(path).or(plain.then_some(Format::Requirements)) else {
        return Err(Diagnostic::error("unknown-file", format!("{path}: kb does not read this kind of file"))
            .help("it reads requirements.txt, uv.lock, pylock.toml, environment.yml and Dockerfile; -r FILE reads any file as requirements")
            .into());
    };
    let text = read_text(Path::new(path), "check")?;
    let bare = text.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#'));
    if bare {
        return Err(Diagnostic::error("nothing-to-check", format!("{path}: there are only comments in it"))
            .help("a line such as torch==2.9.1 is judged")
            .into());
    }
    let found = match format {
        Format::Requirements => {
            let mut reader = requirements::Reader::new(environment);
            reader.read(path, &text, 0);
            reader.found
        }
        Format::Lock => lock::read(path, &text, environment)?,
        Format::Conda => conda::read(path, &text, environment)?,
        Format::Dockerfile => dockerfile::read(kb, path, &text, environment),
    };
    if !found.mistakes.is_empty() {
        return Err(found.mistakes.into());
    }
    let read = known::known(kb, path, found, notes)?;
    // Without the packages that kb does not know, nothing but the machine would be judged, and the answer would pass
    // over what the file is for.
    if !read.any_package && (!read.unknown.is_empty() || states_nothing(&read)) {
        return Err(nothing(kb, path, &read).into());
    }
    Ok(read)
}

fn states_nothing(read: &Read) -> bool {
    read.wants.is_empty() && [&read.cuda, &read.cudnn, &read.python].iter().all(|o| o.is_none())
}

/// Says what stands in a file of which nothing can be judged.
fn nothing(kb: &Kb, path: &str, read: &Read) -> Diagnostic {
    let what = format!("{path}: no package in it is one that kb knows");
    let mut out = Diagnostic::error("nothing-to-check", what);
    if !read.unknown.is_empty() {
        out = out.note(format!("unknown: {}", few(read.unknown.iter().cloned())));
    }
    let speaker = Speaker::new(kb, "en");
    for line in read.left_out.iter().filter(|l| l.named).take(6) {
        let line_number = line.line.map(|n| format!("line {n}: ")).unwrap_or_default();
        out = out.note(format!("{line_number}{}: {}", line.text, line.why.say(&speaker)));
    }
    out.help("`kb list packages` shows those it knows")
}

/// The first of a list.
fn few(list: impl ExactSizeIterator<Item = String>) -> String {
    let more = list.len().saturating_sub(6);
    let shown: Vec<String> = list.take(6).collect();
    let tail = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{tail}", shown.join(", "))
}

/// The part of a requirement on the command line that is judged: none if its marker is for another machine.
///
/// # Errors
/// If the marker is none.
pub(crate) fn argument(
    text: &str,
    environment: &Environment,
    notes: &mut Notes,
) -> Result<Option<String>, Diagnostic> {
    let Some((body, marker)) = text.split_once(';') else { return Ok(Some(text.to_owned())) };
    let (body, marker) = (body.trim(), marker.trim());
    match environment.applies(marker) {
        Ok(Applies::Yes) => Ok(Some(body.to_owned())),
        Ok(Applies::Open) => {
            notes.push("ui-argument-open", vec![("text", text.to_owned())]);
            Ok(Some(body.to_owned()))
        }
        Ok(Applies::No) => {
            notes.left_out.push(LeftOut::new(text, environment.not_here()));
            Ok(None)
        }
        Err(why) => {
            Err(Diagnostic::error("bad-marker", format!("{text}: `{marker}` is not a marker: {why}"))
                .help("write it like sys_platform == 'linux' or python_version < '3.13'"))
        }
    }
}
