//! `kb new`: the stub of something new, written into the data directory.

use super::{Session, lint};
use crate::args::New;
use crate::output::{Ink, json};
use crate::{Outcome, clock};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve::nearest;
use kb_data::scaffold::{NewFile, scaffold};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the files, or prints them with `--dry-run`.
pub(super) fn run(session: &Session<'_>, args: &New) -> Outcome {
    let names: Vec<&str> = args.names.iter().map(String::as_str).collect();
    let today = args.today.clone().unwrap_or_else(clock::today);
    kb_data::lint::day(&today).map_err(|d| Diagnostic { message: format!("--today: {}", d.message), ..d })?;
    let mistakes = known(session.kb, &args.kind, &names);
    if !mistakes.is_empty() {
        return Err(mistakes.into());
    }
    let files = scaffold(session.kb, &args.kind, &names, &today)?;
    let mut screen = session.screen();
    if args.dry_run {
        for file in &files {
            screen.raw(0, Ink::Head, &file.path);
            file.content.lines().for_each(|line| screen.raw(0, Ink::Plain, line));
        }
    } else {
        let dir = lint::directory(session.global.data.as_deref(), "name it: kb new … --data DIR")?;
        let mistakes: Vec<Diagnostic> = files.iter().filter_map(|f| write(&dir, f).err()).collect();
        if !mistakes.is_empty() {
            return Err(mistakes.into());
        }
        for file in &files {
            screen
                .para(0, &screen.say("ui-new-written", &[("path", below(&dir, file).display().to_string())]));
        }
        if args.kind == "gpu" {
            // Without its compute capability a GPU can be listed, not judged.
            screen.raw(
                2,
                Ink::Code,
                &format!("kb new fact gpu-compute-capability SOURCE --data {}", typed(&dir)),
            );
        }
        screen.para(0, &screen.say("ui-new-next", &[("dir", typed(&dir))]));
    }
    if session.global.json {
        let list: Vec<_> = files.iter().map(|f| json!({ "path": f.path, "content": f.content })).collect();
        json::print(&json!({ "schema": 1, "command": "new", "written": !args.dry_run, "files": list }));
    } else {
        screen.print();
    }
    Ok(0)
}

/// What the data says against a new thing: its id is taken, or its source is not there.
fn known(kb: &Kb, kind: &str, names: &[&str]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let name = names.first().copied().unwrap_or_default();
    let taken = match kind {
        "gpu" => kb.gpu(name).is_some(),
        "source" => kb.source(name).is_some(),
        "package" => kb.package(name).is_some(),
        "channel" => kb.channel(name).is_some(),
        "cause" => kb.causes.iter().any(|c| &*c.id == name),
        "signature" => kb.signatures.iter().any(|s| &*s.id == name),
        _ => false,
    };
    if taken {
        out.push(
            Diagnostic::error("already-there", format!("a {kind} has the id `{name}` already"))
                .help(format!("`kb show {name}` shows it; choose another id")),
        );
    }
    let source = match kind {
        "fact" => names.get(1),
        "release" => names.get(2),
        _ => None,
    };
    if let Some(source) = source.filter(|s| kb.source(s).is_none()) {
        let near = nearest(source, kb.sources.iter().map(|s| &*s.id));
        let mistake = Diagnostic::error("dangling-source", format!("no source is called `{source}`"));
        let mistake =
            if near.is_empty() { mistake } else { mistake.note(format!("near: {}", near.join(", "))) };
        out.push(mistake.help(format!("write it first: kb new source {source}")));
    }
    out
}

/// A path as it is typed in a command: in quotes, which every shell knows, where it has spaces.
fn typed(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains(' ') { format!("\"{text}\"") } else { text }
}

/// Where a file of the data is in a directory, with the separators of this system.
fn below(dir: &Path, file: &NewFile) -> PathBuf {
    file.path.split('/').fold(dir.to_owned(), |dir, part| dir.join(part))
}

/// A file that is there is never overwritten: a part is added where the kind allows it.
fn write(dir: &Path, file: &NewFile) -> Result<(), Diagnostic> {
    let path = below(dir, file);
    let failed =
        |error: std::io::Error| Diagnostic::error("unwritable", format!("{}: {error}", path.display()));
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    match (path.exists(), &file.append) {
        (false, _) => std::fs::write(&path, &file.content).map_err(failed),
        (true, Some(text)) => {
            use std::io::Write;
            let mut open = std::fs::OpenOptions::new().append(true).open(&path).map_err(failed)?;
            open.write_all(text.as_bytes()).map_err(failed)
        }
        (true, None) => {
            Err(Diagnostic::error("already-there", format!("{}: the file is there already", path.display()))
                .help("edit it, or choose another name"))
        }
    }
}
