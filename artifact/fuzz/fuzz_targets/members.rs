//! Wheels whose checksums are right, so that what is inside is read: the input is a list of members.
//!
//! Each: a byte for the path, one for how it is packed, two for the length, the bytes.
#![no_main]

use artifact::{Limits, Options, describe_wheel};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 12] = [
    "x-1.0.dist-info/METADATA",
    "x-1.0.dist-info/WHEEL",
    "x-1.0.dist-info/RECORD",
    "torch/version.py",
    "cupy/.data/_wheel.json",
    "xformers/cpp_lib.json",
    "torch/lib/libtorch_python.so",
    "torch/lib/libtorch_cuda.so",
    "x.libs/libcudart-0a1b2c3d.so.11.0",
    "x/cudart64_110.dll",
    "x/libbitsandbytes_cuda124.so",
    "x/y.pyd",
];

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    })
}

/// Deflate in its simplest form: one block that is not compressed.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len() as u16;
    [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), bytes].concat()
}

fn zip(mut data: &[u8]) -> Vec<u8> {
    let (mut out, mut directory, mut count) = (Vec::new(), Vec::new(), 0u16);
    while let [path, how, low, high, rest @ ..] = data {
        let length = rest.len().min(usize::from(u16::from_le_bytes([*low, *high])));
        let (bytes, rest) = rest.split_at(length);
        data = rest;
        let path = PATHS[usize::from(*path) % PATHS.len()].as_bytes();
        let packed = if how & 1 == 1 { deflated(bytes) } else { bytes.to_vec() };
        let mut common = vec![20, 0, 0, 0, (how & 1) * 8, 0, 0, 0, 0x21, 0];
        for number in [crc32(bytes), packed.len() as u32, bytes.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((path.len() as u16).to_le_bytes());
        let at = out.len() as u32;
        out.extend([b"PK\x03\x04", &common[..], &[0, 0], path, &packed].concat());
        directory.extend([b"PK\x01\x02\x14\x03", &common[..], &[0; 12], &at.to_le_bytes(), path].concat());
        count += 1;
    }
    let at = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend([(directory.len() as u32).to_le_bytes(), at.to_le_bytes()].concat());
    out.extend([0, 0]);
    out
}

fuzz_target!(|data: &[u8]| {
    let limits = Limits { member: 4 << 20, total: 16 << 20, ..Limits::default() };
    let bytes = zip(data);
    let options = Options { limits, ..Options::default() };
    let wheel = describe_wheel(bytes.as_slice(), "x-1.0-py3-none-any.whl", &options).expect("an archive");
    let _ = (wheel.bundled(), wheel.dominant(|_| true));
    let duplicates = wheel.problems.len();
    assert!(duplicates <= wheel.entries.len());
});
