//! What a wheel states is read from few ranges, however long its list of members is.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use artifact::{Blocks, Limits, Versions, describe_versions};
use support::noise;
use support::zip::{Item, deflated, stored, zip};

const TORCH: &[u8] = b"__version__ = '2.9.1'\ncuda: Optional[str] = '12.8'\n";
const BUILD_INFO: &[u8] = b"build_info = {'cuda_version': '12.5.1', 'cudnn_version': '9'}\n";

/// Many members, whose list has more than a million bytes.
fn many(package: &str) -> impl Iterator<Item = Item> {
    let name = format!("{package}/include/{}", "a_long_name/".repeat(8));
    (0..9_000).map(move |n| stored(&format!("{name}{n}.h"), b"x"))
}

fn metadata(package: &str, version: &str) -> Vec<Item> {
    let top = format!("{package}-{version}.dist-info");
    let text = format!("Name: {package}\nVersion: {version}\n");
    vec![
        deflated(&format!("{top}/METADATA"), text.as_bytes()),
        deflated(&format!("{top}/WHEEL"), b"Tag: cp312-cp312-win_amd64\n"),
        stored(&format!("{top}/RECORD"), &noise(600_000, 1)),
    ]
}

fn read(name: &str, items: &[Item]) -> (Versions, (u64, u64), usize) {
    let bytes = zip(items);
    let length = bytes.len();
    let source = Blocks::small(bytes);
    let read = describe_versions(&source, name, Limits::default()).unwrap();
    (read, source.traffic(), length)
}

#[test]
fn torch_has_its_version_at_the_front_and_metadata_at_the_back() {
    let mut items: Vec<Item> = (0..50).map(|n| stored(&format!("torch/{n}.py"), &noise(9000, n))).collect();
    items.push(deflated("torch/version.py", TORCH));
    items.extend(many("torch"));
    items.push(stored("torch/lib/libtorch_cuda.so", &noise(100_000, 3)));
    items.extend(metadata("torch", "2.9.1"));
    let (read, (reads, bytes), length) = read("torch-2.9.1-cp312-cp312-win_amd64.whl", &items);
    assert!(length > 3_000_000, "{length}");
    assert!(reads <= 5 && bytes < 200_000, "{reads} reads, {bytes} bytes");
    assert!(read.unread > 800_000, "{}", read.unread);
    assert_eq!(read.wheel.metadata.unwrap().version.as_deref(), Some("2.9.1"));
    assert_eq!(read.wheel.wheel.unwrap().tags.len(), 1);
    assert_eq!(read.wheel.stated[0].1.cuda.as_ref().unwrap().value, "12.8");
    assert!(read.wheel.not_read.is_empty() && read.wheel.problems.is_empty() && read.wheel.record.is_none());
    // Libraries are not listed: not all were seen.
    assert!(read.wheel.libraries.is_empty());
}

#[test]
fn tensorflow_has_them_the_other_way_round() {
    let mut items = metadata("tensorflow", "2.20.0");
    items.extend(many("tensorflow"));
    items.push(deflated("tensorflow/python/platform/build_info.py", BUILD_INFO));
    items.extend((0..50).map(|n| stored(&format!("tensorflow/tools/{n}.py"), &noise(9000, n))));
    let (read, (reads, bytes), _) = read("tensorflow-2.20.0-cp312-cp312-win_amd64.whl", &items);
    assert!(reads <= 5 && bytes < 200_000, "{reads} reads, {bytes} bytes");
    assert!(read.unread > 800_000 && read.wheel.metadata.is_some());
    assert_eq!(read.wheel.stated[0].1.cuda.as_ref().unwrap().value, "12.5.1");
}

/// As tensorflow 2.20 for Linux: METADATA in front, the version file a hundred kilobytes before the end.
#[test]
fn it_need_not_be_at_the_very_end() {
    let mut items = metadata("tensorflow", "2.20.0");
    items.extend(many("tensorflow"));
    items.push(deflated("tensorflow/python/platform/build_info.py", BUILD_INFO));
    items.extend((0..900).map(|n| stored(&format!("tensorflow/{}/{n}.py", "x".repeat(50)), b"x")));
    let (read, (reads, bytes), _) = read("tensorflow-2.20.0-cp312-cp312-win_amd64.whl", &items);
    assert!(reads <= 6 && bytes < 250_000, "{reads} reads, {bytes} bytes");
    assert_eq!(read.wheel.stated[0].1.cuda.as_ref().unwrap().value, "12.5.1");
    assert!(read.unread > 800_000 && read.wheel.not_read.is_empty(), "{:?}", read.wheel.not_read);
}

/// A file that is nowhere, in a list that is too long: a million bytes and no more.
#[test]
fn what_is_not_found_costs_no_more_than_that() {
    for name in ["torch-1-py3-none-any.whl", "other-1-py3-none-any.whl"] {
        let mut items: Vec<Item> = many("a").collect();
        items.push(deflated("a/torch/version.py", TORCH));
        items.extend(many("b"));
        items.extend(metadata("torch", "1"));
        let (read, (_, bytes), _) = read(name, &items);
        assert!(bytes < 1_000_000, "{bytes} bytes");
        assert!(read.unread > 0 && read.wheel.metadata.is_some() && read.wheel.stated.is_empty());
    }
}

#[test]
fn a_usual_list_is_read_as_a_whole() {
    let mut items = metadata("x", "1");
    items.push(deflated("x/libbitsandbytes_cuda124.so", &noise(100_000, 7)));
    items.push(stored("x/libcudart.so.12", &noise(100_000, 8)));
    let (read, (reads, bytes), _) = read("x-1-py3-none-any.whl", &items);
    assert_eq!(read.unread, 0);
    assert!(reads <= 3 && bytes < 200_000, "{reads} reads, {bytes} bytes");
    let [variant, bundled] = read.wheel.libraries.as_slice() else { panic!() };
    assert!(variant.variant.is_some() && bundled.bundled && bundled.code.get().is_none());
}

/// Both ways of reading agree on what is stated.
#[test]
fn it_is_what_the_whole_says() {
    let mut items: Vec<Item> = vec![deflated("torch/version.py", TORCH)];
    items.extend(many("torch"));
    items.extend(metadata("torch", "2.9.1"));
    let bytes = zip(&items);
    let name = "torch-2.9.1-cp312-cp312-win_amd64.whl";
    let part = describe_versions(&bytes, name, Limits::default()).unwrap().wheel;
    let options = artifact::Options { code: false, tables: false, ..Default::default() };
    let whole = artifact::describe_wheel(&bytes, name, &options).unwrap();
    assert_eq!(part.stated, whole.stated);
    assert_eq!(format!("{:?}", part.metadata), format!("{:?}", whole.metadata));
    assert!(part.entries.len() < whole.entries.len());
}

#[test]
fn a_long_list_that_lies_is_refused_or_read() {
    let mut items: Vec<Item> = vec![deflated("torch/version.py", TORCH)];
    items.extend(many("torch"));
    items.extend(metadata("torch", "2.9.1"));
    let good = zip(&items);
    for seed in 0..300 {
        let mut bytes = good.clone();
        for (n, byte) in noise(8, seed).into_iter().enumerate() {
            let back = usize::from(byte) * (1 + n * n * 20) + n;
            let at = bytes.len() - 1 - back;
            bytes[at] = noise(1, seed + n as u64)[0];
        }
        let _ = describe_versions(&bytes, "torch-1-py3-none-any.whl", Limits::default());
    }
}
