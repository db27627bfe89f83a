//! Small readers of numbers inside names.

use crate::version::Dotted;

/// Which CUDA a name says: a release, or only the major version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cuda {
    /// `11.8`, `12.4.1`.
    Release(String),
    /// `12`.
    Major(u64),
}

impl Cuda {
    /// The major version.
    pub(super) fn major(&self) -> u64 {
        match self {
            Cuda::Major(n) => *n,
            Cuda::Release(r) => r.split('.').next().and_then(|m| m.parse().ok()).unwrap_or(0),
        }
    }

    /// `11.8`, or `11.x`.
    pub(super) fn shown(&self) -> String {
        match self {
            Cuda::Release(r) => r.clone(),
            Cuda::Major(n) => format!("{n}.x"),
        }
    }
}

/// Is the text made of ASCII digits only, and of at least one?
pub(super) fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A number of at most nine digits.
pub(super) fn number(text: &str) -> Option<u64> {
    if digits(text) && text.len() <= 9 { text.parse().ok() } else { None }
}

/// The CUDA of a label's number: `118` is 11.8, `92` is 9.2, `12` is any 12.x, `12.4` and `12.4.1` are themselves.
///
/// Two digits from 10 on name a major version (`cu12`); below that they name a release (`cu92`).
pub(super) fn cuda(text: &str) -> Option<Cuda> {
    if text.contains('.') {
        let v: Dotted = text.parse().ok()?;
        return ((5..=39).contains(&v.major()) && (2..=3).contains(&v.len()))
            .then(|| Cuda::Release(text.to_owned()));
    }
    let n = number(text)?;
    match text.len() {
        1 if (7..=9).contains(&n) => Some(Cuda::Major(n)),
        2 if (10..=39).contains(&n) => Some(Cuda::Major(n)),
        2 if (70..=99).contains(&n) => Some(Cuda::Release(format!("{}.{}", n / 10, n % 10))),
        3 if (100..=399).contains(&n) => Some(Cuda::Release(format!("{}.{}", n / 10, n % 10))),
        4 if (1000..=3999).contains(&n) && (10..30).contains(&(n % 100)) => {
            Some(Cuda::Release(format!("{}.{}", n / 100, n % 100)))
        }
        _ => None,
    }
}

/// The cuDNN of a label's number: `89` is 8.9, `805` is 8.0.5, `9` is 9, `8.2` is itself.
pub(super) fn cudnn(text: &str) -> Option<String> {
    if text.contains('.') {
        let v: Dotted = text.parse().ok()?;
        return (4..=30).contains(&v.major()).then(|| text.to_owned());
    }
    let n = number(text)?;
    match text.len() {
        1 if n >= 4 => Some(text.to_owned()),
        2 if n >= 40 => Some(format!("{}.{}", n / 10, n % 10)),
        3 if n >= 400 => Some(format!("{}.{}.{}", n / 100, n / 10 % 10, n % 10)),
        _ => None,
    }
}

/// Splits a label into words with the number behind each: `cu124torch2.4` gives (`cu`, `124`), (`torch`, `2.4`).
///
/// Dots before a letter separate too, so `cuda12.cudnn89` gives (`cuda`, `12`), (`cudnn`, `89`). Characters other
/// than ASCII letters, digits and dots end both word and number.
pub(super) fn word_numbers(label: &str) -> Vec<(&str, &str)> {
    let bytes = label.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        while i < bytes.len() && bytes[i].is_ascii_alphabetic() {
            i += 1;
        }
        let middle = i;
        while i < bytes.len() && (bytes[i].is_ascii_digit() || bytes[i] == b'.') {
            i += 1;
        }
        if i == start {
            i += 1;
            continue;
        }
        // Both ends lie at ASCII bytes, so they are boundaries of characters.
        out.push((&label[start..middle], label[middle..i].trim_matches('.')));
    }
    out
}

/// A dotted version at the start of a text, and the rest; the version has no dot at its end.
pub(super) fn leading_version(text: &str) -> Option<(Dotted, &str)> {
    let mut end = 0;
    let mut parts = 0;
    let mut rest = text;
    loop {
        let n = rest.bytes().take_while(u8::is_ascii_digit).count();
        if n == 0 || n > 9 {
            break;
        }
        end = text.len() - rest.len() + n;
        parts += 1;
        match rest[n..].strip_prefix('.') {
            Some(next) if parts < 4 => rest = next,
            _ => break,
        }
    }
    let version = text.get(..end)?.parse().ok()?;
    Some((version, &text[end..]))
}
