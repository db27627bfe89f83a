//! The encoding of any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let decoded = diagnose::text::decode(data);
    assert!(decoded.text.len() <= data.len() * 3 + 16);
});
