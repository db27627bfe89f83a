//! CUDA's libraries inside a package, and which versions they are.
//!
//! A package that carries its own CUDA runtime, cuDNN or NCCL uses those, whatever is installed. How exactly the version
//! can be known differs, so every statement says how it is known.

mod name;
mod resource;

pub use name::{Name, is_same, name};
pub use resource::{Resource, resource_version};

use crate::library::Library;
use crate::stated::{Said, Stated};

/// How a version is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// By the library's own code or data: [`Library::stated_version`].
    Constant,
    /// By the version resource of a DLL.
    Resource,
    /// By a text inside the library, or in another one that it is linked into.
    Text,
    /// By a file name with three numbers or more: `libcudart.so.11.8.89`.
    FileName,
    /// By the name that programs ask for, which stays the same over many releases: `libcudart.so.11.0` and
    /// `cudart64_110.dll` are the runtime of every CUDA 11. As much as they agree on, and no more, is known.
    AbiName,
}

/// A library and its version, as one source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundled {
    /// Its path in the package.
    pub path: String,
    /// Which library it is, without `lib`, platform and version: `cudart`, `cudnn_ops_infer`, `nvrtc-builtins`.
    pub library: String,
    /// Its version, as much of it as is known.
    pub version: Said,
    /// How that is known.
    pub how: How,
}

/// What is known of the version of the library at `path`: by its name, by its tables, and by texts in it. The most exact
/// comes first. Empty for a library that is not one of CUDA's, and has none linked into it.
pub fn versions(path: &str, tables: Option<&Library>, stated: Option<&Stated>) -> Vec<Bundled> {
    let row = |library: &str, version: Said, how| Bundled {
        path: path.to_owned(),
        library: library.to_owned(),
        version,
        how,
    };
    let mut out = Vec::new();
    let name = name(path);
    if let (Some(name), Some(tables)) = (&name, tables) {
        let constant = tables.stated_version.as_ref().map(|v| v.version.clone());
        out.extend(constant.map(|v| row(&name.library, v, How::Constant)));
        let resource = Resource {
            description: tables.description.as_deref(),
            product_text: tables.product_version_text.as_deref(),
            product: tables.product_version.as_deref(),
            file: tables.file_version.as_deref(),
        };
        out.extend(resource_version(&name.library, &resource).map(|v| row(&name.library, v, How::Resource)));
    }
    // Also where it is only linked in: then the path is another library's.
    out.extend(stated.and_then(|s| s.nccl.clone()).map(|v| row("nccl", v, How::Text)));
    if let Some(Name { library, version: Some(version), whole }) = name {
        out.push(row(&library, version, if whole { How::FileName } else { How::AbiName }));
    }
    out.sort_by_key(|row| row.how);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_in_and_by_name() {
        let stated = Stated { nccl: Some(Said::plain("2.10.3")), ..Stated::default() };
        let rows = versions("torch/lib/libtorch_cuda.so", None, Some(&stated));
        assert_eq!((rows[0].library.as_str(), rows[0].how, rows.len()), ("nccl", How::Text, 1));
        let rows = versions("a.libs/libnccl-3cdd5ffb.so.2", None, Some(&stated));
        let shown: Vec<_> = rows.iter().map(|r| (r.version.value.as_str(), r.how)).collect();
        assert_eq!(shown, [("2.10.3", How::Text), ("2", How::AbiName)]);
        assert!(versions("torch/lib/libtorch_cpu.so", None, None).is_empty());
    }
}
