//! `onnxruntime/capi/build_and_package_info.py` and `version_info.py`.
//!
//! Not every wheel has one of them: onnxruntime-gpu 1.14.1 and 1.17.1 for Linux, as they are on PyPI, have neither, and
//! what they were built with is only known by the libraries that theirs ask for.

use super::numbers::version;
use super::{Stated, python};

pub(super) fn read(bytes: &[u8]) -> Stated {
    let all = python::assignments(bytes);
    let get = |name| version(python::last(&all, name));
    let cuda = get("cuda_version");
    // `use_cuda = False` in version_info.py; the other file leaves out what is not there.
    let gpu = match python::last(&all, "use_cuda") {
        Some(python::Value::Bool(yes)) => Some(*yes),
        _ => cuda.is_some().then_some(true),
    };
    Stated {
        package: get("package_name"),
        version: get("__version__"),
        cuda,
        cudnn: get("cudnn_version"),
        rocm: get("rocm_version"),
        gpu,
        ..Stated::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn both_files() {
        let text = b"package_name = 'onnxruntime-gpu'\n__version__ = '1.20.1'\ncuda_version = '12.2'\n";
        let said = read("onnxruntime/capi/build_and_package_info.py", text).unwrap();
        assert_eq!(said.package.unwrap().value, "onnxruntime-gpu");
        assert_eq!((said.cuda.unwrap().value.as_str(), said.gpu), ("12.2", Some(true)));
        let said = read("onnxruntime/capi/version_info.py", b"use_cuda = False\nvs2019 = False\n").unwrap();
        assert_eq!((said.cuda, said.gpu), (None, Some(false)));
    }
}
