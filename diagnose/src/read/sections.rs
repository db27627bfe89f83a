//! Reports in sections and in columns: Lightning's `* CUDA:` and detectron2's table without colons.

use super::collect_env::python;
use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number, package, platform_text};

pub(super) const READER: Reader = Reader {
    tool: "environment report",
    words: &["* CUDA", "GPU available  ", "(arch=", "CUDA_HOME  ", "PyTorch   ", "Driver version "],
    read,
};

/// Reads both.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut section = "";
    let mut gpus: Vec<(usize, &str)> = Vec::new();
    let mut in_gpus = false;
    for (_, line, text) in page.all() {
        let trimmed = text.trim();
        if let Some(name) = trimmed.strip_prefix("* ").and_then(|t| t.strip_suffix(':')) {
            section = name;
            in_gpus = false;
            continue;
        }
        if !section.is_empty() {
            if trimmed == "- GPU:" {
                in_gpus = true;
            } else if let Some(name) =
                trimmed.strip_prefix("- ").filter(|n| in_gpus && !n.contains(':') && *n != "None")
            {
                gpus.push((line, name));
            } else {
                in_gpus = false;
                lightning(section, trimmed, line, found);
            }
            if trimmed.is_empty() {
                section = "";
            }
            continue;
        }
        columns(text, line, found);
    }
    for (line, name) in &gpus {
        found.see("gpu", name, *line);
    }
}

fn lightning(section: &str, text: &str, line: usize, found: &mut Found) {
    let Some((name, value)) = label::split(text) else { return };
    match (section, name) {
        ("CUDA", "available") => {
            if let Some(truth) = label::truth(value) {
                found.made("cuda-available", truth, value, line);
            }
        }
        ("System", "release") => platform_text::see_kernel(value, line, found),
        ("Packages" | "Lightning", _)
            if package::is_name(name) && number::is_release(value) && value.contains('.') =>
        {
            package::see(found, name, value, line);
        }
        _ => {}
    }
}

/// `PyTorch                1.7.1 @/home/…`, `GPU 0,1              GeForce RTX 2080 Ti (arch=7.5)`.
fn columns(text: &str, line: usize, found: &mut Found) {
    let Some((name, value)) = text.split_once("   ").map(|(n, v)| (n.trim(), v.trim())) else { return };
    if text.starts_with(' ') || value.is_empty() {
        return;
    }
    let version = || number::release(value).filter(|v| v.contains('.'));
    match name {
        "Python" => {
            if let Some(version) = python(value) {
                found.see("python", version, line);
            }
        }
        "PyTorch" | "torchvision" | "detectron2" | "fvcore" | "iopath" | "Pillow"
            if value.contains(" @") || name == "PyTorch" =>
        {
            if let Some(version) = version() {
                package::see(found, if name == "PyTorch" { "torch" } else { name }, version, line);
            }
        }
        "GPU available" => {
            if let Some(truth) = label::truth(value) {
                found.made("cuda-available", truth, value, line);
            }
        }
        "CUDA_HOME" if value.contains(['/', '\\']) => found.see("cuda-path", value, line),
        "Driver version" if number::is_driver(value) => found.see("driver", value, line),
        _ => {
            if let Some(list) = name.strip_prefix("GPU ")
                && list.bytes().all(|b| b.is_ascii_digit() || b == b',')
                && let Some((gpu, rest)) = value.rsplit_once(" (arch=")
            {
                found.see("gpu", gpu, line);
                if let Some(capability) = number::dotted_capability(rest) {
                    found.see("compute-capability", capability, line);
                }
                let count = list.split(',').count();
                if list.starts_with('0') {
                    found.made("gpu-count", &count.to_string(), name, line);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("report");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn sections() {
        assert_eq!(
            of(
                "* CUDA:\n\t- GPU:\n\t\t- NVIDIA L4\n\t\t- NVIDIA L4\n\t- available:         True\n\t- version:           11.7\n* System:\n\t- release:           5.15.0-67-generic"
            ),
            ["cuda-available=True@5", "kernel=5.15.0-67-generic@8", "gpu=NVIDIA L4@3", "gpu=NVIDIA L4@4"]
        );
    }

    #[test]
    fn tables_without_colons() {
        assert_eq!(
            of(
                "Python                 3.8.5 (default, Sep  4 2020)\nPyTorch                1.7.1 @/x/torch\nGPU available          True\nGPU 0,1                GeForce RTX 2080 Ti (arch=7.5)"
            ),
            [
                "python=3.8.5@1",
                "package:torch=1.7.1@2",
                "cuda-available=True@3",
                "gpu=GeForce RTX 2080 Ti@4",
                "compute-capability=7.5@4",
                "gpu-count=2@4"
            ]
        );
    }
}
