//! Names as people paste them: kind of the best reading, main meanings, canonical form.

use super::fixture;
use crate::decode::{Decoded, Meaning, decode};

/// Name, kind, meanings as text (lists joined by a comma), canonical form (empty: not compared, `=`: the name).
pub(super) type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const P3: &str = "cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip";

#[rustfmt::skip]
pub(super) const ROWS: &[Case] = &[
    // cuDNN archives
    ("cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip", "cudnn-archive", &[("version", "8.5.0.96"), ("cuda_major", "11"), ("os", "windows"), ("arch", "x86_64"), ("known", "true")], "="),
    ("cudnn-windows-x86-64-8.5.0.96-cuda11-archive.zip", "cudnn-archive", &[("version", "8.5.0.96"), ("cuda_major", "11")], P3),
    ("CUDNN-WINDOWS-X86_64-8.5.0.96_CUDA11-ARCHIVE.ZIP", "cudnn-archive", &[("version", "8.5.0.96")], P3),
    ("cudnn-windows-x86_64-8.5.0.96_cuda11.zip", "cudnn-archive", &[("version", "8.5.0.96")], P3),
    ("cudnn-windows-x86_64-8.5.0.96_cuda11-archive (1).zip", "cudnn-archive", &[("version", "8.5.0.96")], P3),
    (r"D:\下载\cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip", "cudnn-archive", &[("version", "8.5.0.96")], P3),
    ("https://developer.download.nvidia.com/compute/redist/cudnn/v8.5.0/local_installers/11.7/cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip?t=1", "cudnn-archive", &[("cuda_major", "11")], P3),
    ("cudnn-windows-x86_64-8.5.0.100_cuda11.7-archive.zip", "cudnn-archive", &[("version", "8.5.0.100"), ("known", "false"), ("known_version", "8.5.0.96"), ("cuda", "11.7")], P3),
    ("cudnn-windows-x86_64-8.5.0_cuda11-archive", "cudnn-archive", &[("version", "8.5.0")], P3),
    ("cudnn-linux-x86_64-9.27.0.42_cuda13-archive.tar.xz", "cudnn-archive", &[("version", "9.27.0.42"), ("cuda_major", "13"), ("os", "linux"), ("known", "false")], "="),
    ("cudnn-linux-sbsa-8.9.7.29_cuda12-archive.tar.xz", "cudnn-archive", &[("arch", "aarch64"), ("platform", "linux-sbsa")], "="),
    ("cudnn-windows-arm64-9.27.0.42_cuda13-archive.zip", "cudnn-archive", &[("platform", "windows-arm64"), ("arch", "aarch64")], "="),
    ("cudnn-linux-x86_64-8.3.2.44_cuda11.5-archive.tar.xz", "cudnn-archive", &[("cuda", "11.5"), ("cuda_major", "11")], "="),
    ("cudnn-windows-x86_64-8.4.1.50_cuda11-archive.zip", "cudnn-archive", &[("cuda_major", "11")], "cudnn-windows-x86_64-8.4.1.50_cuda11.6-archive.zip"),
    ("cudnn-10.2-windows10-x64-v7.6.5.32.zip", "cudnn-archive", &[("version", "7.6.5.32"), ("cuda", "10.2"), ("os", "windows"), ("folder", "cuda")], "="),
    ("cudnn-11.4-windows-x64-v8.2.4.15.zip", "cudnn-archive", &[("version", "8.2.4.15"), ("cuda", "11.4")], "="),
    ("cudnn-11.4-linux-x64-v8.2.4.15.tgz", "cudnn-archive", &[("os", "linux"), ("arch", "x86_64")], "="),
    ("cudnn-11.4-linux-x64-v8.2.4.15.solitairetheme8", "cudnn-archive", &[("os", "linux")], "cudnn-11.4-linux-x64-v8.2.4.15.tgz"),
    ("cudnn_9.1.0_windows.exe", "cudnn-archive", &[("version", "9.1.0"), ("os", "windows")], "="),
    ("cudnn-windows-arm64-9.27.0.42_cuda13.4-archive.zip", "cudnn-archive", &[("cuda", "13.4")], "="),
    // CUDA installers and repositories
    ("cuda_11.7.1_516.94_windows.exe", "cuda-installer", &[("version", "11.7.1"), ("driver", "516.94"), ("os", "windows"), ("network", "false"), ("known", "true")], "="),
    ("cuda-11.7.1-516.94-windows.exe", "cuda-installer", &[("driver", "516.94")], "cuda_11.7.1_516.94_windows.exe"),
    ("cuda_11.7.1_516.01_windows.exe", "cuda-installer", &[("driver", "516.01"), ("known", "false")], "cuda_11.7.1_516.94_windows.exe"),
    ("cuda_11.7.1_windows_network.exe", "cuda-installer", &[("network", "true")], "="),
    ("cuda_10.2.89_441.22_win10.exe", "cuda-installer", &[("version", "10.2.89"), ("driver", "441.22")], "="),
    ("cuda_11.7.1_515.65.01_linux.run", "cuda-installer", &[("driver", "515.65.01"), ("os", "linux")], "="),
    ("cuda_9.0.176_384.81_linux-run", "cuda-installer", &[("version", "9.0.176"), ("driver", "384.81"), ("cuda_major", "9")], "="),
    ("cuda_10.0.130_410.48_linux", "cuda-installer", &[("driver", "410.48")], "="),
    ("cuda_12.4.1_550.54.15_linux_sbsa.run", "cuda-installer", &[("arch", "aarch64"), ("driver", "550.54.15")], "="),
    ("cuda_13.0.0_windows.exe", "cuda-installer", &[("version", "13.0.0"), ("cuda_major", "13")], "="),
    ("cuda_12.4.0_551.61_windows.exe", "cuda-installer", &[("driver", "551.61")], "="),
    ("cuda-repo-ubuntu2204-12-4-local_12.4.1-550.54.15-1_amd64.deb", "cuda-repository", &[("version", "12.4.1"), ("driver", "550.54.15"), ("distribution", "ubuntu2204"), ("arch", "x86_64"), ("format", "deb")], "="),
    ("cuda-repo-rhel8-12-4-local-12.4.1_550.54.15-1.x86_64.rpm", "cuda-repository", &[("driver", "550.54.15"), ("format", "rpm")], "="),
    ("cuda-repo-wsl-ubuntu-12-4-local_12.4.1-1_amd64.deb", "cuda-repository", &[("os", "wsl2"), ("version", "12.4.1")], "="),
    // TensorRT archives
    ("TensorRT-8.5.3.1.Windows10.x86_64.cuda-11.8.cudnn8.6.zip", "tensorrt-archive", &[("tensorrt", "8.5.3.1"), ("cuda", "11.8"), ("cudnn", "8.6"), ("os", "windows")], "="),
    ("TensorRT-10.0.1.6.Linux.x86_64-gnu.cuda-12.4.tar.gz", "tensorrt-archive", &[("version", "10.0.1.6"), ("cuda", "12.4"), ("os", "linux")], "="),
    ("TensorRT-10.0.1.6.Windows.win10.cuda-11.8.zip", "tensorrt-archive", &[("cuda", "11.8"), ("arch", "x86_64")], "="),
    ("TensorRT-Enterprise-11.1.0.106-Linux-x86_64-cuda-13.3-Release-external.tar.zst", "tensorrt-archive", &[("cuda", "13.3"), ("known", "true")], "="),
    ("TensorRT-Enterprise-11.1.0.106-Windows-amd64-cuda-12.9-Release-external.zip", "tensorrt-archive", &[("arch", "x86_64")], "="),
    // Wheels
    ("torch-2.5.1+cu124-cp312-cp312-win_amd64.whl", "wheel", &[("package", "torch"), ("version", "2.5.1+cu124"), ("cuda", "12.4"), ("python", "3.12"), ("abi", "cp312"), ("platform", "windows-x86_64")], "="),
    ("torch-2.5.1%2Bcu124-cp312-cp312-linux_x86_64.whl", "wheel", &[("cuda", "12.4"), ("cudnn", "9.1.0"), ("channel", "pytorch-cu124")], "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl"),
    ("torch-2.5.1+cpu-cp310-cp310-win_amd64 (1).whl", "wheel", &[("device", "cpu"), ("channel", "pytorch-cpu")], "torch-2.5.1+cpu-cp310-cp310-win_amd64.whl"),
    ("torch-2.4.1+rocm6.1-cp311-cp311-linux_x86_64.whl", "wheel", &[("rocm", "6.1"), ("device", "rocm")], "="),
    ("torch-2.6.0-cp312-cp312-manylinux1_x86_64.whl", "wheel", &[("cuda", "12.4"), ("channel", "pypi"), ("glibc", "2.5")], "="),
    ("torch-2.0.1+cu117.with.pypi.cudnn-cp310-cp310-linux_x86_64.whl", "wheel", &[("cuda", "11.7"), ("local", "cu117.with.pypi.cudnn")], "="),
    ("paddlepaddle_gpu-2.6.1.post117-cp39-cp39-win_amd64.whl", "wheel", &[("package", "paddlepaddle-gpu"), ("version", "2.6.1.post117"), ("cuda", "11.7"), ("cudnn", "8.4.1"), ("channel", "paddle-post117"), ("os", "windows")], "="),
    ("paddlepaddle_gpu-2.6.1-cp39-cp39-win_amd64.whl", "wheel", &[("cuda", "11.2"), ("cudnn", "8.2.1"), ("channel", "pypi")], "="),
    ("paddlepaddle_gpu-3.0.0-cp310-cp310-linux_x86_64.whl", "wheel", &[("version", "3.0.0"), ("os", "linux")], "="),
    ("paddlepaddle_gpu-1.8.5.post107-cp37-cp37m-manylinux1_x86_64.whl", "wheel", &[("cuda_major", "10"), ("cudnn", "7")], "="),
    ("jaxlib-0.4.13+cuda12.cudnn89-cp311-cp311-manylinux2014_x86_64.whl", "wheel", &[("cuda_major", "12"), ("cudnn", "8.9"), ("glibc", "2.17")], "="),
    ("jaxlib-0.3.25+cuda11.cudnn805-cp38-cp38-manylinux2014_x86_64.whl", "wheel", &[("cuda_major", "11"), ("cudnn", "8.0.5")], "="),
    ("nvidia_cudnn_cu12-9.1.0.70-py3-none-manylinux2014_x86_64.whl", "wheel", &[("component", "cudnn"), ("cudnn", "9.1.0.70"), ("cuda_major", "12"), ("python", "3")], "="),
    ("nvidia_cudnn_cu11-8.5.0.96-2-py3-none-manylinux1_x86_64.whl", "wheel", &[("build", "2"), ("cuda_major", "11")], "="),
    ("nvidia_cuda_nvrtc_cu12-12.9.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl", "wheel", &[("glibc", "2.12"), ("platform", "linux-x86_64"), ("cuda_major", "12")], "="),
    ("nvidia_cublas-13.10.0.20-py3-none-win_amd64.whl", "wheel", &[("cuda_major", "13")], "="),
    ("flash_attn-2.6.3+cu123torch2.4cxx11abiFALSE-cp312-cp312-linux_x86_64.whl", "wheel", &[("cuda", "12.3"), ("torch", "2.4")], "flash_attn-2.6.3+cu123torch2.4cxx11abifalse-cp312-cp312-linux_x86_64.whl"),
    ("cupy_cuda12x-13.3.0-cp312-cp312-win_amd64.whl", "wheel", &[("package", "cupy-cuda12x"), ("cuda_major", "12")], "="),
    ("opencv_python-4.10.0.84-cp37-abi3-macosx_11_0_arm64.whl", "wheel", &[("python", ">=3.7"), ("os", "macos"), ("arch", "aarch64")], "="),
    ("six-1.16.0-py2.py3-none-any.whl", "wheel", &[("python", "2, 3"), ("platform", "any")], "="),
    ("paddlepaddle-3.0.0-cp313-cp313t-macosx_11_0_universal2.whl", "wheel", &[("arch", "universal2")], "="),
    // Requirements and labels
    ("torch==2.5.1+cu124", "requirement", &[("package", "torch"), ("version", "2.5.1+cu124"), ("cuda", "12.4"), ("cudnn", "9.1.0")], "="),
    ("paddlepaddle-gpu==2.6.1.post117", "requirement", &[("cuda", "11.7"), ("channel", "paddle-post117")], "="),
    ("jax[cuda12]==0.4.30", "requirement", &[("package", "jax"), ("cuda_major", "12"), ("extras", "cuda12")], "="),
    ("nvidia-cudnn-cu12==9.1.0.70", "requirement", &[("cudnn", "9.1.0.70"), ("cuda_major", "12")], "="),
    ("torch                2.5.1+cu118", "requirement", &[("cuda", "11.8")], "torch==2.5.1+cu118"),
    ("2.5.1+cu124", "version-label", &[("local", "cu124"), ("cuda", "12.4")], "="),
    ("2.6.1.post117", "version-label", &[("cuda", "11.7")], "="),
    ("+cpu", "version-label", &[("device", "cpu")], "="),
    // Channels
    ("cu118", "channel", &[("cuda", "11.8"), ("channel", "paddle-cu118, pytorch-cu118")], "="),
    ("cu124", "channel", &[("cuda", "12.4"), ("channel", "pytorch-cu124")], "pytorch-cu124"),
    ("post117", "channel", &[("cuda", "11.7"), ("channel", "paddle-post117")], "paddle-post117"),
    ("cu123", "channel", &[("cuda", "12.3"), ("known", "false"), ("nearest", "pytorch-cu124, paddle-cu126")], "="),
    ("pytorch-cu126", "channel", &[("cuda", "12.6"), ("address", "https://download.pytorch.org/whl/cu126")], "="),
    ("https://download.pytorch.org/whl/cu124", "channel", &[("channel", "pytorch-cu124")], "pytorch-cu124"),
    ("https://www.paddlepaddle.org.cn/packages/stable/cu126/", "channel", &[("channel", "paddle-cu126"), ("package", "paddlepaddle-gpu")], "paddle-cu126"),
    ("stable/cu126", "channel", &[("stage", "stable"), ("cuda", "12.6")], "="),
    ("https://download.pytorch.org/whl/nightly/cu130", "channel", &[("stage", "nightly"), ("cuda", "13.0"), ("package", "torch")], "="),
    ("rocm6.1", "channel", &[("rocm", "6.1")], "="),
    ("cu92", "channel", &[("cuda", "9.2")], "="),
    ("conda-forge", "channel", &[("channel", "conda-forge")], "="),
    // Conda
    ("pytorch-cuda=11.8", "conda-requirement", &[("package", "pytorch-cuda"), ("cuda", "11.8")], "="),
    ("cudatoolkit=11.2", "conda-requirement", &[("cuda", "11.2")], "="),
    ("cudnn=8.1.0", "conda-requirement", &[("cudnn", "8.1.0")], "="),
    ("nvidia/label/cuda-12.4.1", "conda-label", &[("cuda", "12.4.1")], "="),
    ("py3.12_cuda12.4_cudnn9.1.0_0", "conda-build", &[("python", "3.12"), ("cuda", "12.4"), ("cudnn", "9.1.0")], "="),
    ("pytorch-2.5.1-py3.12_cuda12.4_cudnn9.1.0_0.tar.bz2", "conda-package", &[("package", "pytorch"), ("version", "2.5.1"), ("cuda", "12.4")], "="),
    // Images
    ("paddlepaddle/paddle:2.6.0-gpu-cuda11.7-cudnn8.4-trt8.4", "docker-tag", &[("package", "paddlepaddle-gpu"), ("version", "2.6.0"), ("cuda", "11.7"), ("cudnn", "8.4"), ("tensorrt", "8.4"), ("known", "true")], "="),
    ("paddlepaddle/paddle:2.6.0-gpu-cuda11.8-cudnn8.6-trt8.5-runtime", "docker-tag", &[("known", "false"), ("nearest", "paddlepaddle/paddle:2.6.0-gpu-cuda11.7-cudnn8.4-trt8.4, paddlepaddle/paddle:2.6.0-gpu-cuda11.2-cudnn8.2-trt8.0, paddlepaddle/paddle:2.6.0-gpu-cuda12.0-cudnn8.9-trt8.6")], "="),
    ("docker pull registry.baidubce.com/paddlepaddle/paddle:2.6.0-gpu-cuda12.0-cudnn8.9-trt8.6", "docker-tag", &[("known", "true"), ("cuda", "12.0")], "registry.baidubce.com/paddlepaddle/paddle:2.6.0-gpu-cuda12.0-cudnn8.9-trt8.6"),
    ("nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04", "docker-tag", &[("cuda", "12.4.1"), ("with_cudnn", "true"), ("flavour", "devel"), ("distribution", "ubuntu22.04")], "="),
    ("nvidia/cuda:11.8.0-cudnn8-runtime-centos7", "docker-tag", &[("cuda", "11.8.0"), ("cudnn", "8")], "="),
    ("pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime", "docker-tag", &[("package", "torch"), ("version", "2.5.1"), ("cuda", "12.4"), ("cudnn", "9"), ("flavour", "runtime")], "="),
    ("tensorflow/tensorflow:2.17.0-gpu", "docker-tag", &[("package", "tensorflow"), ("version", "2.17.0"), ("device", "cuda")], "="),
    ("tensorflow/tensorflow:2.17.0", "docker-tag", &[("device", "cpu")], "="),
    ("nvcr.io/nvidia/pytorch:24.05-py3", "docker-tag", &[("package", "pytorch"), ("version", "24.05"), ("python", "3")], "="),
    ("2.6.0-gpu-cuda11.2-cudnn8.2-trt8.0", "docker-tag", &[("known", "true"), ("repository", "paddlepaddle/paddle")], "paddlepaddle/paddle:2.6.0-gpu-cuda11.2-cudnn8.2-trt8.0"),
    ("12.4.1-cudnn-devel-ubuntu22.04", "docker-tag", &[("repository", "nvidia/cuda")], "nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04"),
    // Libraries
    ("cudnn64_8.dll", "library", &[("component", "cudnn"), ("cudnn_major", "8"), ("os", "windows"), ("known", "true"), ("package", "nvidia-cudnn-cu11, nvidia-cudnn-cu12")], "="),
    ("libcudnn_ops_infer.so.8", "library", &[("part", "ops_infer"), ("cudnn_major", "8"), ("os", "linux")], "="),
    ("cudnn_ops_infer64_9.dll", "library", &[("cudnn_major", "9"), ("known", "false")], "="),
    ("cudnn_ext64_9.dll", "library", &[("known", "true")], "="),
    ("libcudnn.so.9.1.0", "library", &[("cudnn", "9.1.0"), ("cudnn_major", "9")], "="),
    ("cublas64_11.dll", "library", &[("component", "cublas"), ("cuda_major", "11"), ("package", "nvidia-cublas-cu11")], "="),
    ("CUBLASLT64_12.DLL", "library", &[("cuda_major", "12"), ("package", "nvidia-cublas-cu12")], "cublasLt64_12.dll"),
    ("cudart64_110.dll", "library", &[("component", "cuda-runtime"), ("cuda_major", "11"), ("package", "nvidia-cuda-runtime-cu11")], "="),
    ("cudart64_101.dll", "library", &[("cuda", "10.1")], "="),
    ("libcudart.so.12", "library", &[("cuda_major", "12"), ("package", "nvidia-cuda-runtime-cu12")], "="),
    ("libcudart.so.11.0", "library", &[("cuda_major", "11")], "="),
    ("libcudart.so.11.8.89", "library", &[("cuda", "11.8")], "="),
    ("/usr/local/cuda/lib64/libcublas.so.12.4.5.8", "library", &[("cuda_major", "12")], "libcublas.so.12.4.5.8"),
    ("libcublas.so.13", "library", &[("package", "nvidia-cublas")], "="),
    ("nvrtc64_120_0.dll", "library", &[("component", "nvrtc"), ("cuda_major", "12"), ("package", "nvidia-cuda-nvrtc-cu12")], "="),
    ("nvrtc64_112_0.dll", "library", &[("cuda_major", "11")], "="),
    ("nvrtc-builtins64_129.dll", "library", &[("cuda", "12.9")], "="),
    ("libnvrtc.alt.so.12", "library", &[("component", "nvrtc"), ("cuda_major", "12")], "="),
    ("nvJitLink_120_0.dll", "library", &[("component", "nvjitlink"), ("cuda_major", "12")], "="),
    ("libcusparse.so.12", "library", &[("library_major", "12"), ("cuda_major", "12, 13"), ("package", "nvidia-cusparse-cu12, nvidia-cusparse")], "="),
    ("cufft64_11.dll", "library", &[("library_major", "11"), ("cuda_major", "12")], "="),
    ("nvcuda.dll", "library", &[("component", "nvidia-driver")], "="),
    ("nvml.dll", "library", &[("component", "nvidia-driver")], "="),
    ("libnvidia-ml.so.1", "library", &[("component", "nvidia-driver"), ("os", "linux")], "="),
    ("libcuda.so.1", "library", &[("component", "nvidia-driver")], "="),
    ("libcuda.so.535.104.05", "library", &[("driver", "535.104.05")], "="),
    ("zlibwapi.dll", "library", &[("component", "zlib")], "="),
    ("nvinfer_10.dll", "library", &[("component", "tensorrt"), ("tensorrt_major", "10")], "="),
    ("nvinfer.dll", "library", &[("component", "tensorrt")], "="),
    ("libnvinfer_plugin.so.8", "library", &[("tensorrt_major", "8")], "="),
    ("libnccl.so.2", "library", &[("component", "nccl"), ("package", "nvidia-nccl-cu12")], "="),
    ("cupti64_2024.1.0.dll", "library", &[("component", "cupti")], "="),
    // Integers
    ("8500", "cudnn-integer", &[("version", "8.5.0"), ("full_version", "8.5.0.96"), ("known", "true")], "="),
    ("8907", "cudnn-integer", &[("version", "8.9.7")], "="),
    ("90501", "cudnn-integer", &[("version", "9.5.1")], "="),
    ("11080", "cuda-integer", &[("version", "11.8"), ("known", "true")], "="),
    ("12060", "cuda-integer", &[("version", "12.6")], "="),
    ("13050", "cuda-integer", &[("version", "13.5")], "="),
    ("2804", "nccl-integer", &[("version", "2.8.4")], "="),
    ("21003", "nccl-integer", &[("version", "2.10.3")], "="),
    ("8000", "cuda-integer", &[("version", "8.0"), ("known", "true")], "="),
    ("CUDNN_VERSION 8400", "cudnn-integer", &[("version", "8.4.0"), ("known", "false")], "8400"),
    ("cudaRuntimeGetVersion() = 12060", "cuda-integer", &[("version", "12.6")], "12060"),
    ("CUDART_VERSION=11080", "cuda-integer", &[("cuda", "11.8")], "11080"),
    ("torch.backends.cudnn.version() 90501", "cudnn-integer", &[("cudnn", "9.5.1")], "90501"),
    // Compute targets
    ("sm_86", "compute-target", &[("compute_capability", "8.6"), ("code", "sass"), ("gpus", "GeForce RTX 3090"), ("architecture", "Ampere")], "="),
    ("compute_90a", "compute-target", &[("target", "9.0a"), ("code", "ptx")], "="),
    ("12.0f", "compute-target", &[("target", "12.0f")], "="),
    ("8.6+PTX", "compute-target", &[("with_ptx", "true")], "="),
    ("8.6", "compute-target", &[("known", "true")], "="),
    ("86", "compute-target", &[("compute_capability", "8.6")], "8.6"),
    // Drivers
    ("573.76", "driver", &[("os", "windows"), ("branch", "R570"), ("cuda", "12.8"), ("paired_with", "570.195.03")], "="),
    ("572.16", "driver", &[("os", "windows"), ("branch", "R570"), ("known", "false")], "="),
    ("535.104.05", "driver", &[("os", "linux"), ("branch", "R535"), ("cuda", "12.2")], "="),
    ("384.81", "driver", &[("os", "linux"), ("branch", "R384")], "="),
    ("driver version: 570.195.03", "driver", &[("os", "linux"), ("branch", "R570")], "570.195.03"),
    ("R570", "driver-branch", &[("cuda", "12.8"), ("windows_families", "570, 571, 572, 573")], "="),
    ("32.0.15.7376", "driver-file-version", &[("driver", "573.76"), ("branch", "R570")], "="),
    ("NVIDIA-Linux-x86_64-535.104.05.run", "driver-installer", &[("driver", "535.104.05"), ("os", "linux")], "="),
    ("573.76-desktop-win10-win11-64bit-international-dch-whql.exe", "driver-installer", &[("driver", "573.76"), ("os", "windows")], "="),
    // Errors
    ("CUDA error 209", "cuda-error", &[("name", "cudaErrorNoKernelImageForDevice"), ("code", "209")], "cudaErrorNoKernelImageForDevice"),
    ("803", "cuda-error", &[("name", "cudaErrorSystemDriverMismatch")], "cudaErrorSystemDriverMismatch"),
    ("cudaErrorInsufficientDriver", "cuda-error", &[("code", "35")], "="),
    ("CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "cudnn-status", &[("code", "1002")], "="),
    ("cudnn error 1008", "cudnn-status", &[("name", "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED")], "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"),
    // Plain versions
    ("8.5.0.100", "cudnn-version", &[("known", "false"), ("known_version", "8.5.0.96")], "cudnn 8.5.0.100"),
    ("cuDNN v8.9.7", "cudnn-version", &[("known_version", "8.9.7.29")], "cudnn 8.9.7"),
    ("cuda 12.4.1", "cuda-version", &[("cuda", "12.4.1"), ("known", "true")], "="),
    ("2.21.5", "nccl-version", &[("nccl", "2.21.5")], "nccl 2.21.5"),
];

/// More names, for the sentences that those above do not lead to.
pub(super) const MORE: &[&str] = &[
    "cudnn-windows-x86_64-8.5.0.96_cuda12-archive.zip",
    "torch-2.5.1+cu124-cp312-cp312-win_amd64.whl.crdownload",
    "numpy-2.1.0-cp312-cp312-musllinux_1_2_x86_64.whl",
    "torch-2.5.0+xpu-cp312-cp312-win_amd64.whl",
    "torch-2.5.0a0+872d972e41.nv24.08-cp310-cp310-linux_x86_64.whl",
    "torch-2.6.0-cp312-cp312-linux_x86_64.whl",
    "rocm9.9",
    "cuda_12.3.9_545.84_windows.exe",
    "cuda error 12345",
    "cuda error 7",
    "cudaErrorUnheardOf",
    "cuda 12.99",
    "tensorrt 8.5.3",
    "TensorRT-8.5.3.2.Linux.x86_64-gnu.cuda-11.8.cudnn8.6.tar.gz",
    "nvidia/cuda:12.4.1-base-ubuntu22.04",
    "msvcp140.dll",
    "torch_cuda.dll",
    "sm_120f",
    "570.195.03",
    "torch==2.7.0+cu118",
    "jaxlib==0.9.0+cuda12",
    "torch==2.5.7+cu126",
    "8200",
    "535.99",
    "cu999",
];

fn shown(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Text(t) => t.clone(),
        Meaning::Number(n) => n.to_string(),
        Meaning::Flag(b) => b.to_string(),
        Meaning::List(list) => list.join(", "),
    }
}

#[test]
fn real_names() {
    let kb = fixture::kb();
    let mut wrong = Vec::new();
    for (name, kind, means, canonical) in ROWS {
        let readings = decode(&kb, name);
        let Some(best) = readings.first() else {
            wrong.push(format!("{name}: not recognised"));
            continue;
        };
        if best.kind != *kind {
            wrong.push(format!("{name}: {} instead of {kind}", best.kind));
            continue;
        }
        for (key, value) in *means {
            match best.means.get(key) {
                Some(m) if shown(m) == *value => {}
                other => wrong.push(format!("{name}: {key} is {other:?}, not {value}")),
            }
        }
        let wanted = if *canonical == "=" { *name } else { *canonical };
        if !wanted.is_empty() && best.canonical.as_deref() != Some(wanted) {
            wrong.push(format!("{name}: canonical {:?}, not {wanted}", best.canonical));
        }
    }
    assert!(ROWS.len() >= 80);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}

/// A canonical form says the same as the name that it was made from; where the name said more or something that
/// does not exist, what both say must agree but for the corrected part.
#[test]
fn canonical_forms_mean_the_same() {
    let kb = fixture::kb();
    for (name, kind, _, canonical) in ROWS.iter().filter(|r| r.3 != "=") {
        let of = |text: &str| -> Decoded {
            decode(&kb, text)
                .into_iter()
                .find(|d| d.kind == *kind)
                .unwrap_or_else(|| panic!("{text}: no {kind}"))
        };
        let (given, again) = (of(name), of(canonical));
        assert_eq!(again.canonical.as_deref(), Some(*canonical), "{name}");
        if given.means.get("known") == Some(&Meaning::Flag(false)) {
            continue;
        }
        for (key, value) in &given.means {
            let corrected =
                matches!(*key, "version" | "cuda" | "code" | "label" | "local" | "name" | "known");
            match again.means.get(key) {
                Some(other) => {
                    assert!(other == value || corrected, "{name}: {key} {value:?}, then {other:?}")
                }
                None => assert!(corrected || *key == "stage", "{name}: {key} is lost"),
            }
        }
    }
}

#[test]
fn what_is_no_name_is_not_recognised() {
    let kb = fixture::kb();
    for text in [
        "",
        " ",
        "hello",
        "cudnn",
        "readme.txt",
        "1",
        "99999999999999999999",
        "lib.so",
        ".whl",
        "a-b-c.whl",
        "==",
        "+",
        ":",
        "https://example.org/",
        "12.x",
        "sm_",
        "cuda_",
        "cuda_windows.exe",
        "foo/bar:1.0",
        "cudnn-archive.zip",
        "kernel32.dll",
        "libc.so.6",
        "a\u{0}b",
        "torch-2.5.1.tar.gz",
        "nvcuda",
        "post",
        "cu",
    ] {
        let readings = decode(&kb, text);
        assert!(readings.is_empty(), "{text:?}: {readings:?}");
    }
}

#[test]
fn an_integer_that_fits_several_has_several_readings() {
    let kb = fixture::kb();
    let kinds = |n: &str| decode(&kb, n).iter().map(|d| d.kind).collect::<Vec<_>>();
    assert_eq!(kinds("8000"), ["cuda-integer", "cudnn-integer"]);
    assert_eq!(kinds("21000"), ["cuda-integer", "nccl-integer"]);
    assert_eq!(kinds("cudnn 8000"), ["cudnn-integer"]);
}

#[test]
fn a_number_of_both_systems_has_two_readings() {
    let kb = fixture::kb();
    let os: Vec<String> = decode(&kb, "570.65").iter().map(|d| shown(&d.means["os"])).collect();
    assert_eq!(os, ["windows", "linux"]);
}

#[test]
fn meanings_serialise_plainly() {
    let kb = fixture::kb();
    let json = serde_json::to_value(&decode(&kb, "cu118")[0].means).expect("JSON");
    assert_eq!(json["cuda"], "11.8");
    assert_eq!(json["cuda_major"], 11);
    assert_eq!(json["known"], true);
    assert!(json["channel"].is_array());
}
