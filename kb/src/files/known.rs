//! What a file asks for, compared with the catalogue: what kb knows counts, the rest is said.

use super::found::{Asked, Found, LeftOut, Sentence};
use super::places::{Judged, Places, places};
use crate::request::Notes;
use kb_core::catalog::PackageKind;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::names::Names;
use std::collections::{BTreeMap, HashSet};

/// What a file asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Read {
    /// Requirements on packages that kb knows.
    pub wants: Vec<String>,
    /// Where they come from.
    pub places: Places,
    /// A CUDA release.
    pub cuda: Option<String>,
    /// A cuDNN release.
    pub cudnn: Option<String>,
    /// A Python version.
    pub python: Option<String>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// Is a framework or a library among what kb knows?
    pub any_package: bool,
    /// Names that kb does not know, each once.
    pub unknown: Vec<String>,
}

/// Keeps what the catalogue knows and says what was left out.
///
/// # Errors
/// If two lines for one package cannot both count, and what was not said decides between them.
pub(super) fn known(kb: &Kb, path: &str, mut found: Found, notes: &mut Notes) -> Result<Read, Diagnostic> {
    let names = Names::of(kb);
    let mut read = Read { cuda: found.cuda.take(), ..Read::default() };
    let mut left_out = std::mem::take(&mut found.left_out);
    for line in &mut left_out {
        line.file.get_or_insert_with(|| path.to_owned());
    }
    // Lines about packages that kb knows are told first.
    left_out.sort_by_key(|l| l.text.parse::<Requirement>().is_ok_and(|r| names.find(&r.name).is_none()));
    let mut seen: HashSet<String> = HashSet::new();
    let mut unknown = Unknown::default();
    let mut judged: Vec<Judged> = Vec::new();
    let mut forks: BTreeMap<usize, (&Asked, Requirement)> = BTreeMap::new();
    for asked in &found.requirements {
        let text = &asked.text;
        let mut leave = |why: Sentence, named: bool| {
            let file = asked.file.clone().or_else(|| Some(path.to_owned()));
            left_out.push(LeftOut { file, line: asked.line, text: text.clone(), why, named });
        };
        let plain = text.split('+').next().unwrap_or(text);
        let Ok(requirement) = plain.parse::<Requirement>() else {
            unknown.add(text);
            leave(Sentence::new("left-no-requirement"), false);
            continue;
        };
        let Some(package) = names.find(&requirement.name) else {
            unknown.add(&requirement.name);
            leave(Sentence::new("left-unknown-package"), false);
            continue;
        };
        if let Some(version) = requirement.exact() {
            let (other, pinned) = forks.entry(package).or_insert_with(|| (asked, requirement.clone()));
            if pinned.exact() != Some(version) && (other.open || asked.open) {
                let what =
                    format!("{path}: which of {} and {text} counts hangs on what was not said", other.text);
                return Err(Diagnostic::error("open-marker", what).help("say --python"));
            }
        }
        if asked.open {
            notes.push("ui-marker-open", vec![("place", path.to_owned()), ("text", text.clone())]);
        }
        let version = requirement.specifier.trim_start_matches('=').trim();
        let exact = requirement.specifier.starts_with("==") && !version.contains(',');
        let system = kb.packages[package].kind == PackageKind::System;
        match &*kb.packages[package].id {
            "python" if exact => {
                read.python = read.python.or_else(|| Some(version.trim_end_matches(".*").to_owned()))
            }
            "cudnn" if !requirement.specifier.is_empty() => {
                read.cudnn = read.cudnn.or_else(|| Some(version.to_owned()))
            }
            // A toolkit that is installed; which release a build was made with is another matter.
            "cuda-toolkit" if exact => read.wants.push(format!("cuda-toolkit=={version}")),
            "cuda-toolkit" if !requirement.specifier.is_empty() => {
                read.wants.push(format!("cuda-toolkit{version}"))
            }
            // A part that is there in whichever version states nothing.
            _ if system && requirement.specifier.is_empty() => {}
            _ if system => leave(Sentence::new("left-set"), true),
            _ => {
                read.any_package = true;
                judged.push(Judged::of(kb, asked.origin, package, text, &requirement));
                if seen.insert(text.clone()) {
                    read.wants.push(text.clone());
                }
            }
        }
    }
    read.places = places(kb, &found, &judged);
    read.places.unknown.iter().for_each(|name| unknown.add(name));
    if unknown.count > 0 {
        let shown = unknown.names.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
        notes.push(
            "ui-file-unknown",
            vec![("file", path.to_owned()), ("count", unknown.count.to_string()), ("list", shown)],
        );
    }
    if !unknown.names.is_empty() && !judged.iter().any(|j| j.framework) && read.any_package {
        notes.push("ui-file-no-framework", vec![("file", path.to_owned())]);
    }
    read.unknown = unknown.names;
    read.left_out = left_out;
    Ok(read)
}

/// Names that kb does not know, each once, and how often any of them stands there.
#[derive(Default)]
struct Unknown {
    names: Vec<String>,
    seen: HashSet<String>,
    count: usize,
}

impl Unknown {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.seen.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }
}
