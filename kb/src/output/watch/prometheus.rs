//! A reading in the text format of Prometheus: for the text file collector of its node exporter, or a scrape by another
//! program. Units are the base units that Prometheus asks for.

use super::gone;
use nvml_report::{Device, NvmlReport};
use std::fmt::Write;

/// A kind of value.
struct Metric {
    name: &'static str,
    help: &'static str,
    /// Labels beside those of the GPU, and the value; none if it is not known.
    values: fn(&Device) -> Vec<(String, f64)>,
}

/// A value without further labels.
fn plain(value: Option<f64>) -> Vec<(String, f64)> {
    value.map(|value| (String::new(), value)).into_iter().collect()
}

const MIB: f64 = 1_048_576.0;

const METRICS: [Metric; 11] = [
    Metric {
        name: "kb_gpu_up",
        help: "1 if the GPU answers, 0 if it is lost.",
        values: |d| plain(Some(f64::from(u8::from(gone(d).is_none())))),
    },
    Metric {
        name: "kb_gpu_temperature_celsius",
        help: "Temperature of the chip.",
        values: |d| plain(d.changing.temperature_c.map(f64::from)),
    },
    Metric {
        name: "kb_gpu_memory_used_bytes",
        help: "Memory in use.",
        values: |d| plain(d.memory_used_mib.map(|mib| mib as f64 * MIB)),
    },
    Metric {
        name: "kb_gpu_memory_total_bytes",
        help: "Memory of the GPU.",
        values: |d| plain(d.memory_total_mib.map(|mib| mib as f64 * MIB)),
    },
    Metric {
        name: "kb_gpu_power_watts",
        help: "Power that is drawn.",
        values: |d| plain(d.changing.power_mw.map(|mw| f64::from(mw) / 1000.0)),
    },
    Metric {
        name: "kb_gpu_power_limit_watts",
        help: "Power at which the driver lowers the clocks.",
        values: |d| plain(d.changing.power_limit_mw.map(|mw| f64::from(mw) / 1000.0)),
    },
    Metric {
        name: "kb_gpu_utilization_ratio",
        help: "Part of the last sample period in which a kernel ran.",
        values: |d| plain(d.changing.utilisation_gpu.map(|percent| f64::from(percent) / 100.0)),
    },
    Metric {
        name: "kb_gpu_memory_utilization_ratio",
        help: "Part of the last sample period in which memory was read or written.",
        values: |d| plain(d.changing.utilisation_memory.map(|percent| f64::from(percent) / 100.0)),
    },
    Metric {
        name: "kb_gpu_clock_hertz",
        help: "Clock of the multiprocessors (sm) and of the memory.",
        values: |d| {
            let clocks = [("sm", d.changing.clock_sm_mhz), ("memory", d.changing.clock_memory_mhz)];
            let hertz = |(name, mhz): (&str, Option<u32>)| {
                mhz.map(|mhz| (format!(",clock=\"{name}\""), f64::from(mhz) * 1e6))
            };
            clocks.into_iter().filter_map(hertz).collect()
        },
    },
    Metric {
        name: "kb_gpu_clock_reason",
        help: "1 for each reason why the clocks are not higher.",
        values: |d| {
            let reasons = d.changing.clock_reasons.iter().flatten();
            reasons.map(|reason| (format!(",reason=\"{}\"", escaped(reason)), 1.0)).collect()
        },
    },
    Metric {
        name: "kb_gpu_failures",
        help: "Values that could not be read.",
        values: |d| plain(u32::try_from(d.failures.len()).ok().map(f64::from)),
    },
];

/// The text of a reading.
pub(super) fn text(report: &NvmlReport) -> String {
    let mut out = String::new();
    for metric in &METRICS {
        let mut lines = String::new();
        for device in &report.devices {
            let label = |text: &Option<String>| escaped(text.as_deref().unwrap_or_default());
            let (uuid, name) = (label(&device.uuid), label(&device.name));
            for (labels, value) in (metric.values)(device) {
                let gpu = device.index;
                let _ = writeln!(
                    lines,
                    "{}{{gpu=\"{gpu}\",uuid=\"{uuid}\",name=\"{name}\"{labels}}} {value}",
                    metric.name
                );
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "# HELP {0} {1}\n# TYPE {0} gauge", metric.name, metric.help);
            out.push_str(&lines);
        }
    }
    out
}

/// A value of a label as the format has it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::{escaped, text};
    use nvml_report::{Device, NvmlReport};

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escaped("a\"\\\nb"), "a\\\"\\\\\\nb");
    }

    /// What is not known has no line, and a kind of value without lines has no head.
    #[test]
    fn what_is_not_known_is_absent() {
        let mut device = Device { memory_total_mib: Some(24576), ..Device::default() };
        device.changing.clock_sm_mhz = Some(1695);
        let text = text(&NvmlReport { devices: vec![device], ..NvmlReport::default() });
        assert!(
            text.contains("\nkb_gpu_memory_total_bytes{gpu=\"0\",uuid=\"\",name=\"\"} 25769803776\n"),
            "{text}"
        );
        assert!(text.contains("clock=\"sm\"} 1695000000\n"), "{text}");
        assert!(!text.contains("temperature"), "{text}");
        assert_eq!(text.matches("# TYPE").count(), 4, "{text}");
    }
}
