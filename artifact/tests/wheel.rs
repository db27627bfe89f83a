//! Wheels: what is read of honest ones, and that others are refused.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use artifact::bundled::How;
use artifact::wheel::{Archive, Method, Problem};
use artifact::{Blocks, Error, Limits, Options, Reading, describe_wheel};
use proptest::prelude::*;
use std::io::Read;
use std::process::Command;
use std::sync::LazyLock;
use support::fatbin::{PTX, SASS, container, entry};
use support::noise;
use support::zip::{Item, deflated, stored, zip, zip_with};

fn open(bytes: &[u8]) -> Archive<'_, [u8]> {
    Archive::open(bytes, Limits::default()).unwrap()
}

static WHEEL: LazyLock<Vec<u8>> = LazyLock::new(wheel);

/// A wheel as bitsandbytes makes them, with one library compressed and one stored.
fn wheel() -> Vec<u8> {
    let mut library = include_bytes!("fixtures/tiny.so").to_vec();
    let dll = support::pe::dll(
        &["KERNEL32.dll", "cudart64_110.dll"],
        &["cublas64_11.dll"],
        [11, 8, 89, 6],
        &container(&[entry(SASS, 86), entry(SASS, 89), entry(PTX, 89)]),
    );
    // In a stream all of the file is looked at.
    library.extend(noise(270_000, 9));
    let mut zip64 = stored("x/lib/cudart.dll", &dll);
    zip64.zip64 = true;
    zip(&[
        stored("x/__init__.py", b""),
        deflated("torch/version.py", b"__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\n"),
        deflated("x/lib/libbitsandbytes_cuda124.so", &library),
        zip64,
        deflated("x-1.0.dist-info/METADATA", b"Name: x\nVersion: 1.0\nRequires-Dist: torch>=2\n\nText: no\n"),
        deflated("x-1.0.dist-info/WHEEL", b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n"),
        stored("x-1.0.dist-info/RECORD", b"x/__init__.py,sha256=x,0\nx-1.0.dist-info/RECORD,,\n"),
    ])
}

#[test]
fn a_wheel_says_all_of_this() {
    let bytes = WHEEL.clone();
    let source = Blocks::new(bytes.clone());
    let read = describe_wheel(&source, "x-1.0-cp312-cp312-linux_x86_64.whl", &Options::default()).unwrap();
    assert!(read.problems.is_empty() && read.not_read.is_empty(), "{:?} {:?}", read.problems, read.not_read);
    assert_eq!(read.file_name.as_ref().unwrap().package, "x");
    assert_eq!(read.metadata.as_ref().unwrap().requires_dist, ["torch>=2"]);
    assert_eq!(read.wheel.as_ref().unwrap().tags.len(), 1);
    assert_eq!(read.record.as_ref().unwrap().rows.len(), 2);
    assert_eq!(read.stated[0].1.cuda.as_ref().unwrap().value, "12.4");
    let [elf, dll] = read.libraries.as_slice() else { panic!("{:?}", read.libraries) };
    assert!(elf.variant.is_some() && !elf.bundled && dll.bundled);
    let tables = dll.tables.get().unwrap();
    assert_eq!(tables.needed, ["KERNEL32.dll", "cudart64_110.dll"]);
    assert_eq!(tables.delayed, ["cublas64_11.dll"]);
    assert_eq!(tables.file_version.as_deref(), Some("11.8.89.6"));
    let (path, code) = read.dominant(|_| true).unwrap();
    assert_eq!(path, "x/lib/libbitsandbytes_cuda124.so");
    assert_eq!(format!("{:?} {:?}", code.sass.keys(), code.ptx.keys()), "[8.0] [9.0]");
    let (reads, _) = source.traffic();
    assert!(reads < 10, "{reads} reads");
}

/// Over a network ranges are what costs.
#[test]
fn without_libraries_a_wheel_is_a_few_ranges() {
    let mut items = vec![deflated("torch/version.py", b"cuda = '12.4'\n")];
    items.extend((0..500).map(|n| stored(&format!("torch/file{n}.py"), &noise(9000, n))));
    items.push(stored("torch-2.dist-info/METADATA", b"Name: torch\n"));
    let source = Blocks::new(zip(&items));
    let options = Options { code: false, tables: false, ..Options::default() };
    let read = describe_wheel(&source, "", &options).unwrap();
    assert!(read.metadata.is_some() && read.stated.len() == 1 && read.libraries.is_empty());
    let (reads, bytes) = source.traffic();
    assert!(reads <= 3 && bytes < 300_000, "{reads} reads, {bytes} bytes");
}

#[test]
fn the_same_library_stored_and_compressed() {
    for name in ["lib.so", "lib.dll"] {
        let data = match name {
            "lib.so" => include_bytes!("fixtures/tiny.so").to_vec(),
            _ => support::pe::dll(&["a.dll"], &[], [1, 2, 3, 4], &container(&[entry(SASS, 80)])),
        };
        let bytes =
            zip(&[stored(&format!("stored/{name}"), &data), deflated(&format!("packed/{name}"), &data)]);
        let read = describe_wheel(bytes.as_slice(), "", &Options::default()).unwrap();
        let [a, b] = read.libraries.as_slice() else { panic!() };
        assert_eq!(a.tables.get().unwrap(), b.tables.get().unwrap());
        assert_eq!(a.code.get().unwrap(), b.code.get().unwrap());
        assert_eq!(a.code.get().unwrap().containers, 1);
    }
}

#[test]
fn targets_that_only_a_library_states() {
    let mut data = include_bytes!("fixtures/tiny.so").to_vec();
    data.extend(noise(300_000, 7));
    data.extend(b"\0sm_80 sm_90 compute_90\0");
    data.extend(noise(300_000, 8));
    let path = "torch/lib/libtorch_python.so";
    let mut lie = deflated("a/libtorch_python.so", &data);
    lie.crc ^= 1;
    for item in [stored(path, &data), deflated(path, &data)] {
        let bytes = zip(&[item, lie.clone(), deflated("torch/lib/libtorch_cpu.so", &data)]);
        let read = describe_wheel(bytes.as_slice(), "", &Options::default()).unwrap();
        let [(place, said)] = read.stated.as_slice() else { panic!("{:?}", read.stated) };
        let targets = said.targets.as_ref().unwrap();
        assert_eq!((place.as_str(), targets.sass.len(), targets.ptx.len()), (path, 2, 1));
        // The same without the other libraries.
        let options = Options { code: false, tables: false, targets: true, ..Options::default() };
        let few = describe_wheel(bytes.as_slice(), "", &options).unwrap();
        assert_eq!(few.stated, read.stated);
        assert!(
            few.libraries.is_empty() && few.not_read.iter().any(|(path, _)| path == "a/libtorch_python.so")
        );
    }
}

#[test]
fn versions_of_what_is_carried() {
    let dll = support::pe::dll(&[], &[], [6, 14, 11, 11080], b"");
    let nccl = include_bytes!("fixtures/nccl.so");
    let mut linked = b"\x7fELF".to_vec();
    linked.extend(noise(600_000, 3));
    linked.extend(b"NCCL version 2.10.3+cuda10.2\0");
    let bytes = zip(&[
        stored("a.libs/libnccl-0a1b2c3d.so.2.20", nccl),
        deflated("nvidia/nccl/lib/libnccl.so.2", nccl),
        deflated("nvidia/cuda_runtime/bin/cudart64_110.dll", &dll),
        deflated("nvidia/cublas/bin/cublas64_11.dll", &dll),
        deflated("torch/lib/libtorch_cuda.so", &linked),
        stored("torch/lib/libc10.so", include_bytes!("fixtures/tiny.so")),
    ]);
    let read = describe_wheel(bytes.as_slice(), "", &Options::default()).unwrap();
    let rows = read.bundled();
    let shown: Vec<_> = rows.iter().map(|r| (r.library.as_str(), r.version.value.as_str(), r.how)).collect();
    assert_eq!(
        shown,
        [
            ("nccl", "2.20.5", How::Constant),
            ("nccl", "2.20", How::AbiName),
            ("nccl", "2.20.5", How::Constant),
            ("nccl", "2", How::AbiName),
            ("cudart", "11.8", How::Resource),
            ("cudart", "11.0", How::AbiName),
            // The number is of CUDA and not of this library.
            ("cublas", "11", How::AbiName),
            ("nccl", "2.10.3", How::Text),
        ]
    );
    assert_eq!(rows[7].path, "torch/lib/libtorch_cuda.so");
}

#[test]
fn sizes_and_checksums_that_lie() {
    let text = vec![b'a'; 100_000];
    type Lie = fn(&mut Item);
    let cases: [(&str, Lie); 7] = [
        ("longer", |i| i.size -= 1),
        ("shorter", |i| i.size += 1),
        ("checksum", |i| i.crc ^= 1),
        ("broken", |i| i.packed[0] = 0xff),
        ("end too early", |i| i.packed_size = 10),
        ("shares bytes", |i| i.packed_size += 5),
        ("run into", |i| i.local_extra = 5),
    ];
    for (word, lie) in cases {
        let mut item = deflated("a", &text);
        lie(&mut item);
        let bytes = zip(&[item, stored("b", b"b")]);
        let archive = open(&bytes);
        let said = match archive.small("a") {
            Err(e) => e.to_string(),
            Ok(_) => panic!("{word}: read"),
        };
        assert!(said.contains(word), "{word}: {said}");
    }
    let mut item = stored("a", &text);
    item.size = 5;
    assert!(matches!(open(&zip(&[item])).small("a"), Err(Error::Untrusted { .. })));
}

#[test]
fn a_bomb_is_refused_by_what_it_states_and_stopped_where_it_lies() {
    let data = vec![0; 20 << 20];
    let honest = zip(&[deflated("a.so", &data)]);
    let limits = Limits { member: 10 << 20, ..Limits::default() };
    let archive = Archive::open(honest.as_slice(), limits).unwrap();
    assert!(matches!(archive.read(&archive.entries()[0]), Err(Error::Limit { .. })));
    assert!(matches!(open(&honest).small("a.so"), Err(Error::Limit { .. })));
    let mut lie = deflated("a.so", &data);
    lie.size = 1000;
    let bytes = zip(&[lie]);
    let archive = open(&bytes);
    let mut out = Vec::new();
    assert!(archive.read(&archive.entries()[0]).unwrap().read_to_end(&mut out).is_err());
    assert_eq!(out.len(), 1000);
    // All together.
    let limits = Limits { total: 30 << 20, ..Limits::default() };
    let archive = Archive::open(honest.as_slice(), limits).unwrap();
    assert!(archive.read(&archive.entries()[0]).is_ok());
    assert!(archive.read(&archive.entries()[0]).is_err());
}

#[test]
fn members_that_share_bytes() {
    // Two names for the same bytes, as overlapping bombs have thousands.
    let a = deflated("a", &noise(5000, 1));
    let mut b = a.clone();
    (b.name, b.offset, b.packed) = (b"b".to_vec(), Some(0), Vec::new());
    let bytes = zip(&[a, b]);
    let archive = open(&bytes);
    assert!(archive.problems().iter().any(|p| matches!(p, Problem::Overlap(..))));
    for name in ["a", "b"] {
        assert!(matches!(archive.small(name), Err(Error::Untrusted { .. })), "{name}");
    }
}

#[test]
fn paths_links_and_twins() {
    let mut link = stored("lib/link.so", b"/etc/passwd");
    link.mode = 0o120_777;
    let names = ["../up.so", "/abs.so", "a/../../b.so", "c:\\x.dll", "a\\b.dll", "nul\0.so", "./x"];
    let mut items: Vec<Item> = names.iter().map(|n| stored(n, b"x")).collect();
    items.extend([link, stored("twin.so", b"1"), stored("twin.so", b"2"), stored("good", b"good")]);
    let bytes = zip(&items);
    let archive = open(&bytes);
    for name in names.iter().chain(&["lib/link.so", "twin.so"]) {
        assert!(matches!(archive.small(name), Err(Error::Untrusted { .. })), "{name:?}");
    }
    assert_eq!(archive.small("good").unwrap(), b"good");
    let problems = archive.problems();
    assert_eq!(problems.iter().filter(|p| matches!(p, Problem::UnsafePath(_))).count(), names.len());
    assert!(problems.contains(&Problem::NotAFile("lib/link.so".into())));
    assert!(problems.contains(&Problem::Duplicate("twin.so".into())));
    let read = describe_wheel(bytes.as_slice(), "", &Options::default()).unwrap();
    assert!(read.libraries.iter().all(|l| matches!(l.code, Reading::NotRead(_))));
}

#[test]
fn other_methods_and_passwords() {
    let mut method = stored("m", b"x");
    method.method = 93;
    let mut secret = stored("s", b"x");
    secret.flags = 1;
    let bytes = zip(&[method, secret]);
    let archive = open(&bytes);
    assert_eq!(archive.entry("m").unwrap().method, Method::Other(93));
    for name in ["m", "s"] {
        assert!(matches!(archive.small(name), Err(Error::Unsupported { .. })), "{name}");
    }
}

#[test]
fn too_many_and_miscounted() {
    let items: Vec<Item> = (0..50).map(|n| stored(&n.to_string(), b"")).collect();
    let bytes = zip(&items);
    let limits = Limits { members: 49, ..Limits::default() };
    assert!(matches!(Archive::open(bytes.as_slice(), limits), Err(Error::Limit { .. })));
    let limits = Limits { directory: 100, ..Limits::default() };
    assert!(matches!(Archive::open(bytes.as_slice(), limits), Err(Error::Limit { .. })));
    let bytes = zip_with(&items, 7, b"a comment");
    assert_eq!(open(&bytes).problems(), [Problem::Count { stated: 7, found: 50 }]);
    for bytes in [&b""[..], b"PK", b"not a zip at all, and long enough for its end record to fit"] {
        assert!(matches!(Archive::open(bytes, Limits::default()), Err(Error::Format(_))));
    }
}

#[test]
fn two_dist_infos_are_ambiguous() {
    let bytes =
        zip(&[stored("a-1.dist-info/METADATA", b"Name: a"), stored("b-1.dist-info/METADATA", b"Name: b")]);
    let read = describe_wheel(bytes.as_slice(), "", &Options::default()).unwrap();
    assert!(read.metadata.is_none());
    assert_eq!(read.not_read.len(), 1);
}

/// Python's `zipfile` lists the same members.
#[test]
fn python_agrees() {
    const LIST: &str = "import sys, zipfile\n\
        for i in zipfile.ZipFile(sys.argv[1]).infolist():\n    print(i.filename, i.compress_size, i.file_size, i.CRC)";
    let path = std::env::temp_dir().join(format!("artifact-second-opinion-{}.whl", std::process::id()));
    std::fs::write(&path, &*WHEEL).unwrap();
    let output = Command::new("python3").args(["-c", LIST]).arg(&path).output();
    std::fs::remove_file(&path).unwrap();
    let Ok(output) = output else {
        eprintln!("SKIPPED: there is no python3");
        return;
    };
    let mine: String = open(&WHEEL)
        .entries()
        .iter()
        .map(|e| format!("{} {} {} {}\n", e.path, e.packed, e.size, e.crc32))
        .collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"), mine);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes of an honest wheel changed here and there: everything is read or refused, nothing panics, and what is
    /// unpacked stays within what the limits allow.
    #[test]
    fn wheels_with_errors(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        tail in prop::collection::vec((0usize..700, any::<u8>()), 0..12),
        end in any::<prop::sample::Index>(), cut in prop::bool::weighted(0.2),
    ) {
        let mut bytes = WHEEL.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        // The directory is at the end: most changes there.
        for (back, byte) in tail {
            let at = bytes.len() - 1 - back;
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let limits = Limits { member: 4 << 20, total: 16 << 20, ..Limits::default() };
        let _ = describe_wheel(bytes.as_slice(), "x", &Options { limits, ..Options::default() });
    }

    #[test]
    fn any_bytes_at_all(bytes: Vec<u8>, name: String) {
        let _ = describe_wheel(bytes.as_slice(), &name, &Options::default());
    }
}
