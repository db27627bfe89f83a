//! Mistakes in a question or in data, as text on standard error or as the JSON document.

use super::{coloured, shown, write_err};
use crate::args::Color;
use anstyle::{AnsiColor, Style};
use kb_core::diag::{Diagnostic, Level};
use serde_json::{Value, json};
use std::io::IsTerminal;

/// Prints mistakes for people.
pub fn print(diagnostics: &[Diagnostic], color: Color) {
    let colour = coloured(color, std::io::stderr().is_terminal());
    let mut out = String::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let text = diagnostic.to_string();
        let text = shown(&text);
        match (colour, text.split_once(':')) {
            (true, Some((head, rest))) => {
                let style = match diagnostic.level {
                    Level::Error => AnsiColor::Red.on_default().bold(),
                    Level::Warning => AnsiColor::Yellow.on_default().bold(),
                };
                let (first, rest) =
                    rest.split_once('\n').map_or((rest, String::new()), |(f, r)| (f, format!("\n{r}")));
                let bold = Style::new().bold();
                out.push_str(&format!("{style}{head}{style:#}{bold}:{first}{bold:#}{rest}"));
            }
            _ => out.push_str(&text),
        }
        out.push('\n');
    }
    write_err(&out);
}

/// The document that a command prints with `--json` when the question is wrong.
pub fn document(command: &str, diagnostics: &[Diagnostic]) -> Value {
    json!({ "schema": 1, "command": command, "error": diagnostics.iter().map(value).collect::<Vec<_>>() })
}

/// One mistake as JSON.
pub fn value(diagnostic: &Diagnostic) -> Value {
    let mut out = json!({
        "code": diagnostic.code,
        "level": match diagnostic.level { Level::Error => "error", Level::Warning => "warning" },
        "message": diagnostic.message,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    });
    if let (Some(place), Some(object)) = (&diagnostic.place, out.as_object_mut()) {
        object.insert(
            "place".to_owned(),
            json!({ "path": place.path, "line": place.line, "column": place.column }),
        );
    }
    out
}
