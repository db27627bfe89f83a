//! PyTorch's `collect_env` in all its layouts, and vLLM's, which grew from it.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number, package, platform_text};

pub(super) const READER: Reader = Reader {
    tool: "collect_env",
    words: &[
        "PyTorch",
        "CUDA runtime version",
        "driver version",
        "cuDNN version",
        "Is CUDA available",
        "Libc version",
        "Python platform",
        "vLLM Version",
    ],
    read,
};

/// Reads labelled lines. Labels that other programs use too count only near this report's own.
fn read(page: &Page<'_>, found: &mut Found) {
    // The last line of the report that was seen: labels such as `OS:` belong to it for a while.
    let mut near: Option<usize> = None;
    for (at, line, text) in page.all() {
        let Some((name, value)) = label::split(text) else { continue };
        let inside = near.is_some_and(|n| at < n + 40);
        let own = match name {
            "PyTorch version" => {
                version("torch", value, line, found);
                true
            }
            "CUDA used to build PyTorch" => {
                if let Some(version) = number::dotted(value) {
                    found.see("framework-cuda", version, line);
                }
                true
            }
            "Is CUDA available" => {
                if let Some(truth) = label::truth(value) {
                    found.made("cuda-available", truth, value, line);
                }
                true
            }
            "CUDA runtime version" => {
                if let Some(version) =
                    number::cuda(value.trim_start_matches("Probably one of the following:").trim())
                {
                    found.see("cuda-toolkit", version, line);
                }
                true
            }
            "Nvidia driver version" | "NVIDIA driver version" => {
                if let Some(version) = number::driver(value) {
                    found.see("driver", version, line);
                }
                true
            }
            "cuDNN version" => {
                if let Some((raw, version)) = number::cudnn(value) {
                    found.made("cudnn", &version, raw, line);
                }
                true
            }
            "Python platform" => {
                platform_text::see(value, line, found);
                true
            }
            "Libc version" => {
                let version = value.strip_prefix("glibc").map(|v| v.trim_start_matches(['-', ' ']));
                if let Some(version) = version.and_then(number::version) {
                    found.see("glibc", version, line);
                }
                true
            }
            "vLLM Version" => {
                version("vllm", value.split('@').next().unwrap_or(value), line, found);
                true
            }
            "Is debug build"
            | "ROCM used to build PyTorch"
            | "CUDA_MODULE_LOADING set to"
            | "GPU models and configuration" => true,
            "Python version" if inside || followed(page, at) => {
                if let Some(version) = python(value) {
                    found.see("python", version, line);
                }
                false
            }
            "OS" if inside || followed(page, at) => {
                os(value, line, found);
                false
            }
            _ => false,
        };
        if own {
            near = Some(at);
        }
    }
}

/// Does one of the report's own labels follow soon?
fn followed(page: &Page<'_>, at: usize) -> bool {
    page.lines.iter().skip(at + 1).take(14).any(|l| {
        [
            "GCC version",
            "Clang version",
            "Libc version",
            "Is CUDA available",
            "Python platform",
            "CUDA used to build",
            "CUDA runtime version",
        ]
        .iter()
        .any(|own| l.text.trim_start().starts_with(own))
    })
}

fn version(name: &str, value: &str, line: usize, found: &mut Found) {
    if let Some(version) = number::release(value) {
        package::see(found, name, version, line);
    }
}

/// A version of Python at the beginning: `3.9.16 (main, …`, `3.10 (64-bit runtime)`.
pub(super) fn python(value: &str) -> Option<&str> {
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(value.len());
    let version = value[..end].trim_end_matches('.');
    let known = version.starts_with("3.") || version.starts_with("2.7") || version.starts_with("2.6");
    (known && version.len() <= 12 && number::version(version).is_some()).then_some(version)
}

/// A system's name as it is printed; a bare `Linux` says nothing.
fn os(value: &str, line: usize, found: &mut Found) {
    if label::is_nothing(value) || !value.bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    found.see("os", value, line);
    for arch in ["x86_64", "aarch64"] {
        if value.ends_with(&format!("({arch})")) {
            found.see("arch", arch, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("collect_env");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn the_layout_with_sections_is_the_same_report() {
        let text = "\
OS                           : Ubuntu 22.04.5 LTS (x86_64)
GCC version                  : (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0
PyTorch version              : 2.7.0+cu126
CUDA used to build PyTorch   : 12.6
Python version               : 3.12.10 (main, Apr  9 2025, 08:55:05) [GCC 11.4.0] (64-bit runtime)
Is CUDA available            : True
CUDA runtime version         : 12.6.85
Nvidia driver version        : 570.133.20
cuDNN version                : Could not collect
vLLM Version                 : 0.9.1.dev12+g8bc2b9e
";
        assert_eq!(
            of(text),
            [
                "os=Ubuntu 22.04.5 LTS (x86_64)@1",
                "arch=x86_64@1",
                "package:torch=2.7.0+cu126@3",
                "framework-cuda=12.6@3",
                "framework-cuda=12.6@4",
                "python=3.12.10@5",
                "cuda-available=True@6",
                "cuda-toolkit=12.6.85@7",
                "driver=570.133.20@8",
                "package:vllm=0.9.1.dev12+g8bc2b9e@10"
            ]
        );
    }

    #[test]
    fn what_was_not_collected_is_not_seen() {
        assert_eq!(
            of(
                "PyTorch version: N/A\nCUDA used to build PyTorch: Could not collect\nOS: Linux\nCUDA runtime version: Could not collect"
            ),
            [""; 0]
        );
    }
}
