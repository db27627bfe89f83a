//! The libraries that messages about missing files name.

/// What the number in a library's name counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbering {
    /// CUDA itself.
    Cuda,
    /// The library's own major version, which is not CUDA's.
    Own,
}

/// A numbered library.
pub(super) struct Library {
    /// As written by NVIDIA, without `lib`, `64` and number.
    pub(super) stem: &'static str,
    /// The component it belongs to.
    pub(super) component: &'static str,
    /// What its number counts.
    pub(super) numbering: Numbering,
    /// The pip package that brings it, without `-cu12`; empty where there is none of NVIDIA's.
    pub(super) package: &'static str,
}

const fn cuda(stem: &'static str, component: &'static str, package: &'static str) -> Library {
    Library { stem, component, numbering: Numbering::Cuda, package }
}

const fn own(stem: &'static str, component: &'static str, package: &'static str) -> Library {
    Library { stem, component, numbering: Numbering::Own, package }
}

/// Numbered libraries, apart from cuDNN's.
///
/// Source: relation `runtime-library` (names in NVIDIA's wheels); TensorRT, NCCL and tools from their packages.
pub(super) const NUMBERED: &[Library] = &[
    cuda("cudart", "cuda-runtime", "nvidia-cuda-runtime"),
    cuda("cublas", "cublas", "nvidia-cublas"),
    cuda("cublasLt", "cublas", "nvidia-cublas"),
    cuda("nvblas", "cublas", "nvidia-cublas"),
    cuda("nvrtc", "nvrtc", "nvidia-cuda-nvrtc"),
    cuda("nvrtc-builtins", "nvrtc", "nvidia-cuda-nvrtc"),
    cuda("nvJitLink", "nvjitlink", "nvidia-nvjitlink"),
    own("cufft", "cufft", "nvidia-cufft"),
    own("cufftw", "cufft", "nvidia-cufft"),
    own("curand", "curand", "nvidia-curand"),
    own("cusolver", "cusolver", "nvidia-cusolver"),
    own("cusolverMg", "cusolver", "nvidia-cusolver"),
    own("cusparse", "cusparse", "nvidia-cusparse"),
    own("cusparseLt", "cusparselt", "nvidia-cusparselt"),
    own("cufile", "cufile", "nvidia-cufile"),
    own("cupti", "cupti", "nvidia-cuda-cupti"),
    own("nvToolsExt", "nvtx", "nvidia-nvtx"),
    own("nvshmem_host", "nvshmem", "nvidia-nvshmem"),
    own("nvjpeg", "nvjpeg", ""),
    own("nppc", "npp", ""),
    own("nppial", "npp", ""),
    own("nppicc", "npp", ""),
    own("nppidei", "npp", ""),
    own("nppif", "npp", ""),
    own("nppig", "npp", ""),
    own("nppim", "npp", ""),
    own("nppist", "npp", ""),
    own("nppitc", "npp", ""),
    own("npps", "npp", ""),
    own("cutensor", "cutensor", ""),
    own("cudss", "cudss", ""),
    own("OpenCL", "opencl", ""),
    own("nccl", "nccl", "nvidia-nccl"),
    own("nvinfer", "tensorrt", ""),
    own("nvinfer_plugin", "tensorrt", ""),
    own("nvinfer_vc_plugin", "tensorrt", ""),
    own("nvinfer_lean", "tensorrt", ""),
    own("nvinfer_dispatch", "tensorrt", ""),
    own("nvinfer_builder_resource", "tensorrt", ""),
    own("nvonnxparser", "tensorrt", ""),
    own("nvparsers", "tensorrt", ""),
];

/// Libraries of the driver on Linux, which carry the driver's version.
pub(super) const DRIVER: &[&str] = &[
    "cuda",
    "nvidia-ml",
    "nvidia-ptxjitcompiler",
    "nvidia-nvvm",
    "nvidia-opencl",
    "cudadebugger",
    "nvcuvid",
    "nvidia-encode",
    "nvidia-fatbinaryloader",
];

/// Whole names that carry no number of their own: name, component, sentence.
pub(super) const FIXED: &[(&str, &str, &str)] = &[
    ("nvcuda.dll", "nvidia-driver", "decode-library-driver"),
    ("nvml.dll", "nvidia-driver", "decode-library-driver"),
    ("nvapi64.dll", "nvidia-driver", "decode-library-driver"),
    ("nvcuvid.dll", "nvidia-driver", "decode-library-driver"),
    ("zlibwapi.dll", "zlib", "decode-library-zlib"),
    ("vcruntime140.dll", "msvc-runtime", "decode-library-msvc"),
    ("vcruntime140_1.dll", "msvc-runtime", "decode-library-msvc"),
    ("msvcp140.dll", "msvc-runtime", "decode-library-msvc"),
    ("torch_cuda.dll", "torch", "decode-library-framework"),
    ("c10_cuda.dll", "torch", "decode-library-framework"),
    ("libtorch_cuda.so", "torch", "decode-library-framework"),
    ("libc10_cuda.so", "torch", "decode-library-framework"),
    ("onnxruntime_providers_cuda.dll", "onnxruntime-gpu", "decode-library-framework"),
    ("onnxruntime_providers_tensorrt.dll", "onnxruntime-gpu", "decode-library-framework"),
    ("onnxruntime_providers_shared.dll", "onnxruntime-gpu", "decode-library-framework"),
    ("libonnxruntime_providers_cuda.so", "onnxruntime-gpu", "decode-library-framework"),
    ("libonnxruntime_providers_tensorrt.so", "onnxruntime-gpu", "decode-library-framework"),
    ("libonnxruntime_providers_shared.so", "onnxruntime-gpu", "decode-library-framework"),
];
