//! PE: imports, delay-load imports, the version resource, sections with device code.

use super::source::{MOST_NAMES, Trouble, too_many};
use super::version_resource::{self, Versions};
use super::{Format, Library, text};
use crate::{Bytes, Error};
use object::LittleEndian as LE;
use object::pe::{self, ImageDelayloadDescriptor, ImageImportDescriptor, ImageNtHeaders64};
use object::read::pe::{
    DataDirectories, ImageNtHeaders, ImageOptionalHeader, ResourceDirectory, ResourceDirectoryTable,
    SectionTable,
};
use object::read::{self, ReadRef};
use std::ops::Range;

/// Sections with containers. Names have eight bytes: this is `.nv_fatbin`, cut.
const DEVICE_CODE: [&[u8]; 1] = [b".nv_fatb"];
/// Bytes of the resource directory that are looked at: its tables, which stand before what they point to.
const RESOURCES: u32 = 1 << 20;
/// Bytes of a version resource at most.
const VERSION: u32 = 64 << 10;

/// Headers of a file, and where its tables are.
struct Headers<'data> {
    machine: String,
    image_base: u64,
    directories: DataDirectories<'data>,
    sections: SectionTable<'data>,
}

impl<'data> Headers<'data> {
    fn read<R: ReadRef<'data>>(data: R) -> Result<Self, Broken> {
        let mut offset = u64::from(pe::ImageDosHeader::parse(data)?.nt_headers_offset());
        let (headers, directories) = ImageNtHeaders64::parse(data, &mut offset)?;
        let sections = headers.sections(data, offset)?;
        let machine = match headers.file_header().machine.get(LE) {
            pe::IMAGE_FILE_MACHINE_AMD64 => "x86_64".to_owned(),
            pe::IMAGE_FILE_MACHINE_ARM64 => "aarch64".to_owned(),
            other => format!("machine {}", other.0),
        };
        let image_base = headers.optional_header().image_base();
        Ok(Headers { machine, image_base, directories, sections })
    }

    /// Where a directory begins in the file, and how many bytes of its section follow.
    fn directory(&self, index: usize) -> Option<(u64, u64)> {
        let address = self.directories.get(index)?.virtual_address.get(LE);
        (address != 0).then(|| self.place(address)).flatten()
    }

    /// An address in memory as an offset in the file, and how many bytes of its section follow.
    fn place(&self, address: u32) -> Option<(u64, u64)> {
        let (offset, left) = self.sections.iter().find_map(|s| s.pe_file_range_at(address))?;
        Some((offset.into(), left.into()))
    }

    fn name<R: ReadRef<'data>>(&self, data: R, address: u32) -> Result<String, Broken> {
        let broken = || Broken::new("the address of an import's name is in no section");
        let (offset, left) = self.place(address).ok_or_else(broken)?;
        let end = offset.saturating_add(left).min(data.len().map_err(|()| broken())?);
        data.read_bytes_at_until(offset..end, 0)
            .map(text)
            .map_err(|()| Broken::new("an import's name does not end"))
    }
}

const IMPORT: usize = 1;
const RESOURCE: usize = 2;
const DELAY_IMPORT: usize = 13;

pub(super) fn read(bytes: &(impl Bytes + ?Sized)) -> Result<Library, Error> {
    let trouble = Trouble::default();
    let cache = trouble.cache(bytes);
    let wrong = |e: Broken| trouble.error(e);
    let data = &cache;
    let headers = Headers::read(data).map_err(wrong)?;
    let mut out = Library::new(Format::Pe, headers.machine.clone());
    for section in headers.sections.iter().filter(|s| DEVICE_CODE.contains(&s.raw_name())) {
        let start = u64::from(section.pointer_to_raw_data.get(LE));
        out.device_code.push(start..start.saturating_add(section.size_of_raw_data.get(LE).into()));
    }

    if let Some((mut at, _)) = headers.directory(IMPORT) {
        loop {
            let entry = data
                .read::<ImageImportDescriptor>(&mut at)
                .map_err(|()| wrong(Broken::new("imports are cut")))?;
            if entry.is_null() || entry.name.get(LE) == 0 {
                break;
            }
            out.needed.push(headers.name(data, entry.name.get(LE)).map_err(wrong)?);
            if out.needed.len() > MOST_NAMES {
                return Err(too_many(out.needed.len()));
            }
        }
    }
    if let Some((mut at, _)) = headers.directory(DELAY_IMPORT) {
        loop {
            let entry = data
                .read::<ImageDelayloadDescriptor>(&mut at)
                .map_err(|()| wrong(Broken::new("imports are cut")))?;
            let name = entry.dll_name_rva.get(LE);
            if entry.is_null() || name == 0 {
                break;
            }
            // Before 2003 compilers wrote addresses that include the image's base.
            let relative = entry.attributes.get(LE) & pe::IMAGE_DELAYLOAD_RVA_BASED != 0;
            let name = if relative { name } else { name.wrapping_sub(headers.image_base as u32) };
            out.delayed.push(headers.name(data, name).map_err(wrong)?);
            if out.delayed.len() > MOST_NAMES {
                return Err(too_many(out.delayed.len()));
            }
        }
    }
    // A broken resource does not keep a library from being loaded.
    let versions = match versions(data, &headers) {
        Ok(versions) => versions,
        Err(e) => match wrong(e) {
            e @ Error::Io(_) => return Err(e),
            _ => None,
        },
    };
    if let Some(versions) = versions {
        out.file_version = Some(versions.file);
        out.product_version = Some(versions.product);
        out.file_version_text = versions.file_text;
        out.product_version_text = versions.product_text;
        out.description = versions.description;
    }
    Ok(out)
}

fn versions<'data, R: ReadRef<'data>>(data: R, headers: &Headers<'data>) -> Result<Option<Versions>, Broken> {
    let Some((start, left)) = headers.directory(RESOURCE) else { return Ok(None) };
    let cut = |()| Broken::new("resources are cut");
    let length = left.min(RESOURCES.into()).min(data.len().map_err(cut)?.saturating_sub(start));
    let directory = ResourceDirectory::new(data.read_bytes_at(start, length).map_err(cut)?);
    // Kind, name, language: three tables deep.
    let Some(kind) = directory.root()?.entries.iter().find(|e| !e.has_name() && is_version(e)).copied()
    else {
        return Ok(None);
    };
    let first = |table: Option<ResourceDirectoryTable<'_>>| table.and_then(|t| t.entries.first().copied());
    let Some(name) = first(kind.data(directory)?.table()) else { return Ok(None) };
    let Some(language) = first(name.data(directory)?.table()) else { return Ok(None) };
    let Some(entry) = language.data(directory)?.data() else { return Ok(None) };
    let Some((offset, left)) = headers.place(entry.offset_to_data.get(LE)) else { return Ok(None) };
    let length = u64::from(entry.size.get(LE).min(VERSION)).min(left);
    Ok(version_resource::read(data.read_bytes_at(offset, length).map_err(cut)?))
}

fn is_version(entry: &pe::ImageResourceDirectoryEntry) -> bool {
    // RT_VERSION
    entry.name_or_id.get(LE) & 0xffff == 16
}

/// Parts of the file that [`read`] will most likely ask for, going by its first bytes: the places of the tables.
pub(super) fn plan(head: &[u8]) -> Vec<Range<u64>> {
    let Ok(headers) = Headers::read(head) else { return Vec::new() };
    [(IMPORT, 1 << 20), (DELAY_IMPORT, 256 << 10), (RESOURCE, 1 << 20)]
        .into_iter()
        .filter_map(|(index, most)| {
            headers.directory(index).map(|(at, left)| at..at.saturating_add(left.min(most)))
        })
        .collect()
}

/// What is wrong with a table, in words.
struct Broken(String);

impl Broken {
    fn new(what: &str) -> Self {
        Broken(what.to_owned())
    }
}

impl From<read::Error> for Broken {
    fn from(e: read::Error) -> Self {
        Broken(e.to_string())
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
