//! Libraries: tables of ELF and PE, broken ones, and a second opinion.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use artifact::bundled::How;
use artifact::library::{Format, read};
use artifact::{Error, describe_library};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use support::fatbin::{SASS, container, entry};

const TINY: &[u8] = include_bytes!("fixtures/tiny.so");

#[test]
fn elf() {
    let library = read(TINY).unwrap();
    assert_eq!((library.format, library.machine.as_str()), (Format::Elf, "x86_64"));
    assert_eq!(library.needed, ["libm.so.6", "libc.so.6"]);
    assert_eq!(library.soname.as_deref(), Some("libtiny.so.1"));
    assert_eq!(library.search, ["$ORIGIN/../lib"]);
    assert_eq!(library.glibc, Some((2, 29)));
    assert_eq!(library.symbol_versions["libc.so.6"], BTreeSet::from(["GLIBC_2.2.5".to_owned()]));
    assert_eq!(library.device_code.len(), 1);
    let (code, _) = describe_library(TINY);
    let code = code.get().unwrap();
    assert_eq!((code.containers, code.sass.len(), code.ptx.len()), (1, 1, 1));
}

#[test]
fn versions_in_code_and_data() {
    for (name, bytes, version, written, symbol) in [
        ("cudart", &include_bytes!("fixtures/cudart.so")[..], "12.4", "12040", "cudaRuntimeGetVersion"),
        ("nccl", include_bytes!("fixtures/nccl.so"), "2.20.5", "22005", "ncclGetVersion"),
        ("cudnn", include_bytes!("fixtures/cudnn.so"), "8.9.7", "8907", "cudnnGetVersion"),
        ("cudnn_ops", include_bytes!("fixtures/cudnn_ops.so"), "9.28.1", "596993", "cudnn_ops_infer_version"),
    ] {
        let library = read(bytes).unwrap();
        let stated = library.stated_version.clone().unwrap();
        assert_eq!((stated.version.value.as_str(), stated.version.written.as_str()), (version, written));
        assert_eq!(stated.symbol, symbol);
        let path = format!("a.libs/lib{name}-0a1b2c3d.so.2");
        let rows = artifact::bundled::versions(&path, Some(&library), None);
        let shown: Vec<_> =
            rows.iter().map(|r| (r.library.as_str(), r.version.value.as_str(), r.how)).collect();
        assert_eq!(shown, [(name, version, How::Constant), (name, "2", How::AbiName)]);
        // The name inside decides what is looked for.
        let at = bytes.windows(4).position(|w| w == b"libc" || w == b"libn").unwrap();
        let mut other = bytes.to_vec();
        other[at] = b'x';
        assert_eq!(read(other.as_slice()).unwrap().stated_version, None, "{name}");
    }
    assert_eq!(read(TINY).unwrap().stated_version, None);
}

#[test]
fn pe() {
    let code = container(&[entry(SASS, 75)]);
    let library =
        read(support::pe::dll(&["a.dll", "B.dll"], &["c.dll"], [9, 8, 7, 65535], &code).as_slice()).unwrap();
    assert_eq!((library.format, library.machine.as_str()), (Format::Pe, "x86_64"));
    assert_eq!(library.needed, ["a.dll", "B.dll"]);
    assert_eq!(library.delayed, ["c.dll"]);
    assert_eq!(library.product_version.as_deref(), Some("9.8.7.65535"));
    assert_eq!(library.device_code.as_slice(), std::slice::from_ref(&(0xc00..0xe00)));
}

#[test]
fn what_is_not_a_library() {
    for bytes in [&b""[..], b"MZ", b"\x7fELF", b"PK\x03\x04", b"MZ\0\0 and then nothing that is one"] {
        assert!(matches!(read(bytes), Err(Error::Format(_))), "{bytes:?}");
    }
}

/// An ELF file of sections: kind, the section it links to, bytes.
fn elf_of(sections: &[(u32, u32, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"\x7fELF\x02\x01\x01".to_vec();
    out.resize(64, 0);
    let mut headers = vec![0; 64];
    for (kind, link, data) in sections {
        let mut header = [0u8; 64];
        header[4..8].copy_from_slice(&kind.to_le_bytes());
        header[24..32].copy_from_slice(&(out.len() as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(data.len() as u64).to_le_bytes());
        header[40..44].copy_from_slice(&link.to_le_bytes());
        headers.extend(header);
        out.extend(data);
    }
    let (at, count) = (out.len() as u64, sections.len() as u16 + 1);
    out.extend(headers);
    out[16..20].copy_from_slice(&[3, 0, 62, 0]);
    out[20] = 1;
    out[40..48].copy_from_slice(&at.to_le_bytes());
    out[52..54].copy_from_slice(&64u16.to_le_bytes());
    out[58..60].copy_from_slice(&64u16.to_le_bytes());
    out[60..62].copy_from_slice(&count.to_le_bytes());
    out[62..64].copy_from_slice(&1u16.to_le_bytes());
    out
}

/// A table of needed versions in which every entry is a library with 65,535 versions, and a version of all before it.
#[test]
fn tables_that_share_their_bytes_take_no_time() {
    let names = (3, 0, b"\0name\0 and more\0name\0".to_vec());
    let entry = [&[1, 0, 0xff, 0xff, 0, 0, 0, 0][..], &[16, 0, 0, 0, 16, 0, 0, 0]].concat();
    let honest =
        read(elf_of(&[names.clone(), (0x6fff_fffe, 1, [&entry[..12], &[0; 20]].concat())]).as_slice());
    assert!(honest.is_ok(), "{honest:?}");
    let bytes = elf_of(&[names, (0x6fff_fffe, 1, entry.repeat(1 << 18))]);
    let start = std::time::Instant::now();
    assert!(matches!(read(bytes.as_slice()), Err(Error::Limit { .. })));
    assert!(start.elapsed().as_secs() < 5);
}

/// `readelf` and this crate say the same of the libraries that this program runs with.
#[test]
fn readelf_agrees() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else {
        eprintln!("SKIPPED: there is no /proc/self/maps to find libraries in");
        return;
    };
    let paths: BTreeSet<&str> =
        maps.lines().filter_map(|l| l.split_whitespace().nth(5)).filter(|p| p.starts_with('/')).collect();
    for path in paths {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(output) = Command::new("readelf").args(["-dVW", path]).output() else {
            eprintln!("SKIPPED: there is no readelf");
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        let library = read(bytes.as_slice()).unwrap();
        let bracketed = |mark: &str| -> Vec<String> {
            said.lines()
                .filter(|l| l.contains(mark))
                .filter_map(|l| Some(l.split_once('[')?.1.split_once(']')?.0.to_owned()))
                .collect()
        };
        assert_eq!(library.needed, bracketed("(NEEDED)"), "{path}");
        assert_eq!(library.soname.iter().cloned().collect::<Vec<_>>(), bracketed("(SONAME)"), "{path}");
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut file = None;
        // Only the part about needed versions; definitions look alike.
        let needs = said.split("Version needs section").nth(1).unwrap_or_default();
        for line in needs.lines() {
            if let Some((_, rest)) = line.split_once("File: ") {
                file = rest.split_whitespace().next().map(str::to_owned);
            } else if let (Some(file), Some((_, rest))) = (&file, line.split_once("Name: ")) {
                let name = rest.split_whitespace().next().unwrap_or_default();
                versions.entry(file.clone()).or_default().insert(name.to_owned());
            }
        }
        assert_eq!(library.symbol_versions, versions, "{path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn libraries_with_errors(
        elf: bool, which in 0usize..5, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
        head in prop::collection::vec((0usize..64, any::<u8>()), 0..4),
        end in any::<prop::sample::Index>(), cut in prop::bool::weighted(0.2),
    ) {
        let stated = [
            &include_bytes!("fixtures/cudart.so")[..], include_bytes!("fixtures/nccl.so"),
            include_bytes!("fixtures/cudnn.so"), include_bytes!("fixtures/cudnn_ops.so"), TINY,
        ];
        let mut bytes = match elf {
            true => stated[which].to_vec(),
            false => support::pe::dll(&["a.dll"], &["b.dll"], [1, 2, 3, 4], &container(&[entry(SASS, 80)])),
        };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for (at, byte) in head {
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let _ = describe_library(bytes.as_slice());
    }

    #[test]
    fn any_bytes(mut bytes: Vec<u8>, elf: bool) {
        let _ = describe_library(bytes.as_slice());
        bytes.splice(0..0, if elf { b"\x7fELF\x02\x01\x01".to_vec() } else { b"MZ".to_vec() });
        let _ = describe_library(bytes.as_slice());
    }
}
