//! Readings as comma-separated values (RFC 4180), a line for each GPU.

use super::Reading;
use crate::output::shown;
use nvml_report::Device;

/// The names of the columns, with units.
const HEADS: &str = "time,gpu,name,uuid,temperature_c,memory_used_mib,memory_total_mib,power_w,power_limit_w,\
utilisation_gpu_percent,utilisation_memory_percent,clock_sm_mhz,clock_memory_mhz,clock_reasons,failures";

/// The lines of a reading.
pub(super) fn text(reading: &Reading, first: bool) -> String {
    let mut out = if first { format!("{HEADS}\n") } else { String::new() };
    for device in &reading.report.devices {
        out.push_str(&line(&reading.time, device));
    }
    out
}

fn line(time: &str, device: &Device) -> String {
    let now = &device.changing;
    let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
    let large = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    let watts = |mw: Option<u32>| mw.map(|mw| format!("{}.{:03}", mw / 1000, mw % 1000)).unwrap_or_default();
    let failures: Vec<String> = device.failures.iter().map(|f| format!("{}: {}", f.field, f.error)).collect();
    let cells = [
        time.to_owned(),
        device.index.to_string(),
        quoted(device.name.as_deref().unwrap_or_default()),
        quoted(device.uuid.as_deref().unwrap_or_default()),
        number(now.temperature_c),
        large(device.memory_used_mib),
        large(device.memory_total_mib),
        watts(now.power_mw),
        watts(now.power_limit_mw),
        number(now.utilisation_gpu),
        number(now.utilisation_memory),
        number(now.clock_sm_mhz),
        number(now.clock_memory_mhz),
        quoted(&now.clock_reasons.as_ref().map(|r| r.join(" ")).unwrap_or_default()),
        quoted(&failures.join("; ")),
    ];
    cells.join(",") + "\n"
}

/// A cell in quotes where it has to be; no line break or control character is in it.
fn quoted(text: &str) -> String {
    let text = shown(text).replace(['\n', '\t'], " ");
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_are_quoted() {
        assert_eq!(quoted("RTX 3090"), "RTX 3090");
        assert_eq!(quoted("a,\"b\"\nc\u{1b}"), "\"a,\"\"b\"\" c\\u{1b}\"");
    }
}
