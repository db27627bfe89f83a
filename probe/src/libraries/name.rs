//! Names of the libraries that are looked for.

use artifact::bundled::Name;

/// Libraries that are looked for on every machine, and the observation that tells their version.
pub(super) const KNOWN: [(&str, &str); 7] = [
    ("cudnn", "cudnn"),
    ("cudart", "cuda-runtime"),
    ("cublas", "cublas"),
    ("cublasLt", "cublas"),
    ("nccl", "nccl"),
    ("nvinfer", "tensorrt"),
    ("zlibwapi", "zlibwapi"),
];

/// Takes the file name of one of CUDA's libraries apart, or of zlib as cuDNN 8 asks for it on Windows.
pub(super) fn parsed(file: &str) -> Option<Name> {
    if file.eq_ignore_ascii_case("zlibwapi.dll") {
        return Some(Name { library: "zlibwapi".into(), version: None, whole: false });
    }
    artifact::bundled::name(file)
}

/// Which of [`KNOWN`] a file is; parts of cuDNN are none.
pub(super) fn known(file: &str) -> Option<&'static str> {
    let name = parsed(file)?;
    KNOWN.iter().map(|(library, _)| *library).find(|l| l.eq_ignore_ascii_case(&name.library))
}

/// The observation that tells the version of a library.
pub(super) fn observation(library: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(l, _)| l.eq_ignore_ascii_case(library)).map(|(_, what)| *what)
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// A file: `cudnn64_8.dll`, `libcudnn.so.9`.
    File(String),
    /// A library, whatever the version in its file name: `cudnn`.
    Library(String),
    /// A program: `nvcc`.
    Program(String),
}

/// What a word asks for.
pub(super) fn asked(word: &str) -> Asked {
    let lower = word.to_ascii_lowercase();
    let library = match lower.as_str() {
        "tensorrt" => "nvinfer",
        "cuda-runtime" => "cudart",
        other => other.strip_prefix("lib").unwrap_or(other),
    };
    if lower.ends_with(".dll") || lower.ends_with(".so") || lower.contains(".so.") {
        Asked::File(word.to_owned())
    } else if library == "zlibwapi" {
        Asked::Library(library.to_owned())
    } else {
        match artifact::bundled::name(&format!("lib{library}.so")) {
            Some(name) => Asked::Library(name.library),
            None => Asked::Program(word.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(asked("libcudnn.so.9"), Asked::File("libcudnn.so.9".into()));
        assert_eq!(asked("CUDNN64_8.DLL"), Asked::File("CUDNN64_8.DLL".into()));
        assert_eq!(asked("cuDNN"), Asked::Library("cudnn".into()));
        assert_eq!(asked("tensorrt"), Asked::Library("nvinfer".into()));
        assert_eq!(asked("libcufft"), Asked::Library("cufft".into()));
        assert_eq!(asked("nvcc"), Asked::Program("nvcc".into()));
    }

    #[test]
    fn parts_are_no_libraries_of_their_own() {
        assert_eq!(known("libcublasLt.so.12"), Some("cublasLt"));
        assert_eq!(known("CUBLAS64_11.DLL"), Some("cublas"));
        assert_eq!((known("zlibwapi.dll"), known("libcudnn_ops.so.9")), (Some("zlibwapi"), None));
    }
}
