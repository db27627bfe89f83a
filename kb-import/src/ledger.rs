//! The ledger: in which wheels device code was measured, and what was found. It is in the repository, so that nobody
//! downloads those gigabytes again to get the same rows.

use artifact::code::{Count, DeviceCode};
use artifact::stated::Declared;
use kb_core::version::ComputeTarget;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A wheel whose device code was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Measured {
    /// The package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The platform.
    pub platform: String,
    /// The wheel's file name.
    pub file: String,
    /// Its checksum.
    pub sha256: Option<String>,
    /// Its size, bytes.
    pub size: u64,
    /// Bytes of it that were downloaded.
    pub read: u64,
    /// The day.
    pub on: String,
    /// Its own libraries that have code; none if there is no code at all.
    pub libraries: Vec<Library>,
}

/// A library with device code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Library {
    /// Its path in the wheel.
    pub path: String,
    /// Bytes, unpacked.
    pub size: u64,
    /// Where a package has several libraries of which one is loaded: which (`cuda124`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variant: Option<String>,
    /// Containers.
    pub containers: u64,
    /// Machine code: target → entries, containers with such, bytes.
    pub sass: BTreeMap<String, (u64, u64, u64)>,
    /// PTX, likewise.
    pub ptx: BTreeMap<String, (u64, u64, u64)>,
    /// Targets that a text in the library declares: machine code, PTX.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub declared: Option<(Vec<String>, Vec<String>)>,
    /// Places that begin like device code and are not.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub malformed: u64,
}

impl Measured {
    /// What cannot be in a line of a package's ledger.
    fn mistake(&self, package: &str) -> Option<String> {
        if self.package != package {
            return Some(format!("a line of `{}`", self.package));
        }
        if self.version.parse::<pep440_rs::Version>().is_err() {
            return Some(format!("`{}` is no version", self.version));
        }
        let targets = self.libraries.iter().flat_map(|l| l.sass.keys().chain(l.ptx.keys()));
        let wrong = targets.into_iter().find(|t| t.parse::<ComputeTarget>().is_err());
        wrong.map(|t| format!("`{t}` is no compute target"))
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Library {
    /// What the scanner found.
    pub(crate) fn of(
        path: &str,
        size: u64,
        variant: Option<String>,
        code: &DeviceCode,
        declared: Option<&Declared>,
    ) -> Library {
        let list = |targets: &[ComputeTarget]| targets.iter().map(ToString::to_string).collect();
        let table = |table: &BTreeMap<ComputeTarget, Count>| {
            table.iter().map(|(t, c)| (t.to_string(), (c.entries, c.containers, c.bytes))).collect()
        };
        Library {
            path: path.to_owned(),
            size,
            variant,
            containers: code.containers,
            sass: table(&code.sass),
            ptx: table(&code.ptx),
            declared: declared.map(|d| (list(&d.sass), list(&d.ptx))),
            malformed: code.malformed,
        }
    }

    /// The same as the scanner's.
    pub(crate) fn code(&self) -> DeviceCode {
        let table = |table: &BTreeMap<String, (u64, u64, u64)>| {
            let one = |(t, c): (&String, &(u64, u64, u64))| {
                Some((t.parse().ok()?, Count { entries: c.0, containers: c.1, bytes: c.2 }))
            };
            table.iter().filter_map(one).collect()
        };
        DeviceCode {
            containers: self.containers,
            sass: table(&self.sass),
            ptx: table(&self.ptx),
            malformed: self.malformed,
            ..DeviceCode::default()
        }
    }
}

/// Where a package's ledger is: one wheel a line, as JSON.
fn path(directory: &Path, package: &str) -> PathBuf {
    directory.join(format!("{package}.jsonl"))
}

/// What was measured of a package, in the order of the file.
///
/// # Errors
/// If the ledger is there and cannot be read.
pub(crate) fn read(directory: &Path, package: &str) -> Result<Vec<Measured>, String> {
    if !directory.is_dir() {
        return Err(format!("{} is no directory; make it if there is no ledger yet", directory.display()));
    }
    let path = path(directory, package);
    let text = match fs::read_to_string(&path) {
        // Nothing of this package was measured.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|e| format!("{}: {e}", path.display()))?,
    };
    let line = |(at, line): (usize, &str)| {
        let place = |why: String| format!("{}:{}: {why}", path.display(), at + 1);
        let measured: Measured = serde_json::from_str(line).map_err(|e| place(e.to_string()))?;
        match measured.mistake(package) {
            Some(why) => Err(place(why)),
            None => Ok(measured),
        }
    };
    text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).map(line).collect()
}

/// Writes a package's ledger, sorted: newest release first, then by platform.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(directory: &Path, package: &str, measured: &[Measured]) -> io::Result<()> {
    let version = |m: &Measured| m.version.parse::<pep440_rs::Version>().ok();
    let mut sorted: Vec<&Measured> = measured.iter().collect();
    sorted.sort_by(|a, b| {
        version(b)
            .cmp(&version(a))
            .then_with(|| a.platform.cmp(&b.platform))
            .then_with(|| a.file.cmp(&b.file))
    });
    let mut text = String::new();
    for line in sorted {
        text.push_str(&serde_json::to_string(line).map_err(io::Error::other)?);
        text.push('\n');
    }
    index::write(&path(directory, package), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let directory = std::env::temp_dir().join(format!("kb-ledger-{}", std::process::id()));
        let mut code = DeviceCode { containers: 3, ..DeviceCode::default() };
        code.sass.insert("9.0a".parse().unwrap(), Count { entries: 2, containers: 1, bytes: 9 });
        let wheel = |version: &str| Measured {
            package: "x".into(),
            version: version.into(),
            platform: "linux-x86_64".into(),
            file: "x.whl".into(),
            sha256: None,
            size: 10,
            read: 5,
            on: "2026-12-01".into(),
            libraries: vec![Library::of("a.so", 7, Some("cuda124".into()), &code, None)],
        };
        write(&directory, "x", &[wheel("1.9"), wheel("1.10")]).unwrap();
        let back = read(&directory, "x").unwrap();
        assert_eq!(back, [wheel("1.10"), wheel("1.9")]);
        assert_eq!(back[0].libraries[0].code(), code);
        assert!(read(&directory, "y").unwrap().is_empty());
        let file = path(&directory, "x");
        let whole = fs::read_to_string(&file).unwrap();
        for (from, to) in [("9.0a", "zz"), ("1.10", "banana"), ("\"x\"", "\"y\"")] {
            fs::write(&file, whole.replace(from, to)).unwrap();
            assert!(read(&directory, "x").unwrap_err().contains("x.jsonl:1: "), "{to}");
        }
        fs::write(&file, b"\xff\xfe\n").unwrap();
        assert!(read(&directory, "x").is_err());
        assert!(read(&directory.join("nowhere"), "x").is_err());
        fs::remove_dir_all(&directory).unwrap();
    }
}
