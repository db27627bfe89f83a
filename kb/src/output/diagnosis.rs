//! A diagnosis as text.

use super::{Ink, Screen};
use diagnose::diagnosis::{CauseFound, Diagnosis};

/// Of further causes, so many are shown.
const FURTHER: usize = 3;

/// What is told of the machine without `--all`.
const TOLD: [&str; 12] = [
    "gpu",
    "compute-capability",
    "driver",
    "cuda-driver-level",
    "cuda-toolkit",
    "framework-cuda",
    "framework-cudnn",
    "cudnn",
    "os",
    "python",
    "glibc",
    "wsl",
];

/// Prints the causes, best first, then what was understood.
pub(crate) fn print(screen: &mut Screen<'_>, found: &Diagnosis, all: bool) {
    match found.causes.split_first() {
        None => nothing(screen, found),
        Some((best, rest)) => {
            cause(screen, best, all);
            if !rest.is_empty() {
                screen.head(&screen.say("ui-diag-also", &[]));
                for other in rest.iter().take(if all { usize::MAX } else { FURTHER }) {
                    if all {
                        cause(screen, other, all);
                    } else {
                        further(screen, other);
                    }
                }
            }
        }
    }
    understood(screen, found, all);
}

pub(crate) fn certainty(screen: &Screen<'_>, word: &str) -> (String, Ink) {
    let ink = match word {
        "confirmed" => Ink::Bad,
        "likely" => Ink::Doubt,
        _ => Ink::Faint,
    };
    (screen.say(&format!("ui-diag-{word}"), &[]), ink)
}

pub(crate) fn cause(screen: &mut Screen<'_>, cause: &CauseFound, all: bool) {
    let (word, ink) = certainty(screen, cause.certainty);
    screen.blank();
    screen.item(0, &word, ink, &cause.title, Ink::Head);
    if cause.says != cause.title {
        screen.para(2, &cause.says);
    }
    if cause.negative {
        screen.para(2, &screen.say("ui-diag-negative", &[]));
    }
    let main = |line: &usize| all || cause.main.contains(line);
    screen.blank();
    let places = places(cause);
    let rows = cause.lines.iter().zip(places.iter().zip(&cause.quotes));
    for (_, (place, quote)) in rows.filter(|(line, _)| main(line)) {
        line(screen, place, quote);
    }
    let more = cause.lines.iter().filter(|l| !main(l)).count();
    if more > 0 {
        screen.para(2, &screen.say("ui-diag-more-lines", &[("count", more.to_string())]));
    }
    if !cause.fix.is_empty() {
        screen.head(&screen.say("ui-diag-fix", &[]));
        for (number, step) in cause.fix.iter().enumerate() {
            screen.item(2, &format!("{}.", number + 1), Ink::Plain, &step.says, Ink::Plain);
            for command in step.command.iter().flat_map(|c| c.lines()) {
                screen.raw(5, Ink::Code, command);
            }
            if let Some(undo) = &step.undo {
                screen.item(5, &screen.say("ui-diag-undo", &[]), Ink::Faint, undo, Ink::Faint);
            }
        }
        // One proof is enough, that of the best step.
        if let Some(proof) = cause.fix.iter().find_map(|s| s.proves.as_ref()) {
            screen.para(2, &screen.say("ui-diag-proof", &[]));
            screen.raw(5, Ink::Code, proof);
        }
    }
    if let Some(command) = &cause.decides {
        screen.para(2, &screen.say("ui-diag-decides", &[]));
        screen.raw(5, Ink::Code, command);
    }
    for never in &cause.never {
        screen.item(2, &screen.say("ui-diag-never", &[]), Ink::Bad, never, Ink::Plain);
    }
    let mut more = vec![format!("kb explain {}", cause.cause)];
    more.extend(cause.facts.iter().take(2).map(|f| format!("kb why '{f}'")));
    screen.item(2, &screen.say("ui-diag-page", &[]), Ink::Faint, &more.join("; "), Ink::Faint);
}

fn further(screen: &mut Screen<'_>, cause: &CauseFound) {
    let (word, ink) = certainty(screen, cause.certainty);
    let lines: Vec<String> = cause.lines.iter().take(4).map(ToString::to_string).collect();
    let lines = screen.say("ui-diag-lines", &[("lines", lines.join(", "))]);
    screen.item(2, &word, ink, &format!("{} ({lines}; kb explain {})", cause.says, cause.cause), Ink::Plain);
}

/// `12` or `nvidia-smi.txt:12`, aligned.
fn places(cause: &CauseFound) -> Vec<String> {
    let texts: Vec<String> = match cause.places.is_empty() {
        true => cause.lines.iter().map(ToString::to_string).collect(),
        false => cause.places.clone(),
    };
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    texts.iter().map(|t| format!("{t:>width$} |")).collect()
}

fn nothing(screen: &mut Screen<'_>, found: &Diagnosis) {
    screen.verdict(Ink::Doubt, "?", &screen.say("ui-diag-nothing", &[("lines", found.lines.to_string())]));
    screen.para(2, &screen.say("ui-diag-next", &[]));
    screen.para(2, &screen.say("ui-diag-contribute", &[]));
}

fn understood(screen: &mut Screen<'_>, found: &Diagnosis, all: bool) {
    let mut told: Vec<(String, String)> = Vec::new();
    for o in &found.observations {
        let wanted = all || TOLD.contains(&&*o.what) || (o.what.starts_with("package:") && told.len() < 24);
        if !wanted || o.what == "error" {
            continue;
        }
        let what = o.what.strip_prefix("package:").unwrap_or(&o.what).to_owned();
        match told.iter_mut().find(|(w, _)| *w == what) {
            Some((_, values)) if values.split(", ").any(|v| v == o.value) => {}
            Some((_, values)) => {
                values.push_str(", ");
                values.push_str(&o.value);
            }
            None => told.push((what, o.value.clone())),
        }
    }
    if !told.is_empty() {
        let list: Vec<String> = told.iter().map(|(what, value)| format!("{what} {value}")).collect();
        screen.blank();
        screen.item(0, &screen.say("ui-diag-understood", &[]), Ink::Faint, &list.join("; "), Ink::Faint);
    }
    if !found.harmless.is_empty() {
        let list: Vec<String> = found
            .harmless
            .iter()
            .map(|h| format!("{} ({})", h.title, h.lines.first().copied().unwrap_or(0)))
            .collect();
        screen.item(0, &screen.say("ui-diag-harmless", &[]), Ink::Faint, &list.join("; "), Ink::Faint);
    }
}

/// A quoted line as it stands there, with its blanks; a long one is broken.
fn line(screen: &mut Screen<'_>, place: &str, quote: &str) {
    let whole = format!("{place} {quote}");
    if super::wrap::width(&whole) + 2 <= screen.width {
        screen.raw(2, Ink::Plain, &whole);
    } else {
        screen.item(2, place, Ink::Faint, quote, Ink::Plain);
    }
}
