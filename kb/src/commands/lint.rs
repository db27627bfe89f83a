//! `kb lint`: what is wrong in a data directory.

use crate::Outcome;
use crate::args::{Global, Lint};
use crate::language;
use crate::output::{diagnostics, json, write_out};
use kb_core::answer::words::Speaker;
use kb_core::diag::{Diagnostic, Level};
use kb_data::tree::DataTree;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Prints all mistakes; exit code 2 if there is an error among them.
pub(super) fn run(global: &Global, args: &Lint) -> Outcome {
    let language = language::choose(global.lang.as_deref())?;
    let dir = directory(args.dir.as_deref().or(global.data.as_deref()), "name it: kb lint DIR")?;
    let tree = DataTree::from_dir(&dir)
        .map_err(|e| Diagnostic::error("unreadable", format!("{}: {e}", dir.display())))?;
    if tree.is_empty() && !tree.troubles().is_empty() {
        return Err(tree.troubles().to_vec().into());
    }
    if tree.is_empty() {
        return Err(Diagnostic::error("no-data", format!("{}: there is no data file in it", dir.display()))
            .help("name a directory laid out like kb-data/data")
            .into());
    }
    if let Some(today) = &args.today {
        kb_data::lint::day(today)
            .map_err(|d| Diagnostic { message: format!("--today: {}", d.message), ..d })?;
    }
    let base = kb_data::builtin_full();
    let mut found = if is_overlay(&base, &tree) {
        kb_data::lint::lint_over(base, &tree)
    } else if is_whole(&base, &tree) {
        kb_data::lint::lint_whole(&tree)
    } else {
        kb_data::lint::lint(&tree)
    };
    found.extend(args.today.iter().flat_map(|today| kb_data::lint::read_later(&tree, today)));
    let errors = found.iter().filter(|d| d.level == Level::Error).count();
    let code = if errors > 0 { 2 } else { 0 };
    if global.json {
        let list: Vec<_> = found.iter().map(diagnostics::value).collect();
        json::print(
            &json!({ "schema": 1, "command": "lint", "files": tree.len(), "errors": errors, "diagnostics": list }),
        );
        return Ok(code);
    }
    diagnostics::print(&found, global.color);
    let kb = kb_data::builtin_in(&language);
    let speaker = Speaker::new(&kb, &language);
    let values = [
        ("files", tree.len().to_string()),
        ("errors", errors.to_string()),
        ("warnings", (found.len() - errors).to_string()),
    ];
    write_out(format!("{}\n", speaker.say("ui-lint-done", &values)).as_bytes(), false);
    Ok(code)
}

/// A directory without the relations of the built-in data is laid over them; one that has them is a whole.
fn is_overlay(base: &kb_core::kb::Kb, tree: &DataTree) -> bool {
    !base.relations.iter().any(|r| tree.get(&format!("relations/{}.md", r.id)).is_some())
}

/// A directory with most of the built-in relations is meant to stand in for the built-in data; one with a few of them
/// is about those.
fn is_whole(base: &kb_core::kb::Kb, tree: &DataTree) -> bool {
    let there = base.relations.iter().filter(|r| tree.get(&format!("relations/{}.md", r.id)).is_some());
    there.count() * 2 > base.relations.len()
}

/// The directory that was named, else the first that is there.
pub(crate) fn directory(named: Option<&Path>, help: &str) -> Result<PathBuf, Diagnostic> {
    if let Some(dir) = named {
        return Ok(dir.to_owned());
    }
    ["kb-data/data", "data"]
        .iter()
        .map(PathBuf::from)
        .find(|d| d.join("facts").is_dir())
        .ok_or_else(|| Diagnostic::error("no-data", "there is no data directory here").help(help))
}
