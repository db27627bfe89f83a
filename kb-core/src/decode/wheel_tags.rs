//! The three tags at the end of a wheel's name: interpreter, ABI, platform.
//!
//! Source: PEP 425, 427, 513, 571, 599, 600, 656.

use super::lookup::add;

/// What the tags say, each list without repeats and in the order of the name.
#[derive(Default)]
pub(super) struct Tags {
    /// `3.12`, `3`.
    pub(super) python: Vec<String>,
    /// `linux`, `windows`, `macos`.
    pub(super) os: Vec<String>,
    /// `x86_64`, `aarch64` …
    pub(super) arch: Vec<String>,
    /// The lowest glibc that one of the tags accepts.
    pub(super) glibc: Option<(u32, u32)>,
    /// A musl platform.
    pub(super) musl: bool,
}

/// Reads the tags; `None` when one of them is of no known form.
pub(super) fn read(python: &str, abi: &str, platform: &str) -> Option<Tags> {
    let mut out = Tags::default();
    for tag in python.split('.') {
        add(&mut out.python, interpreter(tag)?);
    }
    for tag in abi.split('.') {
        if tag.is_empty() || !tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
    }
    for tag in platform.split('.') {
        one_platform(tag, &mut out)?;
    }
    Some(out)
}

/// `cp312` → `3.12`, `py3` → `3`, `cp313t` → `3.13t`, `pp310` → `3.10`.
fn interpreter(tag: &str) -> Option<String> {
    let digits_at = tag.bytes().position(|b| b.is_ascii_digit())?;
    let (name, number) = tag.split_at(digits_at);
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase()) || number.len() > 8 {
        return None;
    }
    let (number, free_threaded) = match number.strip_suffix('t') {
        Some(n) => (n, "t"),
        None => (number, ""),
    };
    if !super::text::digits(number) {
        // PyPy's pp310_pypy310 and the like.
        return None;
    }
    let (major, minor) = number.split_at(1);
    Some(if minor.is_empty() { major.to_owned() } else { format!("{major}.{minor}{free_threaded}") })
}

fn one_platform(tag: &str, out: &mut Tags) -> Option<()> {
    let (os, arch) = match tag {
        "any" => return Some(()),
        "win_amd64" => ("windows", "x86_64"),
        "win_arm64" => ("windows", "aarch64"),
        "win32" => ("windows", "x86"),
        _ => {
            if let Some(rest) = tag.strip_prefix("macosx_") {
                let mut parts = rest.splitn(3, '_');
                let (major, minor, arch) = (parts.next()?, parts.next()?, parts.next()?);
                super::text::number(major)?;
                super::text::number(minor)?;
                ("macos", arch)
            } else if let Some(rest) = tag.strip_prefix("manylinux_") {
                let mut parts = rest.splitn(3, '_');
                let (major, minor, arch) = (parts.next()?, parts.next()?, parts.next()?);
                glibc(out, (super::text::number(major)? as u32, super::text::number(minor)? as u32));
                ("linux", arch)
            } else if let Some((old, arch)) = tag.strip_prefix("manylinux").and_then(|r| r.split_once('_')) {
                glibc(
                    out,
                    match old {
                        "1" => (2, 5),
                        "2010" => (2, 12),
                        "2014" => (2, 17),
                        _ => return None,
                    },
                );
                ("linux", arch)
            } else if let Some(rest) = tag.strip_prefix("musllinux_") {
                out.musl = true;
                ("linux", rest.splitn(3, '_').nth(2)?)
            } else if let Some(arch) = tag.strip_prefix("linux_") {
                ("linux", arch)
            } else {
                return None;
            }
        }
    };
    let arch = match arch {
        "arm64" if os == "macos" => "aarch64",
        "x86_64" | "aarch64" | "ppc64le" | "x86" | "i686" | "s390x" | "armv7l" | "universal2" | "intel" => {
            arch
        }
        _ => return None,
    };
    add(&mut out.os, os.to_owned());
    add(&mut out.arch, arch.to_owned());
    Some(())
}

fn glibc(out: &mut Tags, version: (u32, u32)) {
    out.glibc = Some(out.glibc.map_or(version, |old| old.min(version)));
}
