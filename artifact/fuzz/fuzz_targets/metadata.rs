//! METADATA and WHEEL.
#![no_main]

use artifact::wheel::{Metadata, WheelFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let read = Metadata::parse(data);
    // Nothing is made up: what is read is not longer than what was there, replaced bytes (three for one) included.
    let length: usize = read.requires_dist.iter().chain(&read.classifiers).map(String::len).sum();
    assert!(length <= 3 * data.len());
    WheelFile::parse(data);
});
