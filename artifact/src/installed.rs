//! Installed distributions: what the names of their directories say, and which of them have to do with GPUs.

/// Is that what the description of an installed distribution is called? What begins with `~` is what pip left of one
/// that it could not remove.
pub fn is_info(name: &str) -> bool {
    !name.starts_with('~') && (name.ends_with(".dist-info") || name.ends_with(".egg-info"))
}

/// The name and the version that a description's directory carries, as written there: `torch` and `2.5.1+cu124` of
/// `torch-2.5.1+cu124.dist-info`. The version is `None` where the name does not tell it for certain.
pub fn name_and_version(info: &str) -> (&str, Option<&str>) {
    let is_version = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit());
    if let Some(stem) = info.strip_suffix(".dist-info") {
        // Neither part has a hyphen; a name that was not escaped has some, the version still none.
        let (name, version) = stem.rsplit_once('-').unwrap_or((stem, ""));
        return match is_version(&version) {
            true => (name, Some(version)),
            false => (stem, None),
        };
    }
    let stem = info.strip_suffix(".egg-info").unwrap_or(info);
    // `PyYAML-6.0-py3.11.egg-info`, and behind that the platform.
    let mut parts = stem.split('-');
    let name = parts.next().unwrap_or(stem);
    let version = parts.next().filter(is_version);
    match parts.next() {
        Some(rest) if !rest.starts_with("py") => (name, None),
        _ => (name, version),
    }
}

/// Does a path of RECORD stay below the directory that it is meant from?
pub fn is_inside(path: &str) -> bool {
    !path.contains([':', '\\']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Does a requirement name a part of the chain from CUDA to a framework: `nvidia-cudnn-cu12==9.1.0.70; …`, `torch>=2`,
/// `triton`?
pub fn is_required(requirement: &str) -> bool {
    let end = requirement.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    starts(&requirement[..end.unwrap_or(requirement.len())], &CHAIN)
}

/// Has a distribution of this name to do with GPUs? By its name alone, so that nothing of others need be read.
pub fn is_of_family(name: &str) -> bool {
    // `jaxtyping` and its like are none.
    let plain = name.get(..3).is_some_and(|n| n.eq_ignore_ascii_case("jax"))
        && !matches!(name.get(3..4), None | Some("-" | "_" | "."))
        && !name.get(3..6).is_some_and(|n| n.eq_ignore_ascii_case("lib"));
    !plain && (starts(name, &CHAIN) || starts(name, &FAMILY))
}

/// Beginnings of normalised names: CUDA's own packages, and what a framework asks for beside them.
const CHAIN: [&str; 8] = ["nvidia-", "cuda-", "torch", "triton", "pytorch-triton", "jax", "tensorrt", "cupy"];

/// The same of frameworks and of what has device code of its own.
const FAMILY: [&str; 39] = [
    "paddle",
    "tensorflow",
    "tf-nightly",
    "onnxruntime",
    "ort-",
    "pytorch",
    "functorch",
    "xformers",
    "bitsandbytes",
    "flash-attn",
    "flash-linear",
    "flashinfer",
    "sageattention",
    "vllm",
    "sglang",
    "sgl-kernel",
    "lmdeploy",
    "deepspeed",
    "apex",
    "transformer-engine",
    "mxnet",
    "mindspore",
    "ctranslate2",
    "faiss-gpu",
    "llama-cpp",
    "auto-gptq",
    "autoawq",
    "gptqmodel",
    "spconv",
    "mmcv",
    "cudf",
    "cuml",
    "numba",
    "pycuda",
    "pynvml",
    "pynvvideocodec",
    "warp-lang",
    "nvtx",
    "dgl",
];

fn starts(name: &str, beginnings: &[&str]) -> bool {
    let name = name.to_ascii_lowercase().replace(['_', '.'], "-");
    beginnings.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories() {
        assert!(is_info("torch-2.5.1.dist-info") && is_info("six.egg-info"));
        assert!(!is_info("~orch-2.5.1.dist-info") && !is_info("torch"));
        let cases = [
            ("torch-2.5.1+cu124.dist-info", "torch", Some("2.5.1+cu124")),
            ("nvidia_nccl_cu12-2.20.5.dist-info", "nvidia_nccl_cu12", Some("2.20.5")),
            ("my-old-name-1.0.dist-info", "my-old-name", Some("1.0")),
            ("nothing.dist-info", "nothing", None),
            ("a-b.dist-info", "a-b", None),
            ("PyYAML-6.0-py3.11.egg-info", "PyYAML", Some("6.0")),
            ("Pygments-2.14.0.egg-info", "Pygments", Some("2.14.0")),
            ("x-1.0-2-py3.egg-info", "x", None),
            ("mine.egg-info", "mine", None),
        ];
        for (info, name, version) in cases {
            assert_eq!(name_and_version(info), (name, version), "{info}");
        }
    }

    #[test]
    fn paths() {
        assert!(is_inside("torch/lib/libtorch.so") && is_inside("six.py"));
        for path in ["../../bin/x", "/etc/passwd", "C:/x", "a\\b", "a/../b", "a//b", "", "."] {
            assert!(!is_inside(path), "{path}");
        }
    }

    #[test]
    fn families() {
        for name in ["nvidia-cudnn-cu12==9.1; x", "torch (>=2)", "triton", "nvidia_nccl_cu12"] {
            assert!(is_required(name), "{name}");
        }
        for name in ["", "numpy", "é", "nvidia", "onnxruntime-gpu"] {
            assert!(!is_required(name), "{name}");
        }
        for name in ["Torch", "nvidia_cublas_cu12", "paddlepaddle_gpu", "jax", "jaxlib", "jax_cuda12_plugin"]
        {
            assert!(is_of_family(name), "{name}");
        }
        for name in ["jaxtyping", "numpy", "tensorboard", "é", ""] {
            assert!(!is_of_family(name), "{name}");
        }
    }
}
