//! Raw inputs: everything that an observation is made from goes through [`Machine`], so that it can be captured on one
//! machine and looked at on another.

mod capture;
mod command;
mod cpu;
mod dpkg;
mod live;
mod memo;
mod nvml;
mod pci;
mod recorder;
#[cfg(windows)]
mod registry;
mod replay;
mod service;

pub use capture::{Capture, CaptureError, FILE as CAPTURE_FILE};
pub use dpkg::DpkgPackage;
pub use live::Live;
pub(crate) use memo::Memo;
pub use pci::PciDevice;
pub use recorder::Recorder;
pub use replay::Replay;
pub use service::Service;

use crate::library::LibraryFacts;
use crate::python::SiteReport;
use nvml_report::NvmlReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What manner of system it is: how paths are written and libraries are found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Linux, WSL2 included.
    Linux,
    /// Windows.
    Windows,
    /// macOS.
    Macos,
}

impl Family {
    /// Of the machine that the program runs on.
    pub fn here() -> Family {
        match std::env::consts::OS {
            "windows" => Family::Windows,
            "macos" => Family::Macos,
            _ => Family::Linux,
        }
    }

    /// What stands between the parts of a path.
    pub fn separator(self) -> char {
        if self == Family::Windows { '\\' } else { '/' }
    }

    /// What stands between the entries of PATH.
    pub fn list_separator(self) -> char {
        if self == Family::Windows { ';' } else { ':' }
    }
}

/// Why an input could not be had.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// It does not exist, which is mostly a normal result.
    NotFound,
    /// It exists and may not be looked at.
    Denied,
    /// It is larger than what is read of one.
    TooLarge,
    /// It did not answer in time.
    TimedOut,
    /// Anything else, in the words of the system.
    Other(String),
}

impl Refusal {
    /// Nothing is there, as opposed to something that cannot be read.
    pub fn is_absence(&self) -> bool {
        *self == Refusal::NotFound
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NotFound => "not found",
            Refusal::Denied => "permission denied",
            Refusal::TooLarge => "too large",
            Refusal::TimedOut => "no answer in time",
            Refusal::Other(text) => text,
        })
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Refusal::NotFound,
            ErrorKind::PermissionDenied => Refusal::Denied,
            ErrorKind::TimedOut => Refusal::TimedOut,
            _ => Refusal::Other(error.to_string()),
        }
    }
}

/// What a path names, links followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A device, a pipe, a socket.
    Other,
}

/// What is known of a path without opening it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// What it is, behind all links.
    pub kind: Kind,
    /// Bytes of a file.
    pub bytes: u64,
    /// Where it points, one step, if it is a link.
    pub link: Option<String>,
}

/// A processor.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cpu {
    /// As it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Extensions that packages are built with: `avx`, `avx2`, `fma`, `avx512f`. Empty where that cannot be asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
}

/// What a program printed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ran {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output, decoded.
    pub stdout: String,
    /// Standard error, decoded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// A key of the Windows registry.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RegistryKey {
    /// Values as text, numbers in decimal, lists of texts joined by `;`. The unnamed value has an empty name.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Names of the keys below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

impl RegistryKey {
    /// A value, whatever the case of its name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// Entries of PATH-like variables and texts are no longer than this, nor are files of text: bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// Where raw inputs come from. Asking the same twice gives the same; nothing is ever changed.
pub trait Machine {
    /// How paths are written there.
    fn family(&self) -> Family;

    /// The processor's architecture: `x86_64`, `aarch64`.
    fn arch(&self) -> String;

    /// The Python environment that was named when the machine was captured.
    fn named_python(&self) -> Option<String> {
        None
    }

    /// The processor's name and what it can do.
    fn cpu(&self) -> Cpu;

    /// The variables of the process that are wanted. On Windows names are compared whatever their case: ask [`variable`].
    /// Ask for what is needed only: a capture keeps what was answered, and variables hold secrets.
    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String>;

    /// One of them; on Windows whatever the case of its name.
    fn variable(&self, name: &str) -> Option<String> {
        let windows = self.family() == Family::Windows;
        let found = self.variables(&|n| n == name || (windows && n.eq_ignore_ascii_case(name)));
        found.into_values().next()
    }

    /// The directory that relative paths are from; `None` where there is none that means anything, as for a service.
    fn directory(&self) -> Option<String>;

    /// The contents of a small file, links followed, no more than [`LARGEST_FILE`].
    ///
    /// # Errors
    /// If there is none, or it may not be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal>;

    /// The first `bytes` bytes of a file of any size, all of it if it has no more.
    ///
    /// # Errors
    /// If there is none, or it may not be read.
    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal>;

    /// What a path names.
    ///
    /// # Errors
    /// If there is nothing.
    fn about(&self, path: &str) -> Result<About, Refusal>;

    /// The names in a directory that are wanted, sorted. Ask for what is needed only: a capture keeps what was answered.
    ///
    /// # Errors
    /// If there is no such directory, or it may not be read.
    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal>;

    /// A path without links.
    ///
    /// # Errors
    /// If there is nothing.
    fn resolved(&self, path: &str) -> Result<String, Refusal>;

    /// What a library or program says of itself, from its headers.
    ///
    /// # Errors
    /// If there is none, or it cannot be read as one.
    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal>;

    /// What is installed in a directory of Python packages: in one question, so that a capture need not keep thousands of
    /// files.
    ///
    /// # Errors
    /// If there is no such directory, or it may not be read.
    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal>;

    /// What the loader's cache (`/etc/ld.so.cache`) lists for this processor: name and path, in its order.
    ///
    /// # Errors
    /// If there is none.
    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal>;

    /// A key of the registry: `HKLM\SOFTWARE\…`, `HKCU\…`. Elsewhere than on Windows there is none.
    ///
    /// # Errors
    /// If there is no such key, or it may not be read.
    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal>;

    /// GPUs and other accelerators on the PCI bus, by address, as Linux lists them below `/sys`. Elsewhere there are none.
    ///
    /// # Errors
    /// If there is no such list, or it may not be read.
    fn pci(&self) -> Result<Vec<PciDevice>, Refusal>;

    /// Packages that dpkg knows, by name, of those that are wanted. Ask for what is needed only.
    ///
    /// # Errors
    /// If there is no dpkg, or its list may not be read.
    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal>;

    /// What NVIDIA's management library says of GPUs and driver. Where there is no library, the report says that.
    fn nvml(&self) -> NvmlReport;

    /// What a program prints, which is found as a shell finds it. Only programs that belong to the driver or the system
    /// are run, never one of the user's own.
    ///
    /// # Errors
    /// If it is not there, or does not end in time.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal>;
}

/// A variable of a machine; on Windows whatever the case of its name.
pub fn variable(machine: &dyn Machine, name: &str) -> Option<String> {
    machine.variable(name)
}

/// The text of a small file; bytes that are not UTF-8 are replaced.
///
/// # Errors
/// If there is none, or it may not be read.
pub fn read_text(machine: &dyn Machine, path: &str) -> Result<String, Refusal> {
    Ok(String::from_utf8_lossy(&machine.read(path)?).into_owned())
}

/// Is there a file of this name?
pub fn is_file(machine: &dyn Machine, path: &str) -> bool {
    machine.about(path).is_ok_and(|a| a.kind == Kind::File)
}

/// Is there a directory of this name?
pub fn is_directory(machine: &dyn Machine, path: &str) -> bool {
    machine.about(path).is_ok_and(|a| a.kind == Kind::Directory)
}
