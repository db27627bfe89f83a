//! Library files: `cudnn64_8.dll`, `cudart64_110.dll`, `libcublas.so.12`, `libcuda.so.1`.
//!
//! Source: relations `runtime-library` and `cudnn-files`; without them the grammar of the names alone.

use super::library_names::{DRIVER, FIXED, Library, NUMBERED, Numbering};
use super::name::Name;
use super::text::{self, Cuda};
use super::{Decoded, Meaning, lookup};
use crate::kb::Kb;
use crate::version::Dotted;

/// A name taken apart: what stands before the number, and the number.
struct Split<'a> {
    windows: bool,
    /// Lower case, without `lib` and `64`.
    stem: &'a str,
    /// `8`, `110`, `12.4.5.8`, `120_0`; empty when there is none.
    number: &'a str,
    /// The 64 of Windows names.
    bits: bool,
    /// The second copy that NVRTC's wheels carry: `libnvrtc.alt.so.12`.
    alt: bool,
}

/// Reads a library's file name, whatever its case.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    if let Some((file, component, sentence)) = FIXED.iter().find(|(f, _, _)| *f == name.lower) {
        let mut out = Decoded::new("library", sentence);
        out.values.push(("file", (*file).to_owned()));
        out.say("component", *component);
        out.mean("os", if file.ends_with(".dll") { "windows" } else { "linux" });
        if *component == "torch" || *component == "onnxruntime-gpu" {
            out.mean("package", *component);
        }
        out.spelled((*file).to_owned(), &name.file);
        return Some(out);
    }
    let split = split(&name.lower)?;
    if !split.windows && DRIVER.contains(&split.stem) {
        return driver(&split, name);
    }
    if split.stem == "cudnn" || split.stem.starts_with("cudnn_") {
        return cudnn(kb, &split, name);
    }
    let library = NUMBERED.iter().find(|l| l.stem.eq_ignore_ascii_case(split.stem))?;
    numbered(kb, library, &split, name)
}

fn split(lower: &str) -> Option<Split<'_>> {
    if let Some(rest) = lower.strip_prefix("lib") {
        let at = rest.find(".so")?;
        let (stem, tail) = (&rest[..at], &rest[at + 3..]);
        let number = match tail.strip_prefix('.') {
            Some(number) => number,
            None if tail.is_empty() => "",
            None => return None,
        };
        let (stem, alt) = without_alt(stem);
        let fine = number.is_empty() || number.parse::<Dotted>().is_ok();
        return (fine && !stem.is_empty()).then_some(Split {
            windows: false,
            stem,
            number,
            bits: false,
            alt,
        });
    }
    let rest = lower.strip_suffix(".dll")?;
    let (rest, alt) = without_alt(rest);
    // The number: the groups of digits (and dots) at the end that underscores separate.
    let mut start = rest.len();
    for _ in 0..2 {
        let Some((head, tail)) = rest[..start].rsplit_once('_') else { break };
        if tail.is_empty() || !tail.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            break;
        }
        start = head.len();
    }
    let (stem, number) = (&rest[..start], rest[start..].trim_start_matches('_'));
    let (stem, bits) = match stem.strip_suffix("64") {
        Some(s) => (s, true),
        None => (stem, false),
    };
    (!stem.is_empty()).then_some(Split { windows: true, stem, number, bits, alt })
}

fn without_alt(text: &str) -> (&str, bool) {
    match text.strip_suffix(".alt") {
        Some(rest) => (rest, true),
        None => (text, false),
    }
}

/// The name as it is written by its publisher.
fn spelling(split: &Split, stem: &str) -> String {
    let alt = if split.alt { ".alt" } else { "" };
    if split.windows {
        let number = if split.number.is_empty() { String::new() } else { format!("_{}", split.number) };
        format!("{stem}{}{number}{alt}.dll", if split.bits { "64" } else { "" })
    } else {
        let number = if split.number.is_empty() { String::new() } else { format!(".{}", split.number) };
        format!("lib{stem}{alt}.so{number}")
    }
}

fn os(split: &Split) -> &'static str {
    if split.windows { "windows" } else { "linux" }
}

fn driver(split: &Split, name: &Name) -> Option<Decoded> {
    let mut out = Decoded::new("library", "decode-library-driver");
    let file = spelling(split, split.stem);
    out.values.push(("file", file.clone()));
    out.say("component", "nvidia-driver");
    out.mean("os", "linux");
    let version: Option<Dotted> = split.number.parse().ok();
    if let Some(version) = version.filter(|v| v.len() >= 2 && v.major() >= 100) {
        out.mean("driver", version.to_string());
        out.note("decode-library-of-driver", "driver", version.to_string());
    }
    out.spelled(file, &name.file);
    Some(out)
}

fn cudnn(kb: &Kb, split: &Split, name: &Name) -> Option<Decoded> {
    if split.windows && !split.bits {
        return None;
    }
    let file = spelling(split, split.stem);
    let mut out = Decoded::new("library", "decode-library");
    out.values.push(("file", file.clone()));
    out.say("component", "cudnn");
    out.mean("os", os(split));
    if let Some(part) = split.stem.strip_prefix("cudnn_") {
        out.mean("part", part);
    }
    let version: Option<Dotted> = split.number.parse().ok();
    if let Some(version) = version {
        let major = version.major();
        out.mean("cudnn_major", u64::from(major));
        out.note("decode-library-cudnn-major", "major", major.to_string());
        if version.len() >= 3 {
            out.mean("cudnn", version.to_string());
        }
        let short = spelling(&Split { number: &major.to_string(), ..*split }, split.stem);
        let rows = kb.facts_of("cudnn-files").filter(|(id, _)| {
            lookup::integer(kb, *id, "major") == Some(u64::from(major))
                && lookup::text(kb, *id, "os").as_deref() == Some(os(split))
        });
        let files: Vec<String> = rows
            .flat_map(|(id, _)| {
                lookup::list(kb, id, "files").into_iter().chain(lookup::list(kb, id, "later"))
            })
            .collect();
        if !files.is_empty() {
            // Names of both systems may stand in one cell: "libcudnn_ext.so.9 / cudnn_ext64_9.dll".
            let known = files.iter().any(|f| f.split('/').any(|f| f.trim() == short));
            out.mean("known", known);
            if !known {
                out.notes.push((
                    "decode-library-not-in-cudnn",
                    vec![("file", file.clone()), ("major", major.to_string())],
                ));
            } else if files.len() > 1 {
                out.note("decode-library-cudnn-set", "files", files.join(", "));
                out.mean("files", files);
            }
        }
        if major == 8 && split.windows {
            out.notes.push(("decode-library-cudnn-zlib", Vec::new()));
        }
    }
    let packages = packages_of(kb, "nvidia-cudnn");
    package_note(&mut out, packages);
    out.spelled(file, &name.file);
    Some(out)
}

/// Packages of the catalogue that are `base` with a CUDA major version: `nvidia-nccl-cu12` and its siblings.
fn packages_of(kb: &Kb, base: &str) -> Vec<String> {
    let numbered = |id: &str| {
        id.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.strip_prefix("-cu").is_some_and(text::digits))
    };
    kb.packages.iter().filter(|p| numbered(&p.id)).map(|p| p.id.to_string()).collect()
}

fn package_note(out: &mut Decoded, packages: Vec<String>) {
    if packages.is_empty() {
        return;
    }
    let id = if packages.len() == 1 { "decode-library-package" } else { "decode-library-packages" };
    out.note(id, "package", packages.join(", "));
    out.mean("package", packages);
}

fn numbered(kb: &Kb, library: &Library, split: &Split, name: &Name) -> Option<Decoded> {
    let is_tensorrt = library.component == "tensorrt";
    // On Windows all but TensorRT's and nvJitLink have the 64, and all but old TensorRT's a number.
    if split.windows && !split.bits && !is_tensorrt && library.stem != "nvJitLink" {
        return None;
    }
    if split.windows && split.number.is_empty() && !is_tensorrt {
        return None;
    }
    let file = spelling(split, library.stem);
    let mut out = Decoded::new("library", "decode-library");
    out.values.push(("file", file.clone()));
    out.say("component", library.component);
    out.mean("os", os(split));

    let (packages, majors) = in_wheels(kb, library, split);
    let cuda = match library.numbering {
        Numbering::Cuda => cuda(library.stem, split.number),
        Numbering::Own => None,
    };
    if let Some(cuda) = &cuda {
        out.cuda(cuda);
    } else if !majors.is_empty() {
        let shown: Vec<String> = majors.iter().map(|m| format!("{m}.x")).collect();
        out.note("decode-for-cuda", "cuda", shown.join(", "));
        match majors[..] {
            [one] => out.mean("cuda_major", one),
            _ => out.mean("cuda_major", Meaning::List(majors.iter().map(u64::to_string).collect())),
        }
    }
    if let Some(version) = split.number.parse::<Dotted>().ok().filter(|_| library.numbering == Numbering::Own)
    {
        out.mean("library_major", u64::from(version.major()));
        if is_tensorrt {
            out.mean("tensorrt_major", u64::from(version.major()));
        } else if library.component != "nccl" {
            out.note("decode-library-own-number", "major", version.major().to_string());
        }
    }
    let packages = match (packages.is_empty(), &cuda, library.package) {
        (false, _, _) => packages,
        (_, Some(cuda), package) if cuda.major() >= 13 => vec![package.to_owned()],
        (_, Some(cuda), package) if cuda.major() >= 11 => vec![format!("{package}-cu{}", cuda.major())],
        (_, _, "nvidia-nccl") => packages_of(kb, "nvidia-nccl"),
        _ => Vec::new(),
    };
    package_note(&mut out, packages);
    out.spelled(file, &name.file);
    Some(out)
}

/// The wheels that carry the file, and their CUDA major versions; a full version is looked up by its shorter names.
fn in_wheels(kb: &Kb, library: &Library, split: &Split) -> (Vec<String>, Vec<u64>) {
    let (mut packages, mut majors) = (Vec::new(), Vec::new());
    let mut number = split.number;
    loop {
        let file = spelling(&Split { number, ..*split }, library.stem);
        for (id, _) in kb.facts_of("runtime-library") {
            if lookup::list(kb, id, "files").iter().any(|f| f.eq_ignore_ascii_case(&file)) {
                lookup::text(kb, id, "package").into_iter().for_each(|p| lookup::add(&mut packages, p));
                if let Some(major) = lookup::integer(kb, id, "cuda-major").filter(|m| !majors.contains(m)) {
                    majors.push(major);
                }
            }
        }
        match number.rsplit_once('.') {
            Some((shorter, _)) if packages.is_empty() => number = shorter,
            _ => break,
        }
    }
    majors.sort_unstable();
    (packages, majors)
}

/// The CUDA that a library's number names.
///
/// From CUDA 11 on the number stays the same for a whole major version (`cudart64_110.dll` is in 11.0 to 11.8,
/// `nvrtc64_112_0.dll` in 11.2 to 11.8); only `nvrtc-builtins` changes with each release.
fn cuda(stem: &str, number: &str) -> Option<Cuda> {
    let first = number.split('_').next()?;
    if let Ok(v) = first.parse::<Dotted>()
        && v.len() >= 3
    {
        // A file's full version; cuBLAS has its own below the major version.
        return match stem {
            "cudart" | "nvrtc" | "nvrtc-builtins" | "nvJitLink" => text::cuda(&v.prefix(2).to_string()),
            _ => text::cuda(&v.major().to_string()),
        };
    }
    let exact =
        |release: &str| stem == "nvrtc-builtins" || (stem == "nvrtc" && matches!(release, "11.0" | "11.1"));
    match text::cuda(first)? {
        Cuda::Release(r) if !exact(&r) && Cuda::Release(r.clone()).major() >= 11 => {
            Some(Cuda::Major(Cuda::Release(r).major()))
        }
        other => Some(other),
    }
}
