//! Which names belong to CUDA and its kin.

/// Is a library one of CUDA's family, by its name: `libcudart.so.12`, `cudnn64_8.dll`, the driver's `libcuda.so.1`?
pub(super) fn is_of(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_prefix("lib").unwrap_or(&lower);
    let driver = ["cuda.so", "nvcuda.", "nvidia-ml", "nvml.", "nvtoolsext"];
    artifact::code::is_bundled(name) || driver.iter().any(|d| bare.starts_with(d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["libcudart.so.12", "a/cudnn64_8.dll", "libcuda.so.1", "nvcuda.dll", "libcublasLt.so.12"]
        {
            assert!(is_of(name), "{name}");
        }
        for name in ["libc.so.6", "torch/lib/libtorch_cuda.so", "libcudanot.so", "KERNEL32.dll"] {
            assert!(!is_of(name), "{name}");
        }
    }
}
