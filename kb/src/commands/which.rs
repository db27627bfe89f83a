//! `kb which`: which copy of a library or program would be taken, and why.

use super::{Session, this_machine};
use crate::Outcome;
use crate::args::Which as Arguments;
use crate::output::{Ink, Screen, json};
use probe::environments;
use probe::libraries::{Candidate, Rule, Search, Which, which};
use probe::machine::Family;
use serde_json::{Value, json};

/// Looks for each name; exit code 1 if one is not found.
pub(super) fn run(session: &Session<'_>, args: &Arguments) -> Outcome {
    let wanted = this_machine::wanted(session, &args.machine);
    let (family, environments, failures, found) = this_machine::with(&args.machine, |machine| {
        let (environments, failures) = environments(machine, &wanted);
        let found: Vec<Which> = args.names.iter().map(|name| which(machine, &environments, name)).collect();
        (machine.family(), environments, failures, found)
    })?;
    this_machine::check(&args.machine, environments.len(), &failures)?;
    let code = u8::from(!found.iter().all(Which::found));
    if session.global.json {
        let mut documents: Vec<Value> = found.iter().map(document).collect();
        let one = (documents.len() == 1).then(|| documents.remove(0));
        json::print(&one.unwrap_or_else(|| json!({ "schema": 1, "command": "which", "names": documents })));
        return Ok(code);
    }
    let mut screen = session.screen();
    let windows = family == Family::Windows;
    for which in &found {
        print(&mut screen, which, windows);
    }
    screen.print();
    Ok(code)
}

fn document(which: &Which) -> Value {
    json!({
        "schema": 1,
        "command": "which",
        "name": which.name,
        "found": which.found(),
        "searches": which.searches,
        "elsewhere": which.elsewhere,
    })
}

fn print(screen: &mut Screen<'_>, which: &Which, windows: bool) {
    for search in &which.searches {
        screen.blank();
        let values = [("name", search.name.clone()), ("asks", search.asks.clone())];
        let id = match search.asks.as_str() {
            "process" => "ui-which-process",
            "shell" => "ui-which-shell",
            _ => "ui-which-for",
        };
        let head = screen.say(id, &values);
        screen.item(0, "", Ink::Plain, &head, Ink::Head);
        for found in &search.candidates {
            candidate(screen, found, search, windows);
        }
        if search.first().is_none() {
            places(screen, search, windows);
        }
    }
    if !which.elsewhere.is_empty() {
        screen.blank();
        let head = screen.say("ui-which-elsewhere", &[("name", which.name.clone())]);
        screen.item(0, "", Ink::Plain, &head, Ink::Plain);
        for found in &which.elsewhere {
            screen.raw(2, Ink::Plain, &format!("? {}", found.path));
            about(screen, found, windows, false);
        }
    }
}

fn candidate(screen: &mut Screen<'_>, found: &Candidate, search: &Search, windows: bool) {
    // Paths are not broken: people copy them.
    let (mark, ink) = if found.wins { (">", Ink::Good) } else { ("-", Ink::Plain) };
    screen.raw(2, ink, &format!("{mark} {}", found.path));
    about(screen, found, windows, search.asks == "shell");
}

/// By which rule a copy is found, which version it is, and what keeps it from being loaded.
fn about(screen: &mut Screen<'_>, found: &Candidate, windows: bool, program: bool) {
    if let Some(real) = &found.resolved {
        screen.raw(4, Ink::Faint, &format!("-> {real}"));
    }
    let mut says = rule(screen, &found.rule, windows && !program);
    if let Some(version) = &found.version {
        let value = [("version", version.clone())];
        says = format!("{}{}{says}", screen.say("ui-which-version", &value), screen.say("ui-semicolon", &[]));
    }
    screen.item(4, "", Ink::Plain, &says, Ink::Plain);
    if let Some(processor) = &found.other_processor {
        let id = if windows { "ui-which-other-processor-ends" } else { "ui-which-other-processor" };
        let text = screen.say(id, &[("processor", processor.clone())]);
        screen.item(4, "!", Ink::Doubt, &text, Ink::Plain);
    }
}

/// Nothing is found: where it was looked for.
fn places(screen: &mut Screen<'_>, search: &Search, windows: bool) {
    let text = screen.say("ui-which-nothing", &[]);
    screen.item(2, "x", Ink::Bad, &text, Ink::Plain);
    for step in &search.places {
        let says = rule(screen, &step.rule, windows && search.asks != "shell");
        match &step.directory {
            Some(directory) => {
                let values = [("directory", directory.clone()), ("rule", says)];
                let text = screen.say("ui-which-place", &values);
                screen.item(4, "-", Ink::Faint, &text, Ink::Plain);
            }
            None => screen.item(4, "-", Ink::Faint, &says, Ink::Plain),
        }
    }
}

fn rule(screen: &Screen<'_>, rule: &Rule, dll: bool) -> String {
    let id = match rule {
        Rule::Variable(_) => "ui-which-rule-variable",
        Rule::Loaded(_) => "ui-which-rule-loaded",
        Rule::Rpath(_) => "ui-which-rule-rpath",
        Rule::LdLibraryPath => "ui-which-rule-ld-library-path",
        Rule::Runpath(_) => "ui-which-rule-runpath",
        Rule::LoaderCache => "ui-which-rule-loader-cache",
        Rule::Default => "ui-which-rule-default",
        Rule::Beside(_) => "ui-which-rule-beside",
        Rule::Application => "ui-which-rule-application",
        Rule::Added(_) => "ui-which-rule-added",
        Rule::System32 => "ui-which-rule-system32",
        Rule::Windows => "ui-which-rule-windows",
        Rule::BeforePath(_) => "ui-which-rule-before-path",
        Rule::Path if dll => "ui-which-rule-path-dll",
        Rule::Path => "ui-which-rule-path",
        Rule::BuiltIn(_) => "ui-which-rule-built-in",
        Rule::WheelFolder => "ui-which-rule-wheel-folder",
        Rule::Toolkit => "ui-which-rule-toolkit",
        Rule::Conda => "ui-which-rule-conda",
        Rule::CudnnInstaller => "ui-which-rule-cudnn-installer",
    };
    screen.say(id, &[("of", rule.of().unwrap_or_default().to_owned())])
}
