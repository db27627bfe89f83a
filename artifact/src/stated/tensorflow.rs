//! `tensorflow/python/platform/build_info.py`.

use super::numbers::{version, windows_cuda, windows_cudnn};
use super::python::Value;
use super::{Declared, Stated, python};

pub(super) fn read(bytes: &[u8]) -> Stated {
    let all = python::assignments(bytes);
    let info = python::last(&all, "build_info");
    // Up to 2.2 the values were names of their own.
    let get = |name: &str| info.and_then(|i| i.get(name)).or_else(|| python::last(&all, name));
    let gpu = match get("is_cuda_build") {
        Some(Value::Bool(yes)) => Some(*yes),
        Some(Value::Text(text)) => Some(text.eq_ignore_ascii_case("true")),
        _ => None,
    };
    let targets = match get("cuda_compute_capabilities") {
        Some(Value::List(items)) => Some(Declared::tensorflow(items.iter().filter_map(Value::text))),
        // A list of one is written like that one in some releases.
        Some(Value::Text(text)) => Some(Declared::tensorflow(text.split(',').map(str::trim))),
        _ => None,
    };
    Stated {
        cuda: version(get("cuda_version").or_else(|| get("cuda_version_number"))).map(windows_cuda),
        cudnn: version(get("cudnn_version").or_else(|| get("cudnn_version_number"))).map(windows_cudnn),
        tensorrt: version(get("tensorrt_version")),
        gpu,
        targets,
        ..Stated::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn linux() {
        let text = b"import collections\n\nbuild_info = collections.OrderedDict([('cpu_compiler', '/usr/bin/clang'), \
            ('cuda_compute_capabilities', ['sm_60', 'sm_70', 'compute_90']), ('cuda_version', '12.5.1'), \
            ('cudnn_version', '9'), ('is_cuda_build', True), ('is_rocm_build', False)])\n";
        let said = read("tensorflow/python/platform/build_info.py", text).unwrap();
        assert_eq!((said.cuda.unwrap().value, said.cudnn.unwrap().value), ("12.5.1".into(), "9".into()));
        let targets = said.targets.unwrap();
        assert_eq!(format!("{:?} {:?}", targets.sass, targets.ptx), "[6.0, 7.0] [9.0]");
        assert_eq!(said.gpu, Some(true));
    }

    #[test]
    fn windows() {
        let text = b"import collections\nbuild_info = collections.OrderedDict([(\"cuda_version\", \"64_112\"), \
            (\"cudnn_version\", \"64_8\"), (\"is_cuda_build\", True), (\"msvcp_dll_names\", \"msvcp140.dll\")])\n";
        let said = read("tensorflow/python/platform/build_info.py", text).unwrap();
        let cuda = said.cuda.unwrap();
        assert_eq!((cuda.value.as_str(), cuda.written.as_str()), ("11.2", "64_112"));
        assert_eq!(said.cudnn.unwrap().value, "8");
    }

    #[test]
    fn without_cuda() {
        let text = b"build_info = collections.OrderedDict([('is_cuda_build', False)])";
        let said = read("tensorflow/python/platform/build_info.py", text).unwrap();
        assert_eq!((said.cuda, said.gpu, said.targets), (None, Some(false), None));
    }
}
