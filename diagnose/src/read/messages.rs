//! Versions that frameworks' messages compare. What a message means is for the signatures; here are its numbers.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{library, number, package};

pub(super) const READER: Reader = Reader {
    tool: "message",
    words: &[
        "cuDNN version",
        "(you have ",
        "CUDA capability sm_",
        "supports CUDA capabilities",
        "too old (found version",
        "was linked against cuDNN",
        "ompute Capability",
        "compute capability among",
        "highest_compute",
        "cannot open shared",
        "dynamic library",
        "ould not find 'cud",
    ],
    read,
};

/// Reads the messages that name versions of what is there.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        if text.contains("cuDNN version") && text.contains("against") {
            torch_cudnn(text, line, found);
        } else if text.contains("was linked against cuDNN ") {
            pair("framework-cudnn", "linked against cuDNN ", text, line, found);
            pair("cudnn", "loaded cuDNN ", text, line, found);
        } else if text.contains("with CUDA capability sm_") || text.contains("supports CUDA capabilities") {
            torch_capability(text, line, found);
        } else if let Some((_, rest)) = text.split_once("too old (found version ") {
            if let Some((raw, _)) = rest.split_once(')')
                && let Some(version) = number::cuda_integer(raw)
            {
                found.made("cuda-driver-level", &version, raw, line);
            }
        } else if text.contains("(you have ") {
            xformers(text, line, found);
        } else if text.contains("ompute")
            && (text.contains("CUDA SETUP")
                || text.contains("PyTorch settings")
                || text.contains("CUDASpecs"))
        {
            bitsandbytes(text, line, found);
        } else if ["cannot open shared object file", "ould not load dynamic library", "ould not find 'cud"]
            .iter()
            .any(|m| text.contains(m))
        {
            needed(text, line, found);
        }
    }
}

/// `compiled against 7102 but linked against 7301`,
/// `compiled  against (8, 5, 0) but found runtime version (8, 4, 1)`.
fn torch_cudnn(text: &str, line: usize, found: &mut Found) {
    let text = text.split_once("compiled").map_or(text, |(_, rest)| rest);
    pair("framework-cudnn", "against", text, line, found);
    if let Some((_, rest)) = text.split_once("linked") {
        pair("cudnn", "against", rest, line, found);
    }
    pair("cudnn", "found runtime version", text, line, found);
}

/// `NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible …`,
/// `The current PyTorch install supports CUDA capabilities sm_50 sm_60 …`.
fn torch_capability(text: &str, line: usize, found: &mut Found) {
    if let Some((head, rest)) = text.split_once(" with CUDA capability sm_") {
        let digits = rest.split(' ').next().unwrap_or("");
        if let Some(capability) = number::capability(digits) {
            let name = head.rsplit([':', '\t']).next().unwrap_or(head).trim();
            if !name.is_empty() && name.len() < 60 {
                found.see("gpu", name, line);
            }
            found.made("compute-capability", &capability, &format!("sm_{digits}"), line);
        }
    }
    if let Some((_, list)) = text.split_once("supports CUDA capabilities ") {
        let list = list.split(". ").next().unwrap_or(list).trim_end_matches('.');
        if let Some(arches) = number::arches(list) {
            found.made("framework-arches", &arches, list, line);
        }
    }
}

/// `PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.1.2+cpu)`, `Python  3.10.11 (you have 3.10.8)`: what it was built for
/// stands first.
fn xformers(text: &str, line: usize, found: &mut Found) {
    let Some((built, rest)) = text.trim().split_once("(you have ") else { return };
    let Some(version) = number::release(rest) else { return };
    if built.starts_with("PyTorch") {
        package::see(found, "torch", version, line);
    } else if built.starts_with("Python") {
        found.see("python", version, line);
    }
}

/// `PyTorch settings found: CUDA_VERSION=117, Highest Compute Capability: 7.5.`
fn bitsandbytes(text: &str, line: usize, found: &mut Found) {
    for (words, digits) in [("CUDA_VERSION=", true), ("cuda_version_string='", true)] {
        let Some((_, rest)) = text.split_once(words) else { continue };
        if let Some(raw) = number::dotted(rest).filter(|_| digits)
            && let Some(version) = number::cuda_tag(&format!("cu{raw}"))
        {
            found.made("framework-cuda", &version, raw, line);
        }
    }
    for words in ["ompute Capability: ", "GPUs detected: ", "highest_compute_capability="] {
        let Some((_, rest)) = text.split_once(words) else { continue };
        if let Some(capability) = number::dotted_capability(rest) {
            found.see("compute-capability", capability, line);
        } else if let Some((raw, capability)) = number::tuple_capability(rest) {
            found.made("compute-capability", &capability, raw, line);
        }
    }
}

/// Before CUDA 11 the libraries that a framework asks for name the release it was built with.
fn needed(text: &str, line: usize, found: &mut Found) {
    let first = text.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';')).find_map(|word| {
        let name = word.trim_end_matches([':', ',', '.']);
        Some((name, library::named_release(library::file(name))?))
    });
    if let Some((name, cuda)) = first {
        found.made("framework-cuda", &cuda, name, line);
    }
}

fn pair(what: &str, words: &str, text: &str, line: usize, found: &mut Found) {
    let Some((_, rest)) = text.split_once(words) else { return };
    let rest = rest.trim_start();
    if let Some((inside, _)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
        let version: Vec<&str> = inside.split(',').map(str::trim).collect();
        if version.len() == 3
            && version.iter().all(|p| !p.is_empty() && p.len() < 4 && p.bytes().all(|b| b.is_ascii_digit()))
        {
            found.made(what, &version.join("."), &format!("({inside})"), line);
        }
    } else if let Some((raw, version)) = number::cudnn(rest) {
        found.made(what, &version, raw, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("torch");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn what_is_there_stands_behind_what_was_built_for() {
        assert_eq!(
            of(
                "    PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.1.2+cpu)\n    Python  3.10.11 (you have 3.10.8)"
            ),
            ["package:torch=2.1.2+cpu@1", "python=3.10.8@2"]
        );
        assert_eq!(
            of("CUDA SETUP: PyTorch settings found: CUDA_VERSION=117, Highest Compute Capability: 7.5."),
            ["framework-cuda=11.7@1", "compute-capability=7.5@1"]
        );
        assert_eq!(
            of("PyTorch settings found: CUDA_VERSION=124, Highest Compute Capability: (8, 6)."),
            ["framework-cuda=12.4@1", "compute-capability=8.6@1"]
        );
    }

    #[test]
    fn capabilities_that_torch_names() {
        assert_eq!(
            of(
                "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_90."
            ),
            ["gpu=NVIDIA GeForce RTX 5090@1", "compute-capability=12.0@1", "framework-arches=5.0 9.0@2"]
        );
        assert_eq!(
            of("The NVIDIA driver on your system is too old (found version 11040). Please"),
            ["cuda-driver-level=11.4@1"]
        );
        assert_eq!(
            of("[W] [TRT] TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.5.0"),
            ["framework-cudnn=8.6.0@1", "cudnn=8.5.0@1"]
        );
    }

    #[test]
    fn old_libraries_name_the_release() {
        assert_eq!(
            of("ImportError: libcublas.so.9.0: cannot open shared object file: No such file or directory"),
            ["framework-cuda=9.0@1"]
        );
        assert_eq!(
            of(
                "W dso_loader.cc:55] Could not load dynamic library 'cudart64_101.dll'; dlerror: cudart64_101.dll not found"
            ),
            ["framework-cuda=10.1@1"]
        );
        assert_eq!(
            of(
                "libcudart.so.11.0: cannot open shared object file\nlibcublas.so.10: cannot open shared object file"
            ),
            [""; 0]
        );
    }

    #[test]
    fn both_sides_are_read() {
        assert_eq!(
            of(
                "RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7102 but linked against 7301"
            ),
            ["framework-cudnn=7.1.2@1", "cudnn=7.3.1@1"]
        );
        assert_eq!(
            of(
                "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 5, 0) but found runtime version (8, 4, 1). PyTorch"
            ),
            ["framework-cudnn=8.5.0@1", "cudnn=8.4.1@1"]
        );
    }
}
