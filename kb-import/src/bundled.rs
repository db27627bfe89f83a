//! CUDA libraries that travel in a wheel, by their file names.

use crate::read::Member;

/// Beginnings of the names of NVIDIA's libraries, without `lib`, with what must follow so that a module of the package's
/// own (`cudnn_ops.py`, `libcudart_static.a`) is not one of them.
const LIBRARIES: [&str; 22] = [
    "cublas", "cublaslt", "cudart", "cudnn", "cufft", "cufftw", "cufile", "cupti", "curand", "cusolver", "cusolvermg",
    "cusparse", "cusparselt", "cutensor", "nccl", "nvinfer", "nvjitlink", "nvrtc", "nvshmem_host", "nvtoolsext", "nvblas", "npp",
];

/// The names of such libraries in a wheel, sorted, as the loader looks for them: what tools that repair wheels add to a
/// name (`libcudart-d0da41ae.so.11.0`) is left out.
pub(crate) fn libraries(files: &[Member]) -> Vec<String> {
    let mut out: Vec<String> = files.iter().filter_map(|f| name(&f.path)).collect();
    out.sort();
    out.dedup();
    out
}

fn name(path: &str) -> Option<String> {
    let file = path.rsplit('/').next()?;
    let lower = file.to_ascii_lowercase();
    if lower.contains(".cpython-") || lower.contains(".abi3.") {
        return None;
    }
    let (stem, ending) = match lower.find(".so") {
        Some(at) if matches!(lower.as_bytes().get(at + 3), None | Some(b'.')) => file.split_at(at),
        _ if lower.ends_with(".dll") => file.split_at(file.len() - 4),
        _ => return None,
    };
    let stem = match stem.rsplit_once('-') {
        Some((front, hash)) if hash.len() >= 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => front,
        _ => stem,
    };
    let plain = stem.strip_prefix("lib").unwrap_or(stem).to_ascii_lowercase();
    LIBRARIES.iter().any(|l| plain.strip_prefix(l).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(['_', '.', '-']) || rest.starts_with("64_") || *l == "npp" || *l == "cupti" || *l == "cublas" && rest == "lt"
    })).then(|| format!("{stem}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let of = |paths: &[&str]| {
            let files: Vec<Member> =
                paths.iter().map(|p| Member { path: (*p).to_owned(), size: 1, crc32: 0 }).collect();
            libraries(&files)
        };
        assert_eq!(
            of(&[
                "torch/lib/libcudart-d0da41ae.so.11.0",
                "torch/lib/cudnn_ops64_9.dll",
                "x/libcublasLt.so.12",
                "torch/lib/cudnn64_8.dll",
                "nvidia/nccl/lib/libnccl.so.2",
                "torch/lib/cublasLt64_12.dll",
            ]),
            ["cublasLt64_12.dll", "cudnn64_8.dll", "cudnn_ops64_9.dll", "libcublasLt.so.12", "libcudart.so.11.0", "libnccl.so.2"]
        );
        let none: [String; 0] = [];
        assert_eq!(
            of(&["cupy/cudnn.cpython-312-x86_64-linux-gnu.so", "a/libcudart_static.a", "torch/lib/libtorch_cuda.so", "a/nccl.py", "a/ncclx.so"]),
            none
        );
    }
}
