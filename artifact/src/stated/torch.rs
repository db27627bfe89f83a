//! `torch/version.py`, and those of torchvision, torchaudio and xformers, which have fewer lines.

use super::numbers::version;
use super::{Stated, python};

pub(super) fn read(bytes: &[u8]) -> Stated {
    let all = python::assignments(bytes);
    let get = |name| version(python::last(&all, name));
    let cuda = get("cuda");
    let rocm = get("hip");
    // torch says `cuda = None` on builds without it; the others leave the line out.
    let gpu = match python::last(&all, "cuda") {
        Some(python::Value::Nothing) => Some(false),
        _ => cuda.is_some().then_some(true),
    };
    Stated { version: get("__version__"), cuda, rocm, gpu, commit: get("git_version"), ..Stated::default() }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn a_cuda_build() {
        let text = b"from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda']\n\
            __version__ = '2.5.1+cu124'\ndebug = False\ncuda: Optional[str] = '12.4'\ngit_version = 'a8d6'\n\
            hip: Optional[str] = None\nxpu: Optional[str] = None\n";
        let said = read("torch/version.py", text).unwrap();
        assert_eq!(said.version.unwrap().value, "2.5.1+cu124");
        assert_eq!((said.cuda.unwrap().value.as_str(), said.gpu, said.rocm), ("12.4", Some(true), None));
    }

    #[test]
    fn a_cpu_build_and_torchvision() {
        let said = read("x/torch/version.py", b"__version__ = '2.5.1+cpu'\ncuda = None\n").unwrap();
        assert_eq!((said.cuda, said.gpu), (None, Some(false)));
        let text =
            b"__version__ = '0.20.1+cu124'\ngit_version = '3ac9'\nfrom torchvision.extension import _check\n\
            if _check() > 0:\n    cuda = _check()\n";
        let said = read("torchvision/version.py", text).unwrap();
        assert_eq!((said.version.unwrap().value.as_str(), said.cuda, said.gpu), ("0.20.1+cu124", None, None));
        assert!(read("nottorch/version.py", b"").is_none());
    }
}
