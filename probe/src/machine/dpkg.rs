//! Packages of Debian and Ubuntu, from dpkg's own list.

use super::Refusal;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Where the list is.
pub(super) const STATUS: &str = "/var/lib/dpkg/status";

/// Bytes of the list at most; with 5000 packages it has 6 MiB.
const LARGEST: u64 = 64 << 20;

/// A package that dpkg knows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpkgPackage {
    /// Its name: `libnvidia-compute-550`.
    pub name: String,
    /// Its version: `550.54.14-0ubuntu1`.
    pub version: String,
    /// In which state it is: `installed`, `config-files` of a removed one, `half-configured` …
    pub state: String,
}

/// Those in a list that are wanted.
pub(super) fn list(file: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
    let file = File::open(file)?;
    let length = file.metadata()?.len().min(LARGEST);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Refusal::TooLarge);
    }
    Ok(packages(&bytes, wanted))
}

fn packages(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Vec<DpkgPackage> {
    const NAME: &[u8] = b"Package: ";
    let mut out = Vec::new();
    for at in memmem::find_iter(bytes, NAME).filter(|at| *at == 0 || bytes[at - 1] == b'\n') {
        let rest = &bytes[at + NAME.len()..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let Some(name) = std::str::from_utf8(&rest[..end]).ok().map(str::trim).filter(|n| wanted(n)) else {
            continue;
        };
        let end = memmem::find(rest, b"\n\n").unwrap_or(rest.len());
        let block = String::from_utf8_lossy(&rest[..end]);
        let value = |name: &str| block.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": "));
        // `install ok installed`: what is wanted of it, whether that went well, and how it is.
        let state = value("Status").and_then(|s| s.split_whitespace().last()).unwrap_or("");
        // One that was removed with its configuration may be listed without a version.
        let Some(version) = value("Version").filter(|_| state != "not-installed") else { continue };
        let (name, version, state) = (name.to_owned(), version.trim().to_owned(), state.to_owned());
        out.push(DpkgPackage { name, version, state });
    }
    out.sort();
    // One of several architectures is one package here.
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_packages_with_version_and_state() {
        let text = "Package: adduser\nStatus: install ok installed\nVersion: 3.1\n\nPackage: nvidia-dkms-550\nStatus: install ok half-configured\nPriority: optional\nDescription: x\n about\n Package: y\nVersion: 550.54.14-0ubuntu1\n\nPackage: libnvidia-compute-535\nStatus: deinstall ok config-files\nVersion: 535.104.05-1\n\nPackage: nvidia-gone\nStatus: purge ok not-installed";
        let package = |name: &str, version: &str, state: &str| DpkgPackage {
            name: name.to_owned(),
            version: version.to_owned(),
            state: state.to_owned(),
        };
        assert_eq!(
            packages(text.as_bytes(), &|n| n.contains("nvidia")),
            [
                package("libnvidia-compute-535", "535.104.05-1", "config-files"),
                package("nvidia-dkms-550", "550.54.14-0ubuntu1", "half-configured"),
            ]
        );
        assert_eq!(packages(b"Package: ", &|_| true), []);
        assert!(list(Path::new("/nothing"), &|_| true).is_err());
    }
}
