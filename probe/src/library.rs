//! What a library says of itself, as far as an observation needs it.

use crate::machine::Refusal;
use artifact::library::Format;
use serde::{Deserialize, Serialize};

/// What the headers of a library say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct LibraryFacts {
    /// The processor it is for: `x86_64`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// Its version: PE's product version, or what its own code states of a library of NVIDIA's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// PE's file version, where it is another text than the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_version: Option<String>,
    /// PE's description: `NVIDIA CUDA Runtime, Version 12.4.127`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// ELF's SONAME.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soname: Option<String>,
    /// Libraries that must be found for it to be loaded, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed: Vec<String>,
    /// ELF's RUNPATH, or RPATH if that is all there is, taken apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<String>,
    /// ELF: is that RPATH, before which the loader asks nobody?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rpath: bool,
    /// The least glibc that it asks for: `2.17`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glibc: Option<String>,
}

/// Reads the headers of a library.
///
/// # Errors
/// If it is none, or cannot be read.
pub fn facts(bytes: &(impl artifact::Bytes + ?Sized)) -> Result<LibraryFacts, Refusal> {
    let read = artifact::library::read(bytes).map_err(|e| match e {
        artifact::Error::Io(e) => Refusal::from(e),
        other => Refusal::Other(other.to_string()),
    })?;
    let version = match read.format {
        Format::Elf => read.stated_version.as_ref().map(|v| v.version.value.clone()),
        Format::Pe => read.product_version.clone().or_else(|| read.file_version.clone()),
    };
    Ok(LibraryFacts {
        file_version: read.file_version.filter(|v| Some(v) != version.as_ref()),
        version,
        machine: read.machine,
        description: read.description,
        soname: read.soname,
        needed: read.needed,
        search: read.search,
        rpath: read.rpath,
        glibc: read.glibc.map(|(major, minor)| format!("{major}.{minor}")),
    })
}
