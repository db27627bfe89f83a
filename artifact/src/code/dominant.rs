//! Which library of a package its device code is judged by.

use super::DeviceCode;

/// The library that decides what a package runs on: among its own libraries the one with the most SASS and PTX entries.
///
/// Not the union of all of them. A GPU works only if the code that is called works, and most of what is called is in the
/// largest library: one helper with code for 12.0 beside a main library that ends at 9.0 does not make a package for
/// 12.0. Libraries that come from elsewhere (`cublas`, `cudnn` …, see [`is_bundled`]) have code for more GPUs than the
/// package that carries them and say nothing of it; they decide only if nothing else has code.
///
/// With equal numbers the one with more bytes of payload, then the first by name. `None` if no library has code.
///
/// A package can have several variants of one library, of which one is loaded (`libbitsandbytes_cuda118.so`,
/// `…cuda124.so`): ask for each variant apart.
pub fn dominant<'a>(
    libraries: impl IntoIterator<Item = (&'a str, &'a DeviceCode)>,
) -> Option<(&'a str, &'a DeviceCode)> {
    libraries.into_iter().filter(|(_, code)| code.entries() > 0).max_by_key(|(path, code)| {
        let bytes: u64 =
            code.sass.values().chain(code.ptx.values()).fold(0, |n, c| n.saturating_add(c.bytes));
        (!is_bundled(path), code.entries(), bytes, std::cmp::Reverse(*path))
    })
}

/// NVIDIA's own libraries, by the beginning of the name without `lib`.
const NVIDIA: [&str; 27] = [
    "cublas",
    "cudart",
    "cudnn",
    "cudss",
    "cufft",
    "cufile",
    "cuinj",
    "cupti",
    "curand",
    "cusolver",
    "cusparse",
    "cutensor",
    "nccl",
    "npp",
    "nvblas",
    "nvfatbin",
    "nvinfer",
    "nvjitlink",
    "nvjpeg",
    "nvonnxparser",
    "nvparsers",
    "nvperf",
    "nvrtc",
    "nvshmem",
    "nvtoolsext",
    "nvtx",
    "nvvm",
];

/// Does a member's path say that the library was made elsewhere and only travels with the package?
///
/// By directory (`nvidia/…`, `….libs/`, where wheel-repair tools put what they found) or by the name of a library of
/// NVIDIA's.
pub fn is_bundled(path: &str) -> bool {
    let mut parts = path.split('/').collect::<Vec<_>>();
    let name = parts.pop().unwrap_or_default();
    if parts.iter().any(|p| *p == "nvidia" || p.ends_with(".libs")) {
        return true;
    }
    is_nvidia(name)
}

/// Is a file name one of a library of NVIDIA's: `cudnn64_8.dll`, `libcublasLt.so.12`, `nccl-1a2b3c.so.2`?
pub(crate) fn is_nvidia(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // `cudnn.cpython-312-x86_64-linux-gnu.so` is a module of the package's own that is only called like the library.
    if name.ends_with(".pyd") || name.contains(".cpython-") || name.contains(".abi3.") {
        return false;
    }
    let name = name.strip_prefix("lib").unwrap_or(&name);
    NVIDIA.iter().any(|n| name.starts_with(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Count;

    fn code(entries: u64, target: &str) -> DeviceCode {
        let mut code = DeviceCode::default();
        code.sass.insert(target.parse().unwrap(), Count { entries, containers: entries, bytes: entries });
        code
    }

    #[test]
    fn the_largest_of_its_own_decides() {
        let (main, helper, cudnn) = (code(600, "8.0"), code(3, "12.0"), code(9000, "9.0"));
        let libraries = [
            ("torch/lib/libcudnn_engines.so.9", &cudnn),
            ("torch/lib/helper.so", &helper),
            ("torch/lib/libtorch_cuda.so", &main),
        ];
        assert_eq!(dominant(libraries).unwrap().0, "torch/lib/libtorch_cuda.so");
        assert_eq!(dominant([("a/libcudnn.so", &cudnn)]).unwrap().0, "a/libcudnn.so");
        assert!(dominant([("a/b.so", &DeviceCode::default())]).is_none());
    }

    #[test]
    fn bundled() {
        for path in [
            "nvidia/cudnn/lib/libfoo.so",
            "x.libs/y.so",
            "torch/lib/cublasLt64_12.dll",
            "a/nvrtc64_112_0.dll",
        ] {
            assert!(is_bundled(path), "{path}");
        }
        for path in [
            "torch/lib/torch_cuda.dll",
            "paddle/base/libpaddle.pyd",
            "vllm/_C.abi3.so",
            "a/cudnn.cpython-312-x86_64-linux-gnu.so",
        ] {
            assert!(!is_bundled(path), "{path}");
        }
    }
}
