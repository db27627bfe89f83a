//! What is wrong with a machine, as text.

use super::{Ink, Screen, diagnosis};
use crate::commands::{Examined, Found};
use kb_core::answer::Verdict;

/// Of causes, so many are shown in full without `--all`.
const FULL: usize = 2;

/// Prints what is wrong, worst first, then what the engine says, then what is left over.
pub(crate) fn print(screen: &mut Screen<'_>, found: &Found, all: bool) {
    head(screen, found);
    for (index, cause) in found.causes.iter().enumerate() {
        if all || index < FULL {
            diagnosis::cause(screen, cause, all);
        } else {
            if index == FULL {
                screen.head(&screen.say("ui-doctor-also", &[]));
            }
            let (word, ink) = diagnosis::certainty(screen, cause.certainty);
            let text = format!("{} (kb explain {})", cause.says, cause.cause);
            screen.item(2, &word, ink, &text, Ink::Plain);
        }
    }
    for environment in &found.environments {
        judged(screen, environment);
    }
    if !found.residue.is_empty() {
        screen.head(&screen.say("ui-doctor-residue", &[]));
        screen.para(2, &screen.say("ui-doctor-unchanged", &[]));
        for cause in &found.residue {
            diagnosis::cause(screen, cause, all);
        }
    }
    if !found.failures.is_empty() {
        screen.blank();
        screen.para(0, &screen.say("ui-doctor-failures", &[("count", found.failures.len().to_string())]));
    }
}

/// One line.
pub(crate) fn quick(screen: &mut Screen<'_>, found: &Found) {
    let (ink, mark, says) = verdict(screen, found);
    let conflicts =
        found.environments.iter().flat_map(|e| &e.judged).filter(|j| j.verdict == Verdict::Conflict);
    let mut wrong: Vec<String> =
        found.causes.iter().map(|c| format!("{} (kb explain {})", c.says, c.cause)).collect();
    if wrong.is_empty() {
        wrong.extend(conflicts.map(|j| format!("{}: {}", j.requirement, j.says.join("; "))));
    }
    let text = std::iter::once(says).chain(wrong).collect::<Vec<_>>().join("; ");
    screen.raw(0, ink, &format!("{mark} {text}"));
}

fn head(screen: &mut Screen<'_>, found: &Found) {
    let (ink, mark, says) = verdict(screen, found);
    screen.verdict(ink, mark, &says);
}

/// The verdict on the machine: colour, mark, sentence.
fn verdict(screen: &Screen<'_>, found: &Found) -> (Ink, &'static str, String) {
    let value = |what: &str| found.observations.iter().find(|o| o.what == what).map(|o| o.value.clone());
    let machine: Vec<String> = [
        value("gpu"),
        value("driver").map(|d| screen.say("ui-doctor-driver", &[("driver", d)])),
        value("os"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let machine = machine.join(", ");
    let machine = [("machine", machine)];
    match (found.verdict, found.gpu_seen) {
        ("found", _) => (Ink::Bad, "x", screen.say("ui-doctor-found", &machine)),
        _ if found.unseen() => (Ink::Doubt, "?", screen.say("ui-doctor-unseen", &machine)),
        (_, false) => (Ink::Doubt, "-", screen.say("ui-doctor-no-gpu", &machine)),
        _ => (Ink::Good, "+", screen.say("ui-doctor-fine", &machine)),
    }
}

fn judged(screen: &mut Screen<'_>, environment: &Examined) {
    if environment.judged.is_empty() {
        return;
    }
    let head = match &environment.root {
        Some(root) => screen.say("ui-doctor-environment", &[("root", root.clone())]),
        None => screen.say("ui-doctor-no-environment", &[]),
    };
    screen.head(&head);
    for j in &environment.judged {
        let (mark, ink) = match j.verdict {
            Verdict::Fits => ("+", Ink::Good),
            Verdict::Conflict => ("x", Ink::Bad),
            Verdict::Unknown => ("?", Ink::Doubt),
        };
        screen.item(2, mark, ink, &j.requirement, Ink::Head);
        j.says.iter().for_each(|says| screen.para(4, says));
        for change in j.changes.iter().take(3) {
            screen.item(4, ">", Ink::Faint, change, Ink::Plain);
        }
    }
}
