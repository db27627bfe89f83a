//! What is told on standard error when it happens, and once.

use super::Session;
use crate::output::watch::{Quantity, Reading, call, precise};
use crate::output::{shown, write_err};
use std::collections::BTreeSet;

/// What was so in the reading before, and what was told once for all.
#[derive(Default)]
pub(super) struct Notices {
    /// Limits that a GPU was above.
    above: BTreeSet<(u32, Quantity)>,
    /// Fields of a GPU that cannot be read.
    unreadable: BTreeSet<(Option<String>, u32, String, String)>,
    /// What kept the whole reading from its end.
    whole: Option<String>,
}

impl Notices {
    /// Tells what is new in a reading.
    pub(super) fn tell(&mut self, session: &Session<'_>, reading: &Reading) {
        let speaker = session.screen().speaker;
        let say = |id: &str, values: &[(&str, String)]| {
            let values: Vec<(&str, String)> =
                [("time", reading.time.clone())].into_iter().chain(values.iter().cloned()).collect();
            write_err(&format!("{}\n", shown(&speaker.say(id, &values))));
        };
        for crossing in &reading.crossed {
            if self.above.contains(&(crossing.gpu, crossing.what)) {
                continue;
            }
            let id = match crossing.what {
                Quantity::Temperature => "ui-watch-temperature-above",
                Quantity::Memory => "ui-watch-memory-above",
                Quantity::Power => "ui-watch-power-above",
            };
            let values = [
                ("gpu", crossing.gpu.to_string()),
                ("value", precise(crossing.value)),
                ("limit", precise(crossing.limit)),
            ];
            say(id, &values);
        }
        self.above = reading.crossed.iter().map(|c| (c.gpu, c.what)).collect();
        for device in &reading.report.devices {
            let gone = super::seen::gone(device);
            for failure in &device.failures {
                // A GPU is lost once, by whichever call it shows.
                let field = if gone { "device" } else { &failure.field };
                let error = if gone { "lost" } else { &failure.error };
                let entry = (device.uuid.clone(), device.index, field.to_owned(), error.to_owned());
                if !self.unreadable.insert(entry) {
                    continue;
                }
                let id = if gone { "ui-watch-lost" } else { "ui-watch-unreadable" };
                let name = device.name.clone().unwrap_or_else(|| "?".to_owned());
                let values = [
                    ("gpu", device.index.to_string()),
                    ("name", name),
                    ("field", failure.field.clone()),
                    ("error", call(failure)),
                ];
                say(id, &values);
            }
        }
        let whole = match (&reading.report.hung, &reading.report.error) {
            (Some(hung), _) => {
                let seconds = precise(std::time::Duration::from_millis(hung.deadline_ms).as_secs_f64());
                Some(("ui-watch-hung", vec![("call", hung.call.clone()), ("seconds", seconds)]))
            }
            (None, Some(error)) => Some(("ui-watch-unread", vec![("error", call(error))])),
            (None, None) => None,
        };
        let key = whole.as_ref().map(|(id, values)| format!("{id} {values:?}"));
        if let Some((id, values)) = whole.filter(|_| key != self.whole) {
            say(id, &values);
        }
        self.whole = key;
    }
}
