//! Jetson: /etc/nv_tegra_release, jetson_release, jtop.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number, platform_text};

pub(super) const READER: Reader = Reader {
    tool: "jetson",
    words: &["REVISION:", "L4T", "nvidia-l4t-core", "Jetpack", "CUDA Arch BIN", "-tegra"],
    read,
};

/// Reads the L4T release and the libraries that JetPack's tools list.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut tool: Option<usize> = None;
    for (at, line, text) in page.all() {
        let text = text.trim();
        if let Some((_, rest)) = text.split_once("# R").filter(|(_, r)| r.contains("REVISION:")) {
            let major = number::dotted(rest);
            let revision = rest.split_once("REVISION:").and_then(|(_, r)| number::dotted(r.trim_start()));
            if let (Some(major), Some(revision)) = (major, revision) {
                let raw = text.split(", GCID").next().unwrap_or(text);
                found.made("l4t", &format!("{major}.{revision}"), raw, line);
            }
            continue;
        }
        if let Some((_, rest)) = text.split_once("L4T ")
            && let Some(version) = number::version(rest.trim_start_matches(['R', ':', ' ']))
        {
            found.see("l4t", version, line);
            tool = Some(at);
        }
        if text.contains("nvidia-l4t-core") && text.split_whitespace().count() > 1 {
            if let Some(version) = text.split_whitespace().skip(1).find_map(number::version) {
                found.see("l4t", version, line);
            }
            continue;
        }
        let inside = tool.is_some_and(|t| at < t + 40);
        let Some((name, value)) = label::split(text) else {
            bullet(text, line, inside, found);
            continue;
        };
        match name {
            "L4T" => {
                if let Some(version) = number::version(value) {
                    found.see("l4t", version, line);
                }
                tool = Some(at);
            }
            "Jetpack" | "JetPack" => tool = Some(at),
            "Distribution" if value.bytes().any(|b| b.is_ascii_digit()) => found.see("os", value, line),
            // The tool's raw file stands below what it made of it, so the section may come before any L4T.
            "Release" if value.contains("tegra") => platform_text::see_kernel(value, line, found),
            "CUDA" if inside => {
                if let Some(version) = number::cuda(value) {
                    found.see("cuda-toolkit", version, line);
                }
            }
            "cuDNN" if inside => {
                if let Some(version) = number::version(value) {
                    found.see("cudnn", version, line);
                }
            }
            "CUDA Arch BIN" => {
                if let Some(capability) = number::dotted_capability(value) {
                    found.see("compute-capability", capability, line);
                }
            }
            _ => {}
        }
    }
}

/// `* CUDA 10.2.300`, `* cuDNN 8.2.1.32-1+cuda10.2`, `* CUDA GPU architecture 5.3` of the tool's first releases.
fn bullet(text: &str, line: usize, inside: bool, found: &mut Found) {
    let Some(text) = text.strip_prefix("* ").or_else(|| text.strip_prefix("- ")).filter(|_| inside) else {
        return;
    };
    if let Some(capability) = text.strip_prefix("CUDA GPU architecture ").and_then(number::dotted_capability)
    {
        found.see("compute-capability", capability, line);
    } else if let Some(version) = text.strip_prefix("CUDA ").and_then(number::cuda) {
        found.see("cuda-toolkit", version, line);
    } else if let Some(version) = text.strip_prefix("cuDNN ").and_then(number::version) {
        found.see("cudnn", version, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn the_first_layout_has_no_colons() {
        let lines = Line::all(
            " - NVIDIA Jetson NANO/TX1\n   * Jetpack UNKNOWN [L4T 32.7.2]\n   * CUDA GPU architecture 5.3\n - Libraries:\n   * CUDA 10.2.300\n   * cuDNN 8.2.1.32-1+cuda10.2",
        );
        let mut found = Found::of("jetson_release");
        read(&Page::of(&lines), &mut found);
        assert_eq!(
            found.shown(),
            ["l4t=32.7.2@2", "compute-capability=5.3@3", "cuda-toolkit=10.2.300@5", "cudnn=8.2.1.32@6"]
        );
    }

    #[test]
    fn the_platform_of_jtop() {
        let lines = Line::all(
            "--- PLATFORM ---\nMachine: aarch64\nDistribution: Ubuntu 20.04 focal\nRelease: 5.10.104-tegra\n# R35 (release), REVISION: 3.1, GCID: 1",
        );
        let mut found = Found::of("jetson_release");
        read(&Page::of(&lines), &mut found);
        assert_eq!(found.shown(), ["os=Ubuntu 20.04 focal@3", "kernel=5.10.104-tegra@4", "l4t=35.3.1@5"]);
    }

    #[test]
    fn releases_of_l4t() {
        let lines = Line::all(
            "# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref, EABI: aarch64\n - Jetpack: 5.1.2 [L4T 35.4.1]\n   - CUDA: 11.4.315\n   - cuDNN: 8.6.0.166",
        );
        let mut found = Found::of("jetson_release");
        read(&Page::of(&lines), &mut found);
        assert_eq!(
            found.shown(),
            ["l4t=35.4.1@1", "l4t=35.4.1@2", "cuda-toolkit=11.4.315@3", "cudnn=8.6.0.166@4"]
        );
    }
}
