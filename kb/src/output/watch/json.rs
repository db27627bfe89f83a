//! Readings as JSON, a document on each line.

use super::Reading;
use serde_json::json;

/// The line of a reading. Units are in the names of the keys; what is not known is null.
pub(super) fn text(reading: &Reading) -> String {
    let report = &reading.report;
    let document = json!({
        "schema": 1,
        "command": "watch",
        "time": reading.time,
        "driver": report.driver,
        "cuda": report.cuda,
        "nvml": report.nvml,
        "devices": report.devices,
        "crossed": reading.crossed,
        "failures": report.failures,
        "error": report.error,
        "hung": report.hung,
    });
    format!("{document}\n")
}
