//! Why there is nothing to watch.

use super::call;
use crate::args::Format;
use crate::commands::Session;
use crate::output::{Ink, Screen, write_out};
use kb_core::answer::words::Speaker;
use nvml_report::NvmlReport;
use serde_json::json;

/// Says what failed: on standard error, or as the document where documents were asked for.
pub(crate) fn print(session: &Session<'_>, format: Format, report: &NvmlReport) {
    let mut screen = Screen::for_err(Speaker::new(session.kb, session.language), session.global.color);
    let (says, help) = reason(&screen, report);
    if format == Format::Jsonl {
        let document = json!({
            "schema": 1,
            "command": "watch",
            "says": says,
            "tried": report.tried,
            "library": report.library,
            "nvml": report.nvml,
            "driver": report.driver,
            "devices": report.devices,
            "failures": report.failures,
            "error": report.error,
            "hung": report.hung,
        });
        write_out(format!("{document}\n").as_bytes(), false);
        return;
    }
    screen.item(0, "", Ink::Plain, &says, Ink::Doubt);
    if let Some(help) = help {
        screen.para(2, &help);
    }
    screen.print_err();
}

/// What failed, and what that means.
fn reason(screen: &Screen<'_>, report: &NvmlReport) -> (String, Option<String>) {
    let library = report.library.clone().unwrap_or_default();
    if let Some(hung) = &report.hung {
        let seconds = super::precise(std::time::Duration::from_millis(hung.deadline_ms).as_secs_f64());
        let values = [("library", library), ("call", hung.call.clone()), ("seconds", seconds)];
        return (screen.say("ui-watch-no-answer", &values), Some(screen.say("ui-watch-no-answer-help", &[])));
    }
    let Some(error) = &report.error else {
        let values =
            [("library", library), ("driver", report.driver.clone().unwrap_or_else(|| "?".to_owned()))];
        return (screen.say("ui-watch-no-gpus", &values), None);
    };
    let refused = report.tried.iter().find(|t| t.error.as_deref() == Some("library-not-loadable"));
    match (error.field.as_str(), refused) {
        ("library", Some(refused)) => {
            let says = refused.says.clone().unwrap_or_default();
            (screen.say("ui-watch-not-loadable", &[("library", refused.path.clone()), ("says", says)]), None)
        }
        ("library", None) => {
            let tried: Vec<&str> = report.tried.iter().map(|t| t.path.as_str()).collect();
            let values = [("tried", tried.join(", "))];
            (screen.say("ui-watch-no-library", &values), Some(screen.say("ui-watch-no-library-help", &[])))
        }
        _ => {
            let says = screen.say("ui-watch-no-start", &[("library", library), ("error", call(error))]);
            let id = format!("ui-nvml-{}", error.error);
            let values = [("nvml", report.nvml.clone().unwrap_or_else(|| "?".to_owned()))];
            (says, screen.speaker.has(&id).then(|| screen.say(&id, &values)))
        }
    }
}
