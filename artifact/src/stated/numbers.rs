//! Versions in the spellings of DLL names and of integers.

use super::Said;
use super::python::Value;

/// A version from a Python literal; `False`, `None`, `''` and `'OFF'` mean that there is none.
pub(super) fn version(value: Option<&Value>) -> Option<Said> {
    match value? {
        Value::Text(text) => text_version(text),
        Value::Number(number) => Some(Said::plain(number.as_str())),
        _ => None,
    }
}

/// A version from text.
pub(super) fn text_version(text: &str) -> Option<Said> {
    let text = text.trim();
    let none = ["", "none", "false", "off", "0", "unknown", "cpu"];
    (!none.contains(&text.to_ascii_lowercase().as_str())).then(|| Said::plain(text))
}

/// CUDA as TensorFlow writes it on Windows: `64_112` is the end of `cudart64_112.dll`, 11.2.
pub(super) fn windows_cuda(said: Said) -> Said {
    let Some(digits) = said.written.strip_prefix("64_").filter(|d| digits(d)) else { return said };
    // Three digits since 10.0, two before (`64_90`). From CUDA 12 on the name has the major number alone.
    let value = match digits.len() {
        3 => Some(format!("{}.{}", &digits[..2], &digits[2..])),
        2 if digits > "20" => Some(format!("{}.{}", &digits[..1], &digits[1..])),
        2 => Some(digits.to_owned()),
        _ => None,
    };
    match value {
        Some(value) => Said { value, written: said.written },
        None => said,
    }
}

/// cuDNN as TensorFlow writes it on Windows: `64_8` is the end of `cudnn64_8.dll`, 8.
pub(super) fn windows_cudnn(said: Said) -> Said {
    match said.written.strip_prefix("64_").filter(|d| digits(d)) {
        Some(major) => Said { value: major.to_owned(), written: said.written },
        None => said,
    }
}

/// CUDA as a number of four digits: 1204 is 12.4, 1108 is 11.8.
pub(super) fn hundreds(number: u64) -> Option<Said> {
    (700..10_000)
        .contains(&number)
        .then(|| Said { value: format!("{}.{}", number / 100, number % 100), written: number.to_string() })
}

pub(super) fn digits(text: &str) -> bool {
    !text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit())
}
