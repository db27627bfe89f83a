//! ELF, read at any place and in passes from the front.
#![no_main]

mod library;

libfuzzer_sys::fuzz_target!(|data: &[u8]| library::check(data, b"\x7fELF\x02\x01\x01\0"));
