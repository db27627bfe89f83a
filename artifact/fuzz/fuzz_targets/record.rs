//! RECORD.
#![no_main]

use artifact::wheel::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let read = Record::parse(data);
    let lines = data.iter().filter(|b| **b == b'\n').count() + 1;
    assert!(read.rows.len() + read.unread as usize <= lines);
});
