//! Device code: what is found, and that it does not depend on how the bytes come.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use artifact::Bytes;
use artifact::code::{Count, DeviceCode, Scanner, scan, scan_stream};
use proptest::prelude::*;
use std::cell::Cell;
use std::io;
use support::fatbin::{Entry, FAMILY, PTX, SASS, SPECIFIC, container, entry, header};
use support::noise;

fn at_once(bytes: &[u8]) -> DeviceCode {
    let mut scanner = Scanner::new(Some(bytes.len() as u64));
    scanner.push(bytes);
    scanner.finish()
}

fn shown(code: &DeviceCode) -> String {
    format!("{:?} {:?}", code.sass.keys().collect::<Vec<_>>(), code.ptx.keys().collect::<Vec<_>>())
}

#[test]
fn targets_and_counts() {
    let mut bytes = noise(1000, 1);
    bytes.extend(container(&[entry(SASS, 80), entry(SASS, 80), entry(SASS, 120), entry(PTX, 120)]));
    bytes.extend(noise(13, 2));
    bytes.extend(container(&[
        entry(SASS, 80),
        Entry { flags: SPECIFIC | 0x11, ..entry(SASS, 90) },
        entry(16, 90),
    ]));
    bytes.extend(container(&[]));
    let code = at_once(&bytes);
    assert_eq!(shown(&code), "[8.0, 9.0a, 12.0] [12.0]");
    assert_eq!((code.containers, code.malformed, code.truncated), (3, 0, false));
    assert_eq!(code.sass[&"8.0".parse().unwrap()], Count { entries: 3, containers: 2, bytes: 300 });
    assert_eq!(code.other[&16], 1);
    assert_eq!(code.entries(), 6);
    // 12.0 is in one of two containers that have code, 9.0a as well.
    assert_eq!(format!("{:?}", code.usual(&code.sass, 0.6)), "[8.0]");
}

/// The first 48 bytes of entries as compilers write them, with what the payload behind each says of itself. From cuDNN
/// 9.28.1, `libcudnn_ops.so.9`.
const REAL: [(&str, u16, &str); 6] = [
    (
        "7.5",
        SASS,
        "0200010140000000d821010000000000d621010000000000080001004b00000000000000000000001180000000000000",
    ),
    (
        "8.0",
        SASS,
        "020001014000000008100100000000000110010000000000080001005000000000000000000000001180000000000000",
    ),
    (
        "9.0a",
        SASS,
        "0200010140000000401c0100000000003a1c010000000000080001005a00000000000000000000001180100000000000",
    ),
    (
        "10.0f",
        SASS,
        "0200010178000000a8c6010000000000a8c6010040000000080001006400000000000000000000001180200100000000",
    ),
    (
        "12.0f",
        SASS,
        "0200010178000000c89a010000000000c69a010040000000080001007800000000000000000000001180200100000000",
    ),
    (
        "12.0f",
        PTX,
        "0100010150000000c8cb000000000000c8cb000040000000050009007800000000000000000000001180200000000000",
    ),
];

#[test]
fn real_headers() {
    for (target, kind, hex) in REAL {
        let head: Vec<u8> =
            (0..48).map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap()).collect();
        let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().unwrap());
        let body = u64::from(number(4) + number(8));
        let mut bytes = header(body);
        bytes.extend(&head);
        bytes.resize(16 + body as usize, 0);
        let code = at_once(&bytes);
        let (table, other) = if kind == PTX { (&code.ptx, &code.sass) } else { (&code.sass, &code.ptx) };
        assert_eq!(table.keys().map(ToString::to_string).collect::<Vec<_>>(), [target]);
        assert!(other.is_empty() && !code.truncated && code.malformed == 0, "{target}");
    }
}

#[test]
fn suffixes() {
    // As found in cuDNN 9.28.1 for 10.0, 10.0a and 10.0f; the last is written by no compiler.
    for (flags, shown) in
        [(0x0100_8011, "10.0"), (0x0110_8011, "10.0a"), (0x0120_8011, "10.0f"), (SPECIFIC | FAMILY, "10.0a")]
    {
        let code = at_once(&container(&[Entry { flags, ..entry(SASS, 100) }]));
        assert_eq!(self::shown(&code), format!("[{shown}] []"));
    }
}

#[test]
fn the_magic_alone_is_not_a_container() {
    let mut bytes = vec![0x50, 0xED, 0x55, 0xBA, 0x0f, 0x85, 1, 2];
    bytes.extend(noise(100, 3));
    assert_eq!(at_once(&bytes), DeviceCode::default());
}

#[test]
fn what_makes_no_sense_hides_nothing_behind_it() {
    let good = container(&[entry(SASS, 75)]);
    // A container larger than the file; one whose entry has no kind; one whose entry is longer than it.
    let mut long = container(&[entry(SASS, 86)]);
    long[16 + 8..16 + 16].copy_from_slice(&1000u64.to_le_bytes());
    // How many containers count: a header that makes sense does, whatever comes behind it.
    let cases = [
        (header(1 << 50), 1),
        (header(100_000), 1),
        ([header(200), vec![0; 48]].concat(), 2),
        (long[..16 + 48].to_vec(), 2),
        // A container begins within what was taken for the header of an entry.
        ([header(150), noise(20, 4)].concat(), 2),
        ([header(150), noise(33, 5)].concat(), 2),
        ([header(150), noise(41, 5)].concat(), 2),
    ];
    for (case, containers) in cases {
        let code = at_once(&[noise(9, 6), case.clone(), good.clone()].concat());
        let found = (shown(&code), code.malformed, code.containers);
        assert_eq!(found, ("[7.5] []".to_owned(), 1, containers), "{case:02x?}");
    }
}

#[test]
fn a_file_that_ends_inside_a_container_says_so() {
    let bytes = container(&[entry(SASS, 75), entry(SASS, 80)]);
    let mut scanner = Scanner::new(None);
    scanner.push(&bytes[..bytes.len() - 150]);
    let code = scanner.finish();
    assert!(code.truncated);
    assert_eq!(shown(&code), "[7.5] []");
}

/// Counts what is read of it.
struct Counted<'a>(&'a [u8], Cell<u64>);

impl Bytes for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.0.read_at(offset, buffer)?;
        self.1.set(self.1.get() + n as u64);
        Ok(n)
    }
}

#[test]
fn payloads_are_not_read_where_that_can_be_helped() {
    let large = Entry { payload: 4 << 20, ..entry(SASS, 80) };
    let bytes = container(&[large.clone(), large.clone(), large, entry(PTX, 80)]);
    let counted = Counted(&bytes, Cell::new(0));
    let code = scan(&counted, &[]).unwrap();
    assert_eq!(code, at_once(&bytes));
    assert!(counted.1.get() < 300_000, "{} of {} bytes read", counted.1.get(), bytes.len());
}

#[test]
fn only_the_parts_that_are_named() {
    let (a, b) = (container(&[entry(SASS, 70)]), container(&[entry(SASS, 80)]));
    let bytes = [a.clone(), b.clone(), a.clone()].concat();
    let (from, to) = (a.len() as u64, (a.len() + b.len()) as u64);
    assert_eq!(shown(&scan(bytes.as_slice(), std::slice::from_ref(&(from..to))).unwrap()), "[8.0] []");
    let reverse = std::ops::Range { start: to, end: from };
    assert!(scan(bytes.as_slice(), &[reverse, u64::MAX - 1..u64::MAX]).unwrap().is_empty());
}

/// Containers, cut ones, and bytes in between that look a little like containers.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let one = (1u16..4, prop::sample::select(vec![0u32, 61, 80, 90, 120, 5000]), any::<bool>(), 0usize..90)
        .prop_map(|(kind, number, specific, payload)| Entry {
            kind,
            number,
            flags: u64::from(specific) << 20,
            payload,
        });
    let whole = prop::collection::vec(one, 0..5).prop_map(|entries| container(&entries));
    let cut =
        (whole.clone(), any::<prop::sample::Index>()).prop_map(|(w, at)| w[..at.index(w.len())].to_vec());
    let size = prop::sample::select(vec![0u64, 1, 47, 48, 49, 64, 200, 1 << 39, u64::MAX]);
    let piece = prop_oneof![
        3 => whole,
        2 => cut,
        1 => size.prop_map(header),
        1 => prop::collection::vec(prop::sample::select(vec![0x50u8, 0xED, 0x55, 0xBA, 1, 0, 16]), 0..40),
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Gives one byte to a few at a time.
struct Drops<'a>(&'a [u8], Vec<usize>, usize);

impl io::Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1[self.2 % self.1.len()];
        self.2 += 1;
        let n = most.min(self.0.len()).min(buffer.len());
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_it_is_cut(bytes in bytes(), cuts in prop::collection::vec(1usize..70, 1..6)) {
        let whole = at_once(&bytes);
        let size = Some(bytes.len() as u64);
        prop_assert_eq!(&scan_stream(&mut Drops(&bytes, cuts.clone(), 0), size).unwrap(), &whole);
        prop_assert_eq!(&scan(bytes.as_slice(), &[]).unwrap(), &whole);
        // And with jumps instead of payloads.
        let mut scanner = Scanner::new(size);
        let mut at = 0;
        let mut cut = cuts.iter().cycle();
        while at < bytes.len() {
            let n = (*cut.next().unwrap()).min(bytes.len() - at);
            let skipped = scanner.skip(n as u64) as usize;
            if skipped == 0 {
                scanner.push(&bytes[at..at + n]);
            }
            at += if skipped == 0 { n } else { skipped };
        }
        prop_assert_eq!(&scanner.finish(), &whole);
    }

    #[test]
    fn any_bytes(bytes: Vec<u8>, size: Option<u64>) {
        let mut scanner = Scanner::new(size);
        scanner.push(&bytes);
        prop_assert!(scanner.finish().containers <= bytes.len() as u64 / 16);
    }
}
