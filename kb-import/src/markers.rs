//! Requirements as they hold on one platform: what markers say of the system is settled, what they say of the interpreter
//! stays.

use pep508_rs::{ExtraName, MarkerEnvironment, MarkerEnvironmentBuilder, Requirement, VersionOrUrl};
use std::str::FromStr;

/// The interpreters for which a marker is tried, 3.x.
const PYTHONS: std::ops::RangeInclusive<u32> = 6..=17;

/// A requirement of METADATA that could be read.
#[derive(Clone, Debug)]
pub(crate) struct Required {
    inner: Requirement,
}

/// When a requirement holds on a platform.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// With every interpreter that the package accepts.
    Always,
    /// With those for which this marker is true: `python_version < "3.12"`.
    If(String),
    /// Never.
    Never,
}

impl Required {
    /// Reads a line of `Requires-Dist`; `None` for one that no installer understands, as old metadata has.
    pub(crate) fn parse(text: &str) -> Option<Required> {
        Requirement::from_str(text).ok().map(|inner| Required { inner })
    }

    /// Its normalised name.
    pub(crate) fn name(&self) -> String {
        self.inner.name.to_string()
    }

    /// Without its marker: `jax-cuda12-plugin[with-cuda]==0.9`.
    pub(crate) fn plain(&self) -> String {
        let mut extras: Vec<String> = self.inner.extras.iter().map(ToString::to_string).collect();
        extras.sort();
        let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
        let versions = match &self.inner.version_or_url {
            Some(VersionOrUrl::VersionSpecifier(set)) => {
                set.iter().map(|s| s.to_string().replace(' ', "")).collect::<Vec<_>>().join(",")
            }
            Some(VersionOrUrl::Url(url)) => format!(" @ {url}"),
            None => String::new(),
        };
        format!("{}{extras}{versions}", self.inner.name)
    }

    /// When it holds on a platform, with an extra or without any, for the interpreters that `accepted` takes.
    pub(crate) fn holds(&self, platform: &str, extra: Option<&str>, accepted: impl Fn(u32) -> bool) -> Holds {
        let extras: Vec<ExtraName> = extra.and_then(|e| ExtraName::from_str(e).ok()).into_iter().collect();
        let tried: Vec<(u32, bool)> = PYTHONS
            .filter(|minor| accepted(*minor))
            .filter_map(|minor| {
                Some((minor, self.inner.evaluate_markers(&environment(platform, minor)?, &extras)))
            })
            .collect();
        if tried.iter().all(|(_, holds)| *holds) {
            return Holds::Always;
        }
        // Runs of interpreters for which it holds.
        let mut runs = Vec::new();
        let mut at = 0;
        while let Some(first) = (at..tried.len()).find(|i| tried[*i].1) {
            let after = (first..tried.len()).find(|i| !tried[*i].1);
            let lower = (first > 0).then(|| format!("python_version >= \"3.{}\"", tried[first].0));
            let upper = after.map(|after| format!("python_version < \"3.{}\"", tried[after].0));
            runs.push([lower, upper].into_iter().flatten().collect::<Vec<_>>().join(" and "));
            at = after.unwrap_or(tried.len());
        }
        if runs.is_empty() { Holds::Never } else { Holds::If(runs.join(" or ")) }
    }
}

/// What markers see on a platform.
fn environment(platform: &str, minor: u32) -> Option<MarkerEnvironment> {
    let (os, system, sys, machine) = match platform {
        "windows-x86_64" => ("nt", "Windows", "win32", "AMD64"),
        "macos-arm64" => ("posix", "Darwin", "darwin", "arm64"),
        "macos-x86_64" => ("posix", "Darwin", "darwin", "x86_64"),
        "linux-aarch64" => ("posix", "Linux", "linux", "aarch64"),
        _ => ("posix", "Linux", "linux", "x86_64"),
    };
    let version = format!("3.{minor}");
    let full = format!("3.{minor}.1");
    MarkerEnvironment::try_from(MarkerEnvironmentBuilder {
        implementation_name: "cpython",
        implementation_version: &full,
        os_name: os,
        platform_machine: machine,
        platform_python_implementation: "CPython",
        platform_release: "",
        platform_system: system,
        platform_version: "",
        python_full_version: &full,
        python_version: &version,
        sys_platform: sys,
    })
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, platform: &str, extra: Option<&str>) -> Holds {
        Required::parse(text).unwrap().holds(platform, extra, |minor| minor >= 9)
    }

    #[test]
    fn the_system_is_settled_and_the_interpreter_stays() {
        let cudnn =
            "nvidia-cudnn-cu12==9.1.0.70; platform_system == \"Linux\" and platform_machine == \"x86_64\"";
        assert_eq!(holds(cudnn, "linux-x86_64", None), Holds::Always);
        assert_eq!(holds(cudnn, "linux-aarch64", None), Holds::Never);
        assert_eq!(holds(cudnn, "windows-x86_64", None), Holds::Never);
        let triton = "triton (==3.0.0) ; sys_platform == \"linux\" and python_version < \"3.13\"";
        assert_eq!(holds(triton, "linux-x86_64", None), Holds::If("python_version < \"3.13\"".into()));
        assert_eq!(Required::parse(triton).unwrap().plain(), "triton==3.0.0");
        // True for all interpreters that the package accepts.
        assert_eq!(holds("numpy>=1.2; python_version >= \"3.9\"", "linux-x86_64", None), Holds::Always);
        let between = "numpy>=1.2; python_version >= \"3.10\" and python_version < \"3.12\"";
        let marker = "python_version >= \"3.10\" and python_version < \"3.12\"";
        assert_eq!(holds(between, "linux-x86_64", None), Holds::If(marker.into()));
        // Of what else it is about nothing is left.
        let gap = "numpy>=1.2; sys_platform == \"linux\" and python_version != \"3.11\"";
        let marker = "python_version < \"3.11\" or python_version >= \"3.12\"";
        assert_eq!(holds(gap, "linux-x86_64", None), Holds::If(marker.into()));
    }

    #[test]
    fn extras() {
        let plugin = "jax-cuda12-plugin[with_cuda]<=0.9,>=0.9; extra == \"cuda12\"";
        assert_eq!(holds(plugin, "linux-x86_64", None), Holds::Never);
        assert_eq!(holds(plugin, "linux-x86_64", Some("cuda12")), Holds::Always);
        assert_eq!(Required::parse(plugin).unwrap().plain(), "jax-cuda12-plugin[with-cuda]<=0.9,>=0.9");
    }
}
