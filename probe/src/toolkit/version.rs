//! The release of a toolkit, by every file that says it.

use super::{DEBIAN, Root};
use crate::Sink;
use crate::place;

/// Tells what is known of the version of a toolkit.
pub(super) fn observe(sink: &mut Sink<'_>, root: &Root) {
    let family = sink.machine.family();
    let debian = root.resolved == DEBIAN;
    // Debian's package has its files in the directories of the system.
    let files = if debian { "/usr/lib/cuda" } else { &root.resolved };
    let mut told = false;
    let json = place::join(family, files, "version.json");
    if let Some(version) = sink.text("cuda-toolkit", &json).as_deref().and_then(of_json) {
        sink.see("cuda-toolkit", version, "version.json", Some(&root.resolved));
        told = true;
    }
    if !told
        && let Some(text) = sink.text("cuda-toolkit", &place::join(family, files, "version.txt"))
        && let Some(version) = of_text(&text)
    {
        sink.see("cuda-toolkit", version, "version.txt", Some(&root.resolved));
        told = true;
    }
    let folder =
        place::name(family, &root.resolved).trim_start_matches("cuda-").trim_start_matches(['v', 'V']);
    if is_version(folder) {
        sink.see("cuda-toolkit", folder, "folder name", Some(&root.resolved));
        told = true;
    }
    // The largest of them, so the last.
    let header =
        if debian { "/usr/include/cuda.h".into() } else { place::join(family, files, "include/cuda.h") };
    if !told
        && let Some(text) = sink.text("cuda-toolkit", &header)
        && let Some(version) = of_header(&text)
    {
        sink.see("cuda-toolkit", version, "header", Some(&root.resolved));
    }
}

/// The compiler that conda installed, by the record of its package: `cuda-nvcc-12.4.131-0.json`.
pub(super) fn of_conda(sink: &mut Sink<'_>, prefix: &str) {
    let directory = place::join(sink.machine.family(), prefix, "conda-meta");
    let result = sink.machine.list(&directory, &|n| conda(n).is_some());
    for name in sink.tried("cuda-toolkit", "conda-meta", &directory, result).unwrap_or_default() {
        if let Some(version) = conda(&name) {
            sink.see("cuda-toolkit", version, "conda-meta", Some(prefix));
        }
    }
}

fn conda(name: &str) -> Option<&str> {
    name.strip_prefix("cuda-nvcc-")?.split('-').next().filter(|v| is_version(v))
}

/// `{"cuda_nvcc": {"version": "12.4.131"}}`. The release of the whole may end in a day, which is no number of it.
fn of_json(text: &str) -> Option<String> {
    let read: serde_json::Value = serde_json::from_str(text).ok()?;
    let version = |part: &str| read.get(part)?.get("version")?.as_str().filter(|v| is_version(v));
    let whole = || {
        let whole = version("cuda")?;
        Some(match whole.rsplit_once('.') {
            Some((release, day)) if day.len() == 8 => release,
            _ => whole,
        })
    };
    version("cuda_nvcc").or_else(whole).map(str::to_owned)
}

/// `CUDA Version 10.2.89`.
fn of_text(text: &str) -> Option<&str> {
    text.split_once("CUDA Version")?.1.split_whitespace().next().filter(|v| is_version(v))
}

/// `#define CUDA_VERSION 11080`.
fn of_header(text: &str) -> Option<String> {
    let number = text.lines().find_map(|line| {
        let mut words = line.trim().strip_prefix('#')?.split_whitespace();
        (words.next() == Some("define") && words.next() == Some("CUDA_VERSION")).then(|| words.next())?
    })?;
    let number: u32 = number.parse().ok().filter(|n| (1000..1_000_000).contains(n))?;
    Some(format!("{}.{}", number / 1000, number % 1000 / 10))
}

/// Numbers with dots between them, two at least.
fn is_version(text: &str) -> bool {
    text.contains('.') && text.split('.').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_version_is_none() {
        assert_eq!(
            of_json(r#"{"cuda_nvcc": {"version": "x"}, "cuda": {"version": "11.8.0"}}"#).as_deref(),
            Some("11.8.0")
        );
        assert_eq!(of_json("[]").or(of_json("{")), None);
        assert_eq!((of_text("CUDA Version"), of_header("#define CUDA_VERSION x")), (None, None));
        assert_eq!(of_header(" # define CUDA_VERSION 9020").as_deref(), Some("9.2"));
    }
}
