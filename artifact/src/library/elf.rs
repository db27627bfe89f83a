//! ELF: NEEDED, SONAME, search paths, versions of symbols, sections with device code.

use super::source::{LARGEST_TABLE, MOST_NAMES, Trouble, too_large, too_many};
use super::{Format, Library, text};
use crate::{Bytes, Error};
use object::elf::{self, FileHeader64};
use object::endian::Endianness;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use std::ops::Range;

/// Sections with containers: ordinary ones, and those of code that was linked on the device.
const DEVICE_CODE: [&[u8]; 2] = [b".nv_fatbin", b"__nv_relfatbin"];

/// Versions of symbols that are gone through. Lists may share their bytes, so that the size of the table bounds nothing.
const MOST_VERSIONS: u64 = 1 << 16;

type Header = FileHeader64<Endianness>;

pub(super) fn read(bytes: &(impl Bytes + ?Sized)) -> Result<Library, Error> {
    let trouble = Trouble::default();
    let cache = trouble.cache(bytes);
    let wrong = |e: object::read::Error| trouble.error(e);
    let data = &cache;
    let header = Header::parse(data).map_err(wrong)?;
    let endian = header.endian().map_err(wrong)?;
    let machine = match header.e_machine(endian) {
        elf::EM_X86_64 => "x86_64".to_owned(),
        elf::EM_AARCH64 => "aarch64".to_owned(),
        other => format!("machine {}", other.0),
    };
    let mut out = Library::new(Format::Elf, machine);
    // With 0xff00 sections and more the number stands elsewhere and is not bounded; no library has that many.
    if header.e_shnum.get(endian) == 0 {
        return Err(Error::Format("the library has no section headers".into()));
    }
    let sections = header.sections(endian, data).map_err(wrong)?;
    for section in sections.iter() {
        let kind = section.sh_type(endian);
        let size: u64 = section.sh_size(endian);
        if (kind == elf::SHT_DYNAMIC || kind == elf::SHT_GNU_VERNEED) && size > LARGEST_TABLE {
            return Err(too_large(size));
        }
        let name = sections.section_name(endian, section).map_err(wrong)?;
        if let Some((start, length)) = section.file_range(endian).filter(|_| DEVICE_CODE.contains(&name)) {
            out.device_code.push(start..start.saturating_add(length));
        }
    }

    let dynamic = sections.dynamic_table(endian, data).map_err(wrong)?;
    let mut old_search = Vec::new();
    for entry in dynamic.iter() {
        let list = match entry.tag {
            elf::DT_NEEDED => &mut out.needed,
            elf::DT_RUNPATH => &mut out.search,
            elf::DT_RPATH => &mut old_search,
            elf::DT_SONAME => {
                out.soname = Some(text(dynamic.string(entry).map_err(wrong)?));
                continue;
            }
            _ => continue,
        };
        let value = text(dynamic.string(entry).map_err(wrong)?);
        if entry.tag == elf::DT_NEEDED {
            list.push(value);
        } else {
            list.extend(value.split(':').filter(|p| !p.is_empty()).map(str::to_owned));
        }
        let names = out.needed.len() + out.search.len() + old_search.len();
        if names > MOST_NAMES {
            return Err(too_many(names));
        }
    }
    out.rpath = out.search.is_empty() && !old_search.is_empty();
    out.search.append(&mut old_search);

    if let Some((mut needs, link)) = sections.gnu_verneed(endian, data).map_err(wrong)? {
        let strings = sections.strings(endian, data, link).map_err(wrong)?;
        let mut count = 0;
        while let Some((need, mut versions)) = needs.next().map_err(wrong)? {
            count += 1;
            let file = text(need.file(endian, strings).map_err(wrong)?);
            let list = out.symbol_versions.entry(file).or_default();
            while let Some(version) = versions.next().map_err(wrong)? {
                count += 1;
                if count > MOST_VERSIONS {
                    return Err(Error::Limit {
                        what: "needed versions",
                        found: count,
                        allowed: MOST_VERSIONS,
                    });
                }
                list.insert(text(version.name(endian, strings).map_err(wrong)?));
            }
        }
    }
    out.glibc = out.symbol_versions.values().flatten().filter_map(|v| glibc(v)).max();
    Ok(out)
}

/// (2, 17) for `GLIBC_2.17`; `GLIBC_PRIVATE` has no number.
fn glibc(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix("GLIBC_")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Bytes of the beginning that are kept at most, and of all that [`plan_early`] asks for.
const MOST_EARLY: u64 = 16 << 20;
/// A segment that is kept whole. Tools that edit libraries put names and tables into a small one at the end.
const SMALL_SEGMENT: u64 = 4 << 20;

/// Parts of the file that [`read`] will most likely ask for, going by its first bytes. Linkers put names and versions
/// into the first segment, so what it has up to 16 MiB is the first of these parts.
pub(super) fn plan_early(head: &[u8]) -> Vec<Range<u64>> {
    let Ok(header) = Header::parse(head) else { return Vec::new() };
    let Ok(endian) = header.endian() else { return Vec::new() };
    let Ok(segments) = header.program_headers(endian, head) else { return Vec::new() };
    let mut out = Vec::new();
    let mut left = MOST_EARLY;
    let mut first = true;
    for segment in segments {
        let (start, length) = segment.file_range(endian);
        let kind = segment.p_type(endian);
        if kind == elf::PT_LOAD && std::mem::take(&mut first) && start == 0 {
            out.push(0..length.min(MOST_EARLY));
        } else if (kind == elf::PT_LOAD || kind == elf::PT_DYNAMIC) && length <= SMALL_SEGMENT.min(left) {
            left -= length;
            out.push(start..start.saturating_add(length));
        }
    }
    out
}

/// Parts of the file that [`read`] will ask for, once the section headers are held: the dynamic section, the versions
/// and the names. Empty if the headers cannot be read.
pub(super) fn plan(bytes: &(impl Bytes + ?Sized)) -> Vec<Range<u64>> {
    let trouble = Trouble::default();
    let cache = trouble.cache(bytes);
    let data = &cache;
    let Ok(header) = Header::parse(data) else { return Vec::new() };
    let Ok(endian) = header.endian() else { return Vec::new() };
    if header.e_shnum.get(endian) == 0 {
        return Vec::new();
    }
    // Without the names of the sections: those may be missing themselves.
    let Ok(sections) = header.section_headers(endian, data) else { return Vec::new() };
    let mut out = Vec::new();
    for section in sections {
        let kind = section.sh_type(endian);
        if kind != elf::SHT_DYNAMIC && kind != elf::SHT_GNU_VERNEED {
            continue;
        }
        let names = sections.get(section.sh_link(endian) as usize);
        for part in [Some(section), names].into_iter().flatten() {
            out.extend(part.file_range(endian).map(|(start, length)| start..start.saturating_add(length)));
        }
    }
    out
}
