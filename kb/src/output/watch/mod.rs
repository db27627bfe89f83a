//! Readings of GPUs as text for people and for programs.

mod csv;
mod json;
pub(crate) mod nothing;
mod prometheus;
pub(crate) mod summary;
mod table;

use super::write_out;
use crate::args::Format;
use crate::commands::Session;
use nvml_report::{Device, Failure, NvmlReport};
use serde::Serialize;
use std::io::IsTerminal;

/// One reading.
pub(crate) struct Reading {
    /// When, as RFC 3339 in UTC.
    pub(crate) time: String,
    /// What was read.
    pub(crate) report: NvmlReport,
    /// The limits that were crossed.
    pub(crate) crossed: Vec<Crossing>,
}

/// A value above its limit, both in °C or percent.
#[derive(Serialize)]
pub(crate) struct Crossing {
    /// Index of the GPU.
    pub(crate) gpu: u32,
    pub(crate) what: Quantity,
    pub(crate) value: f64,
    pub(crate) limit: f64,
}

/// What can have a limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Quantity {
    /// °C.
    Temperature,
    /// Percent of the memory that is in use.
    Memory,
    /// Percent of the power limit that is drawn.
    Power,
}

impl Quantity {
    /// Its value, if all that it takes was read.
    pub(crate) fn of(self, device: &Device) -> Option<f64> {
        let now = &device.changing;
        match self {
            Quantity::Temperature => now.temperature_c.map(f64::from),
            // MiB of a GPU are far below 2^53.
            Quantity::Memory => part(device.memory_used_mib? as f64, device.memory_total_mib? as f64),
            Quantity::Power => part(f64::from(now.power_mw?), f64::from(now.power_limit_mw?)),
        }
    }
}

fn part(value: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| value / whole * 100.0)
}

/// A number with one digit behind the point where it is not whole.
pub(crate) fn precise(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// An error with the function that gave it.
pub(crate) fn call(failure: &Failure) -> String {
    match &failure.call {
        Some(call) => format!("{} ({call})", failure.error),
        None => failure.error.clone(),
    }
}

/// What stands in place of all values: the GPU as a whole does not answer.
fn gone(device: &Device) -> Option<&str> {
    let whole = |f: &&Failure| f.field == "device" || f.error == "gpu-lost";
    device.failures.iter().find(whole).map(|f| f.error.as_str())
}

/// mW as W, rounded.
fn watts(mw: u32) -> u32 {
    mw.saturating_add(500) / 1000
}

/// Writes readings one after the other.
pub(crate) struct Writer<'a> {
    session: &'a Session<'a>,
    format: Format,
    /// Digits of the time.
    digits: usize,
    count: u64,
}

/// On a terminal the names of the columns come again after so many readings.
const AGAIN: u64 = 20;

impl<'a> Writer<'a> {
    pub(crate) fn new(session: &'a Session<'a>, format: Format, digits: usize) -> Self {
        Writer { session, format, digits, count: 0 }
    }

    /// Writes a reading at once: whoever waits for it sees it.
    pub(crate) fn write(&mut self, reading: &Reading) {
        let first = self.count == 0;
        match self.format {
            Format::Table => {
                let again = std::io::stdout().is_terminal() && self.count.is_multiple_of(AGAIN);
                let mut screen = self.session.screen();
                if first {
                    table::machine(&mut screen, &reading.report);
                }
                if first || again {
                    table::heads(&mut screen, self.digits);
                }
                table::rows(&mut screen, reading);
                screen.print();
            }
            Format::Csv => write_out(csv::text(reading, first).as_bytes(), false),
            Format::Jsonl => write_out(json::text(reading).as_bytes(), false),
            Format::Prometheus => {
                let gap = if first { "" } else { "\n" };
                write_out(format!("{gap}{}", prometheus::text(&reading.report)).as_bytes(), false);
            }
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{precise, watts};

    #[test]
    fn numbers() {
        assert_eq!((precise(85.0), precise(95.26), precise(0.04)), ("85".into(), "95.3".into(), "0".into()));
        assert_eq!((watts(215_500), watts(215_499), watts(u32::MAX)), (216, 215, 4_294_967));
    }
}
