//! Lines of a name and a version and nothing else: `TORCH 2.6.0+cu124`, `xFormers 0.0.22`, and the banners of
//! programs that name several: `Ultralytics YOLOv8.0.89 Python-3.9.16 torch-2.0.0+cu117 CUDA:0 (…)`.

use super::found::Found;
use super::labelled::framework;
use super::page::Page;
use super::readers::Reader;
use super::{collect_env, number, package};

pub(super) const READER: Reader = Reader {
    tool: "version",
    words: &[
        "torch",
        "ORT ",
        "tensorflow",
        "paddle",
        "jax",
        "cupy",
        "xformers",
        "onnxruntime",
        "vllm",
        "tf ",
    ],
    read,
};

/// Reads such lines.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let text = text.trim();
        let mut words = text.split_whitespace();
        if let (Some(name), Some(version), None) = (words.next(), words.next(), words.next())
            && let Some(package) = framework(name)
            && number::is_release(version)
            && version.contains('.')
            && !text.contains("  ")
        {
            package::see(found, package, version, line);
        } else if text.contains("torch-") && text.contains("ython-") {
            banner(text, line, found);
        } else if let Some((package, version)) = announced(text) {
            package::see(found, package, version, line);
        } else {
            pairs(text, line, found);
        }
    }
}

/// `PyTorch version 2.4.1+cpu Found.`, `TensorFlow version 2.13.0 available.`: what Hugging Face's and ModelScope's
/// libraries log at their start.
fn announced(text: &str) -> Option<(&'static str, &str)> {
    let head = text.strip_suffix(" Found.").or_else(|| text.strip_suffix(" available."))?;
    let (head, version) = head.rsplit_once(" version ")?;
    let package = framework(head.rsplit(' ').next()?)?;
    (number::is_release(version) && version.contains('.')).then_some((package, version))
}

/// `torch 1.7.1 cuda 11.0 torchvision 0.8.2`: a line that is nothing but names with their versions, two at least.
fn pairs(text: &str, line: usize, found: &mut Found) {
    let text = text
        .split_once([':', '：'])
        .filter(|(label, rest)| label.len() < 30 && !rest.contains([':', '：']))
        .map_or(text, |(_, rest)| rest);
    if text.len() > 200 {
        return;
    }
    let words: Vec<&str> = text.split([' ', ',', '，', '/', ';']).filter(|w| !w.is_empty()).collect();
    if words.len() < 4 || !words.len().is_multiple_of(2) {
        return;
    }
    let all = words.chunks(2).all(|p| {
        let named = framework(p[0]).is_some()
            || matches!(p[0].to_ascii_lowercase().as_str(), "cuda" | "cudnn" | "python" | "driver");
        named && number::is_release(p[1]) && p[1].contains('.')
    });
    if !all {
        return;
    }
    for pair in words.chunks(2) {
        if let Some(package) = framework(pair[0]) {
            package::see(found, package, pair[1], line);
        } else if pair[0].eq_ignore_ascii_case("python") && collect_env::python(pair[1]).is_some() {
            found.see("python", pair[1], line);
        }
    }
}

fn banner(text: &str, line: usize, found: &mut Found) {
    for word in text.split_whitespace() {
        if let Some(version) = word.strip_prefix("torch-").and_then(number::release) {
            package::see(found, "torch", version, line);
        } else if let Some(version) = word.strip_prefix("Python-").and_then(collect_env::python) {
            found.see("python", version, line);
        }
    }
    // `CUDA:0 (Tesla T4, 15110MiB)`
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("CUDA:") {
        rest = after;
        let Some((inside, _)) =
            after.split_once('(').and_then(|(n, r)| n.trim().parse::<u32>().ok().and(r.split_once(')')))
        else {
            continue;
        };
        let (name, memory) = inside.split_once(", ").map_or((inside, None), |(n, m)| (n, Some(m)));
        found.see("gpu", name, line);
        if let Some(total) = memory
            .and_then(|m| m.strip_suffix("MiB").or_else(|| m.strip_suffix("MB")))
            .and_then(number::dotted)
        {
            found.see("memory-mib", total.split('.').next().unwrap_or(total), line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn people_write_pairs() {
        let lines = Line::all(
            "环境: torch 1.7.1 cuda 11.0 torchvision 0.8.2\nthis needs torch 2.0 or newer\ntorch 1.7.1 is too old",
        );
        let mut found = Found::of("test");
        read(&Page::of(&lines), &mut found);
        assert_eq!(found.shown(), ["package:torch=1.7.1@1", "package:torchvision=0.8.2@1"]);
    }

    #[test]
    fn banners_name_several_things() {
        let lines = Line::all(
            "ORT 1.22.1\nUltralytics YOLOv8.0.89  Python-3.9.16 torch-2.0.0+cu117 CUDA:0 (NVIDIA GeForce RTX 3050, 8192MiB)\nstep 2.5",
        );
        let mut found = Found::of("test");
        read(&Page::of(&lines), &mut found);
        assert_eq!(
            found.shown(),
            [
                "package:onnxruntime=1.22.1@1",
                "python=3.9.16@2",
                "package:torch=2.0.0+cu117@2",
                "framework-cuda=11.7@2",
                "gpu=NVIDIA GeForce RTX 3050@2",
                "memory-mib=8192@2"
            ]
        );
    }
}
