//! Environment markers: is a line meant for the machine of the question?

use super::found::Sentence;
use kb_core::platform::{Arch, Os};
use kb_core::request::RawRequest;
use pep508_rs::pep440_rs::Version;
use pep508_rs::{
    MarkerTree, MarkerTreeKind, MarkerValueString, MarkerValueVersion, MarkerWarningKind, Pep508Error,
};
use std::collections::HashSet;

/// The longest marker that is read; the parser recurses into parentheses.
const LONGEST: usize = 2_000;
/// The deepest nesting of them.
const DEEPEST: usize = 50;

/// What is known of the machine, for markers.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    os: Os,
    arch: Arch,
    /// The versions that `3.12` may be; empty when nothing is known.
    python: Vec<Version>,
}

/// What a marker says about a machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Applies {
    /// The line is for another machine.
    No,
    /// It hangs on what was not said.
    Open,
    /// The line counts.
    Yes,
}

/// 312 is how file names write 3.12.
pub(crate) fn dotted(python: &str) -> String {
    match python.split_at_checked(1) {
        Some((major, minor)) if !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{major}.{minor}")
        }
        _ => python.to_owned(),
    }
}

impl Environment {
    /// The machine of a question. What is no system or processor is reported where the question is read.
    pub(crate) fn of(raw: &RawRequest) -> Environment {
        let python = raw.python.as_deref().unwrap_or_default();
        let python = dotted(python.trim_start_matches(|c: char| !c.is_ascii_digit()));
        let python = match python.split('.').count() {
            // 3.12 is any of its patches.
            2 => (0..60).filter_map(|patch| format!("{python}.{patch}").parse().ok()).collect(),
            3 => python.parse().into_iter().collect(),
            _ => Vec::new(),
        };
        Environment {
            os: raw.os.as_deref().and_then(|t| t.parse::<Os>().ok()).unwrap_or(Os::Linux).build_os(),
            arch: raw.arch.as_deref().and_then(|t| t.parse().ok()).unwrap_or(Arch::X86_64),
            python,
        }
    }

    /// `linux x86_64`, `windows x86_64, Python 3.12`: for the reason why a line is left out.
    pub(crate) fn place(&self) -> String {
        match self.python.first() {
            Some(version) => {
                let minor: Vec<String> = version.release().iter().take(2).map(ToString::to_string).collect();
                format!("{} {}, Python {}", self.os.word(), self.arch.word(), minor.join("."))
            }
            None => format!("{} {}", self.os.word(), self.arch.word()),
        }
    }

    /// Why something whose marker says no is left out.
    pub(crate) fn not_here(&self) -> Sentence {
        Sentence::new("left-marker").with("machine", self.place())
    }

    /// Does one of several markers say yes? Without any, everything counts.
    ///
    /// # Errors
    /// What is wrong with the first of them that is none.
    pub(super) fn any_applies<'m>(
        &self,
        markers: impl IntoIterator<Item = &'m str>,
    ) -> Result<Applies, String> {
        let mut best = None;
        for marker in markers {
            best = best.max(Some(self.applies(marker)?));
        }
        Ok(best.unwrap_or(Applies::Yes))
    }

    /// Evaluates a marker, without its semicolon.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn applies(&self, marker: &str) -> Result<Applies, String> {
        let nesting = marker.matches('(').count();
        if marker.len() > LONGEST || nesting > DEEPEST {
            return Err("it is longer or deeper than any marker is".to_owned());
        }
        let mut wrong = None;
        let mut reporter = |kind: MarkerWarningKind, text: String| {
            let harmless =
                [MarkerWarningKind::DeprecatedMarkerName, MarkerWarningKind::LexicographicComparison];
            if !harmless.contains(&kind) {
                wrong.get_or_insert(text);
            }
        };
        let tree = MarkerTree::parse_reporter(marker, &mut reporter)
            .map_err(|error: Pep508Error| error.message.to_string())?;
        if let Some(text) = wrong {
            return Err(text);
        }
        let mut found = (false, false);
        self.walk(&tree, &mut HashSet::new(), &mut found);
        Ok(match found {
            (true, false) => Applies::Yes,
            (false, true) => Applies::No,
            _ => Applies::Open,
        })
    }

    /// Follows every branch that may be taken; notes whether "true" and "false" are among their ends.
    fn walk(&self, tree: &MarkerTree, seen: &mut HashSet<MarkerTree>, found: &mut (bool, bool)) {
        if *found == (true, true) || !seen.insert(tree.clone()) {
            return;
        }
        match tree.kind() {
            MarkerTreeKind::True => found.0 = true,
            MarkerTreeKind::False => found.1 = true,
            MarkerTreeKind::Version(node) => {
                let known = *node.key() != MarkerValueVersion::ImplementationVersion;
                for (range, next) in node.edges() {
                    let may =
                        !known || self.python.is_empty() || self.python.iter().any(|v| range.contains(v));
                    if may {
                        self.walk(&next, seen, found);
                    }
                }
            }
            MarkerTreeKind::String(node) => {
                let value = self.value(node.key());
                for (range, next) in node.children() {
                    if value.is_none_or(|v| range.contains(v)) {
                        self.walk(&next, seen, found);
                    }
                }
            }
            MarkerTreeKind::In(node) => {
                let value = self.value(node.key());
                for (inside, next) in node.children() {
                    if value.is_none_or(|v| node.value().contains(v) == inside) {
                        self.walk(&next, seen, found);
                    }
                }
            }
            MarkerTreeKind::Contains(node) => {
                let value = self.value(node.key());
                for (inside, next) in node.children() {
                    if value.is_none_or(|v| v.contains(node.value()) == inside) {
                        self.walk(&next, seen, found);
                    }
                }
            }
            // A requirements file is installed without extras of its own.
            MarkerTreeKind::Extra(node) => self.walk(&node.edge(false), seen, found),
        }
    }

    /// What Python would say; `None` for what the question leaves open.
    fn value(&self, key: &MarkerValueString) -> Option<&'static str> {
        use MarkerValueString as Key;
        Some(match key {
            Key::ImplementationName => "cpython",
            Key::PlatformPythonImplementation
            | Key::PlatformPythonImplementationDeprecated
            | Key::PythonImplementationDeprecated => "CPython",
            Key::OsName | Key::OsNameDeprecated => match self.os {
                Os::Windows => "nt",
                _ => "posix",
            },
            Key::SysPlatform | Key::SysPlatformDeprecated => match self.os {
                Os::Windows => "win32",
                Os::Macos => "darwin",
                _ => "linux",
            },
            Key::PlatformSystem => match self.os {
                Os::Windows => "Windows",
                Os::Macos => "Darwin",
                _ => "Linux",
            },
            Key::PlatformMachine | Key::PlatformMachineDeprecated => match (self.os, self.arch) {
                (Os::Windows, Arch::X86_64) => "AMD64",
                (Os::Windows, Arch::Aarch64) => "ARM64",
                (Os::Macos, Arch::Aarch64) => "arm64",
                (_, arch) => arch.word(),
            },
            Key::PlatformRelease | Key::PlatformVersion | Key::PlatformVersionDeprecated => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(os: &str, python: Option<&str>, marker: &str) -> Result<Applies, String> {
        let raw = RawRequest {
            os: Some(os.to_owned()),
            python: python.map(str::to_owned),
            ..RawRequest::default()
        };
        Environment::of(&raw).applies(marker)
    }

    #[test]
    fn markers_are_evaluated() {
        assert_eq!(on("linux", None, "sys_platform == 'win32'"), Ok(Applies::No));
        assert_eq!(on("wsl2", None, "sys_platform == 'linux'"), Ok(Applies::Yes));
        assert_eq!(on("windows", None, "'win' in sys_platform"), Ok(Applies::Yes));
        assert_eq!(on("linux", None, "python_version < '3.12'"), Ok(Applies::Open));
        assert_eq!(on("linux", Some("3.11"), "python_version < '3.12'"), Ok(Applies::Yes));
        assert_eq!(on("linux", Some("3.12"), "python_version < '3.12'"), Ok(Applies::No));
        assert_eq!(on("linux", Some("3.12"), "python_full_version < '3.12.4'"), Ok(Applies::Open));
        assert_eq!(on("linux", None, "python_version < '3.12' and os_name == 'nt'"), Ok(Applies::No));
        assert_eq!(on("linux", None, "extra == 'dev'"), Ok(Applies::No));
        assert!(on("linux", None, "banana").is_err());
        assert!(on("linux", None, "python_version >= 'banana'").is_err());
        assert!(on("linux", None, &"(".repeat(100_000)).is_err());
    }
}
