//! Versions that frameworks' messages compare. What a message means is for the signatures; here are its numbers.

use super::found::Found;
use super::page::Page;
use super::{library, number, package};

/// Reads the messages that name versions of what is there.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        if text.contains("cuDNN version") && text.contains("against") {
            torch_cudnn(text, line, found);
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
