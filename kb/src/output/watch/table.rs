//! Readings as lines with columns of fixed width, so that a line stands below the one before it.

use super::{Reading, gone, watts};
use crate::output::wrap::{pad, width};
use crate::output::{Ink, Screen};
use nvml_report::{Device, NvmlReport};

/// Widths behind the time: GPU, °C, memory, power, use, clocks. The reasons, last, are as long as they are.
const WIDTHS: [usize; 7] = [3, 4, 13, 9, 5, 6, 7];

/// The GPUs and the driver, once.
pub(super) fn machine(screen: &mut Screen<'_>, report: &NvmlReport) {
    for device in &report.devices {
        let name = device.name.as_deref().unwrap_or("?");
        let bus = device.pci_bus_id.as_deref().unwrap_or_default();
        screen.raw(0, Ink::Plain, format!("GPU {}  {name}  {bus}", device.index).trim_end());
    }
    let unknown = || "?".to_owned();
    let values = [
        ("driver", report.driver.clone().unwrap_or_else(unknown)),
        ("cuda", report.cuda.clone().unwrap_or_else(unknown)),
    ];
    let text = screen.say("ui-watch-driver", &values);
    screen.raw(0, Ink::Faint, &text);
    screen.blank();
}

/// The names of the columns.
pub(super) fn heads(screen: &mut Screen<'_>, digits: usize) {
    let say = |id: &str| screen.say(id, &[]);
    let cells = [
        "GPU".to_owned(),
        "°C".to_owned(),
        say("ui-watch-head-memory"),
        say("ui-watch-head-power"),
        say("ui-watch-head-use"),
        say("ui-watch-head-sm"),
        say("ui-watch-head-memory-clock"),
        say("ui-watch-head-held"),
    ];
    let time = say("ui-watch-head-time");
    let columns = crate::clock::time(digits).len();
    let text = line(&pad(&time, columns), &cells);
    screen.raw(0, Ink::Head, &text);
}

/// A line for each GPU.
pub(super) fn rows(screen: &mut Screen<'_>, reading: &Reading) {
    for device in &reading.report.devices {
        let index = device.index.to_string();
        if let Some(error) = gone(device) {
            let text = line(&reading.time, &[index, error.to_owned()]);
            screen.raw(0, Ink::Doubt, &text);
            continue;
        }
        let crossed = reading.crossed.iter().any(|c| c.gpu == device.index);
        let text = line(&reading.time, &cells(device, index));
        screen.raw(0, if crossed { Ink::Bad } else { Ink::Plain }, &text);
    }
}

fn cells(device: &Device, index: String) -> Vec<String> {
    let now = &device.changing;
    // A question mark is a value that could not be read, a dash one that the GPU does not have.
    let cell = |field: &str, text: Option<String>| {
        let failed = device.failures.iter().any(|f| f.field == field);
        text.unwrap_or_else(|| if failed { "?" } else { "-" }.to_owned())
    };
    let both = |used: Option<u64>, whole: Option<u64>| match (used, whole) {
        (None, None) => None,
        (used, whole) => {
            let text = |n: Option<u64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
            Some(format!("{}/{}", text(used), text(whole)))
        }
    };
    let power =
        both(now.power_mw.map(|mw| u64::from(watts(mw))), now.power_limit_mw.map(|mw| u64::from(watts(mw))));
    let number = |n: Option<u32>| n.map(|n| n.to_string());
    vec![
        index,
        cell("temperature_c", number(now.temperature_c)),
        cell("memory_total_mib", both(device.memory_used_mib, device.memory_total_mib)),
        cell("power_mw", power),
        cell("utilisation_gpu", number(now.utilisation_gpu)),
        cell("clock_sm_mhz", number(now.clock_sm_mhz)),
        cell("clock_memory_mhz", number(now.clock_memory_mhz)),
        cell("clock_reasons", now.clock_reasons.as_ref().map(|reasons| reasons.join(", "))),
    ]
}

/// Numbers stand at the right of their column.
fn line(time: &str, cells: &[String]) -> String {
    let mut out = time.to_owned();
    for (at, cell) in cells.iter().enumerate() {
        out.push_str("  ");
        match WIDTHS.get(at) {
            Some(columns) if at + 1 < cells.len() => {
                out.extend(std::iter::repeat_n(' ', columns.saturating_sub(width(cell))));
            }
            _ => {}
        }
        out.push_str(cell);
    }
    out.trim_end().to_owned()
}
