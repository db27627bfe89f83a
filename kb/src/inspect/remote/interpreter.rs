//! For which Python a wheel is wanted, and which wheels are for it.

use artifact::wheel::Tag;
use std::fmt;

/// A Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interpreter {
    major: u32,
    minor: u32,
    /// Without the global lock.
    threaded: bool,
}

impl Interpreter {
    /// `3.11`, `3.11.4`, `cp311`, `311`, `3.13t`.
    pub(crate) fn parse(text: &str) -> Option<Interpreter> {
        let text = crate::spelling::plain(text).to_ascii_lowercase();
        let text = text.strip_prefix("python").or_else(|| text.strip_prefix("cp")).unwrap_or(&text).trim();
        let (text, threaded) = text.strip_suffix('t').map_or((text, false), |t| (t, true));
        let mut parts = text.split('.');
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        let digits = |t: &str| !t.is_empty() && t.len() < 4 && t.bytes().all(|b| b.is_ascii_digit());
        let (major, minor) = match second {
            Some(second) => (first, second),
            None => first.split_at_checked(1)?,
        };
        let whole = digits(major) && digits(minor) && third.is_none_or(digits) && parts.next().is_none();
        whole.then_some(Interpreter { major: major.parse().ok()?, minor: minor.parse().ok()?, threaded })
    }
}

impl fmt::Display for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.major, self.minor, if self.threaded { "t" } else { "" })
    }
}

/// How well a wheel's tag suits, more for a closer one: `None` if it is for another Python. Without one that is wanted
/// the newest is best.
pub(super) fn suits(tag: &Tag, wanted: Option<Interpreter>) -> Option<(u32, u32)> {
    let (kind, major, minor) = parts(&tag.python)?;
    let threaded = tag.abi.ends_with('t') && tag.abi.starts_with("cp");
    let Some(wanted) = wanted else {
        let class = match kind {
            "cp" if !threaded => 3,
            "py" => 2,
            _ => 1,
        };
        return Some((class, major * 1000 + minor));
    };
    let older = major == wanted.major && minor <= wanted.minor;
    match kind {
        "cp" if tag.abi == "abi3" => (older && !wanted.threaded).then_some((2, minor)),
        "cp" => (older && minor == wanted.minor && threaded == wanted.threaded).then_some((3, 0)),
        "py" => (older || minor == 0 && major == wanted.major).then_some((1, minor)),
        _ => None,
    }
}

/// The interpreter in a tag as it is listed: `cp312`, `cp313t`, `cp39-abi3`, `py3`.
pub(super) fn label(tag: &Tag) -> String {
    match &*tag.abi {
        "abi3" => format!("{}-abi3", tag.python),
        abi if abi.starts_with("cp") && abi.ends_with('t') => abi.to_owned(),
        _ => tag.python.clone(),
    }
}

/// Labels in the order of their versions.
pub(super) fn sort(labels: &mut Vec<String>) {
    labels.sort_by_cached_key(|label| {
        let number = parts(label.split('-').next().unwrap_or(label).trim_end_matches('t'));
        (number.map(|(kind, major, minor)| (kind.to_owned(), major, minor)), label.clone())
    });
    labels.dedup();
}

/// `cp312` is CPython 3.12, `py3` any 3, `pp310` another implementation.
fn parts(python: &str) -> Option<(&str, u32, u32)> {
    let (kind, number) = python.split_at_checked(2)?;
    let (major, minor) = number.split_at_checked(1)?;
    let minor = if minor.is_empty() { Some(0) } else { minor.parse().ok() };
    Some((kind, major.parse().ok()?, minor?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let of = |major, minor, threaded| Some(Interpreter { major, minor, threaded });
        for (text, expected) in [
            ("3.11", of(3, 11, false)),
            ("3.11.4", of(3, 11, false)),
            ("cp311", of(3, 11, false)),
            ("39", of(3, 9, false)),
            ("3.13t", of(3, 13, true)),
            ("Python 3.12", of(3, 12, false)),
            ("banana", None),
            ("3", None),
            ("3.x", None),
            ("3.1.1.1", None),
            ("", None),
            ("３.１１", of(3, 11, false)),
        ] {
            assert_eq!(Interpreter::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn which_tag_is_for_which() {
        let tag = |text: &str| Tag::parse(&format!("{text}-any")).expect("a tag");
        let order = |wanted: Option<&str>, tags: &[&str]| {
            let wanted = wanted.and_then(Interpreter::parse);
            let mut fit: Vec<&str> =
                tags.iter().copied().filter(|t| suits(&tag(t), wanted).is_some()).collect();
            fit.sort_by_key(|t| std::cmp::Reverse(suits(&tag(t), wanted)));
            fit.join(" ")
        };
        let all =
            ["py3-none", "cp311-cp311", "cp39-abi3", "cp310-abi3", "cp312-abi3", "cp313-cp313t", "pp310-x"];
        assert_eq!(order(Some("3.11"), &all), "cp311-cp311 cp310-abi3 cp39-abi3 py3-none");
        assert_eq!(order(Some("3.13t"), &all), "cp313-cp313t py3-none");
        assert_eq!(
            order(None, &all),
            "cp312-abi3 cp311-cp311 cp310-abi3 cp39-abi3 py3-none cp313-cp313t pp310-x"
        );
        let mut labels: Vec<String> = all.iter().map(|t| label(&tag(t))).collect();
        labels.push("cp38".to_owned());
        sort(&mut labels);
        assert_eq!(labels.join(" "), "cp38 cp39-abi3 cp310-abi3 cp311 cp312-abi3 cp313t pp310 py3");
    }
}
