//! For which system a wheel is wanted, and which wheels are for it.

use crate::{machine, spelling};
use kb_core::platform::{Arch, Os};
use std::fmt;

/// The system that a wheel is wanted for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Platform {
    os: Os,
    arch: Arch,
    /// The newest glibc that a wheel may ask for.
    glibc: Option<(u32, u32)>,
    /// A Linux with musl in place of glibc.
    musl: bool,
    /// As it was typed.
    text: String,
}

impl Platform {
    /// This machine's; Linux builds under WSL2.
    pub(crate) fn here() -> Platform {
        let os = machine::os().parse::<Os>().unwrap_or(Os::Linux).build_os();
        let arch = machine::arch().and_then(|a| a.parse().ok()).unwrap_or(Arch::X86_64);
        let text = kb_core::platform::Platform { os, arch }.to_string();
        Platform { os, arch, glibc: None, musl: false, text }
    }

    /// A tag of wheels (`win_amd64`, `manylinux_2_28_x86_64`), or one of kb's words and what is understood as such
    /// (`windows-x86_64`, `linux`). A tag with a number of glibc takes wheels that ask for no newer one.
    pub(crate) fn parse(text: &str) -> Option<Platform> {
        let text = spelling::plain(text);
        let lower = text.to_ascii_lowercase();
        let (os, arch) = spelling::platform(&lower.replace("universal2", "arm64")).or_else(|| {
            // A processor alone is one of Linux.
            let processor = spelling::processor(&lower);
            (lower.starts_with("musllinux") || processor.is_some()).then_some(("linux", processor))
        })?;
        let os = os.parse::<Os>().ok()?.build_os();
        // What is not said is what most builds are for.
        let usual = if os == Os::Macos { Arch::Aarch64 } else { Arch::X86_64 };
        let arch = match arch {
            Some(arch) => arch.parse().ok()?,
            // A processor that kb does not know: `win32`, `linux_armv7l`.
            None if lower.contains("32") || named_more(&lower) => return None,
            None => usual,
        };
        let (glibc, musl) = (glibc(&lower), lower.starts_with("musllinux"));
        Some(Platform { os, arch, glibc, musl, text })
    }

    /// How well a wheel's platform tag suits: nothing if it is for another system, less for one that is for any.
    pub(crate) fn suits(&self, tag: &str) -> Option<u32> {
        if tag == "any" {
            return Some(0);
        }
        let arch = match self.arch {
            Arch::X86_64 => ["x86_64", "amd64"],
            Arch::Aarch64 => ["aarch64", "arm64"],
        };
        let ours =
            arch.iter().any(|a| tag.ends_with(a)) || self.os == Os::Macos && tag.ends_with("universal2");
        let system = match self.os {
            Os::Windows => tag.starts_with("win"),
            Os::Macos => tag.starts_with("macosx"),
            Os::Linux | Os::Wsl2 if self.musl => tag.starts_with("musllinux"),
            Os::Linux | Os::Wsl2 => tag.starts_with("manylinux") || tag.starts_with("linux"),
        };
        if !ours || !system {
            return None;
        }
        match (glibc(tag), self.glibc) {
            (Some(asks), Some(has)) if asks > has => None,
            // Of several the one for the newest systems, as installers choose.
            (Some((major, minor)), _) => Some(1 + major.saturating_mul(1000).saturating_add(minor)),
            (None, _) => Some(1),
        }
    }
}

/// Does more stand behind the system than a number: `linux-ppc64le`, `linux-aarch6`, but not `windows-11`?
fn named_more(text: &str) -> bool {
    let mut parts = text.split(['-', '_', ' ']).skip(1);
    parts.any(|part| !part.is_empty() && !part.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn glibc(tag: &str) -> Option<(u32, u32)> {
    let tag = artifact::wheel::Tag { python: String::new(), abi: String::new(), platform: tag.to_owned() };
    tag.glibc()
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_tags() {
        for (text, suits, suits_not) in [
            ("win_amd64", "win_amd64", "win32"),
            ("windows-x86_64", "win_amd64", "win_arm64"),
            ("Windows", "win_amd64", "macosx_11_0_x86_64"),
            ("linux-x86_64", "manylinux_2_39_x86_64", "manylinux_2_17_aarch64"),
            ("linux-x86_64", "linux_x86_64", "musllinux_1_2_x86_64"),
            ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "manylinux_2_34_x86_64"),
            ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64"),
            ("linux_aarch64", "manylinux_2_28_aarch64", "win_arm64"),
            ("wsl2", "manylinux1_x86_64", "win_amd64"),
            ("aarch64", "manylinux_2_28_aarch64", "manylinux_2_28_x86_64"),
            ("windows-11", "win_amd64", "win_arm64"),
            ("macos-arm64", "macosx_11_0_arm64", "manylinux_2_28_aarch64"),
            ("macosx_11_0_universal2", "macosx_10_9_universal2", "macosx_10_9_x86_64"),
            ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64", "manylinux_2_28_x86_64"),
        ] {
            let platform = Platform::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert!(platform.suits(suits).is_some() && platform.suits("any") == Some(0), "{text} {suits}");
            assert_eq!(platform.suits(suits_not), None, "{text} {suits_not}");
        }
        for text in [
            "",
            "win32",
            "linux_armv7l",
            "manylinux_2_17_i686",
            "beos",
            "torch",
            "linux-aarch6",
            "linux-ppc64le",
        ] {
            assert_eq!(Platform::parse(text), None, "{text}");
        }
        let any = Platform::parse("linux").expect("known");
        assert!(any.suits("manylinux_2_28_x86_64") > any.suits("manylinux_2_17_x86_64"));
        assert!(Platform::here().suits("any").is_some());
    }
}
