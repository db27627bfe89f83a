//! Lines of a name and a version and nothing else: `TORCH 2.6.0+cu124`, `xFormers 0.0.22`, and the banners of
//! programs that name several: `Ultralytics YOLOv8.0.89 Python-3.9.16 torch-2.0.0+cu117 CUDA:0 (…)`.

use super::found::Found;
use super::labelled::framework;
use super::page::Page;
use super::{collect_env, number, package};

/// Reads such lines.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
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
