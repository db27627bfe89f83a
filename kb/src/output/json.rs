//! The one document on standard output.

use serde::Serialize;

/// Prints a value as the document.
pub fn print<T: Serialize>(value: &T) {
    super::write_out(text(value).as_bytes(), false);
}

/// Prints it on standard error: standard output has what another program wrote.
pub fn print_err<T: Serialize>(value: &T) {
    super::write_err(&text(value));
}

fn text<T: Serialize>(value: &T) -> String {
    // Our values are strings, numbers, lists and maps with string keys: serde_json refuses none of them.
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}
