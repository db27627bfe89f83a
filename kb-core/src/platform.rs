//! Operating systems, processors, and the platforms that builds are made for.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Where a program runs, as a user says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Os {
    /// Linux with its own driver.
    Linux,
    /// Windows.
    Windows,
    /// Linux programs under Windows: Linux builds, the Windows driver.
    Wsl2,
    /// macOS.
    Macos,
}

impl Os {
    /// All of them, for messages.
    pub const WORDS: [&'static str; 4] = ["linux", "windows", "wsl2", "macos"];

    /// The word used on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Os::Linux => "linux",
            Os::Windows => "windows",
            Os::Wsl2 => "wsl2",
            Os::Macos => "macos",
        }
    }

    /// The system whose driver numbers count: under WSL2 the Windows driver is the only one.
    pub fn driver_os(self) -> &'static str {
        match self {
            Os::Linux => "linux",
            Os::Windows | Os::Wsl2 => "windows",
            Os::Macos => "macos",
        }
    }

    /// The system whose builds run.
    pub fn build_os(self) -> Os {
        if self == Os::Wsl2 { Os::Linux } else { self }
    }
}

impl FromStr for Os {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "linux" | "ubuntu" | "debian" | "centos" | "rhel" | "rocky" | "fedora" | "arch" => Os::Linux,
            "windows" | "win" | "win10" | "win11" | "windows10" | "windows11" | "windows-10"
            | "windows-11" | "win32" | "win64" => Os::Windows,
            "wsl2" | "wsl" | "wsl-2" => Os::Wsl2,
            "macos" | "mac" | "osx" | "darwin" => Os::Macos,
            _ => return Err(()),
        })
    }
}

/// The processor's instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Arch {
    /// Intel and AMD, 64 bit.
    #[serde(rename = "x86_64")]
    X86_64,
    /// Arm, 64 bit.
    #[serde(rename = "aarch64")]
    Aarch64,
}

impl Arch {
    /// The word used on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64",
            Arch::Aarch64 => "aarch64",
        }
    }
}

impl FromStr for Arch {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "x86_64" | "x86-64" | "amd64" | "x64" => Arch::X86_64,
            "aarch64" | "arm64" | "sbsa" | "arm" => Arch::Aarch64,
            _ => return Err(()),
        })
    }
}

/// What a build is made for; `None` for `any`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Platform {
    /// Linux, Windows or macOS; never WSL2, which runs Linux builds.
    pub os: Os,
    /// Its processor.
    pub arch: Arch,
}

impl Platform {
    /// Reads one of [`Platform::WORDS`]; `None` for `any` and for words that are not among them.
    pub fn parse(text: &str) -> Option<Platform> {
        let (os, arch) = match text {
            "linux-x86_64" => (Os::Linux, Arch::X86_64),
            "linux-aarch64" => (Os::Linux, Arch::Aarch64),
            "windows-x86_64" => (Os::Windows, Arch::X86_64),
            "macos-arm64" => (Os::Macos, Arch::Aarch64),
            "macos-x86_64" => (Os::Macos, Arch::X86_64),
            _ => return None,
        };
        Some(Platform { os, arch })
    }

    /// All words that a data file may use.
    pub const WORDS: [&'static str; 6] =
        ["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64", "any"];
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arch =
            if self.os == Os::Macos && self.arch == Arch::Aarch64 { "arm64" } else { self.arch.word() };
        write!(f, "{}-{}", self.os.word(), arch)
    }
}
