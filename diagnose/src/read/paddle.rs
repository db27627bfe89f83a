//! PaddlePaddle's own lines: the note at its start, and its report for issues (`summary_env`).

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "paddle",
    words: &[
        "Driver API Version",
        "package was compiled for",
        "Please NOTE",
        "cuDNN Version",
        "Paddle version",
        "Paddle With CUDA",
        "Runtime API Version",
        "found in runtime",
    ],
    read,
};

/// `Please NOTE: device: 0, GPU Compute Capability: 8.6, Driver API Version: 11.4, Runtime API Version: 10.2`.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut report: Option<usize> = None;
    for (at, line, text) in page.all() {
        let after = |label: &str| text.split_once(label).map(|(_, rest)| rest.trim_start());
        if text.contains("Driver API Version")
            || text.contains("Runtime API Version")
            || text.contains("Please NOTE: device")
        {
            capability(text, line, found);
            if let Some(version) = after("Driver API Version:").and_then(number::cuda) {
                found.see("cuda-driver-level", version, line);
            }
            if let Some(version) = after("Runtime API Version:").and_then(number::cuda) {
                found.see("framework-cuda", version, line);
            }
        } else if text.contains("device: ")
            && let Some(version) = after("cuDNN Version:").and_then(number::version)
        {
            let raw = format!("cuDNN Version: {version}");
            found.made("cudnn", version, if text.contains(&raw) { &raw } else { version }, line);
        }
        if text.contains("no GPU found in runtime") {
            found.made("cuda-available", "False", "no GPU found in runtime", line);
        }
        if let Some((_, rest)) = text.split_once("package was compiled for ") {
            mismatch(rest, line, found);
        }
        // The report: `Paddle version: 2.4.2`, then what nvcc said under `CUDA version:`.
        let Some((name, value)) = label::split(text) else { continue };
        match name {
            "Paddle version" | "Paddle With CUDA" => report = Some(at),
            _ if report.is_none_or(|r| at > r + 30) => {}
            "OS" if value.bytes().any(|b| b.is_ascii_digit()) => found.see("os", value, line),
            "CUDA version" => {
                if let Some(version) = number::cuda(value) {
                    found.see("cuda-toolkit", version, line);
                }
            }
            _ => {}
        }
    }
}

/// `compiled for 60 61 70 75 80 86 ,but your current GPU is 120`.
fn mismatch(rest: &str, line: usize, found: &mut Found) {
    let list = rest.split(',').next().unwrap_or("").trim();
    let arches: Option<Vec<String>> = list.split_whitespace().map(number::capability).collect();
    if let Some(arches) = arches.filter(|a| !a.is_empty()) {
        found.made("framework-arches", &arches.join(" "), list, line);
    }
    if let Some(digits) = rest.split_once("current GPU is ").and_then(|(_, r)| number::dotted(r))
        && let Some(capability) = number::capability(digits)
    {
        found.made("compute-capability", &capability, digits, line);
    }
}

/// `GPU Compute Capability: 8.6`, before 2.2 `CUDA Capability: 75`.
fn capability(text: &str, line: usize, found: &mut Found) {
    let Some((_, rest)) = text.split_once("Capability:") else { return };
    let rest = rest.trim_start();
    if let Some(value) = number::dotted_capability(rest) {
        found.see("compute-capability", value, line);
    } else if let Some(digits) = number::dotted(rest)
        && let Some(value) = number::capability(digits)
    {
        found.made("compute-capability", &value, digits, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("paddle");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn both_forms_of_the_note() {
        assert_eq!(
            of(
                "W0305 20:11:30.602310 21480 device_context.cc:236] Please NOTE: device: 0, CUDA Capability: 75, Driver API Version: 10.0, Runtime API Version: 9.0\nW0305 20:11:30.606190 21480 device_context.cc:244] device: 0, cuDNN Version: 7.3."
            ),
            ["compute-capability=7.5@1", "cuda-driver-level=10.0@1", "framework-cuda=9.0@1", "cudnn=7.3@2"]
        );
    }

    #[test]
    fn a_mismatch_names_both_sides() {
        assert_eq!(
            of(
                "E1027 gpu_resources.cc:98] Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for 60 61 86 ,but your current GPU is 120 Solution: Install"
            ),
            ["framework-arches=6.0 6.1 8.6@1", "compute-capability=12.0@1"]
        );
    }

    #[test]
    fn the_report_names_the_toolkit() {
        assert_eq!(
            of(
                "Paddle version: 2.4.2\nPaddle With CUDA: True\n\nOS: Ubuntu 20.04\nCUDA version: 11.7.64\nBuild cuda_11.7.r11.7/compiler.31294372_0"
            ),
            ["os=Ubuntu 20.04@4", "cuda-toolkit=11.7.64@5"]
        );
    }
}
