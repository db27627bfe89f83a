//! What files inside a package state about the build: versions of CUDA and cuDNN, compute targets.
//!
//! Each kind of file has a reader of its own, a pure function from bytes. A reader says what is written; it does not
//! complete it (`12` stays `12`) and judges nothing. Python files are not run: assignments of literals at the top level
//! are read, whatever else they hold.
//!
//! Some things are stated only by texts inside libraries, such as the targets that `torch.cuda.get_arch_list()` gives:
//! [`strings`] finds those in a stream.

mod bitsandbytes;
mod cudnn_header;
mod cupy;
mod numbers;
mod onnxruntime;
mod paddle;
mod python;
mod strings;
mod targets;
mod tensorflow;
mod torch;
mod xformers;

pub use bitsandbytes::{Variant, variant};
pub use strings::{Strings, states_targets, strings};
pub use targets::Declared;

/// A value, as it is written and as it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// In the usual spelling: `11.2`.
    pub value: String,
    /// As it stands in the file: `64_112`.
    pub written: String,
}

impl Said {
    /// A value that is written in the usual spelling.
    pub(crate) fn plain(text: impl Into<String>) -> Said {
        let written = text.into();
        Said { value: written.clone(), written }
    }
}

/// What one file states. What it does not mention is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// The package's name, if the file has it (`onnxruntime-gpu`).
    pub package: Option<Said>,
    /// The package's version, with its local label (`2.5.1+cu124`).
    pub version: Option<Said>,
    /// The CUDA release that the package was built with, or as much of it as is written.
    pub cuda: Option<Said>,
    /// The cuDNN version.
    pub cudnn: Option<Said>,
    /// The NCCL version.
    pub nccl: Option<Said>,
    /// The TensorRT version.
    pub tensorrt: Option<Said>,
    /// The ROCm or HIP version.
    pub rocm: Option<Said>,
    /// The torch version that the package was built against.
    pub torch: Option<Said>,
    /// The Python that it was built with.
    pub python: Option<Said>,
    /// Is it built for NVIDIA GPUs? `Some(false)` only where the file says so.
    pub gpu: Option<bool>,
    /// Compute targets that it was built for, as declared. What is really inside is
    /// [`DeviceCode`](crate::code::DeviceCode).
    pub targets: Option<Declared>,
    /// The source commit.
    pub commit: Option<Said>,
}

type Reader = fn(&[u8]) -> Stated;

/// Readers by the end of the path.
const READERS: [(&str, Reader); 13] = [
    ("torch/version.py", torch::read),
    ("torchvision/version.py", torch::read),
    ("torchaudio/version.py", torch::read),
    ("paddle/version/__init__.py", paddle::read),
    ("tensorflow/python/platform/build_info.py", tensorflow::read),
    ("tensorflow_core/python/platform/build_info.py", tensorflow::read),
    ("onnxruntime/capi/build_and_package_info.py", onnxruntime::read),
    ("onnxruntime/capi/version_info.py", onnxruntime::read),
    ("cupy/.data/_wheel.json", cupy::read),
    ("xformers/cpp_lib.json", xformers::read),
    ("xformers/version.py", torch::read),
    ("include/cudnn_version.h", cudnn_header::read),
    ("include/cudnn.h", cudnn_header::read),
];

/// Reads a file by its path inside a package (`torch/version.py`); `None` if no reader knows the path.
///
/// Never fails: a file that cannot be understood states nothing.
pub fn read(path: &str, bytes: &[u8]) -> Option<Stated> {
    reader(path).map(|read| read(bytes))
}

/// Is there a reader for this path?
pub fn is_known(path: &str) -> bool {
    reader(path).is_some()
}

/// Files of which a package of some name usually has one, by the normalised name.
const EXPECTED: [(&[&str], &[&str]); 8] = [
    (&["torch"], &["torch/version.py"]),
    (&["torchvision"], &["torchvision/version.py"]),
    (&["torchaudio"], &["torchaudio/version.py"]),
    (&["xformers"], &["xformers/cpp_lib.json"]),
    (&["paddlepaddle", "paddlepaddle-gpu"], &["paddle/version/__init__.py"]),
    (
        &[
            "tensorflow",
            "tensorflow-cpu",
            "tensorflow-gpu",
            "tensorflow-intel",
            "tf-nightly",
            "tf-nightly-gpu",
        ],
        &["tensorflow/python/platform/build_info.py", "tensorflow_core/python/platform/build_info.py"],
    ),
    (
        &["onnxruntime", "onnxruntime-gpu", "ort-nightly", "ort-nightly-gpu"],
        &["onnxruntime/capi/build_and_package_info.py", "onnxruntime/capi/version_info.py"],
    ),
    (&["cupy", "cupy-cuda11x", "cupy-cuda12x", "cupy-cuda13x"], &["cupy/.data/_wheel.json"]),
];

/// Files of which a package of this normalised name usually has one. None for most packages: which files those have
/// is not known.
pub fn expected(package: &str) -> &'static [&'static str] {
    EXPECTED.iter().find(|(names, _)| names.contains(&package)).map_or(&[], |(_, files)| files)
}

fn reader(path: &str) -> Option<Reader> {
    // Of thousands of files most are told by their last letters: headers but those of cuDNN are nobody's.
    if !(path.ends_with(".py") || path.ends_with(".json") || path.ends_with("n.h")) {
        return None;
    }
    // Also below `….data/purelib/` of a wheel or `site-packages/` of an installation.
    READERS
        .iter()
        .find(|(end, _)| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')))
        .map(|(_, read)| *read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_is_found() {
        for (end, _) in READERS {
            assert!(is_known(end) && is_known(&format!("a/{end}")) && !is_known(&format!("a{end}")), "{end}");
        }
        assert!(!is_known("torch/include/ATen/ATen.h") && !is_known("torch/version.pyi"));
    }

    #[test]
    fn what_is_expected_can_be_read() {
        for (names, files) in EXPECTED {
            assert!(files.iter().all(|f| is_known(f)), "{files:?}");
            assert!(names.iter().all(|n| expected(n) == files));
        }
        assert!(expected("numpy").is_empty());
    }
}
