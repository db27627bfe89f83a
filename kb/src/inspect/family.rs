//! Which names belong to CUDA and its kin.

/// Is a library one of CUDA's family, by its name: `libcudart.so.12`, `cudnn64_8.dll`, the driver's `libcuda.so.1`?
pub(super) fn is_of(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_prefix("lib").unwrap_or(&lower);
    let driver = ["cuda.so", "nvcuda.", "nvidia-ml", "nvml.", "nvtoolsext"];
    artifact::code::is_bundled(name) || driver.iter().any(|d| bare.starts_with(d))
}

/// Does a requirement name a part of the chain: `nvidia-cudnn-cu12==9.1.0.70; …`, `torch>=2`, `triton`?
pub(super) fn is_required(requirement: &str) -> bool {
    let end = requirement.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    let name = requirement[..end.unwrap_or(requirement.len())].to_ascii_lowercase().replace(['_', '.'], "-");
    ["nvidia-", "cuda-", "torch", "triton", "pytorch-triton", "jax", "tensorrt", "cupy"]
        .iter()
        .any(|start| name.starts_with(start))
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
        for name in ["nvidia-cudnn-cu12==9.1; x", "torch (>=2)", "triton", "nvidia_nccl_cu12"] {
            assert!(is_required(name), "{name}");
        }
        for name in ["", "numpy", "é", "nvidia"] {
            assert!(!is_required(name), "{name}");
        }
    }
}
