//! The scanner for device code: what is found depends on the bytes alone, not on how they are cut or read.
//!
//! Input: a byte for the number of cuts, as many cuts, the bytes.
#![no_main]

use artifact::code::{DeviceCode, Scanner, scan, scan_stream};
use libfuzzer_sys::fuzz_target;

fn cut(bytes: &[u8], cuts: &[u8], skip: bool, size: Option<u64>) -> DeviceCode {
    let mut scanner = Scanner::new(size);
    let mut rest = bytes;
    let mut turn = 0usize;
    while !rest.is_empty() {
        if skip {
            let skipped = scanner.skip(rest.len() as u64) as usize;
            assert!(skipped <= rest.len());
            rest = &rest[skipped..];
        }
        let most = cuts.get(turn % cuts.len().max(1)).map_or(rest.len(), |c| usize::from(*c) + 1);
        let n = most.min(rest.len());
        scanner.push(&rest[..n]);
        rest = &rest[n..];
        turn += 1;
    }
    scanner.finish()
}

fuzz_target!(|data: &[u8]| {
    let Some((count, rest)) = data.split_first() else { return };
    let Some((cuts, bytes)) = rest.split_at_checked(usize::from(count % 8)) else { return };
    let size = Some(bytes.len() as u64);
    let whole = cut(bytes, &[], false, size);
    assert_eq!(cut(bytes, cuts, false, size), whole);
    assert_eq!(cut(bytes, cuts, true, size), whole);
    assert_eq!(scan(bytes, &[]).expect("memory does not fail"), whole);
    assert_eq!(scan_stream(&mut &bytes[..], size).expect("memory does not fail"), whole);
    assert_eq!(cut(bytes, cuts, false, None), cut(bytes, &[], false, None));
    assert!(whole.entries() <= bytes.len() as u64 / 48 + 1);
});
