//! A captured machine as a file: what was asked of it, and the answers.
//!
//! The file can be written by hand: what it does not have does not exist there.

use super::{Cpu, DpkgPackage, Family, Kind, PciDevice, Refusal};
use crate::library::LibraryFacts;
use crate::python::SiteReport;
use nvml_report::NvmlReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The name of the file in the directory of a capture.
pub const FILE: &str = "capture.toml";

/// Bytes of such a file at most.
const LARGEST: u64 = 64 << 20;

/// A captured machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// 1.
    pub schema: u32,
    /// What it is of, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Where it is from: public reports as `owner/repository#number`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// How paths are written.
    pub family: Family,
    /// The processor.
    pub arch: String,
    /// The Python environment that was named when it was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<String>,
    /// The processor's name and what it can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Cpu>,
    /// The variables of the process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
    /// The directory that relative paths are from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Files and directories.
    #[serde(default, rename = "path", skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<CapturedPath>,
    /// The loader's cache: name and path.
    #[serde(default, rename = "loader-cache", skip_serializing_if = "Vec::is_empty")]
    pub loader_cache: Vec<(String, String)>,
    /// Keys of the registry.
    #[serde(default, rename = "registry", skip_serializing_if = "Vec::is_empty")]
    pub registry: Vec<CapturedKey>,
    /// GPUs and other accelerators on the PCI bus.
    #[serde(default, rename = "pci", skip_serializing_if = "Option::is_none")]
    pub pci: Option<Vec<PciDevice>>,
    /// Packages of dpkg.
    #[serde(default, rename = "dpkg", skip_serializing_if = "Option::is_none")]
    pub dpkg: Option<Vec<DpkgPackage>>,
    /// What NVIDIA's management library said; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nvml: Option<NvmlReport>,
    /// Programs that were run.
    #[serde(default, rename = "program", skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<CapturedProgram>,
}

/// A path of a captured machine. Directories above it exist as well.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapturedPath {
    /// The whole path.
    pub at: String,
    /// `file` unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Where it points, if it is a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The contents of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The contents of a file that is no text, in base 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// Bytes of a file whose contents are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// What a library says of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<LibraryFacts>,
    /// What is installed in a directory of Python packages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteReport>,
    /// Why it cannot be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

/// A key of the registry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapturedKey {
    /// `HKLM\SOFTWARE\…`
    pub key: String,
    /// Values. Keys below it are those that are captured.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// Why it cannot be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

/// A program that was run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapturedProgram {
    /// Its name and the arguments.
    pub run: Vec<String>,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// What it printed to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Why it printed nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

/// Why a capture cannot be used.
#[derive(Debug)]
pub struct CaptureError {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub says: String,
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.says)
    }
}

impl std::error::Error for CaptureError {}

impl Capture {
    /// Of a machine of which nothing is known yet.
    pub fn new(family: Family, arch: impl Into<String>) -> Self {
        Capture {
            schema: 1,
            about: String::new(),
            sources: Vec::new(),
            family,
            arch: arch.into(),
            python: None,
            cpu: None,
            variables: BTreeMap::new(),
            directory: None,
            paths: Vec::new(),
            loader_cache: Vec::new(),
            registry: Vec::new(),
            pci: None,
            dpkg: None,
            nvml: None,
            programs: Vec::new(),
        }
    }

    /// Reads a capture: the directory that was written, or the file in it.
    ///
    /// # Errors
    /// If it cannot be read or is no capture; the message says where.
    pub fn load(path: &Path) -> Result<Capture, CaptureError> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let fail = |says: String| CaptureError { file: file.display().to_string(), says };
        // In the same words on every system.
        let unread = |e: std::io::Error| fail(Refusal::from(e).to_string());
        let about = std::fs::metadata(&file).map_err(unread)?;
        // A pipe would wait, a device would never end.
        if !about.is_file() {
            return Err(fail("this is no regular file".to_owned()));
        }
        let length = about.len();
        if length > LARGEST {
            return Err(fail(format!("{length} bytes are more than a capture has")));
        }
        let text = std::fs::read_to_string(&file).map_err(unread)?;
        Capture::parse(&text).map_err(fail)
    }

    /// Reads the text of a capture.
    ///
    /// # Errors
    /// If it is none; the message has the line.
    pub fn parse(text: &str) -> Result<Capture, String> {
        let capture: Capture = toml::from_str(text).map_err(|e| e.to_string())?;
        match capture.schema {
            1 => Ok(capture),
            other => Err(format!("schema {other}; this program reads schema 1")),
        }
    }

    /// The text of a capture.
    ///
    /// # Errors
    /// None that is known: everything in it can be written.
    pub fn to_text(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|e| e.to_string())
    }
}
