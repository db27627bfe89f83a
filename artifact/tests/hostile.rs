//! Archives that no tool would make, and some that only few would.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use artifact::wheel::{Archive, Problem};
use artifact::{Bytes, Error, Limits, Options, Reading, describe_wheel};
use std::io;
use support::fatbin::{SASS, container, entry};
use support::zip::{Item, deflated, stored, zip};

/// A file of zeros with some parts that are not.
struct Sparse {
    size: u64,
    parts: Vec<(u64, Vec<u8>)>,
}

impl Bytes for Sparse {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let n = buffer.len().min(usize::try_from(self.size.saturating_sub(offset)).unwrap());
        buffer[..n].fill(0);
        for (start, data) in &self.parts {
            for (at, byte) in data.iter().enumerate() {
                if let Some(to) = (start + at as u64).checked_sub(offset).filter(|to| *to < n as u64) {
                    buffer[to as usize] = *byte;
                }
            }
        }
        Ok(n)
    }
}

const GIB: u64 = 1 << 30;

/// An archive of 7 GiB: a library of 5 GiB, stored, and METADATA behind it. All that is large is so in zip64 only.
fn large(library: u64) -> Sparse {
    let code = container(&[entry(SASS, 90)]);
    let text = b"Name: x\nVersion: 1.0\n";
    let mut checksum = flate2::Crc::new();
    checksum.update(text);
    let members = [
        ("x/y.so", 0u64, library, 0u32),
        ("x-1.0.dist-info/METADATA", 6 * GIB, text.len() as u64, checksum.sum()),
    ];
    let mut parts = vec![(5 * GIB - 4096, code), (6 * GIB + 30 + 24, text.to_vec())];
    let mut directory = Vec::new();
    for (name, at, size, crc) in members {
        let mut common = vec![45, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc.to_le_bytes());
        common.extend([0xff; 8]);
        common.extend((name.len() as u16).to_le_bytes());
        parts.push((at, [b"PK\x03\x04", &common[..], &[0, 0], name.as_bytes()].concat()));
        directory.extend([b"PK\x01\x02\x2d\x03", &common[..], &[28, 0], &[0; 10], &[0xff; 4]].concat());
        directory.extend(name.as_bytes());
        directory.extend([1, 0, 24, 0]);
        directory.extend([size, size, at].iter().flat_map(|n| n.to_le_bytes()));
    }
    let (at, length) = (7 * GIB, directory.len() as u64);
    let mut end = directory;
    end.extend(b"PK\x06\x06");
    end.extend(44u64.to_le_bytes());
    end.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    end.extend([2, 2, length, at].iter().flat_map(|n: &u64| n.to_le_bytes()));
    end.extend(b"PK\x06\x07\0\0\0\0");
    end.extend((at + length).to_le_bytes());
    end.extend([1, 0, 0, 0]);
    end.extend(b"PK\x05\x06\0\0\0\0");
    end.extend([0xff; 12]);
    end.extend([0, 0]);
    let size = at + end.len() as u64;
    parts.push((at, end));
    Sparse { size, parts }
}

#[test]
fn offsets_and_sizes_beyond_four_gibibytes() {
    let source = large(5 * GIB);
    let archive = Archive::open(&source, Limits::default()).unwrap();
    assert!(archive.problems().is_empty(), "{:?}", archive.problems());
    let library = archive.entry("x/y.so").unwrap();
    assert_eq!((library.size, archive.range(library).unwrap()), (5 * GIB, (36, 36 + 5 * GIB)));
    assert_eq!(archive.small("x-1.0.dist-info/METADATA").unwrap(), b"Name: x\nVersion: 1.0\n");
    let options = Options { code: false, tables: false, ..Options::default() };
    let wheel = describe_wheel(&source, "x-1.0-py3-none-any.whl", &options).unwrap();
    assert_eq!(wheel.name_agrees(), Some(true));
    // One that says to reach into the next is not read.
    let source = large(6 * GIB + 1);
    let archive = Archive::open(&source, Limits::default()).unwrap();
    assert!(matches!(archive.problems(), [Problem::Overlap(..)]));
    for entry in archive.entries() {
        assert!(matches!(archive.read(entry), Err(Error::Untrusted { .. })));
    }
}

#[test]
fn sizes_that_overflow() {
    for size in [u64::MAX, u64::MAX - 20, 1 << 63] {
        let source = large(size);
        let archive = Archive::open(&source, Limits::default()).unwrap();
        assert!(archive.entries().iter().all(|e| archive.range(e).is_err()), "{size}");
    }
    let mut item = stored("a", b"a");
    (item.zip64, item.offset) = (true, Some(u64::MAX - 3));
    let bytes = zip(&[item]);
    if let Ok(archive) = Archive::open(bytes.as_slice(), Limits::default()) {
        assert!(archive.small("a").is_err());
    }
}

#[test]
fn an_archive_cut_anywhere_is_refused_or_says_the_same() {
    let text = b"Name: x\nVersion: 1.0\n";
    let bytes = zip(&[
        deflated("x/y.so", &[&b"\x7fELF"[..], &container(&[entry(SASS, 90)])].concat()),
        deflated("x-1.0.dist-info/METADATA", text),
    ]);
    for end in 0..bytes.len() {
        assert!(describe_wheel(&bytes[..end], "", &Options::default()).is_err(), "{end} bytes");
        // And without its beginning: places in it are then wrong, or found anew, but never other bytes.
        let Ok(archive) = Archive::open(&bytes[end..], Limits::default()) else { continue };
        if let Ok(read) = archive.small("x-1.0.dist-info/METADATA") {
            assert_eq!(read, text, "from {end}");
        }
    }
}

#[test]
fn members_inside_of_members() {
    // A stored member that is an archive, whose own member the outer directory names as well.
    let inner = zip(&[stored("evil", b"evil")]);
    let outer = stored("good.zip", &inner);
    let mut hidden = stored("evil", b"evil");
    (hidden.offset, hidden.packed) = (Some(30 + 8), Vec::new());
    let bytes = zip(&[outer, hidden]);
    let archive = Archive::open(bytes.as_slice(), Limits::default()).unwrap();
    assert!(archive.problems().iter().any(|p| matches!(p, Problem::Overlap(..))));
    assert!(archive.small("good.zip").is_err() && archive.small("evil").is_err());
}

#[test]
fn thousands_of_bombs_stop_at_the_total() {
    let data = vec![0; 1 << 20];
    let one = deflated("x", &data);
    let items: Vec<Item> =
        (0..64).map(|n| Item { name: format!("x/{n}.so").into_bytes(), ..one.clone() }).collect();
    let bytes = zip(&items);
    assert!(bytes.len() < 200_000);
    let limits = Limits { total: 10 << 20, ..Limits::default() };
    let wheel = describe_wheel(bytes.as_slice(), "", &Options { limits, ..Options::default() }).unwrap();
    let read = wheel.libraries.iter().filter(|l| matches!(l.code, Reading::Read(_))).count();
    assert!(read <= 10, "{read} libraries read");
    assert_eq!(wheel.libraries.len(), 64);
}

#[test]
fn a_wheel_under_a_wrong_name() {
    let bytes = zip(&[stored("torch-2.5.1.dist-info/METADATA", b"Name: torch\nVersion: 2.5.1+cu124\n")]);
    let agrees = |name: &str| {
        let wheel = describe_wheel(bytes.as_slice(), name, &Options::default()).unwrap();
        assert_eq!(wheel.metadata.as_ref().unwrap().name.as_deref(), Some("torch"));
        wheel.name_agrees()
    };
    assert_eq!(agrees("torch-2.5.1-cp312-cp312-win_amd64.whl"), Some(true));
    assert_eq!(agrees("torch-2.5.1+cu121-cp312-cp312-win_amd64.whl"), Some(false));
    assert_eq!(agrees("torch-2.5.0-cp312-cp312-win_amd64.whl"), Some(false));
    assert_eq!(agrees("numpy-2.5.1-cp312-cp312-win_amd64.whl"), Some(false));
    assert_eq!(agrees("torch.whl"), None);
}
