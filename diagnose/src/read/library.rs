//! Names of libraries, and what they say.

use super::found::Found;
use super::number;

/// Beginnings of the names of the GPU stack's libraries, without `lib`.
const STEMS: [&str; 34] = [
    "cudart",
    "cudnn",
    "cublas",
    "cufft",
    "curand",
    "cusolver",
    "cusparse",
    "nvrtc",
    "nccl",
    "nvinfer",
    "nvonnxparser",
    "nvparsers",
    "cupti",
    "nvjitlink",
    "nvtoolsext",
    "cuda.",
    "nvcuda",
    "nvidia-",
    "nvml",
    "npp",
    "nvjpeg",
    "cutensor",
    "cufile",
    "cudss",
    "torch",
    "c10",
    "onnxruntime",
    "caffe2_nvrtc",
    "nvtx",
    "cudadevrt",
    "nvptxcompiler",
    "nvblas",
    "zlibwapi",
    "nvvm",
];

/// The file of a path.
pub(super) fn file(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Is a path, or a name, that of a library of the GPU stack?
pub(super) fn is_gpu_library(path: &str) -> bool {
    let name = file(path).to_ascii_lowercase();
    let stem = name.strip_prefix("lib").unwrap_or(&name);
    is_library(&name) && STEMS.iter().any(|s| stem.starts_with(s))
}

/// Has a name the form of a shared library's?
pub(super) fn is_library(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let windows = lower.len() > 4 && lower.ends_with(".dll");
    let linux = lower.find(".so").is_some_and(|at| {
        let tail = &lower[at + 3..];
        at > 2
            && (tail.is_empty()
                || (tail.starts_with('.') && tail.bytes().all(|b| b.is_ascii_digit() || b == b'.')))
    });
    (windows || linux) && lower.len() < 200 && !lower.contains(['*', '?', '<', '>', '"', '\'', '(', '%', '{'])
}

/// A library that is on the machine, and the cuDNN or driver version in its name.
pub(super) fn see_found(path: &str, line: usize, found: &mut Found) {
    if is_gpu_library(path) {
        found.see("library-found", path, line);
        see_versions(path, path, line, found);
    }
}

/// The cuDNN version that a file's name states, only as far as it goes, and the driver's in its libraries' names.
pub(super) fn see_versions(path: &str, raw: &str, line: usize, found: &mut Found) {
    let name = file(path);
    if let Some(version) = cudnn(name) {
        found.made("cudnn", version, raw, line);
    }
    if let Some(version) = driver(name) {
        found.made("driver-library", version, raw, line);
    }
}

/// The version in the name of one of cuDNN's libraries: `libcudnn.so.8.9.2`, `cudnn_ops_train64_8.dll`.
pub(super) fn cudnn(name: &str) -> Option<&str> {
    let lower_dll = name.len() > 4
        && name[name.len().checked_sub(4).filter(|i| name.is_char_boundary(*i))?..]
            .eq_ignore_ascii_case(".dll");
    if lower_dll {
        if !name.get(..5)?.eq_ignore_ascii_case("cudnn") {
            return None;
        }
        let (_, number) = name[..name.len() - 4].rsplit_once("64_")?;
        return number::dotted(number).filter(|n| n.len() == number.len());
    }
    let rest = name.strip_prefix("libcudnn")?;
    let (part, number) = rest.split_once(".so.")?;
    (part.is_empty() || part.starts_with('_')).then_some(())?;
    number::dotted(number).filter(|n| n.len() == number.len())
}

/// The driver's version in the names of its libraries: `libcuda.so.535.104.05`, `libnvidia-ml.so.550.54.14`.
fn driver(name: &str) -> Option<&str> {
    let (stem, number) = name.split_once(".so.")?;
    let of_driver = matches!(stem, "libcuda" | "libnvcuvid" | "libnvoptix" | "libcudadebugger")
        || stem.starts_with("libnvidia-");
    (of_driver && number::is_driver(number)).then_some(number)
}

/// The CUDA release that a needed library states in its name: only before CUDA 11, whose name serves all 11.x.
pub(super) fn needed_cuda(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix("libcudart.so.") {
        let (major, minor) = number.split_once('.')?;
        let major: u32 = major.parse().ok()?;
        return (major < 11 && minor.len() == 1).then(|| number.to_owned());
    }
    let digits = name.to_ascii_lowercase().strip_prefix("cudart64_")?.strip_suffix(".dll")?.to_owned();
    let value: u32 = digits.parse().ok()?;
    // `cudart64_12.dll` has the major version alone.
    ((50..110).contains(&value)).then(|| format!("{}.{}", value / 10, value % 10))
}

/// The same of any library of the toolkit: until CUDA 10.0 all of them had the release in their names.
pub(super) fn named_release(name: &str) -> Option<String> {
    needed_cuda(name).or_else(|| {
        let (stem, number) = name.split_once(".so.")?;
        let of_toolkit = matches!(
            stem,
            "libcublas" | "libcufft" | "libcurand" | "libcusolver" | "libcusparse" | "libnvrtc"
        );
        let (major, minor) = number.split_once('.')?;
        let old = matches!(major, "7" | "8" | "9") || number == "10.0";
        (of_toolkit && old && minor.len() == 1).then(|| number.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_as_much_as_they_hold() {
        assert_eq!(cudnn("libcudnn.so.8.9.2"), Some("8.9.2"));
        assert_eq!(cudnn("libcudnn_adv_infer.so.8"), Some("8"));
        assert_eq!(cudnn("cudnn_ops_train64_8.dll"), Some("8"));
        assert_eq!(cudnn("cudnn64_7.dll"), Some("7"));
        assert_eq!(cudnn("libcudnn.so"), None);
        assert_eq!(driver("libnvidia-fatbinaryloader.so.415.27"), Some("415.27"));
        assert_eq!(driver("libcuda.so.1"), None);
        assert_eq!(needed_cuda("libcudart.so.9.0").as_deref(), Some("9.0"));
        assert_eq!(needed_cuda("libcudart.so.11.0"), None);
        assert_eq!(needed_cuda("cudart64_101.dll").as_deref(), Some("10.1"));
        assert_eq!(needed_cuda("cudart64_110.dll"), None);
        assert_eq!(needed_cuda("cudart64_12.dll"), None);
        assert!(
            is_gpu_library("/usr/lib/x86_64-linux-gnu/libcublasLt.so.12")
                && !is_gpu_library("libc.so.6")
                && !is_gpu_library("torch.py")
        );
    }
}
