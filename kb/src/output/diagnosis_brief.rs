//! A diagnosis in six lines: of a program that went on in spite of it.

use super::{Ink, Screen};
use diagnose::diagnosis::Diagnosis;

/// So many lines at most.
pub(crate) const LINES: usize = 6;

/// Prints the best cause, the line that shows it and the first step.
pub(crate) fn print(screen: &mut Screen<'_>, found: &Diagnosis) {
    let Some(cause) = found.causes.first() else { return };
    let certainty = screen.say(&format!("ui-diag-{}", cause.certainty), &[]);
    screen.item(0, &certainty, Ink::Doubt, &cause.says, Ink::Head);
    if let (Some(line), Some(quote)) = (cause.lines.first(), cause.quotes.first()) {
        screen.item(2, &format!("{line} |"), Ink::Faint, &short(quote), Ink::Plain);
    }
    if let Some(step) = cause.fix.first() {
        screen.item(2, "1.", Ink::Plain, &short(&step.says), Ink::Plain);
        if let Some(command) = step.command.as_deref().and_then(|c| c.lines().next()) {
            screen.raw(5, Ink::Code, command);
        }
    }
    screen.keep(LINES - 1);
    let page = format!("kb explain {}", cause.cause);
    screen.item(2, &screen.say("ui-diag-page", &[]), Ink::Faint, &page, Ink::Faint);
}

/// The beginning of a text that would take several lines.
fn short(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
