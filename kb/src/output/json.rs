//! The one document on standard output.

use serde::Serialize;

/// Prints a value as the document.
pub fn print<T: Serialize>(value: &T) {
    // Our values are strings, numbers, lists and maps with string keys: serde_json refuses none of them.
    if let Ok(mut text) = serde_json::to_string_pretty(value) {
        text.push('\n');
        super::write_out(text.as_bytes(), false);
    }
}
