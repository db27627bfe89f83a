//! CUDA's libraries that a package carries, each with its version and how that is known.

use super::family;
use artifact::bundled::{self, Bundled, How};
use artifact::library::Library;
use artifact::stated::Stated;

/// A library of CUDA's family inside a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Carried {
    /// Its path; of one that is linked into another library the other's.
    pub path: String,
    /// Which library: `cudart`, `cudnn_ops`; `None` for those that are not told apart by name.
    pub library: Option<String>,
    /// The version that is known most exactly, and how.
    pub version: Option<(String, How)>,
    /// It has no file of its own.
    pub linked_in: bool,
}

/// What the library at `path` is, if it is of CUDA's family, and what is linked into it.
pub(super) fn of(path: &str, tables: Option<&Library>, texts: Option<&Stated>) -> Vec<Carried> {
    let own = bundled::name(path).map(|n| n.library);
    let mut out: Vec<Carried> = Vec::new();
    // The most exact comes first.
    for Bundled { library, version, how, .. } in bundled::versions(path, tables, texts) {
        if out.iter().all(|c| c.library.as_ref() != Some(&library)) {
            out.push(Carried {
                path: path.to_owned(),
                linked_in: own.as_ref().is_none_or(|own| !own.eq_ignore_ascii_case(&library)),
                library: Some(library),
                version: Some((version.value, how)),
            });
        }
    }
    if family::is_of(path) && !out.iter().any(|c| !c.linked_in) {
        out.push(Carried { path: path.to_owned(), library: own, version: None, linked_in: false });
    }
    out
}

impl Carried {
    /// A version that says more than the name that programs ask for.
    pub(crate) fn exact(&self) -> Option<&str> {
        self.version.as_ref().filter(|(_, how)| *how != How::AbiName).map(|(version, _)| version.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use artifact::stated::Said;

    #[test]
    fn by_name_and_linked_in() {
        let nccl = Said { value: "2.20.5".to_owned(), written: String::new() };
        let texts = Stated { nccl: Some(nccl), ..Stated::default() };
        let shown = |path: &str, texts: Option<&Stated>| -> Vec<String> {
            let one = |c: Carried| {
                let library = c.library.clone().unwrap_or_default();
                format!("{library} {} {}", c.exact().unwrap_or("?"), if c.linked_in { "in" } else { "own" })
            };
            of(path, None, texts).into_iter().map(one).collect()
        };
        assert_eq!(shown("a/libcudart.so.11.8.89", None), ["cudart 11.8.89 own"]);
        assert_eq!(shown("a/libcudart.so.12", None), ["cudart ? own"]);
        assert_eq!(shown("a/libcudnn.so", None), ["cudnn ? own"]);
        assert_eq!(shown("torch/lib/libtorch_cuda.so", Some(&texts)), ["nccl 2.20.5 in"]);
        assert_eq!(shown("libnccl.so.2", Some(&texts)), ["nccl 2.20.5 own"]);
        assert_eq!(shown("libcuda.so.1", None), [" ? own"]);
        assert!(shown("torch/lib/libtorch_cpu.so", None).is_empty());
    }
}
