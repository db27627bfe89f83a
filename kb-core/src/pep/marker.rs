//! Markers of requirements, as far as tables have them: comparisons of `python_version`, joined by `and` and `or`.
//!
//! What a marker says of the system is settled when metadata is imported, so the rest of PEP 508 is not needed here.

use crate::version::{Interpreters, PythonVersion};
use pep440_rs::{Version, VersionSpecifier};
use std::str::FromStr;

/// The interpreters for which a marker is true; `None` for one that is about something else, or has parentheses.
pub(super) fn interpreters(marker: &str) -> Option<Interpreters> {
    // `and` binds closer.
    marker.split(" or ").try_fold(Interpreters::NONE, |either, part| {
        let all = part
            .split(" and ")
            .try_fold(Interpreters::ALL, |all, comparison| Some(all.and(compared(comparison)?)));
        Some(either.or(all?))
    })
}

/// `python_version < "3.13"`.
fn compared(comparison: &str) -> Option<Interpreters> {
    let rest = comparison.trim().strip_prefix("python_version")?.trim_start();
    let (operator, value) = rest.split_at(rest.find(['"', '\''])?);
    let quote = value.chars().next()?;
    let version = value.strip_prefix(quote)?.strip_suffix(quote)?;
    let specifier = VersionSpecifier::from_str(&format!("{}{version}", operator.trim())).ok()?;
    let number = |python: PythonVersion| Version::new([python.major(), python.minor()].map(u64::from));
    Some(Interpreters::such_that(|python| specifier.contains(&number(python))))
}

/// A marker that is true for these interpreters; `None` where none is needed.
pub(super) fn text(when: Interpreters) -> Option<String> {
    if when == Interpreters::ALL {
        return None;
    }
    // Runs of neighbours, from one version to before another.
    let all: Vec<PythonVersion> = Interpreters::ALL.versions().collect();
    let mut runs: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(from) = (at..all.len()).find(|i| when.contains(all[*i])) {
        let to = (from..all.len()).find(|i| !when.contains(all[*i]));
        let lower = (from > 0).then(|| format!("python_version >= \"{}\"", all[from]));
        let upper = to.map(|to| format!("python_version < \"{}\"", all[to]));
        runs.push([lower, upper].into_iter().flatten().collect::<Vec<_>>().join(" and "));
        at = to.unwrap_or(all.len());
    }
    Some(if runs.is_empty() { "python_version < \"0\"".to_owned() } else { runs.join(" or ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_the_interpreter() {
        for (marker, set) in [
            ("python_version < \"3.2\"", "2.7, 3.0, 3.1"),
            ("python_version >= '3.9' and python_version < \"3.12\"", "3.9, 3.10, 3.11"),
            ("python_version == \"3.9\" or python_version>=\"3.13\"", "3.9, >=3.13"),
            (
                "python_version == \"3.*\" and python_version != \"3.9\" and python_version < \"3.11\" and python_version > \"3.7\"",
                "3.8, 3.10",
            ),
        ] {
            assert_eq!(interpreters(marker).expect(marker).to_string(), set, "{marker}");
        }
    }

    #[test]
    fn anything_else_is_not_understood() {
        for marker in [
            "",
            "sys_platform == \"linux\"",
            "python_version < \"3.9\" and extra == \"gpu\"",
            "(python_version < \"3.9\")",
            "python_version < 3.9",
            "python_version < \"3.9",
            "python_version in \"3.9\"",
            "\"3.9\" > python_version",
        ] {
            assert_eq!(interpreters(marker), None, "{marker}");
        }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        for marker in [
            "python_version < \"3.13\"",
            "python_version >= \"3.10\"",
            "python_version >= \"3.9\" and python_version < \"3.12\"",
            "python_version < \"3.8\" or python_version >= \"3.11\"",
            "python_version < \"0\"",
        ] {
            assert_eq!(text(interpreters(marker).expect(marker)).as_deref(), Some(marker));
        }
        assert_eq!(text(Interpreters::ALL), None);
    }
}
