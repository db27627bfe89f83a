//! Files that `kb check` reads: what they ask for, as far as kb knows the packages.

mod conda;
mod dockerfile;
mod lock;
mod marker;
mod requirements;

use crate::Failure;
use crate::facts::read_text;
use crate::request::Notes;
use kb_core::catalog::PackageKind;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::resolve;
use serde::Serialize;
use std::path::Path;

use marker::Applies;
pub(crate) use marker::{Environment, dotted};

/// What a file asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Read {
    /// Requirements on packages that kb knows.
    pub wants: Vec<String>,
    /// Channels by id.
    pub channels: Vec<String>,
    /// A CUDA release.
    pub cuda: Option<String>,
    /// A cuDNN release.
    pub cudnn: Option<String>,
    /// A Python version.
    pub python: Option<String>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

/// A line that takes no part in the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct LeftOut {
    /// The file; none for an argument.
    pub file: Option<String>,
    /// Its line, counted from 1, where the format has lines.
    pub line: Option<usize>,
    /// As written.
    pub text: String,
    /// Why.
    pub why: String,
}

/// A requirement as written, without comment and marker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Asked {
    /// `torch==2.9.1+cu126`.
    pub text: String,
    /// Where it stands, if not in the file that was named.
    pub file: Option<String>,
    /// The line.
    pub line: Option<usize>,
}

impl From<String> for Asked {
    fn from(text: String) -> Self {
        Asked { text, ..Asked::default() }
    }
}

/// What a format's reader finds, before it is compared with the catalogue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// Requirements that count here.
    pub requirements: Vec<Asked>,
    /// Addresses of indexes; the first replaces PyPI where `replaces` is set.
    pub indexes: Vec<String>,
    /// Was `--index-url` given?
    pub replaces: bool,
    /// Lines that cannot be judged, or are for another machine.
    pub left_out: Vec<LeftOut>,
    /// Lines that count although their marker hangs on what was not said.
    pub kept: Vec<String>,
    /// Lines that are wrong.
    pub mistakes: Vec<Diagnostic>,
    /// A CUDA release that the file sets up by other means than a package.
    pub cuda: Option<String>,
}

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
    // Standard input, and a file named with -r, hold requirements.
    let plain = path == "-" || known_format;
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
        Format::Dockerfile => dockerfile::read(kb, &text, environment),
    };
    if !found.mistakes.is_empty() {
        return Err(found.mistakes.into());
    }
    let read = known(kb, path, found, notes);
    if (Read { left_out: Vec::new(), ..read.clone() }) == Read::default() {
        return Err(Diagnostic::error(
            "nothing-to-check",
            format!("{path}: no package in it is one that kb knows"),
        )
        .help("`kb list packages` shows those it knows")
        .into());
    }
    Ok(read)
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
            notes.tell(format!("note: {text}: its marker hangs on what was not said (--python); it is kept"));
            Ok(Some(body.to_owned()))
        }
        Ok(Applies::No) => {
            let why = format!("its marker is not for {}", environment.place());
            notes.tell(format!("note: {text}: left out: {why}"));
            notes.left_out.push(LeftOut { file: None, line: None, text: text.to_owned(), why });
            Ok(None)
        }
        Err(why) => {
            Err(Diagnostic::error("bad-marker", format!("{text}: `{marker}` is not a marker: {why}"))
                .help("write it like sys_platform == 'linux' or python_version < '3.13'"))
        }
    }
}

/// Keeps what the catalogue knows and says what was left out.
fn known(kb: &Kb, path: &str, found: Found, notes: &mut Notes) -> Read {
    let mut read = Read { cuda: found.cuda, ..Read::default() };
    let mut unknown = Vec::new();
    let mut left_out = found.left_out.clone();
    for asked in &found.requirements {
        let text = &asked.text;
        let mut leave = |why: &str| {
            let file = asked.file.clone().or_else(|| Some(path.to_owned()));
            left_out.push(LeftOut { file, line: asked.line, text: text.clone(), why: why.to_owned() });
        };
        let plain = text.split('+').next().unwrap_or(text);
        let Ok(requirement) = plain.parse::<Requirement>() else {
            unknown.push(text.clone());
            leave("it is not a requirement");
            continue;
        };
        let Ok(package) = resolve::package(kb, &requirement.name) else {
            unknown.push(requirement.name.to_string());
            leave("no package of this name is known");
            continue;
        };
        let version = requirement.specifier.trim_start_matches('=').trim();
        let exact = requirement.specifier.starts_with("==") && !version.contains(',');
        match &*kb.packages[package].id {
            "python" if exact => {
                read.python = read.python.or_else(|| Some(version.trim_end_matches(".*").to_owned()))
            }
            "cudnn" if exact => read.cudnn = read.cudnn.or_else(|| Some(version.to_owned())),
            // A toolkit that is installed; which release a build was made with is another matter.
            "cuda-toolkit" if exact => read.wants.push(format!("cuda-toolkit=={version}")),
            _ if kb.packages[package].kind == PackageKind::System => {}
            _ => {
                if !read.wants.contains(text) {
                    read.wants.push(text.clone());
                }
            }
        }
    }
    channels(kb, found.indexes, found.replaces, &mut read, &mut unknown);
    if !unknown.is_empty() {
        let shown = unknown.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
        notes.push(
            "ui-file-unknown",
            vec![("file", path.to_owned()), ("count", unknown.len().to_string()), ("list", shown)],
        );
    }
    for line in found.left_out.iter().take(5) {
        let file = line.file.as_deref().unwrap_or(path);
        let number = line.line.map(|n| format!(":{n}")).unwrap_or_default();
        notes.tell(format!("note: {file}{number}: left out: {} ({})", line.text, line.why));
    }
    for line in found.kept.iter().take(5) {
        notes.tell(format!(
            "note: {path}: its marker hangs on what was not said (--python); it is kept: {line}"
        ));
    }
    read.left_out = left_out;
    read
}

fn channels(kb: &Kb, indexes: Vec<String>, replaces: bool, read: &mut Read, unknown: &mut Vec<String>) {
    for address in indexes {
        // conda's channels have short names: `pytorch` is pytorch-conda here.
        match resolve::channel(kb, &address).or_else(|_| resolve::channel(kb, &format!("{address}-conda"))) {
            Ok(found) => read.channels.extend(found.iter().map(|c| kb.channels[*c].id.to_string())),
            Err(_) => unknown.push(address),
        }
    }
    if !replaces && !read.channels.is_empty() && !read.channels.iter().any(|c| c == "pypi") {
        read.channels.insert(0, "pypi".to_owned());
    }
}
