//! What loaders find and do not find: `ldd`, `ldconfig -p`, `LD_DEBUG`, `/proc/PID/maps`, `dumpbin /dependents`.

use super::found::Found;
use super::library;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "ldd",
    words: &[
        "=>",
        "trying file=",
        "calling init",
        "r-xp",
        "r--p",
        "following dependencies",
        "delay load",
        "NEEDED",
    ],
    read,
};

/// Reads lines with `=>`, the loader's trace and lists of dependencies.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut dependents = false;
    for (at, line, text) in page.all() {
        let trimmed = text.trim();
        if let Some((name, target)) = trimmed.split_once("=>") {
            arrow(name.trim(), target.trim(), trimmed, line, found);
        } else if let Some((_, path)) = trimmed.split_once("calling init: ") {
            if library::is_gpu_library(path.trim()) {
                found.see("library-loaded", path.trim(), line);
                library::see_versions(path.trim(), path.trim(), line, found);
            }
        } else if let Some((_, path)) = trimmed.split_once("trying file=") {
            tried(page, at, path.trim(), line, found);
        } else if trimmed.contains(" r-xp ") || trimmed.contains(" r--p ") {
            if let Some(path) =
                trimmed.split_whitespace().last().filter(|p| p.starts_with('/') && library::is_gpu_library(p))
            {
                found.see("library-loaded", path, line);
                library::see_versions(path, path, line, found);
            }
        } else if trimmed.starts_with("Image has the following dependencies")
            || trimmed.starts_with("Image has the following delay load")
        {
            dependents = true;
        } else if dependents && library::is_library(trimmed) {
            needed(trimmed, line, found);
        } else if trimmed.contains("NEEDED") && trimmed.contains('[') {
            // readelf -d
            if let Some((name, _)) = trimmed.split_once('[').and_then(|(_, r)| r.split_once(']')) {
                needed(name, line, found);
            }
        } else if !trimmed.is_empty() {
            dependents = false;
        }
    }
}

/// A library that a file says it needs.
fn needed(name: &str, line: usize, found: &mut Found) {
    if let Some(cuda) = library::needed_cuda(name) {
        found.made("framework-cuda", &cuda, name, line);
    }
}

/// `libcudnn.so.7 => /usr/lib/… (0x…)`, `libcublas.so.9.0 => not found`, `libcuda.so.1 (libc6,x86-64) => /usr/…`.
fn arrow(name: &str, target: &str, text: &str, line: usize, found: &mut Found) {
    let cached = name.contains(" (");
    let name = name.split_whitespace().next().unwrap_or("");
    if !library::is_library(library::file(name)) {
        return;
    }
    if !cached {
        needed(name, line, found);
    }
    if target.starts_with("not found") {
        found.see("library-missing", name, line);
        for (stem, error) in [("libcudart.", "cudart-not-loadable"), ("libcudnn", "cudnn-not-loadable")] {
            if name.starts_with(stem) {
                found.made("error", error, text, line);
            }
        }
        return;
    }
    let path = target.split(" (0x").next().unwrap_or(target).trim();
    if path.starts_with('/') && library::is_gpu_library(path) {
        found.see("library-found", path, line);
        let raw = format!("{name} => {path}");
        library::see_versions(path, if text.contains(&raw) { &raw } else { path }, line, found);
    }
}

/// The last file that the loader tried for a library is the one that it took, if it went on to another.
fn tried(page: &Page<'_>, at: usize, path: &str, line: usize, found: &mut Found) {
    let Some((_, next)) = page.line(at + 1) else { return };
    let again =
        next.split_once("trying file=").is_some_and(|(_, p)| library::file(p.trim()) == library::file(path));
    let went_on = next.trim_start().starts_with(|c: char| c.is_ascii_digit()) && next.contains(':');
    let failed = next.contains("search path=") || next.contains("search cache=") || next.contains("error");
    if !again && went_on && !failed && library::is_gpu_library(path) {
        found.see("library-loaded", path, line);
        library::see_versions(path, path, line, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("ldd");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn missing_and_found_libraries() {
        assert_eq!(
            of(
                "\tlibcudart.so.9.0 => not found\n\tlibcudnn.so.7 => /usr/lib/libcudnn.so.7 (0x00007f0243922000)\n\tlibc.so.6 => /lib/libc.so.6 (0x1)"
            ),
            [
                "framework-cuda=9.0@1",
                "library-missing=libcudart.so.9.0@1",
                "error=cudart-not-loadable@1",
                "library-found=/usr/lib/libcudnn.so.7@2",
                "cudnn=7@2"
            ]
        );
        assert_eq!(
            of("\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/wsl/lib/libcuda.so.1"),
            ["library-found=/usr/lib/wsl/lib/libcuda.so.1@1"]
        );
    }

    #[test]
    fn the_loaders_trace() {
        assert_eq!(
            of(
                "  123:\tfind library=libcudnn.so.8 [0]; searching\n  123:\t  trying file=/a/libcudnn.so.8\n  123:\t  trying file=/b/libcudnn.so.8\n  123:\n  123:\tcalling init: /b/libcudnn.so.8"
            ),
            [
                "library-loaded=/b/libcudnn.so.8@3",
                "cudnn=8@3",
                "library-loaded=/b/libcudnn.so.8@5",
                "cudnn=8@5"
            ]
        );
    }
}
