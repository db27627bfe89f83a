//! What an argument of `kb inspect` names: something on this machine, an address, or a release of an index.

use crate::spelling;
use std::path::Path;

/// What is to be inspected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A file or a directory.
    Local,
    /// The address of a file.
    Address(String),
    /// A project of the index and, where it is said, the release.
    Project {
        /// As it was typed, without spaces around it.
        name: String,
        /// What follows `==`.
        version: Option<String>,
    },
    /// A requirement that leaves open which release.
    Open(String),
}

/// Ends of names of files: they are looked for here, not in an index.
const FILES: [&str; 12] =
    [".whl", ".so", ".dll", ".pyd", ".exe", ".dylib", ".zip", ".gz", ".txt", ".toml", ".tar", ".egg"];

impl Target {
    /// What is meant. What exists on this machine wins over every other meaning.
    pub(crate) fn of(path: &Path) -> Target {
        let Some(text) = path.to_str().filter(|_| path.symlink_metadata().is_err()) else {
            return Target::Local;
        };
        Target::read(&spelling::requirement(&spelling::plain(text)))
    }

    fn read(text: &str) -> Target {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("https://") || lower.starts_with("http://") {
            return Target::Address(text.to_owned());
        }
        let name_end = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(name_end);
        let edges = |c: char| c.is_ascii_alphanumeric();
        if !name.starts_with(edges) || !name.ends_with(edges) {
            return Target::Local;
        }
        // Extras and markers choose no other file.
        let rest = rest.trim();
        let rest = match rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            Some((_, rest)) => rest.trim(),
            None => rest,
        };
        let rest = rest.split(';').next().unwrap_or_default().trim().trim_end_matches(',').trim_end();
        if let Some(address) = rest.strip_prefix('@').map(str::trim)
            && (address.starts_with("https://") || address.starts_with("http://"))
        {
            return Target::Address(address.to_owned());
        }
        if rest.is_empty() {
            // `libcudart.so.12`, `requirements.txt`
            let is_file = FILES.iter().any(|end| lower.ends_with(end) || lower.contains(&format!("{end}.")));
            let project = Target::Project { name: name.to_owned(), version: None };
            return if is_file { Target::Local } else { project };
        }
        match rest.strip_prefix("===").or_else(|| rest.strip_prefix("==")).map(str::trim) {
            Some(version) if !version.is_empty() && !version.contains(['*', ',', ';', ' ', '=']) => {
                Target::Project { name: name.to_owned(), version: Some(version.to_owned()) }
            }
            Some(_) => Target::Open(text.to_owned()),
            None if rest.starts_with(['<', '>', '~', '!', '[', ';', '@', '=']) => {
                Target::Open(text.to_owned())
            }
            None => Target::Local,
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant() {
        let project = |name: &str, version: Option<&str>| Target::Project {
            name: name.to_owned(),
            version: version.map(str::to_owned),
        };
        let address = "https://e.org/a-1-py3-none-any.whl#sha256=ab";
        for (text, expected) in [
            ("torch", project("torch", None)),
            ("torch==2.9.1+cu126", project("torch", Some("2.9.1+cu126"))),
            ("torch 2.9.1", project("torch", Some("2.9.1"))),
            ("paddlepaddle-gpu == 2.6.1", project("paddlepaddle-gpu", Some("2.6.1"))),
            ("ｔｏｒｃｈ＝＝２.９.１", project("torch", Some("2.9.1"))),
            (address, Target::Address(address.to_owned())),
            ("torch>=2.5", Target::Open("torch>=2.5".to_owned())),
            ("jax[cuda12]==0.9.0", project("jax", Some("0.9.0"))),
            ("torch==2.9.1,", project("torch", Some("2.9.1"))),
            ("torch==2.9.1; python_version > '3.9'", project("torch", Some("2.9.1"))),
            ("torch @ https://e.org/t.whl", Target::Address("https://e.org/t.whl".to_owned())),
            ("torch==2.*", Target::Open("torch==2.*".to_owned())),
            ("torch===2.5", project("torch", Some("2.5"))),
            ("torch==", Target::Open("torch==".to_owned())),
            ("no/such/file", Target::Local),
            ("no\\such", Target::Local),
            ("a.whl", Target::Local),
            ("libcudart.so.12", Target::Local),
            ("../torch", Target::Local),
            ("-x-", Target::Local),
            ("", Target::Local),
            // Here, in this package's directory.
            ("src", Target::Local),
            ("Cargo.toml", Target::Local),
        ] {
            assert_eq!(Target::of(Path::new(text)), expected, "{text}");
        }
    }
}
