//! nvcc, and what says which toolkit is installed.

use super::found::Found;
use super::page::Page;
use super::{label, number};

/// `Cuda compilation tools, release 11.1, V11.1.105`.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
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
