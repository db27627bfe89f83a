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
    let read = match artifact::library::read(bytes) {
        Ok(read) => read,
        Err(artifact::Error::Io(e)) => return Err(e.into()),
        Err(why) => {
            // Of one of 32 bit no more is known than that it is one.
            let machine = of_32_bit(bytes).ok_or_else(|| Refusal::Other(why.to_string()))?;
            return Ok(LibraryFacts { machine: machine.to_owned(), ..LibraryFacts::default() });
        }
    };
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

/// The processor of a program or library of 32 bit: `x86`, `arm`.
fn of_32_bit(bytes: &(impl artifact::Bytes + ?Sized)) -> Option<&'static str> {
    let mut head = [0; 64];
    bytes.read_exact_at(0, &mut head).ok()?;
    let number = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]));
    if head.starts_with(b"\x7fELF\x01\x01") {
        return match number(18)? {
            3 => Some("x86"),
            40 => Some("arm"),
            _ => None,
        };
    }
    let offset = u32::from(number(60)?) | u32::from(number(62)?) << 16;
    let mut coff = [0; 6];
    bytes.read_exact_at(offset.into(), &mut coff).ok()?;
    match (head.starts_with(b"MZ"), &coff) {
        (true, [b'P', b'E', 0, 0, 0x4c, 0x01]) => Some("x86"),
        (true, [b'P', b'E', 0, 0, 0xc4, 0x01]) => Some("arm"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_32_bit_is_said_to_be() {
        let mut windows = vec![0; 70];
        windows[..2].copy_from_slice(b"MZ");
        windows[60] = 64;
        windows[64..].copy_from_slice(b"PE\0\0\x4c\x01");
        assert_eq!(facts(&windows).map(|f| f.machine).as_deref(), Ok("x86"));
        let mut linux = b"\x7fELF\x01\x01".to_vec();
        linux.resize(64, 0);
        linux[18] = 3;
        assert_eq!(facts(&linux).map(|f| f.machine).as_deref(), Ok("x86"));
        windows[60..64].copy_from_slice(&[0xff; 4]);
        assert!(facts(&windows).is_err() && facts(b"MZ".as_slice()).is_err());
    }
}
