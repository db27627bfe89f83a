//! Which wheels' device code is measured, and the measuring: libraries streamed from the server, headers looked at.

use crate::held::Held;
use crate::ledger::{Library, Measured};
use crate::packages::Package;
use crate::releases::{Release, Wheel};
use artifact::code::is_bundled;
use artifact::library::{self, Passes};
use artifact::stated::{self, Strings, Variant, variant};
use artifact::wheel::{Archive, Entry, Kind};
use artifact::{Blocks, Bytes, Error, Limits};
use std::collections::BTreeMap;

/// Newest minor releases of a package whose newest patch is measured.
const MINORS: usize = 6;
/// The same where the wheel is larger than [`LARGE`].
const MINORS_OF_LARGE: usize = 3;
/// Bytes.
const LARGE: u64 = 500_000_000;

/// A wheel that should be measured.
pub(crate) struct Wanted<'r> {
    /// The package.
    pub package: &'r Package,
    /// The release.
    pub release: &'r Release,
    /// The platform.
    pub platform: &'static str,
    /// The wheel.
    pub wheel: &'r Wheel,
    /// What comes first: 0 for releases that are named, then the newest minor release of each package, and so on.
    pub rank: usize,
}

/// The wheels of a package that should be measured: those of the releases that are named, and the newest patch of the
/// newest minor releases. macOS has no CUDA, and a build that states that it is not for GPUs needs no look.
pub(crate) fn wanted(held: &Held) -> Vec<Wanted<'_>> {
    let (package, releases) = (&held.package, &held.releases);
    if !package.code {
        return Vec::new();
    }
    let mut newest: BTreeMap<(u64, Vec<u64>), &Release> = BTreeMap::new();
    for release in releases.iter().filter(|r| !r.yanked && !r.wheels.is_empty()) {
        let minor = release.version.release().iter().take(2).copied().collect();
        newest.insert((release.version.epoch(), minor), release);
    }
    let mut out: Vec<Wanted<'_>> = Vec::new();
    let without = |release: &Release, platform| {
        held.readings.get(&(release.version.clone(), platform)).and_then(|r| r.stated(|s| s.gpu))
            == Some(false)
    };
    let mut add = |release, rank: usize, most: Option<usize>| {
        let release: &Release = release;
        for (platform, wheel) in release.chosen() {
            if platform.starts_with("macos") || without(release, platform) {
                continue;
            }
            let allowed = if wheel.file.size.unwrap_or(0) > LARGE { MINORS_OF_LARGE } else { MINORS };
            let known = out.iter().any(|w| w.wheel.file.name == wheel.file.name);
            if !known && most.is_none_or(|at| at < allowed) {
                out.push(Wanted { package, release, platform, wheel, rank });
            }
        }
    };
    for release in releases.iter().filter(|r| package.measure.contains(&r.version.to_string())) {
        add(release, 0, None);
    }
    for (at, release) in newest.into_values().rev().take(MINORS).enumerate() {
        add(release, at + 1, Some(at));
    }
    out
}

/// Is this a library whose code is the package's own?
fn is_own(entry: &Entry) -> bool {
    entry.kind == Kind::File && library::is_library(&entry.path) && !is_bundled(&entry.path)
}

/// Streams a wheel's own libraries and says what code they hold.
///
/// # Errors
/// If the wheel or one of its libraries cannot be read: a list with a library missing would be wrong.
pub(crate) fn libraries(bytes: &(impl Bytes + ?Sized)) -> Result<(Vec<Library>, u64), Error> {
    let blocks = Blocks::new(bytes);
    let archive = Archive::open(&blocks, Limits::default())?;
    let mut out = Vec::new();
    for entry in archive.entries().iter().filter(|e| is_own(e)) {
        let mut strings = stated::strings(&entry.path);
        let code = Passes::new(entry.size, 1).first_with(&mut archive.read(entry)?, |chunk| {
            strings.iter_mut().for_each(|s| s.push(chunk));
        })?;
        let said = strings.map(Strings::finish).unwrap_or_default();
        if !code.is_empty() || said.targets.is_some() {
            let declared = said.targets.filter(|t| t.unread.is_empty());
            out.push(Library::of(
                &entry.path,
                entry.size,
                variant(&entry.path).map(label),
                &code,
                declared.as_ref(),
            ));
        }
    }
    Ok((out, blocks.traffic().1))
}

/// `cuda124`, `rocm62`, `cpu`.
fn label(variant: Variant) -> String {
    match variant {
        Variant::Cuda(said) => format!("cuda{}", said.written),
        Variant::Rocm(said) => format!("rocm{}", said.written),
        Variant::Cpu => "cpu".to_owned(),
    }
}

impl Wanted<'_> {
    /// The line of the ledger.
    pub(crate) fn line(&self, libraries: Vec<Library>, read: u64, today: &str) -> Measured {
        Measured {
            package: self.package.name.clone(),
            version: self.release.version.to_string(),
            platform: self.platform.to_owned(),
            file: self.wheel.file.name.clone(),
            sha256: self.wheel.file.sha256.clone(),
            size: self.wheel.file.size.unwrap_or(0),
            read,
            on: today.to_owned(),
            libraries,
        }
    }
}
