//! Everything a wheel says of itself, in one value.

use crate::bundled::{self, Bundled};
use crate::code::{DeviceCode, dominant, is_bundled, scan};
use crate::library::{self, Format, Library, Passes};
use crate::stated::{self, Stated, Strings, Variant, variant};
use crate::versions::texts;
use crate::wheel::{
    Archive, Entry, FileName, Metadata, Method, Problem, Record, WheelFile, local, normalised,
};
use crate::{Bytes, Cursor, Error, Limits, Window};
use pep440_rs::Version;

/// Bytes of a file that states versions, at most. They have hundreds.
pub(crate) const LARGEST_STATED: u64 = 1 << 20;

/// What is read. Device code and tables of compressed libraries mean unpacking them, which is most of the time.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Look for device code in libraries.
    pub code: bool,
    /// Read imports, needed versions and version resources of libraries.
    pub tables: bool,
    /// Passes over a compressed library for its tables, the one for device code included. 1: only what the first brings.
    pub passes: u32,
    /// Where neither of these is read: read the small libraries that state for which targets the package was built
    /// ([`stated::states_targets`]). Of torch that is 5 MB of 800, packed.
    pub targets: bool,
    /// What is believed.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options { code: true, tables: true, passes: 4, targets: false, limits: Limits::default() }
    }
}

/// What a wheel says of itself.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// Its name, taken apart; `None` if it is not the name of a wheel.
    pub file_name: Option<FileName>,
    /// METADATA.
    pub metadata: Option<Metadata>,
    /// WHEEL.
    pub wheel: Option<WheelFile>,
    /// RECORD.
    pub record: Option<Record>,
    /// Files that state versions, by path; and libraries whose texts state something ([`stated::strings`]), if
    /// libraries were read.
    pub stated: Vec<(String, Stated)>,
    /// Its libraries, in the order of the archive.
    pub libraries: Vec<WheelLibrary>,
    /// All members, as the directory has them.
    pub entries: Vec<Entry>,
    /// What is odd about the archive.
    pub problems: Vec<Problem>,
    /// Files that should have been read and were not, with the reason.
    pub not_read: Vec<(String, String)>,
}

/// A library inside a wheel.
#[derive(Clone, Debug)]
pub struct WheelLibrary {
    /// Its path in the wheel.
    pub path: String,
    /// Its size in bytes, unpacked.
    pub size: u64,
    /// Made elsewhere and only carried: see [`is_bundled`].
    pub bundled: bool,
    /// What its name says it was built with, where a package has several of which one is loaded.
    pub variant: Option<Variant>,
    /// Its device code.
    pub code: Reading<DeviceCode>,
    /// What it asks for.
    pub tables: Reading<Library>,
}

/// Something that was read, or not.
#[derive(Clone, Debug)]
pub enum Reading<T> {
    /// Read.
    Read(T),
    /// Not asked for.
    NotAsked,
    /// Not read, with the reason. Nothing follows from it.
    NotRead(String),
}

impl<T> Reading<T> {
    /// What was read, if it was.
    pub fn get(&self) -> Option<&T> {
        match self {
            Reading::Read(value) => Some(value),
            _ => None,
        }
    }
}

impl<T> From<Result<T, Error>> for Reading<T> {
    fn from(result: Result<T, Error>) -> Self {
        match result {
            Ok(value) => Reading::Read(value),
            Err(e) => Reading::NotRead(e.to_string()),
        }
    }
}

impl Wheel {
    /// A wheel of which only the name and the list of members have been read.
    pub(crate) fn listed<B: Bytes + ?Sized>(file_name: Option<FileName>, archive: &Archive<'_, B>) -> Wheel {
        Wheel {
            file_name,
            metadata: None,
            wheel: None,
            record: None,
            stated: Vec::new(),
            libraries: Vec::new(),
            entries: archive.entries().to_vec(),
            problems: archive.problems().to_vec(),
            not_read: Vec::new(),
        }
    }

    /// Adds what the texts of a library state, if they state anything.
    fn state(&mut self, path: &str, strings: Option<Strings>) {
        let said = strings.map(Strings::finish).unwrap_or_default();
        if said != Stated::default() {
            self.stated.push((path.to_owned(), said));
        }
    }

    /// Do its file name and METADATA name the same package in the same version? A local label (`+cu124`) counts where
    /// both have one: indexes add it to the name alone. `None` if one of the two is missing or cannot be read.
    pub fn name_agrees(&self) -> Option<bool> {
        let outside = self.file_name.as_ref()?;
        let metadata = self.metadata.as_ref()?;
        let package = normalised(metadata.name.as_deref()?)?;
        let version: Version = metadata.version.as_deref()?.parse().ok()?;
        let labels = [outside.local(), local(&version)];
        let public = |v: &Version| v.clone().without_local();
        let same_label = labels.contains(&None) || labels[0] == labels[1];
        Some(package == outside.package && public(&version) == public(&outside.version) && same_label)
    }

    /// CUDA's libraries that the wheel carries, or that are linked into its own, with what is known of their versions:
    /// one row per source, the most exact first, in the order of the archive.
    pub fn bundled(&self) -> Vec<Bundled> {
        let rows = self.libraries.iter().flat_map(|library| {
            let stated = self.stated.iter().find(|(path, _)| *path == library.path).map(|(_, s)| s);
            bundled::versions(&library.path, library.tables.get(), stated)
        });
        rows.collect()
    }

    /// The library that decides which GPUs the wheel is for, and its code: [`dominant`] over those that `keep` takes.
    ///
    /// `|_| true` for most wheels; for one with variants (see [`WheelLibrary::variant`]) take one variant.
    pub fn dominant(&self, keep: impl Fn(&WheelLibrary) -> bool) -> Option<(&str, &DeviceCode)> {
        let libraries = self.libraries.iter().filter(|m| keep(m));
        dominant(libraries.filter_map(|m| m.code.get().map(|code| (m.path.as_str(), code))))
    }
}

/// Reads a wheel. `name` is its file name.
///
/// What cannot be read is said and hides nothing else.
///
/// # Errors
/// [`Error::Format`] if this is not a zip archive, [`Error::Limit`] if it has too many members, [`Error::Io`] if the
/// source fails while its directory is read.
pub fn describe_wheel(bytes: &(impl Bytes + ?Sized), name: &str, options: &Options) -> Result<Wheel, Error> {
    let archive = Archive::open(bytes, options.limits)?;
    let mut out = Wheel::listed(FileName::parse(name), &archive);
    texts(&archive, &mut out, true);
    if options.code || options.tables {
        let libraries = archive.entries().iter().filter(|e| library::is_library(&e.path));
        for entry in libraries {
            let mut strings = stated::strings(&entry.path);
            out.libraries.push(describe_member(bytes, &archive, entry, options, &mut strings));
            out.state(&entry.path, strings);
        }
    } else if options.targets {
        for entry in archive.entries().iter().filter(|e| stated::states_targets(&e.path)) {
            let mut strings = stated::strings(&entry.path);
            let read = archive.read(entry).and_then(|mut stream| match &mut strings {
                Some(strings) => Ok(strings.read(&mut stream)?),
                None => Ok(()),
            });
            match read {
                Ok(()) => out.state(&entry.path, strings),
                Err(e) => out.not_read.push((entry.path.clone(), e.to_string())),
            }
        }
    }
    Ok(out)
}

/// A library and its device code, from a file that can be read at any place.
///
/// Only sections that are known to hold device code are looked at, if the library has one; else all of it.
pub fn describe_library(bytes: &(impl Bytes + ?Sized)) -> (Reading<DeviceCode>, Reading<Library>) {
    let tables = library::read(bytes);
    let parts = tables.as_ref().map(|t| t.device_code.as_slice()).unwrap_or_default();
    let code = scan(bytes, parts).map_err(Error::Io);
    (code.into(), tables.into())
}

fn describe_member<B: Bytes + ?Sized>(
    bytes: &B,
    archive: &Archive<'_, B>,
    entry: &Entry,
    options: &Options,
    strings: &mut Option<Strings>,
) -> WheelLibrary {
    let (code, tables) = match entry.method {
        Method::Stored => match archive.range(entry) {
            Ok((start, end)) => {
                let window = Window::new(bytes, start, end - start);
                if let Some(wanted) = strings
                    && wanted.read(&mut Cursor::new(&window)).is_err()
                {
                    // What was not read to its end states nothing. The reason is said by the tables, which meet it too.
                    *strings = None;
                }
                describe_library(&window)
            }
            Err(e) => (Reading::NotRead(e.to_string()), Reading::NotRead(e.to_string())),
        },
        _ => compressed(archive, entry, options, strings),
    };
    WheelLibrary {
        path: entry.path.clone(),
        size: entry.size,
        bundled: is_bundled(&entry.path),
        variant: variant(&entry.path),
        code: if options.code { code } else { Reading::NotAsked },
        tables: if options.tables { tables } else { Reading::NotAsked },
    }
}

fn compressed<B: Bytes + ?Sized>(
    archive: &Archive<'_, B>,
    entry: &Entry,
    options: &Options,
    strings: &mut Option<Strings>,
) -> (Reading<DeviceCode>, Reading<Library>) {
    let mut passes = Passes::new(entry.size, options.passes);
    let first = archive.read(entry).and_then(|mut stream| match strings {
        Some(strings) => Ok(passes.first_with(&mut stream, |chunk| strings.push(chunk))?),
        None => Ok(passes.first(&mut stream)?),
    });
    if first.is_err() {
        // What was not read to its end states nothing.
        *strings = None;
    }
    match first {
        Ok(code) if options.tables => (Reading::Read(code), passes.library(|| archive.read(entry)).into()),
        Ok(code) => (Reading::Read(code), Reading::NotAsked),
        Err(e) => (Reading::NotRead(e.to_string()), Reading::NotRead(e.to_string())),
    }
}

/// The one `….dist-info` directory.
pub(crate) fn dist_info(entries: &[Entry]) -> Result<&str, &'static str> {
    let mut found = None;
    for entry in entries {
        let Some((top, _)) = entry.path.split_once('/') else { continue };
        if top.ends_with(".dist-info") && found != Some(top) {
            if found.is_some() {
                return Err("there are several .dist-info directories");
            }
            found = Some(top);
        }
    }
    found.ok_or("there is no .dist-info directory")
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Elf => "ELF",
            Format::Pe => "PE",
        })
    }
}
