//! The least, mean and greatest values of each GPU.

use super::{Reading, precise};
use crate::commands::Session;
use crate::output::{Ink, Screen, table};
use kb_core::answer::words::Speaker;
use nvml_report::Device;
use std::collections::BTreeMap;

/// Values in the order of the columns: °C, MiB, W, percent.
const VALUES: [fn(&Device) -> Option<f64>; 4] = [
    |d| d.changing.temperature_c.map(f64::from),
    |d| d.memory_used_mib.map(|mib| mib as f64),
    |d| d.changing.power_mw.map(|mw| f64::from(mw) / 1000.0),
    |d| d.changing.utilisation_gpu.map(f64::from),
];

/// What all readings together say.
#[derive(Default)]
pub(crate) struct Summary {
    first: String,
    last: String,
    count: u64,
    gpus: BTreeMap<(u32, Option<String>), [Spread; VALUES.len()]>,
}

/// How a value was spread.
#[derive(Clone, Copy, Default)]
struct Spread {
    least: f64,
    greatest: f64,
    sum: f64,
    count: u32,
}

impl Spread {
    fn add(&mut self, value: f64) {
        let known = self.count > 0;
        self.least = if known { self.least.min(value) } else { value };
        self.greatest = if known { self.greatest.max(value) } else { value };
        self.sum += value;
        self.count = self.count.saturating_add(1);
    }

    fn text(&self) -> String {
        if self.count == 0 {
            return "-".to_owned();
        }
        let mean = self.sum / f64::from(self.count);
        format!("{} / {} / {}", precise(self.least), precise(mean), precise(self.greatest))
    }
}

impl Summary {
    /// Adds a reading.
    pub(crate) fn add(&mut self, reading: &Reading) {
        if self.count == 0 {
            self.first.clone_from(&reading.time);
        }
        self.last.clone_from(&reading.time);
        self.count += 1;
        for device in &reading.report.devices {
            let spreads = self.gpus.entry((device.index, device.uuid.clone())).or_default();
            for (spread, value) in spreads.iter_mut().zip(VALUES) {
                if let Some(value) = value(device) {
                    spread.add(value);
                }
            }
        }
    }

    /// Prints it on standard error.
    pub(crate) fn print(&self, session: &Session<'_>) {
        let mut screen = Screen::for_err(Speaker::new(session.kb, session.language), session.global.color);
        let values =
            [("count", self.count.to_string()), ("from", self.first.clone()), ("to", self.last.clone())];
        let head = screen.say("ui-watch-summary", &values);
        screen.item(0, "", Ink::Plain, &head, Ink::Head);
        let say = |id: &str| screen.say(id, &[]);
        let heads = [
            "GPU".to_owned(),
            "°C".to_owned(),
            say("ui-watch-head-memory"),
            say("ui-watch-head-power"),
            say("ui-watch-head-use"),
        ];
        let rows: Vec<Vec<String>> = self
            .gpus
            .iter()
            .map(|((index, _), spreads)| {
                std::iter::once(index.to_string()).chain(spreads.iter().map(Spread::text)).collect()
            })
            .collect();
        table::table(&mut screen, &heads, &rows, 40);
        screen.print_err();
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn least_mean_greatest() {
        let mut spread = Spread::default();
        assert_eq!(spread.text(), "-");
        [60.0, 90.0, 61.0].into_iter().for_each(|value| spread.add(value));
        assert_eq!(spread.text(), "60 / 70.3 / 90");
    }
}
