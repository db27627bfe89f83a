//! `kb solve` without wants: one line for each main framework, and how to install the best one.

use super::answer::{self, Context};
use super::{Ink, Screen, table};
use kb_core::answer::{Answer, Item, Verdict};
use kb_core::kb::Kb;

/// The width below which the table becomes blocks.
const TABLE: usize = 80;

/// How many changes are proposed for one framework.
const TRIED: usize = 2;

/// Prints the overview.
pub fn print(screen: &mut Screen<'_>, context: &Context<'_>, answer: &Answer) {
    let fits: Vec<&Item> = answer.answers.iter().filter(|i| i.verdict == Verdict::Fits).collect();
    let (ink, id) = answer::verdict_word(answer.verdict);
    let label = screen.say(id, &[]);
    let mut place = answer::place(screen, context);
    if context.raw.gpus.is_empty() {
        place = format!("{}{}{place}", screen.say("ui-any-machine", &[]), screen.say("ui-comma", &[]));
    }
    let counts =
        [("count", fits.len().to_string()), ("all", answer.answers.len().to_string()), ("where", place)];
    let text = screen.say("ui-overview", &counts);
    screen.verdict(ink, &label, &text);
    answer::assumed(screen, context);
    screen.blank();
    let heads =
        ["ui-framework", "ui-version", "ui-channel", "ui-cuda", "ui-cudnn", "ui-least-driver", "ui-python"]
            .map(|id| screen.say(id, &[]));
    let rows: Vec<Vec<String>> = fits.iter().map(|item| row(screen, context.kb, item)).collect();
    if !rows.is_empty() {
        table::table(screen, &heads, &rows, TABLE);
    }
    for item in answer.answers.iter().filter(|i| i.verdict != Verdict::Fits) {
        let (ink, id) = answer::verdict_word(item.verdict);
        let reason = item.conflict.as_ref().and_then(|c| c.core.first()).map(|s| s.says.clone());
        let reason = reason.or_else(|| item.missing.first().cloned()).unwrap_or_else(|| item.says.clone());
        screen.blank();
        let label = screen.say(id, &[]);
        screen.verdict(ink, &label, &item.want);
        screen.para(2, &answer::clean(&reason));
        for attempt in item.attempts.iter().take(TRIED) {
            screen.item(2, ">", Ink::Good, &answer::clean(&attempt.says), Ink::Plain);
        }
    }
    if let Some((item, line)) =
        fits.iter().find_map(|i| Some((i, *answer::commands(&i.install, context.raw).first()?)))
    {
        screen.head(&screen.say("ui-install-best", &[("what", answer::named(item))]));
        screen.raw(2, Ink::Code, &line.command);
    }
    if let Some(item) = fits.first().copied().or(answer.answers.first()) {
        screen.blank();
        screen.item(0, "", Ink::Plain, &screen.say("ui-hint-why", &[]), Ink::Faint);
        screen.raw(2, Ink::Code, &command(context, &item.want));
    }
}

/// The same question for one framework, with its reasons.
fn command(context: &Context<'_>, want: &str) -> String {
    let mut out = format!("kb solve {want}");
    let raw = context.raw;
    for gpu in &raw.gpus {
        let quote = if gpu.contains(char::is_whitespace) { "\"" } else { "" };
        out.push_str(&format!(" --gpu {quote}{gpu}{quote}"));
    }
    for (name, value) in [
        ("gpus", &raw.gpus_mode),
        ("os", &raw.os),
        ("arch", &raw.arch),
        ("driver", &raw.driver),
        ("python", &raw.python),
    ] {
        if let Some(value) = value.as_ref().filter(|_| !raw.assumed.iter().any(|a| a == name)) {
            out.push_str(&format!(" --{name} {value}"));
        }
    }
    out + " --why"
}

fn row(screen: &Screen<'_>, kb: &Kb, item: &Item) -> Vec<String> {
    let main = item.stack.iter().find(|c| c.component != "python");
    let python = item.stack.iter().find(|c| c.component == "python");
    let dash = || "-".to_owned();
    let id = main.map_or(item.want.as_str(), |c| c.component.as_str());
    let name = kb.package(id).map_or(id, |p| &kb.packages[p].name);
    let cpu = main.and_then(|c| c.kind.as_deref()) == Some("cpu");
    let cuda = if cpu { Some(screen.say("ui-cpu", &[])) } else { main.and_then(|c| c.cuda.clone()) };
    let accepts = python.and_then(|p| p.accepts.as_deref()).unwrap_or_default();
    let range = match accepts {
        [] => python.and_then(|p| p.version.clone()).unwrap_or_else(dash),
        [one] => one.clone(),
        [first, .., last] => screen.say("ui-range", &[("from", first.clone()), ("to", last.clone())]),
    };
    vec![
        name.to_owned(),
        main.and_then(|c| c.version.clone()).unwrap_or_else(dash),
        main.and_then(|c| c.channel.clone()).unwrap_or_else(dash),
        cuda.unwrap_or_else(dash),
        main.and_then(|c| c.cudnn.as_deref()).map_or_else(dash, short),
        item.driver.as_ref().and_then(|d| d.minimum.clone()).unwrap_or_else(dash),
        range,
    ]
}

/// A range in a column: `>=9.3.0.75,<10` for `>=9.3.0.75,<10.0`, which is the same.
fn short(range: &str) -> String {
    let clause = |clause: &str| {
        let clause = clause.trim();
        let open = clause.starts_with('<') && !clause.starts_with("<=");
        if open { clause.trim_end_matches(".0").to_owned() } else { clause.to_owned() }
    };
    range.split(',').map(clause).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_are_short() {
        assert_eq!(super::short("<10.0, >=9.3.0.75"), "<10,>=9.3.0.75");
        assert_eq!(super::short(">=9.0,<=10.0"), ">=9.0,<=10.0");
        assert_eq!(super::short("9.10.2.21"), "9.10.2.21");
    }
}
