//! What a machine has, as text.

use super::{Ink, Screen};
use kb_core::observe::Observation;
use probe::{Failure, Probe};

/// The parts of the text, and the observations in each; `*` at the end stands for any.
const PARTS: [(&str, &[&str]); 6] = [
    (
        "gpu",
        &[
            "gpu",
            "gpu-count",
            "pci-id",
            "compute-capability",
            "memory-mib",
            "driver",
            "driver-library",
            "driver-model",
            "cuda-driver-level",
            "nvml-version",
            "nvidia-smi-version",
            "mig",
            "ecc",
            "compute-mode",
            "persistence",
            "power-limit",
            "driver-package",
            "kernel-module",
            "device-node",
            "service",
            "secure-boot",
        ],
    ),
    ("cuda", &["cuda-toolkit", "program-found", "cuda-path", "cuda-visible-devices"]),
    (
        "libraries",
        &[
            "library-first",
            "cudnn",
            "nccl",
            "cublas",
            "cuda-runtime",
            "tensorrt",
            "zlibwapi",
            "library-found",
            "library-part-missing",
            "vc-runtime",
        ],
    ),
    (
        "python",
        &[
            "environment",
            "interpreter",
            "python",
            "framework-cuda",
            "framework-cudnn",
            "framework-arches",
            "package:*",
            "package-remains",
            "package-file-changed",
            "package-file-missing",
            "package-file-unlisted",
        ],
    ),
    ("variables", &["variable:*", "search-path", "path-missing"]),
    ("system", &["*"]),
];

/// Left out without `--all`: long, or only of use when something is wrong.
const LONG: [&str; 9] = [
    "search-path",
    "library-found",
    "device-node",
    "kernel-module",
    "cpu-features",
    "service",
    "package-file-unlisted",
    "package-file-changed",
    "cgroup-device",
];

/// Prints what was seen, by parts.
pub(crate) fn print(screen: &mut Screen<'_>, seen: &Probe, all: bool) {
    let mut left: Vec<&Observation> = seen.observations.iter().collect();
    for (part, names) in PARTS {
        let of_part = |o: &&Observation| names.iter().any(|n| glob(n, &o.what));
        let (mine, rest): (Vec<&Observation>, Vec<&Observation>) = left.into_iter().partition(of_part);
        left = rest;
        let rows = rows(names, &mine, all);
        if part == "gpu" && !mine.iter().any(|o| matches!(&*o.what, "gpu" | "driver") || is_nvidia(o)) {
            screen.head(&screen.say("ui-probe-part-gpu", &[]));
            screen.para(2, &screen.say("ui-probe-no-gpu", &[]));
        } else if !rows.is_empty() {
            screen.head(&screen.say(&format!("ui-probe-part-{part}"), &[]));
        }
        let column = rows.iter().map(|r| super::wrap::width(&r.what)).max().unwrap_or(0).min(24);
        for row in rows {
            screen.field(2, &row.what, column, &row.text);
        }
    }
    failures(screen, &seen.failures);
}

fn is_nvidia(observation: &Observation) -> bool {
    observation.what == "pci-id" && observation.value.starts_with("10de:")
}

fn glob(pattern: &str, text: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == text, |start| text.starts_with(start))
}

/// A line of the text.
struct Row {
    what: String,
    text: String,
}

/// The observations of a part in the order of its names. Without `all`, a value that was seen in several ways is one row.
fn rows(names: &[&str], mine: &[&Observation], all: bool) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    for name in names {
        for o in mine.iter().filter(|o| glob(name, &o.what)) {
            if !all && LONG.contains(&&*o.what) {
                continue;
            }
            let what =
                o.what.strip_prefix("package:").or(o.what.strip_prefix("variable:")).unwrap_or(&o.what);
            let text = match (all, &o.place) {
                (true, Some(place)) => format!("{}  ({}, {place})", o.value, o.method),
                (true, None) => format!("{}  ({})", o.value, o.method),
                (false, Some(place)) if wants_place(&o.what) => format!("{}  ({place})", o.value),
                (false, _) => o.value.clone(),
            };
            if all || !out.iter().any(|r| r.what == what && r.text == text) {
                out.push(Row { what: what.to_owned(), text });
            }
        }
    }
    out
}

/// Where it is says as much as what it is.
fn wants_place(what: &str) -> bool {
    matches!(
        what,
        "cuda-toolkit"
            | "cudnn"
            | "nccl"
            | "cublas"
            | "cuda-runtime"
            | "tensorrt"
            | "zlibwapi"
            | "environment"
            | "path-missing"
            | "cuda-path"
            | "library-part-missing"
    )
}

fn failures(screen: &mut Screen<'_>, failures: &[Failure]) {
    if failures.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-probe-failures", &[]));
    for f in failures {
        let place = f.place.as_ref().map(|p| format!(" {p}")).unwrap_or_default();
        screen.item(2, "!", Ink::Doubt, &format!("{} ({}{place}): {}", f.what, f.method, f.says), Ink::Plain);
    }
}
