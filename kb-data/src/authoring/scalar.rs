//! Checks of single texts: ids, dates, versions, sets of versions, requirements.
//!
//! Each gives the typed value or a diagnostic without a place, which the caller puts where the text stands.

use kb_core::diag::Diagnostic;
use kb_core::value::Branch;
use kb_core::version::{ComputeTarget, Dotted, VersionSet};
use pep440_rs::{Version, VersionSpecifiers};
use std::str::FromStr;
use version_ranges::Ranges;

/// Nothing in the field numbers higher than this; it also keeps sums of version numbers from overflowing.
const MAX_NUMBER: u64 = 4_000_000_000;

/// Lower-case kebab-case: `[a-z0-9][a-z0-9.-]*`.
pub(crate) fn id(text: &str) -> Result<(), Diagnostic> {
    let mut bytes = text.bytes();
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let good = bytes.next().is_some_and(word) && bytes.all(|b| word(b) || matches!(b, b'.' | b'-'));
    if good {
        return Ok(());
    }
    let mut proposal = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => proposal.push(c),
            '.' | '-' | '_' | ' ' if !proposal.is_empty() && !proposal.ends_with('-') => {
                proposal.push(if c == '.' { '.' } else { '-' });
            }
            _ => {}
        }
    }
    let out = Diagnostic::error("bad-id", format!("`{text}` is not an id"));
    Err(if proposal.is_empty() {
        out.help("ids are lower-case letters, digits, `-` and `.`, such as `rtx-3090`")
    } else {
        out.help(format!("ids are lower-case letters, digits, `-` and `.`; write `{proposal}`"))
    })
}

/// How exact a date must be.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DateForm {
    /// `2026`, `2026-11` or `2026-11-30`.
    Any,
    /// `2026-11-30`.
    Day,
}

/// A date that exists.
pub(super) fn date(text: &str, form: DateForm) -> Result<(), Diagnostic> {
    let parts: Vec<&str> = text.split('-').collect();
    let widths_fit =
        parts.iter().zip([4, 2, 2]).all(|(p, n)| p.len() == n && p.bytes().all(|b| b.is_ascii_digit()));
    let number = |i: usize| parts.get(i).and_then(|p| p.parse::<u32>().ok());
    let good = widths_fit
        && (1..=3).contains(&parts.len())
        && (form == DateForm::Any || parts.len() == 3)
        && number(0).is_some_and(|y| (1990..=2100).contains(&y))
        && number(1).is_none_or(|m| (1..=12).contains(&m))
        && number(2).is_none_or(|d| d >= 1 && d <= days(number(0).unwrap_or(0), number(1).unwrap_or(1)));
    if good {
        return Ok(());
    }
    let year = number(0).filter(|_| widths_fit);
    let message = match year {
        Some(y) if !(1990..=2100).contains(&y) => {
            return Err(Diagnostic::error("bad-date", format!("`{text}` is too far away"))
                .help("years from 1990 to 2100 are read"));
        }
        Some(_) if parts.len() == 3 => format!("the calendar has no day `{text}`"),
        _ => format!("`{text}` is not a date"),
    };
    Err(Diagnostic::error("bad-date", message).help(match form {
        DateForm::Any => "write \"2026-11-30\", \"2026-11\" or \"2026\"",
        DateForm::Day => "write year, month and day: \"2026-11-30\"",
    }))
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// One to four numbers with dots.
pub(super) fn dotted(text: &str, wants: &str) -> Result<Dotted, Diagnostic> {
    text.parse().map_err(|_| {
        let out = Diagnostic::error("bad-version", format!("`{text}` is not {wants}"));
        if text.contains(['*', '<', '>', ',']) {
            out.note("this looks like a range; the column wants one version")
        } else {
            out.help("one to four numbers with dots, such as \"12.4.1\"")
        }
    })
}

/// A compute capability, perhaps with `a` or `f`.
pub(super) fn compute(text: &str) -> Result<ComputeTarget, Diagnostic> {
    text.parse().map_err(|_| {
        Diagnostic::error("bad-version", format!("`{text}` is not a compute capability"))
            .help("write \"8.6\", \"9.0a\" or \"12.0f\"")
    })
}

/// A driver branch.
pub(super) fn branch(text: &str) -> Result<Branch, Diagnostic> {
    let error = || {
        Diagnostic::error("bad-version", format!("`{text}` is not a driver branch")).help("write \"R570\"")
    };
    // The oldest legacy branches have two digits (R71), which a number alone could not be told from.
    let digits = text
        .strip_prefix('R')
        .filter(|d| (2..=4).contains(&d.len()) && d.bytes().all(|b| b.is_ascii_digit()));
    digits.and_then(|d| d.parse().ok()).map(Branch).ok_or_else(error)
}

/// `R570 570.86.16`, or `R575` for the whole branch.
pub(super) fn branch_since(text: &str) -> Result<(Branch, Option<Dotted>), Diagnostic> {
    match text.split_once(' ') {
        None => Ok((branch(text)?, None)),
        Some((b, since)) => Ok((branch(b)?, Some(dotted(since.trim(), "a driver version")?))),
    }
}

/// A set of versions of a dotted scheme.
pub(super) fn dotted_range(text: &str) -> Result<VersionSet, Diagnostic> {
    text.parse().map_err(|_| {
        for alternative in text.split("||").map(str::trim) {
            if alternative.parse::<VersionSet>().is_ok() || alternative == "*" {
                continue;
            }
            let clauses: Vec<&str> = alternative.split(',').map(str::trim).collect();
            let one_of = |sign: char| clauses.iter().filter(|c| c.starts_with(sign)).count() == 1;
            let readable = clauses.iter().all(|c| c.parse::<VersionSet>().is_ok());
            if clauses.len() == 2 && readable && one_of('>') && one_of('<') {
                return impossible(alternative);
            }
            if clauses.len() > 1 && readable {
                return Diagnostic::error("bad-range", format!("`{alternative}` is not a set of versions"))
                    .note("a range has at most one lower and one upper bound; a single version stands alone")
                    .help("several sets are joined by ` || `, as in \"12.4 || >=12.6, <13\"");
            }
        }
        Diagnostic::error("bad-range", format!("`{text}` is not a set of versions"))
            .help("write \"12.4\", \"12.4.*\", \">=12.4, <13\", \"*\", or several joined by \" || \"")
    })
}

fn impossible(text: &str) -> Diagnostic {
    Diagnostic::error("impossible-range", format!("no version is in `{text}`"))
        .help("the lower bound is above the upper one: exchange them, or join two sets by \" || \"")
}

/// A version by PEP 440.
pub(super) fn pep440(text: &str) -> Result<Version, Diagnostic> {
    let small = |v: &Version| v.release().iter().all(|n| *n <= MAX_NUMBER);
    Version::from_str(text).ok().filter(small).ok_or_else(|| {
        Diagnostic::error("bad-version", format!("`{text}` is not a version by PEP 440"))
            .help("write \"2.9.1\", \"2.0.0rc1\" or \"2.9.1+cu126\"")
    })
}

/// A set of versions by PEP 440; alternatives are joined by ` || `, `*` is every version.
pub(crate) fn pep440_range(text: &str) -> Result<Vec<VersionSpecifiers>, Diagnostic> {
    text.split("||")
        .map(str::trim)
        .map(|alternative| {
            if alternative == "*" {
                return Ok(VersionSpecifiers::empty());
            }
            let parsed = VersionSpecifiers::from_str(alternative).ok().filter(|specs| {
                !specs.is_empty()
                    && specs.iter().all(|s| s.version().release().iter().all(|n| *n <= MAX_NUMBER))
            });
            let Some(specs) = parsed else {
                let out = Diagnostic::error(
                    "bad-range",
                    format!("`{alternative}` is not a set of versions by PEP 440"),
                );
                return Err(if Version::from_str(alternative).is_ok() {
                    out.help(format!("for this version alone write \"=={alternative}\""))
                } else {
                    out.help("write \"==2.8.*\", \">=2.6, <3\", or several joined by \" || \"")
                });
            };
            if Ranges::from(specs.clone()).is_empty() { Err(impossible(alternative)) } else { Ok(specs) }
        })
        .collect()
}

/// A requirement by PEP 508.
pub(super) fn requirement(text: &str) -> Result<(), Diagnostic> {
    let plain = text.trim();
    match pep508_rs::Requirement::<pep508_rs::VerbatimUrl>::from_str(plain) {
        Ok(_) => Ok(()),
        Err(error) => Err(Diagnostic::error("bad-requirement", format!("`{text}` is not a requirement"))
            .note(error.message.to_string().lines().next().unwrap_or_default().to_owned())
            .help("write \"numpy>=1.26\" or \"nvidia-cudnn-cu12==9.10.2.21\"")),
    }
}

/// The `{places}` of a template, in order; an unclosed one is an error.
pub(crate) fn placeholders(template: &str) -> Result<Vec<&str>, Diagnostic> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find(['{', '}']) {
        let close = rest[open..].find('}').filter(|c| *c > 1 && rest.as_bytes()[open] == b'{');
        match close {
            Some(close) if !rest[open + 1..open + close].contains('{') => {
                out.push(&rest[open + 1..open + close]);
                rest = &rest[open + close + 1..];
            }
            _ => {
                return Err(Diagnostic::error("unknown-placeholder", "a brace here has no partner")
                    .help("places are written {name}"));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for good in ["2026", "2026-11", "2024-02-29"] {
            assert!(date(good, DateForm::Any).is_ok(), "{good}");
        }
        for bad in
            ["", "26-11-30", "2026-13", "2025-02-29", "2026-11-31", "2026-1-1", "2026-11-30-1", "30.11.2026"]
        {
            assert!(date(bad, DateForm::Any).is_err(), "{bad}");
        }
        assert!(date("2026-11", DateForm::Day).is_err());
    }

    #[test]
    fn ids() {
        assert!(id("rtx-3090").is_ok() && id("pytorch-cu12.6").is_ok());
        let error = id("RTX 3090").expect_err("bad");
        assert!(error.help.expect("help").contains("`rtx-3090`"));
        assert!(id("").is_err() && id("-a").is_err() && id("昇腾").is_err());
    }

    #[test]
    fn ranges() {
        let code = |r: Result<_, Diagnostic>| r.map(|_: ()| ()).expect_err("bad").code;
        assert_eq!(code(dotted_range(">=13, <12").map(drop)), "impossible-range");
        assert_eq!(code(dotted_range("12.4.*, <13").map(drop)), "bad-range");
        assert_eq!(code(dotted_range("12.x").map(drop)), "bad-range");
        assert_eq!(code(pep440_range(">=3,<2").map(drop)), "impossible-range");
        assert_eq!(code(pep440_range("2.8").map(drop)), "bad-range");
        assert!(pep440_range("==2.8.* || >=3, <4").is_ok() && pep440_range("*").is_ok());
    }

    #[test]
    fn places() {
        assert_eq!(placeholders("a {b} c {d}").expect("good"), ["b", "d"]);
        assert!(
            placeholders("a {b").is_err() && placeholders("a } b").is_err() && placeholders("{}").is_err()
        );
    }
}
