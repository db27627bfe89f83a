//! pylock.toml (PEP 751): every package says itself where it is installed.

use super::found::{Found, LeftOut, Sentence};
use super::lock::{Package, packages, text};
use super::marker::{Applies, Environment};
use toml::{Table, Value};

/// Reads the packages, if the document has such a list.
pub(super) fn read(document: &Table, environment: &Environment, found: &mut Found) -> Result<(), String> {
    let groups = document.get("default-groups").and_then(Value::as_array);
    let groups: Vec<&str> = groups.into_iter().flatten().filter_map(Value::as_str).collect();
    for package in packages(document, "packages")? {
        let marker = text(package.table, "marker").map_err(|what| format!("{}: {what}", package.text()))?;
        let judge = |groups| {
            let marker = marker.map(|m| without_groups(m, groups));
            environment.any_applies(marker.as_deref()).map_err(|why| wrong(&package, &why))
        };
        let applies = judge(Some(&*groups))?;
        if applies == Applies::No && judge(None)? != Applies::No {
            found.left_out.push(LeftOut::new(package.text(), Sentence::new("left-extra")));
        } else if found.judge(applies, &package.text(), environment) {
            package.counts(applies, found);
        }
    }
    Ok(())
}

fn wrong(package: &Package<'_>, why: &str) -> String {
    format!("the marker of {} is none: {why}", package.text())
}

/// Replaces what only PEP 751 has, `'gpu' in extras` and `'dev' in dependency_groups`, by what is true or false of
/// every machine: without being asked, extras are not installed, and of the groups the default ones are. Without `groups`,
/// everything is asked for.
fn without_groups(marker: &str, groups: Option<&[&str]>) -> String {
    let pieces = pieces(marker);
    let solid: Vec<usize> = (0..pieces.len()).filter(|i| !pieces[*i].trim().is_empty()).collect();
    let mut out: Vec<String> = pieces.iter().map(|p| (*p).to_owned()).collect();
    for at in 0..solid.len() {
        let word = |k: usize| solid.get(at + k).map_or("", |i| pieces[*i]);
        let Some(name) = word(0).strip_prefix(['"', '\'']) else { continue };
        let name = name.trim_end_matches(['"', '\'']);
        let (negated, length) = match (word(1), word(2), word(3)) {
            ("in", "extras" | "dependency_groups", _) => (false, 2),
            ("not", "in", "extras" | "dependency_groups") => (true, 3),
            _ => continue,
        };
        let inside = groups.is_none_or(|g| word(length) == "dependency_groups" && g.contains(&name));
        let operator = if inside == negated { "!=" } else { "==" };
        out[solid[at]] = format!("implementation_name {operator} 'cpython'");
        for i in &solid[at + 1..=at + length] {
            out[*i].clear();
        }
    }
    out.concat()
}

/// Quoted texts, words, and what is between them.
fn pieces(marker: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = marker;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let end = match first {
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |e| e + 2),
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}
