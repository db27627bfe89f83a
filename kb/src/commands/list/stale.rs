//! Tables at which nobody has looked for long.

use crate::args::List;
use crate::clock;
use crate::output::{Ink, Screen};
use kb_card::fact::file;
use kb_card::list::{Entry, imports};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use serde_json::{Value, json};

/// Days after which a table is stale, unless another age is asked for.
const DAYS: i64 = 180;

/// The tables that are older than what is asked for, the oldest first.
///
/// # Errors
/// An age or a day that cannot be read.
pub(super) fn entries(kb: &Kb, args: &List) -> Result<Vec<Entry>, Diagnostic> {
    let least = args.older_than.as_deref().map_or(Ok(DAYS), age)?;
    let today = args.today.clone().unwrap_or_else(clock::today);
    kb_data::lint::day(&today).map_err(|d| Diagnostic { message: format!("--today: {}", d.message), ..d })?;
    let now = clock::days(&today).unwrap_or_default();
    let mut out: Vec<(i64, Entry)> = Vec::new();
    for table in &kb.tables {
        let (relation, source) =
            (&kb.relations[usize::from(table.relation)], &kb.sources[usize::from(table.source)]);
        let (read, looked) = (table.read_on.as_deref(), imports::looked(kb, table));
        let Some(day) = read.max(looked).and_then(clock::days) else { continue };
        let age = now - day;
        if age <= least {
            continue;
        }
        let entry = Entry::new(format!("{}/{}", relation.id, table.stem), &*source.title)
            .with("file", json!(file(kb, table)))
            .with("source", json!(source.id))
            .with("read_on", json!(read))
            .with("last_import", json!(looked))
            .with("age", json!(age))
            .of(&relation.id);
        out.push((age, entry));
    }
    out.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.id.cmp(&other.id)));
    Ok(out.into_iter().map(|(_, entry)| entry).collect())
}

/// Says that no table is as old as that, and how old the oldest is.
pub(super) fn none(screen: &mut Screen<'_>, kb: &Kb, args: &List) -> Result<(), Diagnostic> {
    let days = args.older_than.as_deref().map_or(Ok(DAYS), age)?;
    let seen = kb.tables.iter().filter_map(|t| t.read_on.as_deref().max(imports::looked(kb, t)));
    let oldest = seen.min().unwrap_or("-").to_owned();
    let values = [("count", kb.tables.len().to_string()), ("days", days.to_string()), ("date", oldest)];
    let says = screen.say("ui-stale-none", &values);
    screen.item(0, "", Ink::Plain, &says, Ink::Plain);
    Ok(())
}

/// Prints one table.
pub(super) fn print(screen: &mut Screen<'_>, entry: &Entry) {
    let text = |key: &str| match entry.value.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let values = [
        ("source", text("source")),
        ("date", text("read_on")),
        ("import", text("last_import")),
        ("days", text("age")),
    ];
    let id = if text("last_import").is_empty() { "ui-stale" } else { "ui-stale-import" };
    let says = screen.say(id, &values);
    screen.item(0, &entry.id, Ink::Head, &says, Ink::Plain);
}

/// An age in days: `180d`, `180`, `6m` (of 30 days), `1y` (of 365).
fn age(text: &str) -> Result<i64, Diagnostic> {
    let text = crate::spelling::plain(text).to_lowercase();
    let (number, days) = match text.char_indices().next_back() {
        Some((at, 'd')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 30),
        Some((at, 'y')) => (&text[..at], 365),
        _ => (&*text, 1),
    };
    number.parse::<u32>().ok().map(|n| i64::from(n) * days).ok_or_else(|| {
        Diagnostic::error("usage", format!("`--older-than` wants an age, not `{text}`"))
            .help("write days, months or years: 180d, 6m, 1y")
    })
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages() {
        for (text, days) in [("90", 90), ("90d", 90), ("6m", 180), ("1y", 365), ("0", 0), (" ２Y ", 730)] {
            assert_eq!(age(text).ok(), Some(days), "{text}");
        }
        for wrong in ["", "d", "-1", "6 months", "1.5y", "99999999999"] {
            assert!(age(wrong).is_err(), "{wrong}");
        }
    }
}
