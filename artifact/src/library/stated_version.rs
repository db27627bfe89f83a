//! The version that a library of NVIDIA's gives when it is asked, without asking: the constant in its code or data.
//!
//! | library | where |
//! | --- | --- |
//! | CUDA runtime | what `cudaRuntimeGetVersion` stores, in a function of its own that ends with the store |
//! | NCCL | what `ncclGetVersion` stores |
//! | cuDNN 9 | the exported objects `cudnn_…_version` of its parts; `libcudnn.so.9` itself only asks those |
//! | cuDNN before | what `cudnnGetVersion` returns, if that is all it does |
//!
//! Looked at were the runtimes of CUDA 10.2 and 12.4 (the latter also for AArch64), NCCL 2.20.5 and cuDNN 9.28.1.
//! Only code of exactly the expected form is read, for x86-64 and AArch64, and only if all that is found agrees; code is
//! never followed. DLLs have a version resource instead.

use super::source::{LARGEST_TABLE, Trouble};
use super::{Library, machine_code};
use crate::stated::Said;
use crate::{Bytes, Error};
use object::elf::{self, FileHeader64};
use object::endian::Endianness;
use object::read::ReadRef;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use std::collections::BTreeSet;

/// A version that a library's own code or data gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatedVersion {
    /// The version; `written` is the number as it stands in the library: `2.20.5` is 22005.
    pub version: Said,
    /// The function or object that has it: `cudaRuntimeGetVersion`, `cudnn_ops_infer_version`.
    pub symbol: String,
}

type Header = FileHeader64<Endianness>;

/// Bytes of code that are gone through at most. The CUDA runtime has half a megabyte.
const MOST_CODE: u64 = 8 << 20;
/// Bytes of a name, at most, with the zero at its end.
const LONGEST_NAME: usize = 64;
/// Symbols that are looked at. cuDNN's parts have one or two.
const MOST_SYMBOLS: u32 = 64;
/// Bytes of one function that are looked at.
const FUNCTION: u64 = 64;

/// What `library`, read from `bytes`, states. `None` where there is nothing that can be read.
pub(super) fn find(bytes: &(impl Bytes + ?Sized), library: &Library) -> Result<Option<StatedVersion>, Error> {
    let Some(name) = library.soname.as_deref().and_then(|n| n.strip_prefix("lib")) else { return Ok(None) };
    let known = ["cudart", "cudnn", "nccl"].into_iter().find(|k| {
        name.strip_prefix(k)
            .is_some_and(|rest| rest.starts_with(['.', '-']) || (*k == "cudnn" && rest.starts_with('_')))
    });
    let Some(known) = known else { return Ok(None) };
    let trouble = Trouble::default();
    let cache = trouble.cache(bytes);
    let found = match known {
        "cudart" => runtime(&cache, &library.machine),
        _ => exported(&cache, &library.machine, known),
    };
    match found {
        Ok(found) => Ok(found),
        Err(()) => match trouble.error("broken") {
            e @ Error::Io(_) => Err(e),
            // Whatever else is wrong with it, nothing is stated.
            _ => Ok(None),
        },
    }
}

/// The CUDA runtime: every function that stores a release of CUDA has to store the same.
fn runtime<'data, R: ReadRef<'data>>(data: R, machine: &str) -> Result<Option<StatedVersion>, ()> {
    let header = Header::parse(data).map_err(drop)?;
    let endian = header.endian().map_err(drop)?;
    let mut found = BTreeSet::new();
    let mut left = MOST_CODE;
    for segment in header.program_headers(endian, data).map_err(drop)? {
        let (_, length) = segment.file_range(endian);
        let kind = segment.p_type(endian) == elf::PT_LOAD;
        if kind && segment.p_flags(endian).0 & elf::PF_X.0 != 0 && length <= left {
            left -= length;
            let numbers = machine_code::stored(machine, segment.data(endian, data)?);
            found.extend(numbers.into_iter().filter_map(|n| Some((n, cuda(n)?))));
        }
    }
    Ok(one(found, "cudaRuntimeGetVersion"))
}

/// NCCL and cuDNN: functions and objects that are exported.
fn exported<'data, R: ReadRef<'data>>(
    data: R,
    machine: &str,
    library: &str,
) -> Result<Option<StatedVersion>, ()> {
    let header = Header::parse(data).map_err(drop)?;
    let endian = header.endian().map_err(drop)?;
    let sections = header.section_headers(endian, data).map_err(drop)?;
    let segments = header.program_headers(endian, data).map_err(drop)?;
    let Some(table) = sections.iter().find(|s| s.sh_type(endian) == elf::SHT_DYNSYM) else { return Ok(None) };
    let Some(names) = sections.get(table.sh_link(endian) as usize) else { return Ok(None) };
    if table.sh_size(endian) > LARGEST_TABLE || names.sh_size(endian) > LARGEST_TABLE {
        return Ok(None);
    }
    let symbols: &[elf::Sym64<Endianness>] = table.data_as_array(endian, data).map_err(drop)?;
    let names = names.data(endian, data).map_err(drop)?;
    // Bytes at an address, of the segment that has it.
    let at = |address: u64, length: u64| {
        let range = segments.iter().filter(|s| s.p_type(endian) == elf::PT_LOAD).find_map(|s| {
            let (start, size) = s.file_range(endian);
            let into = address.checked_sub(s.p_vaddr(endian))?;
            (into < size).then(|| (start.saturating_add(into), length.min(size - into)))
        });
        range.map_or(Ok(&[][..]), |(start, length)| data.read_bytes_at(start, length))
    };
    let mut found = BTreeSet::new();
    let mut symbol = "";
    let mut left = MOST_SYMBOLS;
    for entry in symbols.iter().filter(|s| !s.is_undefined(endian)) {
        let name = names.get(entry.st_name(endian) as usize..).unwrap_or_default();
        // Names that are asked for are short. All of them could begin in one without an end.
        let name = &name[..name.len().min(LONGEST_NAME)];
        let name = &name[..memchr::memchr(0, name).unwrap_or(0)];
        let Ok(name) = std::str::from_utf8(name) else { continue };
        let (address, size) = (entry.st_value(endian), entry.st_size(endian));
        let object = size == 4 && name.starts_with("cudnn_") && name.ends_with("_version");
        if !object && name != "ncclGetVersion" && name != "cudnnGetVersion" {
            continue;
        }
        // Whatever comes behind so many of one name was made to take time.
        left -= 1;
        if left == 0 {
            return Ok(None);
        }
        let number = match (library, name) {
            ("nccl", "ncclGetVersion") => {
                match machine_code::stored(machine, at(address, size.min(FUNCTION))?)[..] {
                    [number] => nccl(number).map(|v| (number, v)),
                    _ => None,
                }
            }
            ("cudnn", "cudnnGetVersion") => {
                let returned = machine_code::returned(machine, at(address, size.min(FUNCTION))?);
                returned.and_then(|n| Some((n, cudnn(n)?)))
            }
            ("cudnn", _) if object => {
                let bytes: Option<[u8; 4]> = at(address, 4)?.try_into().ok();
                bytes.map(u32::from_le_bytes).and_then(|n| Some((n, cudnn(n)?)))
            }
            _ => None,
        };
        if let Some(number) = number {
            found.insert(number);
            symbol = name;
            if found.len() > 1 {
                break;
            }
        }
    }
    Ok(one(found, symbol))
}

fn one(found: BTreeSet<(u32, String)>, symbol: &str) -> Option<StatedVersion> {
    let mut found = found.into_iter();
    let (number, value) = found.next().filter(|_| found.len() == 0)?;
    let version = Said { value, written: number.to_string() };
    Some(StatedVersion { version, symbol: symbol.to_owned() })
}

/// 12040 is 12.4.
pub(crate) fn cuda(number: u32) -> Option<String> {
    let minor = number % 1000;
    ((7000..100_000).contains(&number) && minor.is_multiple_of(10) && minor < 100)
        .then(|| format!("{}.{}", number / 1000, minor / 10))
}

/// 2708 is 2.7.8, 22005 is 2.20.5. Source: `NCCL_VERSION` in `nccl.h`.
fn nccl(number: u32) -> Option<String> {
    let thousands = match number {
        // The older way up to 2.8.
        1000..=2899 => 1000,
        10_000..100_000 => 10_000,
        _ => return None,
    };
    Some(format!("{}.{}.{}", number / thousands, number % thousands / 100, number % 100))
}

/// 8907 is 8.9.7, 90100 is 9.1.0, and 0x091c01 is 9.28.1: cuDNN's parts have a byte for each number.
fn cudnn(number: u32) -> Option<String> {
    let (major, minor, patch) = match number {
        5000..10_000 => (number / 1000, number % 1000 / 100, number % 100),
        90_000..200_000 => (number / 10_000, number % 10_000 / 100, number % 100),
        0x08_0000..0x20_0000 => (number >> 16, number >> 8 & 0xff, number & 0xff),
        _ => return None,
    };
    Some(format!("{major}.{minor}.{patch}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let of = |f: fn(u32) -> Option<String>, n| f(n);
        assert_eq!(of(cuda, 12040).as_deref(), Some("12.4"));
        assert_eq!(of(cuda, 10020).as_deref(), Some("10.2"));
        for number in [0, 6050, 12041, 12100, 100_000] {
            assert_eq!(cuda(number), None, "{number}");
        }
        assert_eq!(of(nccl, 2708).as_deref(), Some("2.7.8"));
        assert_eq!(of(nccl, 21003).as_deref(), Some("2.10.3"));
        assert_eq!(of(nccl, 5), None);
        for (number, version) in
            [(7605, "7.6.5"), (8907, "8.9.7"), (90100, "9.1.0"), (0x09_1c01, "9.28.1"), (92801, "9.28.1")]
        {
            assert_eq!(cudnn(number).as_deref(), Some(version));
        }
        assert_eq!(cudnn(20_000), None);
    }
}
