//! What was typed, understood: times, counts, limits.

use crate::args::{Format, Global, Watch};
use crate::output::watch::{Crossing, Quantity};
use kb_core::diag::Diagnostic;
use nvml_report::Device;
use std::time::Duration;

/// Readings in a row that cost the GPU nothing, and a day.
const EVERY: std::ops::RangeInclusive<f64> = 0.1..=86_400.0;

/// How to watch.
pub(super) struct Settings {
    pub(super) every: Duration,
    pub(super) count: Option<u64>,
    pub(super) format: Format,
    pub(super) limits: Limits,
}

/// Above what something is told; absent: never.
#[derive(Default)]
pub(super) struct Limits {
    /// In °C.
    temperature: Option<f64>,
    /// In percent of the memory.
    memory: Option<f64>,
    /// In percent of the power limit.
    power: Option<f64>,
}

impl Settings {
    /// Reads the options; every mistake in them is told.
    pub(super) fn of(global: &Global, args: &Watch) -> Result<Self, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let mut keep = |result: Result<Option<f64>, Diagnostic>| {
            result.unwrap_or_else(|mistake| {
                mistakes.push(mistake);
                None
            })
        };
        let every = keep(read(
            args.every.as_deref(),
            "--every",
            time,
            "a time from 0.1 to 86400 seconds",
            "2, 500ms, 1m",
        ));
        let count =
            keep(read(args.count.as_deref(), "--count", whole, "how often to read, at least once", "10"));
        let limits = Limits {
            temperature: keep(read(
                args.temperature_above.as_deref(),
                "--temperature-above",
                degrees,
                "a temperature in °C",
                "85",
            )),
            memory: keep(read(args.memory_above.as_deref(), "--memory-above", percent, PERCENT, "95%")),
            power: keep(read(args.power_above.as_deref(), "--power-above", percent, PERCENT, "95%")),
        };
        let format = match (args.format, global.json) {
            (None, true) => Format::Jsonl,
            (format, false) => format.unwrap_or_default(),
            (Some(Format::Jsonl), true) => Format::Jsonl,
            (Some(_), true) => {
                let mistake = Diagnostic::error(
                    "contradiction",
                    "--json is --format jsonl, and another one was asked for",
                );
                mistakes.push(mistake.help("leave one of them out"));
                Format::Jsonl
            }
        };
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        Ok(Settings {
            every: Duration::from_secs_f64(every.unwrap_or(2.0)),
            // A whole number below 2^53, as it was read.
            count: count.map(|count| count as u64),
            format,
            limits,
        })
    }

    /// The digits behind the second that tell two readings apart.
    pub(super) fn digits(&self) -> usize {
        if self.every.subsec_nanos() == 0 { 0 } else { 3 }
    }
}

const PERCENT: &str = "a part in percent, from 0 to 100";

fn read(
    text: Option<&str>,
    option: &str,
    value: fn(&str) -> Option<f64>,
    wants: &str,
    example: &str,
) -> Result<Option<f64>, Diagnostic> {
    let Some(text) = text else { return Ok(None) };
    let mistake = || {
        Diagnostic::error("usage", format!("`{option}` wants {wants}, not `{text}`"))
            .help(format!("for example: {option} {}", example.split(", ").next().unwrap_or(example)))
    };
    value(text.trim()).map(Some).ok_or_else(mistake)
}

/// A plain number: no sign, no exponent.
fn number(text: &str) -> Option<f64> {
    let plain = text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.parse().ok().filter(|_| plain)
}

fn time(text: &str) -> Option<f64> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("", 1.0)];
    let value = units
        .into_iter()
        .find_map(|(unit, seconds)| Some(number(text.strip_suffix(unit)?.trim_end())? * seconds));
    value.filter(|seconds| EVERY.contains(seconds))
}

fn whole(text: &str) -> Option<f64> {
    number(text).filter(|n| n.fract() == 0.0 && (1.0..9e15).contains(n))
}

fn degrees(text: &str) -> Option<f64> {
    number(text.trim_end_matches(['C', 'c']).trim_end_matches('°').trim_end()).filter(|n| *n < 1000.0)
}

fn percent(text: &str) -> Option<f64> {
    number(text.trim_end_matches('%').trim_end()).filter(|n| *n <= 100.0)
}

impl Limits {
    /// The limits that a device is above.
    pub(super) fn crossed(&self, device: &Device) -> Vec<Crossing> {
        let quantities = [
            (Quantity::Temperature, self.temperature),
            (Quantity::Memory, self.memory),
            (Quantity::Power, self.power),
        ];
        let crossing = |(quantity, limit): (Quantity, Option<f64>)| {
            let (limit, value) = (limit?, quantity.of(device)?);
            (value > limit).then_some(Crossing { gpu: device.index, what: quantity, value, limit })
        };
        quantities.into_iter().filter_map(crossing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, degrees, percent, time, whole};
    use nvml_report::Device;

    #[test]
    fn times_have_units() {
        for (text, seconds) in
            [("2", 2.0), ("0.5", 0.5), ("500ms", 0.5), ("1 m", 60.0), ("2min", 120.0), ("1h", 3600.0)]
        {
            assert_eq!(time(text), Some(seconds), "{text}");
        }
        for wrong in ["", "0", "-1", "1e3", "inf", "NaN", "10ms", "2 days", "99999999", "s", "1.2.3"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_of_limits() {
        assert_eq!((degrees("85"), degrees("85°C"), degrees("85 C")), (Some(85.0), Some(85.0), Some(85.0)));
        assert_eq!(
            (percent("95%"), percent("95"), percent("101"), percent("-5")),
            (Some(95.0), Some(95.0), None, None)
        );
        assert_eq!(
            (whole("3"), whole("0"), whole("2.5"), whole("99999999999999999999")),
            (Some(3.0), None, None, None)
        );
    }

    /// Of nothing there is no part, and what is not known is above nothing.
    #[test]
    fn a_limit_needs_a_value() {
        let limits = Limits { temperature: Some(0.0), memory: Some(0.0), power: Some(0.0) };
        let mut device = Device { memory_total_mib: Some(0), memory_used_mib: Some(7), ..Device::default() };
        assert_eq!(limits.crossed(&device).len(), 0);
        device.changing.temperature_c = Some(1);
        assert_eq!(limits.crossed(&device).len(), 1);
    }
}
