//! What was measured, declared and documented of builds, side by side.

use super::{Ink, Screen};
use kb_card::truths::{Column, Known, What};
use kb_core::evidence::Truth;
use kb_core::kb::Kb;

/// Prints what sources say of builds where several can be compared; of more than `most` builds only how many.
pub(crate) fn print(screen: &mut Screen<'_>, kb: &Kb, builds: &[Known], most: usize) {
    let told = |columns: &[Column]| columns.iter().any(|c| c.differs() || c.agreeing().is_some());
    let builds: Vec<&Known> = builds.iter().filter(|(_, columns)| told(columns)).collect();
    if builds.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-truths", &[]));
    for (name, columns) in builds.iter().take(most) {
        screen.item(2, "", Ink::Plain, name, Ink::Head);
        for column in columns.iter().filter(|c| c.differs()) {
            differing(screen, kb, column);
        }
        agreeing(screen, columns);
    }
    if builds.len() > most {
        let more = (builds.len() - most).to_string();
        screen.item(2, "", Ink::Plain, &screen.say("ui-truths-more", &[("count", more)]), Ink::Faint);
    }
}

/// One line for each value, the strongest truth first, then which one is followed.
fn differing(screen: &mut Screen<'_>, kb: &Kb, column: &Column) {
    for said in &column.values {
        let (mark, ink) = if said.followed { ("+", Ink::Good) } else { ("-", Ink::Doubt) };
        let sources = said.sources.iter().filter_map(|s| kb.sources.get(usize::from(*s)));
        let values = [
            ("column", label(screen, column)),
            ("truth", truth(screen, said.truth)),
            ("value", value(screen, &said.what)),
            ("sources", sources.map(|s| &*s.id).collect::<Vec<_>>().join(&screen.say("ui-comma", &[]))),
        ];
        screen.item(4, mark, ink, &screen.say("ui-truths-value", &values), Ink::Plain);
    }
    if let Some(followed) = column.followed() {
        let values = [
            ("column", label(screen, column)),
            ("truth", truth(screen, followed.truth)),
            ("id", column.dispute.clone().unwrap_or_default()),
        ];
        let id = match &column.dispute {
            Some(_) => "ui-truths-rest-by",
            None if column.ranks() => "ui-truths-rest",
            None => "ui-truths-rest-list",
        };
        screen.item(6, "", Ink::Plain, &screen.say(id, &values), Ink::Faint);
    }
}

/// One line for the columns in which the same truths agree.
fn agreeing(screen: &mut Screen<'_>, columns: &[Column]) {
    let mut alike: Vec<(Vec<Truth>, Vec<String>)> = Vec::new();
    for column in columns {
        let Some(truths) = column.agreeing() else { continue };
        let said = column.followed().map(|s| value(screen, &s.what)).unwrap_or_default();
        let text = format!("{} {said}", label(screen, column));
        match alike.iter_mut().find(|(t, _)| *t == truths) {
            Some((_, list)) => list.push(text),
            None => alike.push((truths, vec![text])),
        }
    }
    for (truths, list) in alike {
        let words: Vec<String> = truths.into_iter().map(|t| truth(screen, t)).collect();
        let values =
            [("truths", joined(screen, &words)), ("list", list.join(&screen.say("ui-semicolon", &[])))];
        screen.item(4, "=", Ink::Good, &screen.say("ui-truths-agree", &values), Ink::Plain);
    }
}

/// `measured, declared and documented`.
fn joined(screen: &Screen<'_>, words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => {
            let values = [("list", first.join(&screen.say("ui-comma", &[]))), ("last", last.clone())];
            screen.say("ui-truths-and", &values)
        }
    }
}

fn label(screen: &Screen<'_>, column: &Column) -> String {
    screen.say(
        match column.name {
            "cuda" => "ui-cuda",
            "cudnn" => "ui-cudnn",
            "sass" => "ui-truths-sass",
            _ => "ui-truths-ptx",
        },
        &[],
    )
}

fn truth(screen: &Screen<'_>, truth: Truth) -> String {
    screen.say(
        match truth {
            Truth::Measured => "ui-truth-measured",
            Truth::Declared => "ui-truth-declared",
            Truth::Documented => "ui-truth-documented",
        },
        &[],
    )
}

fn value(screen: &Screen<'_>, what: &What) -> String {
    match what {
        What::One(text) => text.clone(),
        What::List(list) if list.is_empty() => screen.say("none", &[]),
        What::List(list) => list.join(" "),
        What::Dropped(list) => screen.say("ui-truths-dropped", &[("list", list.join(" "))]),
    }
}
