//! `kb list`: what there is.

use super::Session;
use crate::Outcome;
use crate::args::List;
use crate::output::{Ink, json, table};
use crate::spelling;
use kb_card::list::{Entry, KINDS, count, of};
use kb_core::catalog::normal_form;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve::nearest;
use serde_json::{Map, Value, json};

mod stale;

/// The list of tables that are old: no kind of thing, and another one every day.
const STALE: &str = "stale";

/// Everything that can be listed.
pub(super) const LISTS: [&str; KINDS.len() + 1] = {
    let mut out = [STALE; KINDS.len() + 1];
    let mut at = 0;
    while at < KINDS.len() {
        out[at] = KINDS[at];
        at += 1;
    }
    out
};

/// Prints a list, or the counts of all.
pub(super) fn run(session: &Session<'_>, args: &List) -> Outcome {
    let filter = args.filter.as_deref().map(spelling::plain);
    let Some(asked) = &args.what else {
        counts(session);
        return Ok(0);
    };
    let what = kind(&spelling::plain(asked))?;
    if what != STALE && (args.older_than.is_some() || args.today.is_some()) {
        return Err(Diagnostic::error("usage", "`--older-than` and `--today` are for `kb list stale`").into());
    }
    let mut entries = if what == STALE {
        stale::entries(session.kb, args)?
    } else {
        of(session.kb, what, session.language)
    };
    if let Some(filter) = &filter {
        entries = match filtered(session.kb, what, entries, filter) {
            // That none is old is what one hopes for.
            Err(_) if what == STALE => Vec::new(),
            kept => kept?,
        };
    }
    if session.global.json {
        let items: Vec<Value> = entries.into_iter().map(|e| Value::Object(e.value)).collect();
        json::print(
            &json!({ "schema": 1, "command": "list", "what": what, "filter": filter, "count": items.len(), "items": items }),
        );
        return Ok(0);
    }
    let mut screen = session.screen();
    if what == "gpus" {
        let heads =
            ["ui-k-gpu", "ui-f-compute-capability", "ui-f-architecture"].map(|id| screen.say(id, &[]));
        let text = |e: &Entry, key: &str| e.value.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
        let rows: Vec<Vec<String>> = entries
            .iter()
            .map(|e| vec![e.id.clone(), text(e, "compute_capability"), text(e, "architecture")])
            .collect();
        table::table(&mut screen, &heads, &rows, 60);
    } else if let Some(columns) = columns(what) {
        let heads = columns.map(|(head, _)| screen.say(head, &[]));
        let text = |e: &Entry, key: &str| match e.value.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(true)) => screen.say("ui-yes", &[]),
            _ => "-".to_owned(),
        };
        let rows: Vec<Vec<String>> =
            entries.iter().map(|e| columns.iter().map(|(_, key)| text(e, key)).collect()).collect();
        table::table(&mut screen, &heads, &rows, 60);
    } else if what == STALE && entries.is_empty() && filter.is_none() {
        stale::none(&mut screen, session.kb, args)?;
        screen.print();
        return Ok(0);
    } else if what == STALE {
        entries.iter().for_each(|entry| stale::print(&mut screen, entry));
    } else if what == "facts" {
        for entry in &entries {
            screen.raw(0, Ink::Head, &entry.id);
            screen.para(2, &entry.title);
        }
    }
    let printed = |what: &str| what == "gpus" || what == "facts" || what == STALE || columns(what).is_some();
    for entry in entries.iter().filter(|_| !printed(what)) {
        let title = if entry.title == entry.id { "" } else { &*entry.title };
        screen.item(0, &entry.id, Ink::Head, title, Ink::Plain);
    }
    screen.blank();
    screen.item(
        0,
        "",
        Ink::Plain,
        &screen.say("ui-list-count", &[("count", entries.len().to_string()), ("what", what.to_owned())]),
        Ink::Faint,
    );
    screen.print();
    Ok(0)
}

/// The columns of lists that are tables: heading, and key of the entries.
fn columns(what: &str) -> Option<[(&'static str, &'static str); 4]> {
    match what {
        "packages" => Some([
            ("ui-k-package", "id"),
            ("ui-list-name", "title"),
            ("ui-list-releases", "releases"),
            ("ui-list-import", "last_import"),
        ]),
        "releases" => Some([
            ("ui-k-release", "id"),
            ("ui-list-published", "date"),
            ("ui-list-read", "read_on"),
            ("ui-f-yanked", "yanked"),
        ]),
        _ => None,
    }
}

/// The kind that a word means; a singular does too.
fn kind(asked: &str) -> Result<&'static str, Diagnostic> {
    let lower = asked.to_lowercase();
    let same = |k: &str| {
        k == lower
            || k.strip_suffix('s') == Some(&lower)
            || k.strip_suffix("ies").is_some_and(|s| format!("{s}y") == lower)
            || k.strip_suffix("es") == Some(&lower)
    };
    LISTS.into_iter().find(|k| same(k)).ok_or_else(|| {
        let near = nearest(&lower, LISTS.into_iter());
        let out = Diagnostic::error("unknown-list", format!("there is no list of `{asked}`"));
        let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
        out.help(format!("lists: {}", LISTS.join(", ")))
    })
}

/// A filter that names a group (a relation, a package, an architecture) keeps the group; any other word keeps what
/// contains it.
fn filtered(kb: &Kb, what: &str, entries: Vec<Entry>, filter: &str) -> Result<Vec<Entry>, Diagnostic> {
    let lower = filter.to_lowercase();
    let group = match what {
        "releases" => kb_core::request::resolve::package(kb, filter)
            .map_or(lower.clone(), |p| kb.packages[p].id.to_string()),
        _ => lower.clone(),
    };
    let form = normal_form(filter);
    let groups: std::collections::BTreeSet<String> = entries.iter().map(|e| e.group.to_lowercase()).collect();
    let by_group = groups.contains(&group);
    let kept: Vec<Entry> = entries
        .into_iter()
        .filter(|e| {
            if by_group {
                e.group.to_lowercase() == group
            } else {
                let has = |text: &str| text.to_lowercase().contains(&lower);
                // Spaces and dashes do not matter: "rtx40" is in "rtx-4090".
                let spelled = |text: &str| !form.is_empty() && normal_form(text).contains(&form);
                has(&e.id) || has(&e.title) || spelled(&e.id) || spelled(&e.title)
            }
        })
        .collect();
    if !kept.is_empty() {
        return Ok(kept);
    }
    let near = nearest(&lower, groups.iter().map(String::as_str));
    let out = Diagnostic::error("nothing-listed", format!("no entry of `{what}` has `{filter}` in it"));
    Err(if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) }
        .help(format!("`kb list {what}` shows all")))
}

fn counts(session: &Session<'_>) {
    let counts: Vec<(&str, usize)> = KINDS.into_iter().map(|k| (k, count(session.kb, k))).collect();
    if session.global.json {
        let map: Map<String, Value> = counts.iter().map(|(k, n)| ((*k).to_owned(), json!(n))).collect();
        json::print(&json!({ "schema": 1, "command": "list", "version": session.kb.version, "counts": map }));
        return;
    }
    let mut screen = session.screen();
    let heads =
        [screen.say("ui-list-what", &[]), screen.say("ui-count", &[]), screen.say("ui-list-command", &[])];
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|(k, n)| vec![screen.say(&format!("ui-l-{k}"), &[]), n.to_string(), format!("kb list {k}")])
        .collect();
    table::table(&mut screen, &heads, &rows, 40);
    screen.blank();
    screen.item(
        0,
        "",
        Ink::Plain,
        &screen.say("ui-data-version", &[("version", session.kb.version.to_string())]),
        Ink::Faint,
    );
    screen.print();
}
