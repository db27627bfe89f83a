//! nvcc, and what says which toolkit is installed.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const HEADER: Reader =
    Reader { tool: "cudnn_version.h", words: &["#define CUDNN_MAJOR"], read: read_header };

pub(super) const READER: Reader = Reader {
    tool: "nvcc",
    words: &[
        "Cuda compilation tools",
        "Build cuda_",
        "CUDA compiler identification",
        "Found CUDA",
        "version.txt",
        "CUDA NVCC",
    ],
    read,
};

/// `Cuda compilation tools, release 11.1, V11.1.105`.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut stated = false;
    for (_, line, text) in page.all() {
        if let Some((_, rest)) = text.split_once("Cuda compilation tools, release ") {
            let full = rest.split_once(", V").and_then(|(_, v)| number::cuda(v));
            if let Some(version) = full.or_else(|| number::cuda(rest)) {
                stated = true;
                found.see("cuda-toolkit", version, line);
            }
        } else if let Some((_, rest)) = text.split_once("The CUDA compiler identification is NVIDIA ")
            && let Some(version) = number::cuda(rest)
        {
            found.see("cuda-toolkit", version, line);
        } else if (text.contains("Found CUDAToolkit:") || text.contains("Found CUDA:"))
            && let Some((_, rest)) = text.split_once("found ")
            && let Some(at) = rest.find(|c: char| c.is_ascii_digit())
            && let Some(version) = number::cuda(&rest[at..])
        {
            found.see("cuda-toolkit", version, line);
        }
    }
    // The build line repeats the release; it counts where the other line was cut off.
    for (_, line, text) in page.all().filter(|_| !stated) {
        if let Some(rest) = text.trim().strip_prefix("Build cuda_")
            && let Some(version) = number::cuda(rest)
        {
            let release = version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
            found.made("cuda-toolkit", &release, text.trim(), line);
        }
    }
    version_files(page, found);
}

/// cuDNN's header, as `grep CUDNN_MAJOR -A 2` shows it.
fn read_header(page: &Page<'_>, found: &mut Found) {
    let define = |at: usize, name: &str| {
        let (_, text) = page.line(at)?;
        let value = text.split_once(name)?.1.trim();
        let digits = &value[..value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len())];
        (!digits.is_empty() && digits.len() < 4).then_some(digits)
    };
    for (at, line, text) in page.all() {
        let Some(major) = define(at, "#define CUDNN_MAJOR") else { continue };
        let next = |name: &str| (at + 1..at + 4).find_map(|i| define(i, name));
        let mut version = major.to_owned();
        for part in [next("#define CUDNN_MINOR"), next("#define CUDNN_PATCHLEVEL")] {
            let Some(part) = part else { break };
            version.push('.');
            version.push_str(part);
        }
        found.made("cudnn", &version, text.trim(), line);
    }
}

/// `version.txt` and `version.json` of an installed toolkit.
fn version_files(page: &Page<'_>, found: &mut Found) {
    for command in &page.commands {
        if command.text.contains("version.txt")
            && let Some((_, line, text)) = page.first_output(command)
            && let Some(rest) = text.trim().strip_prefix("CUDA Version ")
            && let Some(version) = number::cuda(rest)
        {
            found.see("cuda-toolkit", version, line);
        }
    }
    for (at, _, text) in page.all() {
        if text.contains("\"CUDA NVCC\"") {
            let next = page.lines.iter().skip(at).take(2);
            for (line, value) in next.filter_map(|l| Some((l.number, l.text.split_once("\"version\"")?.1))) {
                if let Some(version) = label::split(value.trim_start())
                    .map_or(Some(value), |(_, v)| Some(v))
                    .map(|v| v.trim_matches([' ', ':', '"', ',']))
                    .and_then(number::cuda)
                {
                    found.see("cuda-toolkit", version, line);
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
        let mut found = Found::of("nvcc");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn cudnns_header_has_three_lines() {
        let lines = Line::all(
            "#define CUDNN_MAJOR 8\n#define CUDNN_MINOR 9\n#define CUDNN_PATCHLEVEL 7\n--\n#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)",
        );
        let mut found = Found::of("cudnn_version.h");
        read_header(&Page::of(&lines), &mut found);
        assert_eq!(found.shown(), ["cudnn=8.9.7@1"]);
    }

    #[test]
    fn the_full_version_is_taken_and_not_the_build() {
        assert_eq!(
            of("Cuda compilation tools, release 11.1, V11.1.105\nBuild cuda_11.1.TC455_06.29190527_0"),
            ["cuda-toolkit=11.1.105@1"]
        );
        assert_eq!(of("Build cuda_12.5.r12.5/compiler.34385749_0"), ["cuda-toolkit=12.5@1"]);
        assert_eq!(
            of("-- Found CUDAToolkit: /usr/local/cuda/include (found version \"12.4.131\")"),
            ["cuda-toolkit=12.4.131@1"]
        );
        assert_eq!(
            of("$ cat /usr/local/cuda/version.txt\nCUDA Version 10.1.243"),
            ["cuda-toolkit=10.1.243@2"]
        );
        assert_eq!(of("== CUDA ==\n\nCUDA Version 12.2.0\n"), [""; 0]);
    }
}
