//! Files that `kb check` reads: what they ask for, as far as kb knows the packages.

mod conda;
mod dockerfile;
mod lock;
mod requirements;

use crate::Failure;
use crate::facts::read_text;
use crate::request::Notes;
use kb_core::catalog::PackageKind;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::resolve;
use std::path::Path;

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
}

/// What a format's reader finds, before it is compared with the catalogue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// Requirements as written, without comments and markers.
    pub requirements: Vec<String>,
    /// Addresses of indexes; the first replaces PyPI where `replaces` is set.
    pub indexes: Vec<String>,
    /// Was `--index-url` given?
    pub replaces: bool,
    /// Lines that cannot be judged.
    pub skipped: Vec<String>,
    /// A CUDA release that the file sets up by other means than a package.
    pub cuda: Option<String>,
}

/// Is this argument a file and not a requirement? A name that is both is a file only if it looks like one.
pub(crate) fn is_file(text: &str) -> bool {
    format(text).is_some()
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
pub(crate) fn read(kb: &Kb, path: &str, notes: &mut Notes) -> Result<Read, Failure> {
    let Some(format) = format(path) else {
        return Err(Diagnostic::error("unknown-file", format!("{path}: kb does not read this kind of file"))
            .help("it reads requirements.txt, uv.lock, pylock.toml, environment.yml and Dockerfile")
            .into());
    };
    let text = read_text(Path::new(path), "check")?;
    let found = match format {
        Format::Requirements => requirements::read(&text),
        Format::Lock => lock::read(path, &text)?,
        Format::Conda => conda::read(&text),
        Format::Dockerfile => dockerfile::read(kb, &text),
    };
    let read = known(kb, path, found, notes);
    if read == Read::default() {
        return Err(Diagnostic::error(
            "nothing-to-check",
            format!("{path}: no package in it is one that kb knows"),
        )
        .help("`kb list packages` shows those it knows")
        .into());
    }
    Ok(read)
}

/// Keeps what the catalogue knows and says what was left out.
fn known(kb: &Kb, path: &str, found: Found, notes: &mut Notes) -> Read {
    let mut read = Read { cuda: found.cuda, ..Read::default() };
    let mut unknown = Vec::new();
    for text in &found.requirements {
        let plain = text.split('+').next().unwrap_or(text);
        let Ok(requirement) = plain.parse::<Requirement>() else {
            unknown.push(text.clone());
            continue;
        };
        let Ok(package) = resolve::package(kb, &requirement.name) else {
            unknown.push(requirement.name.to_string());
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
    for line in found.skipped.iter().take(5) {
        notes.push("ui-file-skipped", vec![("file", path.to_owned()), ("line", line.clone())]);
    }
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
