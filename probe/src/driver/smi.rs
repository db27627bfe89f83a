//! nvidia-smi, where NVML itself gave no answer although there is a driver: it may be another copy, and it says in words
//! what is wrong.

use super::{number, pci, programs};
use crate::Sink;
use crate::machine::Ran;

const METHOD: &str = "nvidia-smi";

/// Fields that all its releases have, then those of newer ones.
const FIELDS: [&str; 7] =
    ["index", "name", "driver_version", "memory.total", "pci.bus_id", "compute_cap", "mig.mode.current"];
const OLD_FIELDS: usize = 5;

const FORMAT: &str = "--format=csv,noheader,nounits";

/// Bytes of what it says of an error at most.
const LONGEST: usize = 400;

/// Runs it, if there is a driver that it could ask.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let module = |o: &kb_core::observe::Observation| {
        matches!(
            (&*o.what, &*o.value),
            ("kernel-module", "nvidia") | ("device-node", "/dev/nvidiactl" | "/dev/dxg")
        )
    };
    let driver = sink.has("driver") || sink.has("driver-library") || sink.observations.iter().any(module);
    let Some(program) = programs::find(sink.machine, METHOD).into_iter().next().filter(|_| driver) else {
        return;
    };
    let mut fields = &FIELDS[..];
    let mut result = ask(sink, &program, fields);
    if matches!(&result, Some(ran) if ran.code != Some(0) && ran.stdout.contains("not a valid field")) {
        fields = &FIELDS[..OLD_FIELDS];
        result = ask(sink, &program, fields);
    }
    let Some(ran) = result else { return };
    let mut rows = 0;
    let mut other = Vec::new();
    for line in ran.stdout.lines().chain(ran.stderr.lines()).map(str::trim).filter(|l| !l.is_empty()) {
        match row(sink, fields, line) {
            true => rows += 1,
            false => other.push(line),
        }
    }
    if rows > 0 && ran.code == Some(0) {
        sink.see("gpu-count", rows.to_string(), METHOD, Some(&program));
    }
    if !other.is_empty() || ran.code != Some(0) {
        let code = ran.code.map_or_else(|| "ended by a signal".to_owned(), |c| format!("exit code {c}"));
        let mut says = if other.is_empty() { code } else { other.join(" ") };
        let end = (0..=LONGEST.min(says.len())).rev().find(|i| says.is_char_boundary(*i)).unwrap_or(0);
        says.truncate(end);
        sink.fail("gpu", METHOD, Some(&program), says);
    }
}

fn ask(sink: &mut Sink<'_>, program: &str, fields: &[&str]) -> Option<Ran> {
    let query = format!("--query-gpu={}", fields.join(","));
    let result = sink.machine.run(program, &[&query, FORMAT]);
    sink.tried("gpu", METHOD, program, result)
}

/// A line of values; false if it is none.
fn row(sink: &mut Sink<'_>, fields: &[&str], line: &str) -> bool {
    let values: Vec<&str> = line.split(',').map(str::trim).collect();
    if values.len() != fields.len() || values[0].parse::<u32>().is_err() {
        return false;
    }
    // `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `[GPU is lost]`
    let value = |name: &str| {
        let at = fields.iter().position(|f| *f == name)?;
        Some(values[at]).filter(|v| !v.is_empty() && !v.starts_with('[') && *v != "N/A")
    };
    let place = value("pci.bus_id").map_or_else(|| format!("index {}", values[0]), pci::address);
    let place = Some(&*place);
    for (field, what) in [
        ("name", "gpu"),
        ("driver_version", "driver"),
        ("memory.total", "memory-mib"),
        ("compute_cap", "compute-capability"),
        ("mig.mode.current", "mig"),
    ] {
        match value(field) {
            Some(text) if what != "driver" => sink.see(what, text, METHOD, place),
            Some(text) if number::is_driver(text) => sink.see(what, text, METHOD, None),
            _ => {}
        }
    }
    for (field, text) in fields.iter().zip(&values) {
        let error = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        if let Some(error) = error.filter(|e| !matches!(*e, "N/A" | "Not Supported" | "Not Found")) {
            sink.fail("gpu", METHOD, place, format_args!("{field}: {error}"));
        }
    }
    true
}
