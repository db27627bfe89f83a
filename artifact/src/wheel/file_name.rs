//! A wheel's file name: `torch-2.5.1+cu124-cp312-cp312-win_amd64.whl`.

use pep440_rs::{LocalSegment, Version};
use std::fmt;
use std::str::FromStr;

/// A file name, taken apart. Source: PEP 427 and PEP 425.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileName {
    /// The distribution as written: `paddlepaddle_gpu`.
    pub distribution: String,
    /// The normalised name: `paddlepaddle-gpu`.
    pub package: String,
    /// The version with its local label.
    pub version: Version,
    /// The build tag, `1` in `x-1.0-1-py3-none-any.whl`. Of two files that differ in it only, the higher one is newer.
    pub build: Option<String>,
    /// Every combination of the compressed tag sets, in the order written.
    pub tags: Vec<Tag>,
}

/// One compatibility tag: `cp312-cp312-win_amd64`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag {
    /// The interpreter: `cp312`, `py3`.
    pub python: String,
    /// The ABI: `cp312`, `abi3`, `none`.
    pub abi: String,
    /// The platform: `manylinux_2_28_x86_64`, `win_amd64`, `any`.
    pub platform: String,
}

/// Combinations that are written out at most; the longest real names have a dozen.
const MOST_TAGS: usize = 1024;

impl FileName {
    /// Reads a name, with or without directories before it. `None` if it is not the name of a wheel.
    pub fn parse(name: &str) -> Option<FileName> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        // No file system has longer ones.
        if name.len() > 255 {
            return None;
        }
        let stem = name.strip_suffix(".whl").or_else(|| name.strip_suffix(".WHL"))?;
        let parts: Vec<&str> = stem.split('-').collect();
        let (distribution, version, build, python, abi, platform) = match parts[..] {
            [n, v, p, a, l] => (n, v, None, p, a, l),
            [n, v, b, p, a, l] if b.starts_with(|c: char| c.is_ascii_digit()) => (n, v, Some(b), p, a, l),
            _ => return None,
        };
        // Some builders write the `+` of the local label as an underscore, and indexes serve it as `%2B`.
        let version = version.replace("%2B", "+").replace("%2b", "+");
        let version = Version::from_str(&version)
            .or_else(|_| Version::from_str(&version.replacen('_', "+", 1)))
            .ok()?;
        Some(FileName {
            distribution: distribution.to_owned(),
            package: normalised(distribution)?,
            version,
            build: build.map(str::to_owned),
            tags: tags(python, abi, platform)?,
        })
    }

    /// The local label: `cu124`.
    pub fn local(&self) -> Option<String> {
        local(&self.version)
    }

    /// The least glibc that all tags together leave: the smallest of the `manylinux` tags' numbers. `None` if a tag
    /// is not for glibc.
    pub fn glibc(&self) -> Option<(u32, u32)> {
        self.tags.iter().map(Tag::glibc).collect::<Option<Vec<_>>>()?.into_iter().min()
    }
}

impl Tag {
    /// Reads `cp312-cp312-win_amd64`.
    pub fn parse(text: &str) -> Option<Tag> {
        let mut parts = text.trim().splitn(3, '-');
        let mut part = || parts.next().filter(|p| word(p)).map(str::to_owned);
        Some(Tag { python: part()?, abi: part()?, platform: part()? })
    }

    /// The glibc that the platform asks for: (2, 28) for `manylinux_2_28_x86_64`. Source: PEP 600 and its table of the
    /// older names.
    pub fn glibc(&self) -> Option<(u32, u32)> {
        let rest = self.platform.strip_prefix("manylinux")?;
        for (old, glibc) in [("1_", (2, 5)), ("2010_", (2, 12)), ("2014_", (2, 17))] {
            if rest.starts_with(old) {
                return Some(glibc);
            }
        }
        let mut numbers = rest.strip_prefix('_')?.splitn(3, '_');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.python, self.abi, self.platform)
    }
}

fn word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
}

fn tags(python: &str, abi: &str, platform: &str) -> Option<Vec<Tag>> {
    let count = [python, abi, platform].iter().map(|t| t.split('.').count()).product::<usize>();
    if count > MOST_TAGS {
        return None;
    }
    let mut tags = Vec::with_capacity(count);
    for python in python.split('.') {
        for abi in abi.split('.') {
            for platform in platform.split('.') {
                if !(word(python) && word(abi) && word(platform)) {
                    return None;
                }
                tags.push(Tag { python: python.into(), abi: abi.into(), platform: platform.into() });
            }
        }
    }
    Some(tags)
}

/// The normalised name of a project (PEP 503); `None` if the text cannot be one.
pub fn normalised(name: &str) -> Option<String> {
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !edge(name.chars().next()) || !edge(name.chars().last()) {
        return None;
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if out.ends_with('-') => {}
            '-' | '_' | '.' => out.push('-'),
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ => return None,
        }
    }
    Some(out)
}

/// A version's local label.
pub(crate) fn local(version: &Version) -> Option<String> {
    let texts: Vec<String> = version
        .local()
        .iter()
        .map(|s| match s {
            LocalSegment::String(s) => s.clone(),
            LocalSegment::Number(n) => n.to_string(),
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_names() {
        let name = FileName::parse("dist/torch-2.5.1%2Bcu124-cp312-cp312-win_amd64.whl").unwrap();
        assert_eq!((name.package.as_str(), name.local().as_deref()), ("torch", Some("cu124")));
        assert_eq!(name.tags[0].to_string(), "cp312-cp312-win_amd64");
        let name = FileName::parse("paddlepaddle_gpu-2.6.1.post120-cp39-cp39-win_amd64.whl").unwrap();
        assert_eq!((name.package.as_str(), name.version.post()), ("paddlepaddle-gpu", Some(120)));
        let name =
            FileName::parse("numpy-1.0-2-cp39.cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl")
                .unwrap();
        assert_eq!((name.build.as_deref(), name.tags.len()), (Some("2"), 4));
        assert_eq!(name.glibc(), Some((2, 17)));
        assert_eq!(FileName::parse("a-1-py3-none-any.whl").unwrap().glibc(), None);
    }

    #[test]
    fn other_names() {
        for name in [
            "",
            "a.whl",
            "a-1-py3-none.whl",
            "a-1-x-py3-none-any.whl",
            "a-1-py3-none-any.zip",
            "-1-p-a-l.whl",
            "a-1-py3--any.whl",
            "a-1-py3..py2-none-any.whl",
            "a-one-py3-none-any.whl",
        ] {
            assert_eq!(FileName::parse(name), None, "{name}");
        }
    }
}
