//! `torch.__config__.show()`, as MMCV, detectron2 and others print it.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "torch.__config__",
    words: &["CUDA Runtime", "CuDNN ", "architecture flags", "Build settings"],
    read,
};

/// `- CUDA Runtime 11.3`, `- CuDNN 8.2`, the flags given to nvcc, the settings of the build.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let text = text.trim();
        if let Some(version) = text.strip_prefix("- CUDA Runtime ").and_then(number::cuda) {
            found.see("framework-cuda", version, line);
        } else if let Some(version) = text.strip_prefix("- CuDNN ").and_then(shown) {
            found.made("cudnn", &version.1, version.0, line);
        } else if let Some(version) = text.strip_prefix("- Built with CuDNN ").and_then(shown) {
            found.made("framework-cudnn", &version.1, version.0, line);
        } else if let Some(flags) = text.strip_prefix("- NVCC architecture flags: ") {
            let code: String = flags
                .split("code=")
                .skip(1)
                .map(|f| f.split(';').next().unwrap_or(f))
                .collect::<Vec<_>>()
                .join(" ");
            if let Some(arches) = number::arches(&code) {
                found.made("framework-arches", &arches, flags, line);
            }
        } else if text.contains("Build settings:")
            && let Some((_, rest)) = text.split_once("CUDNN_VERSION=")
            && let Some(version) = number::version(rest)
        {
            found.see("framework-cudnn", version, line);
        }
    }
}

/// cuDNN as it is shown: from 9 on the integer divided by a thousand, so `90.1` is 9.1.
fn shown(text: &str) -> Option<(&str, String)> {
    let raw = number::version(text)?;
    match raw.split_once('.') {
        Some(("90", minor)) if minor.len() == 1 => Some((raw, format!("9.{minor}"))),
        _ => Some((raw, raw.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn builds_are_read() {
        let lines = Line::all(
            "  - CUDA Runtime 11.3\n  - NVCC architecture flags: -gencode;arch=compute_37,code=sm_37;-gencode;arch=compute_86,code=sm_86\n  - CuDNN 8.2\n  - Build settings: BLAS_INFO=mkl, CUDA_VERSION=11.3, CUDNN_VERSION=8.2.0, X=1",
        );
        let mut found = Found::of("torch");
        read(&Page::of(&lines), &mut found);
        assert_eq!(
            found.shown(),
            ["framework-cuda=11.3@1", "framework-arches=3.7 8.6@2", "cudnn=8.2@3", "framework-cudnn=8.2.0@4"]
        );
    }
}
