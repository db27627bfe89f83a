//! Programs whose few lines name the GPU or the CUDA that they were built with: ggml, deviceQuery, numba, Julia,
//! OpenCV, CMake, nvtop.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "program",
    words: &[
        "Device ",
        "id 0",
        "id 1",
        "library=cuda",
        "CUDA-version: ",
        "compute_capability = ",
        "Runtime Version",
        "global memory",
        "Total VRAM",
        "NVIDIA CUDA:",
        "cuDNN:",
        "GPU arch",
        "CUDA architectures",
        "NVIDIA driver",
        "CUDA driver",
        "CUDA runtime",
        "CUDA toolkit",
        " (sm_",
    ],
    read,
};

/// Reads their lines.
fn read(page: &Page<'_>, found: &mut Found) {
    for (at, line, text) in page.all() {
        let trimmed = text.trim();
        if let Some(rest) = trimmed.strip_prefix("Device ") {
            device(rest, line, found);
        } else if trimmed.contains("library=cuda") || trimmed.contains("library=CUDA") {
            ollama(trimmed, line, found);
        } else if let Some(rest) = trimmed.strip_prefix("CUDA-version: ") {
            darknet(rest, line, found);
        } else if let Some(rest) = trimmed.strip_prefix("compute_capability = ") {
            darknet_gpu(rest, line, found);
        } else if let Some(rest) = trimmed.strip_prefix("id ") {
            // numba: `id 0    b'GeForce RTX 2080'      [SUPPORTED]`
            if let Some((name, _)) = rest.split_once("b'").and_then(|(_, r)| r.split_once('\'')) {
                found.see("gpu", name, line);
            }
        } else if let Some(rest) = trimmed.strip_prefix("CUDA Driver Version / Runtime Version") {
            if let Some(version) = rest.trim().split('/').next().and_then(|v| number::cuda(v.trim())) {
                found.see("cuda-driver-level", version, line);
            }
        } else if let Some(rest) = trimmed.strip_prefix("Total amount of global memory:") {
            if let Some(total) = rest.trim().split_once(" MBytes").map(|(n, _)| n.trim()) {
                found.see("memory-mib", total, line);
            }
        } else if let Some(rest) = trimmed.strip_prefix("Total VRAM ") {
            // ComfyUI: `Total VRAM 24564 MB, total RAM 65457 MB`
            if let Some((total, _)) =
                rest.split_once(" MB").filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()))
            {
                found.see("memory-mib", total, line);
            }
        } else if trimmed.starts_with("NVIDIA CUDA:") || trimmed.starts_with("cuDNN:") {
            opencv(trimmed, line, found);
        } else if let Some(rest) = trimmed.strip_prefix("NVIDIA GPU arch:") {
            arches(rest, line, found);
        } else if let Some((_, rest)) = trimmed.split_once("sing CUDA architectures:") {
            arches(rest, line, found);
        } else {
            julia(page, at, line, trimmed, found);
        }
    }
}

/// `0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes`; deviceQuery's `0: "NVIDIA GeForce RTX 3090"`; nvtop's
/// `0 [NVIDIA GeForce RTX 3090] PCIe`.
fn device(rest: &str, line: usize, found: &mut Found) {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (index, rest) = rest.split_at(end);
    if index.is_empty() {
        return;
    }
    if let Some((name, rest)) = rest.strip_prefix(": ").and_then(|r| r.split_once(", compute capability ")) {
        found.see("gpu", name, line);
        if let Some(capability) = number::dotted_capability(rest) {
            found.see("compute-capability", capability, line);
        }
    } else if let Some(name) = rest.strip_prefix(": \"").and_then(|r| r.strip_suffix('"')) {
        found.see("gpu", name, line);
    } else if let Some((name, _)) = rest
        .strip_prefix(" [")
        .and_then(|r| r.split_once(']'))
        .filter(|(n, _)| n.contains("NVIDIA") || n.contains("Tesla") || n.contains("GeForce"))
    {
        found.see("gpu", name, line);
    }
}

/// darknet: `CUDA-version: 10010 (10020), cuDNN: 7.6.5, GPU count: 1`: the runtime, and in brackets what the driver serves.
fn darknet(rest: &str, line: usize, found: &mut Found) {
    let integer = |text: &str| {
        let digits = number::dotted(text)?.to_owned();
        Some((number::cuda_integer(&digits)?, digits))
    };
    if let Some((version, raw)) = integer(rest) {
        found.made("framework-cuda", &version, &raw, line);
    }
    if let Some((version, raw)) = rest.split_once('(').and_then(|(_, r)| integer(r)) {
        found.made("cuda-driver-level", &version, &raw, line);
    }
    if let Some(version) = rest.split_once("cuDNN: ").and_then(|(_, r)| number::version(r)) {
        found.see("cudnn", version, line);
    }
}

/// `compute_capability = 750, cudnn_half = 1, GPU: GeForce RTX 2070`
fn darknet_gpu(rest: &str, line: usize, found: &mut Found) {
    let digits = number::dotted(rest).unwrap_or("");
    if let Some(capability) = digits.strip_suffix('0').and_then(number::capability) {
        found.made("compute-capability", &capability, digits, line);
    }
    if let Some((_, name)) = rest.split_once("GPU: ") {
        found.see("gpu", name.trim(), line);
    }
}

/// `library=cuda compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3090" total="23.7 GiB"`; later with a description.
fn ollama(text: &str, line: usize, found: &mut Found) {
    let quoted =
        |label: &str| text.split_once(label).and_then(|(_, r)| r.split('"').next()).filter(|n| !n.is_empty());
    if let Some(name) = quoted("description=\"").or_else(|| quoted(" name=\"")) {
        found.see("gpu", name, line);
    }
    if let Some(capability) = text.split_once("compute=").and_then(|(_, r)| number::dotted_capability(r)) {
        found.see("compute-capability", capability, line);
    }
    if let Some(version) = text.split_once(" driver=").and_then(|(_, r)| number::cuda(r)) {
        found.see("cuda-driver-level", version, line);
    }
}

/// `NVIDIA CUDA:  YES (ver 11.4, CUFFT CUBLAS)`, `cuDNN:  YES (ver 8.2.4)`.
fn opencv(text: &str, line: usize, found: &mut Found) {
    let what = if text.starts_with("cuDNN") { "framework-cudnn" } else { "framework-cuda" };
    if let Some(version) = text.split_once("YES (ver ").and_then(|(_, r)| number::version(r)) {
        found.see(what, version, line);
    }
}

/// `50 52 60`, `52;61;70`, `8.6 8.9`.
fn arches(text: &str, line: usize, found: &mut Found) {
    let raw = text.trim();
    let mut out = Vec::new();
    for word in raw.split([' ', ';', ',']).filter(|w| !w.is_empty()) {
        let word = word.trim_end_matches("-real");
        match number::capability(word).or_else(|| number::dotted_capability(word).map(str::to_owned)) {
            Some(arch) => out.push(arch),
            None if word.ends_with("-virtual") => {}
            None => return,
        }
    }
    if !out.is_empty() {
        found.made("framework-arches", &out.join(" "), raw, line);
    }
}

/// `CUDA.versioninfo()`.
fn julia(page: &Page<'_>, at: usize, line: usize, text: &str, found: &mut Found) {
    let near = || {
        page.lines[at.saturating_sub(4)..(at + 5).min(page.lines.len())].iter().any(|l| {
            let l = l.text.trim_start();
            l.starts_with("CUDA runtime ")
                || l.starts_with("CUDA toolkit ")
                || l.starts_with("CUDA libraries:")
                || l.starts_with("Libraries:")
        })
    };
    if let Some(rest) = text.strip_prefix("NVIDIA driver ") {
        if let Some(version) = number::driver(rest) {
            found.see("driver", version, line);
        }
        if let Some(version) = text.split_once("for CUDA ").and_then(|(_, r)| number::cuda(r)) {
            found.see("cuda-driver-level", version, line);
        }
    } else if let Some(version) = text.strip_prefix("CUDA driver ").and_then(number::cuda) {
        if near() {
            found.see("cuda-driver-level", version, line);
        }
    } else if let Some(rest) =
        text.strip_prefix("CUDA runtime ").or_else(|| text.strip_prefix("CUDA toolkit "))
    {
        if let Some(version) = number::cuda(rest).filter(|_| rest.contains("installation")) {
            let what = if rest.contains("local installation") { "cuda-toolkit" } else { "framework-cuda" };
            found.see(what, version, line);
        }
    } else if let Some((head, rest)) = text.split_once(" (sm_")
        && let Some((_, name)) = head.split_once(": ")
    {
        let digits = rest.split([',', ')']).next().unwrap_or("");
        if let Some(capability) = number::capability(digits) {
            found.see("gpu", name, line);
            found.made("compute-capability", &capability, &format!("sm_{digits}"), line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("program");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn lines_about_devices() {
        assert_eq!(
            of("  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes"),
            ["gpu=NVIDIA GeForce RTX 3090@1", "compute-capability=8.6@1"]
        );
        assert_eq!(
            of(
                "Device 0: \"Tesla V100\"\n  CUDA Driver Version / Runtime Version          12.2 / 11.8\n  Total amount of global memory:                 24260 MBytes (25438126080 bytes)"
            ),
            ["gpu=Tesla V100@1", "cuda-driver-level=12.2@2", "memory-mib=24260@3"]
        );
        assert_eq!(
            of("id 0    b'GeForce RTX 2080'                              [SUPPORTED]"),
            ["gpu=GeForce RTX 2080@1"]
        );
    }

    #[test]
    fn darknets_lines() {
        assert_eq!(
            of(
                " CUDA-version: 10010 (10020), cuDNN: 7.6.5, GPU count: 1\n compute_capability = 750, cudnn_half = 1, GPU: GeForce RTX 2070"
            ),
            [
                "framework-cuda=10.1@1",
                "cuda-driver-level=10.2@1",
                "cudnn=7.6.5@1",
                "compute-capability=7.5@2",
                "gpu=GeForce RTX 2070@2"
            ]
        );
    }

    #[test]
    fn builds_and_julia() {
        assert_eq!(
            of(
                "  NVIDIA CUDA:                   YES (ver 11.4, CUFFT CUBLAS)\n    NVIDIA GPU arch:             50 86\n  cuDNN:                         YES (ver 8.2.4)"
            ),
            ["framework-cuda=11.4@1", "framework-arches=5.0 8.6@2", "framework-cudnn=8.2.4@3"]
        );
        assert_eq!(
            of(
                "CUDA runtime 12.3, artifact installation\nCUDA driver 12.3\nNVIDIA driver 545.23.8\n\n1 device:\n  0: NVIDIA GeForce RTX 3090 (sm_86, 22.5 GiB / 24.000 GiB available)"
            ),
            [
                "framework-cuda=12.3@1",
                "cuda-driver-level=12.3@2",
                "driver=545.23.8@3",
                "gpu=NVIDIA GeForce RTX 3090@6",
                "compute-capability=8.6@6"
            ]
        );
    }
}
