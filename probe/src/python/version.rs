//! Versions of interpreters, as names and small files give them.

/// `3.12.4` of `3.12.4.final.0`; `None` if it does not begin with two numbers.
pub(super) fn numbers(text: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in text.trim().split('.').take(3) {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            break;
        }
        // A release that is not final yet is one all the same: `3.14.0rc1`.
        parts.push(part);
        if digits < part.len() {
            break;
        }
    }
    (parts.len() >= 2).then(|| parts.join("."))
}

/// Major and minor: `3.12` of `3.12.4`.
pub(super) fn minor(version: &str) -> &str {
    let mut dots = version.match_indices('.').map(|(at, _)| at);
    dots.nth(1).map_or(version, |at| &version[..at])
}

/// What a name such as `python3.13t`, `pypy3.10`, `python3.11.exe` says: the implementation, `3.13` and whether it is
/// free of the global lock. `None` for `python3`.
pub(super) fn of_name(name: &str) -> Option<(&'static str, &str, bool)> {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let (implementation, rest) = match (name.strip_prefix("python"), name.strip_prefix("pypy")) {
        (Some(rest), _) => ("CPython", rest),
        (None, Some(rest)) => ("PyPy", rest),
        _ => return None,
    };
    let (rest, free) = match rest.strip_suffix('t') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (major, minor) = rest.split_once('.')?;
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    (digits(major) && digits(minor)).then_some((implementation, rest, free))
}

/// `3.12` and whether it is free of the global lock, of `python312.dll`, `python313t.dll`, `python312._pth`.
pub(super) fn of_windows_file(name: &str) -> Option<(String, bool)> {
    let lower = name.to_ascii_lowercase();
    let stem = lower.strip_prefix("python")?;
    let stem = stem.strip_suffix(".dll").or(stem.strip_suffix("._pth"))?;
    let (digits, free) = match stem.strip_suffix('t') {
        Some(digits) => (digits, true),
        None => (stem, false),
    };
    // `python3.dll` is the stable part of all.
    let known = digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit());
    known.then(|| (format!("{}.{}", &digits[..1], &digits[1..]), free))
}

/// In the order of numbers: `3.9` before `3.12`.
pub(super) fn order(version: &str) -> Vec<u32> {
    version.split('.').map(|p| p.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(numbers("3.12.4.final.0").as_deref(), Some("3.12.4"));
        assert_eq!(numbers("3.14.0rc1").as_deref(), Some("3.14.0rc1"));
        assert_eq!((numbers("3.12").as_deref(), numbers("3"), numbers("x")), (Some("3.12"), None, None));
        assert_eq!((minor("3.12.4"), minor("3.12")), ("3.12", "3.12"));
        assert_eq!(of_name("python3.13t"), Some(("CPython", "3.13", true)));
        assert_eq!(of_name("pypy3.10"), Some(("PyPy", "3.10", false)));
        assert_eq!((of_name("python3"), of_name("python"), of_name("pythonw.exe")), (None, None, None));
        assert_eq!(of_windows_file("python312.dll"), Some(("3.12".to_owned(), false)));
        assert_eq!(of_windows_file("Python313t.dll"), Some(("3.13".to_owned(), true)));
        assert_eq!((of_windows_file("python3.dll"), of_windows_file("pythoncom.dll")), (None, None));
        assert!(order("3.9") < order("3.12"));
    }
}
