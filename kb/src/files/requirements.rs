//! requirements.txt: one requirement a line, with comments, continuation lines, options, hashes and markers.

use super::found::{Asked, Found, LeftOut, Origin, Sentence};
use super::marker::{Applies, Environment};
use crate::facts::read_text;
use kb_core::diag::{Diagnostic, Place};
use std::path::{Path, PathBuf};

/// How deep one file may name another.
const DEEPEST: usize = 8;

/// Reads a requirements file and those it names with `-r`.
pub(super) struct Reader<'a> {
    environment: &'a Environment,
    /// What was found.
    pub(super) found: Found,
    /// Files that were read or are being read; each counts once, so a circle ends.
    seen: Vec<PathBuf>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(environment: &'a Environment) -> Self {
        Reader { environment, found: Found::default(), seen: Vec::new() }
    }

    /// Reads the lines of a file; `depth` is 0 for the one that was named.
    pub(super) fn read(&mut self, path: &str, text: &str, depth: usize) {
        self.seen.extend(Path::new(path).canonicalize());
        for (number, line) in lines(text) {
            let place = At { path, line: number, text: &line };
            if line.starts_with('-') {
                self.option(&line, place, depth);
            } else {
                requirement(&line, Some(place), self.environment, &mut self.found);
            }
        }
    }

    /// `--index-url URL`, `-f URL`, `-r FILE` and their like; others say nothing about versions.
    fn option(&mut self, line: &str, place: At<'_>, depth: usize) {
        let (name, value) = line.split_once(['=', ' ']).unwrap_or((line, ""));
        let value = value.trim().trim_matches(['"', '\'']);
        match name {
            "-i" | "--index-url" | "--index" | "--default-index" => {
                self.found.replaces = true;
                self.found.indexes.push(value.to_owned());
            }
            "--extra-index-url" | "-f" | "--find-links" => self.found.indexes.push(value.to_owned()),
            "-r" | "--requirement" => self.other(value, place, depth),
            "-c" | "--constraint" => {
                self.found.left_out.push(place.left_out(Sentence::new("left-constraints")))
            }
            "-e" | "--editable" => self.found.left_out.push(place.left_out(Sentence::new("left-editable"))),
            _ if line.starts_with("-r") => self.other(line[2..].trim(), place, depth),
            _ => {}
        }
    }

    fn other(&mut self, name: &str, place: At<'_>, depth: usize) {
        if name.contains("://") {
            self.found.left_out.push(place.left_out(Sentence::new("left-network")));
            return;
        }
        let path = Path::new(place.path).parent().map_or_else(|| PathBuf::from(name), |dir| dir.join(name));
        if path.canonicalize().is_ok_and(|real| self.seen.contains(&real)) {
            return;
        }
        if depth >= DEEPEST {
            self.found.mistakes.push(
                Diagnostic::error(
                    "bad-file",
                    format!("files name each other with -r more than {DEEPEST} deep"),
                )
                .at(place.place(0, place.text.len())),
            );
            return;
        }
        let shown = path.display().to_string();
        match read_text(&path, "-r") {
            Ok(text) => self.read(&shown, &text, depth + 1),
            // An empty file asks for nothing.
            Err(mistake) if mistake.code == "empty-file" => {}
            Err(mistake) => self.found.mistakes.push(mistake.at(place.place(0, place.text.len()))),
        }
    }
}

/// Where a line stands.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) path: &'a str,
    pub(super) line: usize,
    pub(super) text: &'a str,
}

impl At<'_> {
    fn left_out(self, why: Sentence) -> LeftOut {
        LeftOut { file: Some(self.path.to_owned()), line: Some(self.line), ..LeftOut::new(self.text, why) }
    }

    /// The place of a piece of the line; offsets in bytes.
    fn place(self, start: usize, length: usize) -> Place {
        let before = self.text.get(..start).unwrap_or_default();
        let piece = self.text.get(start..(start + length).min(self.text.len())).unwrap_or_default();
        Place {
            path: self.path.to_owned(),
            line: self.line,
            column: before.chars().count() + 1,
            text: self.text.chars().take(400).collect(),
            length: piece.chars().count().clamp(1, 400),
        }
    }
}

/// The lines with their numbers, continued ones joined, without comments and empty ones.
fn lines(text: &str) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        let (line, continues) = match line.strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        match out.last_mut().filter(|_| open) {
            Some((_, last)) => {
                last.push(' ');
                last.push_str(line);
            }
            None => out.push((index + 1, line.to_owned())),
        }
        open = continues;
    }
    for (_, line) in &mut out {
        *line = without_comment(line).trim().to_owned();
    }
    out.retain(|(_, line)| !line.is_empty());
    out
}

/// A comment starts at a `#` at the line's start or after a space.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if c == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

/// One requirement, without hashes; one whose marker is for another machine is left out.
pub(super) fn requirement(line: &str, at: Option<At<'_>>, environment: &Environment, found: &mut Found) {
    let line = line.split(" --").next().unwrap_or(line).trim();
    let left_out = |why: Sentence| match at {
        Some(at) => LeftOut { text: line.to_owned(), ..at.left_out(why) },
        None => LeftOut::new(line, why),
    };
    let (body, marker) = line.split_once(';').map_or((line, None), |(body, marker)| (body, Some(marker)));
    let body = body.trim();
    let mut open = false;
    if let Some(marker) = marker {
        match environment.applies(marker.trim()) {
            Ok(Applies::Yes) => {}
            Ok(Applies::No) => {
                found.left_out.push(left_out(environment.not_here()));
                return;
            }
            Ok(Applies::Open) => open = true,
            Err(why) => {
                let out =
                    Diagnostic::error("bad-marker", format!("`{}` is not a marker: {why}", marker.trim()))
                        .help("write it like sys_platform == 'linux' or python_version < '3.13'");
                let start = line.len() - marker.trim_start().len();
                found.mistakes.push(match at {
                    Some(at) => out.at(at.place(start, marker.trim().len())),
                    None => out,
                });
                return;
            }
        }
    }
    if body.contains("://") || body.starts_with(['.', '/']) {
        found.left_out.push(left_out(Sentence::new("left-address")));
        return;
    }
    if !body.is_empty() {
        found.requirements.push(Asked {
            text: body.to_owned(),
            file: at.map(|a| a.path.to_owned()),
            line: at.map(|a| a.line),
            open,
            origin: Origin::Index,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kb_core::request::RawRequest;

    #[test]
    fn lines_of_all_kinds() {
        let environment = Environment::of(&RawRequest::default());
        let mut reader = Reader::new(&environment);
        reader.read(
            "requirements.txt",
            "# the stack\n--extra-index-url https://download.pytorch.org/whl/cu126\ntorch==2.9.1+cu126  # pinned\n\
             numpy>=1.26 ; python_version < '3.13' \\\n  --hash=sha256:00\n-c other.txt\njax[cuda12]==0.9.0\n\
             git+https://github.com/a/b\ntriton ; sys_platform == 'win32'\nx ; banana\n",
            0,
        );
        let found = reader.found;
        let texts: Vec<&str> = found.requirements.iter().map(|r| &*r.text).collect();
        assert_eq!(texts, ["torch==2.9.1+cu126", "numpy>=1.26", "jax[cuda12]==0.9.0"]);
        assert_eq!(found.indexes, ["https://download.pytorch.org/whl/cu126"]);
        assert!(!found.replaces);
        let lines: Vec<_> = found.left_out.iter().filter_map(|l| l.line).collect();
        assert_eq!(lines, [6, 8, 9]);
        assert_eq!(found.requirements.iter().filter(|r| r.open).count(), 1);
        assert_eq!(found.mistakes.len(), 1);
        assert_eq!(found.mistakes[0].place.as_ref().map(|p| (p.line, p.column)), Some((10, 5)));
    }
}
