//! `paddle/version/__init__.py`.

use super::numbers::version;
use super::{Stated, python};

pub(super) fn read(bytes: &[u8]) -> Stated {
    let all = python::assignments(bytes);
    let get = |name| version(python::last(&all, name));
    let cuda = get("cuda_version");
    // Builds without CUDA say 'False'.
    let gpu = python::last(&all, "cuda_version").map(|_| cuda.is_some());
    Stated {
        version: get("full_version"),
        cuda,
        cudnn: get("cudnn_version"),
        nccl: get("nccl_version"),
        tensorrt: get("tensorrt_version"),
        gpu,
        commit: get("commit"),
        ..Stated::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn versions() {
        let text = b"# THIS FILE IS GENERATED\n#\nfull_version     = '2.6.1'\nmajor            = '2'\n\
            cuda_version     = '11.8'\ncudnn_version    = '8.6.0'\nistaged          = True\n\ndef show():\n    \"\"\"x\n\
            cuda_version = '9.9'\n    \"\"\"\n    print(cuda_version)\n";
        let said = read("paddle/version/__init__.py", text).unwrap();
        assert_eq!((said.cuda.unwrap().value, said.cudnn.unwrap().value), ("11.8".into(), "8.6.0".into()));
        assert_eq!(said.gpu, Some(true));
        let said = read("paddle/version/__init__.py", b"cuda_version = 'False'\n").unwrap();
        assert_eq!((said.cuda, said.gpu), (None, Some(false)));
    }
}
