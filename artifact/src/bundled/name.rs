//! What the file name of one of CUDA's libraries says.

use crate::code::is_nvidia;
use crate::library::is_library;
use crate::stated::Said;

/// A name, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Which library: `cudart`, `cublasLt`, `cudnn_ops_infer`, `nvrtc-builtins`.
    pub library: String,
    /// The version in the name: `11.0` of `libcudart.so.11.0` and of `cudart64_110.dll`. `None` for `libcudart.so`.
    pub version: Option<Said>,
    /// Is that the version of the file? Else it is the one that programs ask for, which many releases share.
    pub whole: bool,
}

/// Takes a file name, with or without directories before it, apart; `None` if it is not one of CUDA's libraries.
///
/// `libcudart-d0da41ae.so.11.0` has a checksum that wheel-repair tools put there. The name of the compiler's built-in
/// headers, `nvrtc-builtins`, has the release of CUDA that they belong to, also within a major: that one is whole.
pub fn name(path: &str) -> Option<Name> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if !is_library(file) || !is_nvidia(file) {
        return None;
    }
    let (library, version) = match file.len().checked_sub(4).and_then(|at| file.split_at_checked(at)) {
        Some((stem, end)) if end.eq_ignore_ascii_case(".dll") => dll(stem),
        _ => {
            let (stem, version) = file.split_once(".so")?;
            let stem = stem.strip_prefix("lib").unwrap_or(stem);
            let version = version.strip_prefix('.').filter(|v| numbers(v)).map(Said::plain);
            (without_checksum(stem).to_owned(), version)
        }
    };
    let count = version.as_ref().map_or(0, |v| v.value.split('.').count());
    let whole = count >= 3 || count == 2 && library == "nvrtc-builtins";
    Some(Name { library, version, whole })
}

/// Is the file at `path` the one that is listed as `file`: the same library of the same major, whatever follows that?
pub fn is_same(file: &str, path: &str) -> bool {
    let parts = |text: &str| {
        let name = name(text)?;
        let major = name.version.as_ref().map(|v| v.value.split('.').next().unwrap_or_default().to_owned());
        Some((name.library.to_ascii_lowercase(), major))
    };
    match (parts(file), parts(path)) {
        // `libcudnn.so` alone says no major, and may be any.
        (Some((a, major)), Some((b, other))) => a == b && (other.is_none() || major == other),
        _ => false,
    }
}

/// `cudart64_110`, `cublasLt64_12`, `nvrtc64_112_0`, `nvrtc64_120_0.alt`, `nvJitLink_120_0`, `cusparseLt_13`,
/// `cupti64_2023.1.1`, `nvToolsExt64_1`.
fn dll(stem: &str) -> (String, Option<Said>) {
    let (stem, alternative) = match stem.strip_suffix(".alt") {
        Some(stem) => (stem, ".alt"),
        None => (stem, ""),
    };
    let plain = |stem: &str| {
        let stem = stem.strip_suffix("64").or_else(|| stem.strip_suffix("32")).unwrap_or(stem);
        format!("{stem}{alternative}")
    };
    // The number that follows is nvrtc's and nvJitLink's own, always 0.
    let front = stem.strip_suffix("_0").filter(|s| s.contains('_')).unwrap_or(stem);
    let bits = front
        .split_once("64_")
        .map(|(library, digits)| (front.get(..library.len() + 2).unwrap_or(library), digits));
    let number = |(_, digits): &(&str, &str)| digits.starts_with(|c: char| c.is_ascii_digit());
    let Some((library, digits)) = bits.or_else(|| front.rsplit_once('_').filter(number)) else {
        return (plain(stem), None);
    };
    let value = match digits.len() {
        _ if digits.contains('.') => numbers(digits).then(|| digits.to_owned()),
        _ if !digits.bytes().all(|b| b.is_ascii_digit()) => None,
        3 => Some(format!("{}.{}", &digits[..2], &digits[2..])),
        // 92 is 9.2, 12 is 12: majors of two digits began with 10.
        2 if digits > "20" => Some(format!("{}.{}", &digits[..1], &digits[1..])),
        1 | 2 => Some(digits.to_owned()),
        _ => None,
    };
    let written = stem.get(library.len() + 1..).unwrap_or_default().to_owned();
    (plain(library), value.map(|value| Said { value, written }))
}

fn without_checksum(stem: &str) -> &str {
    match stem.rsplit_once(['-', '.']) {
        Some((before, sum)) if sum.len() == 8 && sum.bytes().all(|b| b.is_ascii_hexdigit()) => before,
        _ => stem,
    }
}

/// `11.8.89`: numbers between single dots.
fn numbers(text: &str) -> bool {
    text.len() < 40 && text.split('.').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<(String, Option<String>, bool)> {
        name(path).map(|n| (n.library, n.version.map(|v| v.value), n.whole))
    }

    #[test]
    fn names() {
        for (path, library, version, whole) in [
            ("torch/lib/libcudart-d0da41ae.so.11.0", "cudart", Some("11.0"), false),
            ("libcudart-80664282.so.10.2", "cudart", Some("10.2"), false),
            ("libcudart.so.11.8.89", "cudart", Some("11.8.89"), true),
            ("libcudnn.so.8", "cudnn", Some("8"), false),
            ("libcudnn_ops_infer.so.8.6.0", "cudnn_ops_infer", Some("8.6.0"), true),
            ("libcublasLt.so.12", "cublasLt", Some("12"), false),
            ("libnvrtc-builtins-2dc4bf68.so.11.8", "nvrtc-builtins", Some("11.8"), true),
            ("libnvrtc-builtins.so", "nvrtc-builtins", None, false),
            ("libnccl.so.2", "nccl", Some("2"), false),
            ("cudart64_110.dll", "cudart", Some("11.0"), false),
            ("cudart64_12.dll", "cudart", Some("12"), false),
            ("cudart64_92.dll", "cudart", Some("9.2"), false),
            ("a\\cudnn64_8.dll", "cudnn", Some("8"), false),
            ("cudnn_cnn_train64_8.dll", "cudnn_cnn_train", Some("8"), false),
            ("nvrtc64_112_0.dll", "nvrtc", Some("11.2"), false),
            ("nvrtc64_120_0.alt.dll", "nvrtc.alt", Some("12.0"), false),
            ("libnvrtc.alt.so.12", "nvrtc.alt", Some("12"), false),
            ("nvJitLink_120_0.dll", "nvJitLink", Some("12.0"), false),
            ("cusparseLt_13.dll", "cusparseLt", Some("13"), false),
            ("cupti64_2023.1.1.dll", "cupti", Some("2023.1.1"), true),
            ("cudart32_110.dll", "cudart", Some("11.0"), false),
            ("torchvision.libs/libcudart.459720b2.so.10.2", "cudart", Some("10.2"), false),
            ("nvvm64_40_0.dll", "nvvm", Some("4.0"), false),
            ("nvrtc-builtins64_118.dll", "nvrtc-builtins", Some("11.8"), true),
            ("CUBLAS64_11.DLL", "CUBLAS", Some("11"), false),
            ("cudnn64.dll", "cudnn", None, false),
            ("cufft64_xy.dll", "cufft", None, false),
        ] {
            assert_eq!(read(path), Some((library.into(), version.map(Into::into), whole)), "{path}");
        }
        for path in ["libtorch_cuda.so", "cudnn.cpython-312-x86_64-linux-gnu.so", "cudart.py", "", "é.dll"] {
            assert_eq!(read(path), None, "{path}");
        }
    }

    #[test]
    fn listed_files() {
        assert!(is_same("libcudnn_ops.so.9", "lib/libcudnn_ops.so.9.1.0"));
        assert!(is_same("libcudnn.so.9", "a.libs/libcudnn-0d9f3a21.so.9"));
        assert!(is_same("cudnn64_9.dll", "bin\\CUDNN64_9.DLL") && is_same("libcudnn.so.9", "libcudnn.so"));
        assert!(!is_same("libcudnn.so.9", "libcudnn.so.8") && !is_same("libcudnn.so.9", "libcudnn_ops.so.9"));
    }
}
