//! PE, read at any place and in passes from the front.
#![no_main]

mod library;

libfuzzer_sys::fuzz_target!(|data: &[u8]| library::check(data, b"MZ"));
