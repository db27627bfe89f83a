//! What has changed since a snapshot, as text.

use super::{Ink, Screen};
use crate::commands::{Drift, Effect};

/// Prints the changes, those that matter first.
pub(crate) fn print(screen: &mut Screen<'_>, written: &str, changes: &[Drift]) {
    let since = [("written", written.to_owned())];
    if changes.is_empty() {
        return screen.verdict(Ink::Good, "=", &screen.say("ui-snap-same", &since));
    }
    match changes.iter().filter(|c| c.effect == Effect::Breaks).count() {
        0 => screen.verdict(Ink::Good, "~", &screen.say("ui-snap-changed", &since)),
        _ => screen.verdict(Ink::Bad, "x", &screen.say("ui-snap-breaks", &since)),
    }
    for change in changes {
        let (mark, ink) = match change.effect {
            Effect::Breaks => ("x", Ink::Bad),
            Effect::Mends => ("+", Ink::Good),
            Effect::Changes => ("~", Ink::Doubt),
            Effect::Harmless => ("=", Ink::Faint),
        };
        let nothing = || screen.say("ui-snap-nothing", &[]);
        let what = change.what.strip_prefix("package:").unwrap_or(&change.what);
        let (was, is) =
            (change.was.clone().unwrap_or_else(nothing), change.is.clone().unwrap_or_else(nothing));
        let text = if was == is { format!("{what}: {is}") } else { format!("{what}: {was} -> {is}") };
        screen.item(2, mark, ink, &text, Ink::Head);
        let says = match change.effect {
            Effect::Mends => vec![screen.say("ui-snap-mends", &[("says", change.says.join("; "))])],
            Effect::Changes if change.says.is_empty() => vec![screen.say("ui-snap-nothing-against", &[])],
            _ => change.says.clone(),
        };
        says.iter().for_each(|s| screen.para(4, s));
        for cause in &change.causes {
            screen.item(
                4,
                &screen.say("ui-diag-page", &[]),
                Ink::Faint,
                &format!("kb explain {cause}"),
                Ink::Faint,
            );
        }
    }
}
