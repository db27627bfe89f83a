//! What was observed of a machine: by a probe, in a pasted text, or by hand.

use serde::{Deserialize, Serialize};

/// Words in names of variables, whatever their case, whose value is nobody's business: `NVIDIA_API_KEY`.
pub const SECRET_WORDS: [&str; 6] = ["key", "token", "secret", "passw", "passphrase", "credential"];

/// The names of observations. `package:<name>`, `label:<key>` and `variable:<name>` stand for any name behind the colon.
///
/// What each means, and how its value is written, is in the book's page on observations.
pub const NAMES: [&str; 93] = [
    "gpu",
    "gpu-count",
    "driver",
    "driver-library",
    "driver-model",
    "driver-needed",
    "nvidia-smi-version",
    "nvml-version",
    "cuda-driver-level",
    "cuda-toolkit",
    "cuda-needed",
    "cuda-error",
    "cuda-path",
    "cuda-visible-devices",
    "cuda-available",
    "framework",
    "framework-cuda",
    "framework-cudnn",
    "framework-arches",
    "cudnn",
    "cudnn-needed",
    "cudnn-wheel",
    "mig",
    "memory-mib",
    "memory-asked",
    "memory-total",
    "memory-free",
    "compute-capability",
    "python",
    "os",
    "arch",
    "kernel",
    "glibc",
    "glibc-needed",
    "libstdcxx-needed",
    "wsl",
    "container",
    "container-runtimes",
    "l4t",
    "package:",
    "label:",
    "library-missing",
    "library-found",
    "library-loaded",
    "symbol",
    "ptx-isa",
    "ptx-isa-driver",
    "wheel",
    "index",
    "plugin-version",
    "core-version",
    "engine-built-with",
    "engine-runtime",
    "xid",
    "win-error",
    "search-path",
    "cpu",
    "cpu-features",
    "secure-boot",
    "kernel-module",
    "device-node",
    "service",
    "limit",
    "program-found",
    "abi",
    "versions-offered",
    "error",
    "pci-id",
    "compute-mode",
    "ecc",
    "persistence",
    "power-limit",
    "driver-package",
    "cuda-runtime",
    "cublas",
    "nccl",
    "tensorrt",
    "zlibwapi",
    "vc-runtime",
    "environment",
    "interpreter",
    "variable:",
    "path-missing",
    "library-first",
    "library-part-missing",
    "package-record",
    "package-file-changed",
    "package-file-missing",
    "package-file-unlisted",
    "package-remains",
    "defender-exclusion",
    "cgroup-device",
    "kernel-module-flavour",
];

/// Is this the name of an observation? `package:torch` is one.
pub fn is_name(name: &str) -> bool {
    match name.split_once(':') {
        Some((kind, rest)) => !rest.is_empty() && matches!(kind, "package" | "label" | "variable"),
        None => NAMES.contains(&name),
    }
}

/// One value that was seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Observation {
    /// One of [`NAMES`].
    pub what: String,
    /// The value in its normal form.
    pub value: String,
    /// The part of the text that the value was made from, where it does not stand there as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// How it was seen: `pasted nvidia-smi`, `message torch-cuda-oom`, `nvml`.
    pub method: String,
    /// The line it stands on, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The file, where several were read, or the place on the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl Observation {
    /// A value that stands on a line of a text.
    pub fn on_line(
        what: impl Into<String>,
        value: impl Into<String>,
        method: impl Into<String>,
        line: usize,
    ) -> Self {
        Observation {
            what: what.into(),
            value: value.into(),
            raw: None,
            method: method.into(),
            line: Some(line),
            place: None,
        }
    }

    /// The same, with the part of the text that the value was made from.
    #[must_use]
    pub fn from_text(mut self, raw: impl Into<String>) -> Self {
        self.raw = Some(raw.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_behind_its_colon() {
        assert!(is_name("package:torch") && is_name("label:nvidia.com/gpu.count") && is_name("driver"));
        assert!(!is_name("package:") && !is_name("drivers") && !is_name("gpu:0"));
    }
}
