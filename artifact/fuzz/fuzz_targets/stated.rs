//! Files that state versions, and texts in libraries. The first byte says which file it is.
#![no_main]

use artifact::stated::{is_known, read, strings};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 9] = [
    "torch/version.py",
    "paddle/version/__init__.py",
    "tensorflow/python/platform/build_info.py",
    "onnxruntime/capi/build_and_package_info.py",
    "onnxruntime/capi/version_info.py",
    "cupy/.data/_wheel.json",
    "xformers/cpp_lib.json",
    "torch/lib/libtorch_python.so",
    "torch/lib/libtorch_cuda.so",
];

fuzz_target!(|data: &[u8]| {
    let Some((which, bytes)) = data.split_first() else { return };
    let path = PATHS[usize::from(*which) % PATHS.len()];
    let Some(mut whole) = strings(path) else {
        assert!(is_known(path) && read(path, bytes).is_some());
        return;
    };
    let mut pieces = whole.clone();
    whole.push(bytes);
    let cut = usize::from(which / 9) + 1;
    bytes.chunks(cut).for_each(|chunk| pieces.push(chunk));
    assert_eq!(whole.finish(), pieces.finish());
});
