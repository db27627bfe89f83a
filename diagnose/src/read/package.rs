//! What every list of packages has: names, versions, and what versions say of CUDA.

use super::found::Found;
use super::number;

/// A name in its normal form: lower case, hyphens.
pub(super) fn normal(name: &str) -> String {
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    // conda begins the names of its own parts with a low line.
    if name.starts_with('_') {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if matches!(c, '_' | '.') { '-' } else { c.to_ascii_lowercase() };
        if c != '-' || !out.ends_with('-') {
            out.push(c);
        }
    }
    out
}

/// Can a word be the name of a package?
pub(super) fn is_name(word: &str) -> bool {
    let word = word.split_once('[').map_or(word, |(name, _)| name);
    word.len() <= 80
        && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// Packages whose name alone says that a line is about the GPU stack.
pub(super) fn is_known(name: &str) -> bool {
    const NAMES: [&str; 58] = [
        "torch",
        "pytorch",
        "torchvision",
        "torchaudio",
        "torchtext",
        "triton",
        "triton-windows",
        "pytorch-triton",
        "pytorch-cuda",
        "pytorch-mutex",
        "tensorflow",
        "tensorflow-gpu",
        "tensorflow-cpu",
        "tensorflow-intel",
        "tf-nightly",
        "keras",
        "tensorrt",
        "jax",
        "jaxlib",
        "flax",
        "paddlepaddle",
        "paddlepaddle-gpu",
        "paddleocr",
        "paddlex",
        "onnxruntime",
        "onnxruntime-gpu",
        "onnxruntime-directml",
        "onnx",
        "cupy",
        "numba",
        "numpy",
        "cudatoolkit",
        "cudnn",
        "cuda-toolkit",
        "cuda-version",
        "cuda-nvcc",
        "cuda-python",
        "xformers",
        "bitsandbytes",
        "flash-attn",
        "deepspeed",
        "apex",
        "vllm",
        "sglang",
        "flashinfer",
        "transformers",
        "accelerate",
        "diffusers",
        "opencv-python",
        "opencv-python-headless",
        "opencv-contrib-python",
        "mxnet",
        "cuml",
        "cudf",
        "rmm",
        "mkl",
        "nccl",
        "ultralytics",
    ];
    NAMES.contains(&name)
        || [
            "nvidia-",
            "jax-cuda",
            "cupy-cuda",
            "tensorrt-",
            "mxnet-cu",
            "cuda-",
            "flashinfer-",
            "libcudnn",
            "libcublas",
            "torch-",
            "mmcv",
            "numba-cuda",
            "cudf-cu",
            "rmm-cu",
        ]
        .iter()
        .any(|p| name.starts_with(p))
}

/// One package of a list.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) line: usize,
    /// As it is written.
    pub(super) raw: String,
}

/// Adds an installed package, and what its version says of the CUDA that it was built with.
pub(super) fn see(found: &mut Found, name: &str, version: &str, line: usize) -> Package {
    let normal = normal(name);
    found.see(&format!("package:{normal}"), version, line);
    built_with(found, &normal, version, line);
    Package { name: normal, line, raw: name.to_owned() }
}

/// `2.0.1+cu118` of torch, `2.4.2.post117` of Paddle.
fn built_with(found: &mut Found, name: &str, version: &str, line: usize) {
    let local = version.split_once('+').map_or("", |(_, local)| local);
    if matches!(name, "torch" | "jaxlib" | "torchvision" | "torchaudio")
        && let Some(cuda) = number::cuda_tag(local)
    {
        if name == "torch" || name == "jaxlib" {
            found.made("framework-cuda", &cuda, local, line);
        }
    } else if name.starts_with("paddlepaddle-gpu")
        && let Some((_, tag)) = version.split_once(".post")
    {
        let cuda = match tag {
            // Until 2.0 the last digit was cuDNN's.
            "97" => Some("9.0".to_owned()),
            "87" | "85" => Some("8.0".to_owned()),
            "107" => Some("10.0".to_owned()),
            _ => number::cuda_tag(&format!("cu{tag}")),
        };
        if let Some(cuda) = cuda {
            found.made("framework-cuda", &cuda, &format!("post{tag}"), line);
        }
    }
}

/// Distributions that install the same import package.
const FAMILIES: [&[&str]; 4] = [
    &["paddlepaddle", "paddlepaddle-gpu", "paddlepaddle-xpu", "paddlepaddle-npu", "paddlepaddle-dcu"],
    &[
        "onnxruntime",
        "onnxruntime-gpu",
        "onnxruntime-directml",
        "onnxruntime-openvino",
        "onnxruntime-training",
        "onnxruntime-qnn",
    ],
    &["tensorflow", "tensorflow-gpu", "tensorflow-cpu", "tf-nightly", "tf-nightly-gpu"],
    &[
        "cupy",
        "cupy-cuda13x",
        "cupy-cuda12x",
        "cupy-cuda11x",
        "cupy-cuda118",
        "cupy-cuda117",
        "cupy-cuda116",
        "cupy-cuda110",
        "cupy-cuda102",
    ],
];

/// Two distributions of one import package in one list overwrite each other's files.
pub(super) fn conflicts(list: &[Package], found: &mut Found) {
    for family in FAMILIES {
        let mut first: Option<&Package> = None;
        for package in list.iter().filter(|p| family.contains(&p.name.as_str())) {
            match first {
                Some(seen) if seen.name != package.name => {
                    found.made("error", "conflicting-packages", &package.raw, package.line);
                    break;
                }
                _ => first = Some(package),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_say_what_a_build_was_made_with() {
        let mut found = Found::of("test");
        see(&mut found, "torch", "2.0.1+cu118", 1);
        see(&mut found, "paddlepaddle_gpu", "2.4.2.post117", 2);
        assert_eq!(
            found.shown(),
            [
                "package:torch=2.0.1+cu118@1",
                "framework-cuda=11.8@1",
                "package:paddlepaddle-gpu=2.4.2.post117@2",
                "framework-cuda=11.7@2"
            ]
        );
    }

    #[test]
    fn names_are_compared_in_their_normal_form() {
        assert_eq!(normal("Flash_Attn"), "flash-attn");
        assert!(is_name("nvidia-cublas-cu12") && !is_name("2.0") && !is_name("a/b") && !is_name("---"));
    }
}
