//! `nvidia-smi -q` and `nvidia-smi --version`: labels and values in sections.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "nvidia-smi -q",
    words: &[
        "NVSMI LOG",
        "Driver Version",
        "KMD Version",
        "CUDA UMD",
        "Attached GPUs",
        "Product Name",
        "FB Memory Usage",
        "NVML ",
    ],
    read,
};

/// Reads the log of `-q`, whole or as lines of it that `grep` left, and the list of versions.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut section = String::new();
    let mut section_indent = 0;
    let mut gpu_indent: Option<usize> = None;
    let mut in_log = false;
    let mut instance = false;
    let mut previous_driver = None;
    for (at, line, text) in page.all() {
        let indent = text.len() - text.trim_start().len();
        if text.contains("NVSMI LOG") {
            in_log = true;
            gpu_indent = None;
            section.clear();
            continue;
        }
        let Some((name, value)) = label::split(text) else {
            if !text.trim().is_empty() {
                text.trim().clone_into(&mut section);
                instance |= section.starts_with("MIG Device");
                section_indent = indent;
            }
            continue;
        };
        // A paste that lost its indentation keeps the section until the next.
        if indent < section_indent || (indent == section_indent && indent > 0) {
            section.clear();
        }
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "driver version" | "kmd version" | "driver version " => {
                if let Some(version) = number::driver(value) {
                    found.see("driver", version, line);
                    previous_driver = Some(at);
                }
            }
            "cuda version" | "cuda umd version"
                if lower == "cuda umd version"
                    || in_log
                    || label::aligned(text)
                    || previous_driver.is_some_and(|p| p + 2 >= at) =>
            {
                if let Some(version) = number::cuda(value) {
                    found.see("cuda-driver-level", version, line);
                }
            }
            "nvidia-smi version" => {
                if let Some(version) = number::driver(value) {
                    found.see("nvidia-smi-version", version, line);
                }
            }
            "nvml version" | "nvml library version" => {
                if let Some(version) = number::driver(value) {
                    found.see("nvml-version", version, line);
                    if lower == "nvml library version" {
                        found.see("driver-library", version, line);
                    }
                }
            }
            "attached gpus" => {
                if let Some(count) = number::dotted(value).filter(|c| !c.contains('.')) {
                    found.see("gpu-count", count, line);
                }
            }
            "gpu uuid" => instance = false,
            "product name" if label::aligned(text) || in_log => {
                gpu_indent = Some(indent);
                if !label::is_nothing(value) && !value.starts_with("ERR!") {
                    found.see("gpu", value, line);
                }
            }
            "current" if section.starts_with("MIG Mode") && matches!(value, "Enabled" | "Disabled") => {
                found.see("mig", value, line)
            }
            "current" if section.starts_with("Driver Model") && matches!(value, "WDDM" | "TCC" | "MCDM") => {
                found.see("driver-model", value, line);
            }
            "total"
                if section.starts_with("FB Memory Usage")
                    && gpu_indent.is_none_or(|g| g == section_indent && !(g == 0 && instance)) =>
            {
                if let Some(total) =
                    value.strip_suffix("MiB").or_else(|| value.strip_suffix("MB")).map(str::trim)
                    && !total.is_empty()
                    && total.bytes().all(|b| b.is_ascii_digit())
                {
                    found.see("memory-mib", total, line);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi -q");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn memory_of_an_instance_is_not_the_gpus() {
        let text = "\
==============NVSMI LOG==============
Driver Version                            : 535.104.05
CUDA Version                              : 12.2
Attached GPUs                             : 1
GPU 00000000:00:09.0
    Product Name                          : NVIDIA A100-SXM4-40GB
    MIG Mode
        Current                           : Enabled
        Pending                           : Enabled
    MIG Device
        Index                             : 0
        FB Memory Usage
            Total                         : 4864 MiB
    FB Memory Usage
        Total                             : 40960 MiB
    BAR1 Memory Usage
        Total                             : 65536 MiB
";
        assert_eq!(
            of(text),
            [
                "driver=535.104.05@2",
                "cuda-driver-level=12.2@3",
                "gpu-count=1@4",
                "gpu=NVIDIA A100-SXM4-40GB@6",
                "mig=Enabled@8",
                "memory-mib=40960@15"
            ]
        );
    }

    #[test]
    fn other_programs_use_the_same_labels() {
        assert_eq!(of("Product Name: PowerEdge R740\nCUDA Version: 11.8"), [""; 0]);
        assert_eq!(
            of("DRIVER version      : 550.54.14\nCUDA Version        : 12.4"),
            ["driver=550.54.14@1", "cuda-driver-level=12.4@2"]
        );
    }
}
