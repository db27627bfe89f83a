//! `--bundle`: what a bug report needs in one Markdown file, without private names.

use diagnose::diagnosis::{CauseFound, Diagnosis};
use diagnose::sift::Excerpt;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

/// The first line of every bundle. A file that begins otherwise is somebody's own.
const MARK: &str = "<!-- kb diagnose bundle -->";

/// So many lines of the text at most.
const LINES: usize = 400;

/// Lines around a line that matters.
const BEFORE: usize = 6;
const AFTER: usize = 6;

/// Can a bundle be written there?
///
/// # Errors
/// If something else is there.
pub(super) fn check(path: &Path) -> Result<(), Diagnostic> {
    let problem = |code, what: &str, help: &str| {
        Err(Diagnostic::error(code, format!("--bundle {}: {what}", path.display())).help(help.to_owned()))
    };
    // Before anything runs for hours: a pipe would wait for a reader, and a directory that is not there takes no file.
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            return problem("already-there", "that is no regular file", "name a file that is to be written");
        }
        Ok(_) => {}
        Err(_) => {
            let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
            if parent.is_some_and(|p| !p.is_dir()) {
                return problem("unwritable", "its directory is not there", "make the directory first");
            }
        }
    }
    let is_other = match File::open(path) {
        Ok(file) => {
            let mut first = String::new();
            let read = BufReader::new(file).take_line(&mut first);
            read.is_err() || first.trim_end() != MARK
        }
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    };
    if !is_other {
        return Ok(());
    }
    Err(Diagnostic::error("already-there", format!("--bundle {}: that is no bundle of kb", path.display()))
        .help("it is not overwritten: choose another name"))
}

/// A first line, however long the file's lines are.
trait TakeLine {
    fn take_line(self, into: &mut String) -> std::io::Result<usize>;
}

impl<R: BufRead> TakeLine for R {
    fn take_line(self, into: &mut String) -> std::io::Result<usize> {
        std::io::Read::take(self, MARK.len() as u64 + 2).read_line(into)
    }
}

/// Writes a bundle: it is there as a whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    check(path)?;
    let fail = |error: std::io::Error| {
        Diagnostic::error("unwritable", format!("--bundle {}: it cannot be written: {error}", path.display()))
    };
    let beside = beside(path);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It is ours, if it is there.
        drop(fs::remove_file(&beside));
    }
    written.map_err(fail)
}

/// A name in the same directory that nobody has.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// The bundle of a diagnosis whose names are replaced already.
pub(super) fn text(speaker: &Speaker<'_>, data: &str, found: &Diagnosis, excerpt: &Excerpt) -> String {
    let say = |id: &str| speaker.say(id, &[]);
    let mut out = format!("{MARK}\n\n# kb diagnose\n\nkb {} (data {data})\n", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "\n## {}\n", say("ui-diag-causes"));
    if found.causes.is_empty() {
        let lines = [("lines", found.lines.to_string())];
        let _ = writeln!(out, "{}", speaker.say("ui-diag-nothing", &lines));
    }
    found.causes.iter().for_each(|cause| self::cause(&mut out, speaker, cause));
    if !found.observations.is_empty() {
        let heads = ["what", "value", "line"].map(|h| say(&format!("ui-diag-head-{h}")));
        let _ = writeln!(out, "\n## {}\n", say("ui-diag-observed"));
        let _ = writeln!(out, "| {} |\n| --- | --- | --- |", heads.join(" | "));
        for o in &found.observations {
            let place = o.place.as_ref().map(|p| format!("{p}:")).unwrap_or_default();
            let line = o.line.map(|l| l.to_string()).unwrap_or_default();
            let _ = writeln!(out, "| {} | {} | {} |", cell(&o.what), cell(&o.value), cell(&(place + &line)));
        }
    }
    if !found.harmless.is_empty() {
        let _ = writeln!(out, "\n## {}\n", say("ui-diag-harmless-messages"));
        for message in &found.harmless {
            let lines: Vec<String> = message.lines.iter().map(ToString::to_string).collect();
            let lines = speaker.say("ui-diag-lines", &[("lines", lines.join(", "))]);
            let _ = writeln!(out, "- {} (`{}`; {lines})", inline(&message.title), message.signature);
        }
    }
    let body = excerpt_text(speaker, found, excerpt);
    let fence = fence(&body);
    let _ = writeln!(out, "\n## {}\n\n{fence}text\n{body}{fence}", say("ui-diag-excerpt"));
    out
}

fn cause(out: &mut String, speaker: &Speaker<'_>, cause: &CauseFound) {
    let certainty = speaker.say(&format!("ui-diag-{}", cause.certainty), &[]);
    let _ = writeln!(out, "- **{certainty}** {} (`{}`)", inline(&cause.title), cause.cause);
    if cause.says != cause.title {
        let _ = writeln!(out, "  {}", inline(&cause.says));
    }
    let quotes = cause.quotes.iter().enumerate().map(|(index, quote)| {
        let number = cause.lines.get(index).map(ToString::to_string).unwrap_or_default();
        format!("{} | {quote}\n", cause.places.get(index).cloned().unwrap_or(number))
    });
    let body: String = quotes.collect();
    if !body.is_empty() {
        let fence = fence(&body);
        let _ = writeln!(out, "\n  {fence}text");
        body.lines().for_each(|line| _ = writeln!(out, "  {line}"));
        let _ = writeln!(out, "  {fence}\n");
    }
}

/// Lines that matter with those around them; of a text in which nothing is known, its end.
fn excerpt_text(speaker: &Speaker<'_>, found: &Diagnosis, excerpt: &Excerpt) -> String {
    let mut centres: BTreeSet<usize> = excerpt.hits.iter().map(|hit| hit.line).collect();
    centres.extend(found.causes.iter().flat_map(|c| &c.lines));
    let last = excerpt.lines.last().map_or(0, |l| l.number);
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    if centres.is_empty() {
        wanted.extend(last.saturating_sub(LINES - 1)..=last);
    }
    // The lines of causes first, if not all have room.
    let cited = found.causes.iter().flat_map(|c| c.lines.iter().copied());
    for centre in cited.chain(centres.iter().copied()) {
        let around = centre.saturating_sub(BEFORE).max(1)..=centre + AFTER;
        let new = around.clone().filter(|line| !wanted.contains(line)).count();
        if wanted.len() + new <= LINES {
            wanted.extend(around);
        }
    }
    let mut out = String::new();
    let mut next = 1;
    let left_out = |out: &mut String, from: usize, to: usize| {
        if from < to {
            let count = [("count", (to - from).to_string())];
            let _ = writeln!(out, "[… {} …]", speaker.say("ui-diag-left-out", &count));
        }
    };
    for line in excerpt.lines.iter().filter(|line| wanted.contains(&line.number)) {
        left_out(&mut out, next, line.number);
        let _ = writeln!(out, "{}", line.text);
        next = line.number + 1;
    }
    left_out(&mut out, next, excerpt.total + 1);
    out
}

/// More backticks than are behind each other anywhere in a text.
fn fence(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(3))
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    inline(text).replace('|', "\\|")
}

/// A text that is no Markdown, on one line.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '`' | '*' | '_' | '[' | ']' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence("no fence"), "```");
        assert_eq!(fence("```python\nx\n```"), "````");
        assert_eq!(fence("`````"), "``````");
    }

    #[test]
    fn cells_stay_cells() {
        assert_eq!(cell("a|b\n<c>"), "a\\|b &lt;c>");
    }
}
