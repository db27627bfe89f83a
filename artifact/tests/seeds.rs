//! Writes what fuzzing starts from: `cargo test -p artifact --test seeds -- --ignored`.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

mod support;

use std::path::Path;
use support::fatbin::{Entry, FAMILY, PTX, SASS, SPECIFIC, container, entry};
use support::zip::{deflated, stored, zip, zip_with};

fn write(target: &str, name: &str, bytes: &[u8]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(name), bytes).unwrap();
}

#[test]
#[ignore = "writes artifact/fuzz/seeds"]
fn seeds() {
    let tiny = include_bytes!("fixtures/tiny.so");
    let dll = support::pe::dll(&["a.dll"], &["b.dll"], [6, 14, 11, 12040], &container(&[entry(SASS, 86)]));
    let two = container(&[
        Entry { flags: SPECIFIC, payload: 9, ..entry(SASS, 90) },
        Entry { flags: FAMILY, payload: 0, ..entry(PTX, 120) },
    ]);

    let metadata =
        b"Metadata-Version: 2.1\nName: x\nVersion: 1.0\nRequires-Python: >=3.9\nRequires-Dist: torch>=2\n\
        Provides-Extra: cuda\nClassifier: Environment :: GPU\n\nText\n";
    let wheel_file = b"Wheel-Version: 1.0\nGenerator: y (1)\nBuild: 1\nTag: cp312-cp312-linux_x86_64\n";
    let record = b"x/a.py,sha256=abc,12\n\"x/\"\"b\"\".py\",sha256=x,3\nx-1.dist-info/RECORD,,\n";
    write("metadata", "metadata", metadata);
    write("metadata", "wheel", wheel_file);
    write("record", "record", record);

    let mut stored64 = stored("x/cudart64_110.dll", &dll);
    stored64.zip64 = true;
    let items = [
        deflated("torch/version.py", b"__version__ = '2.5.1+cu124'\ncuda = '12.4'\n"),
        deflated("torch/lib/libtorch_python.so", &[&tiny[..], b"\0sm_80 sm_90\0"].concat()),
        stored64,
        stored("x-1.0.dist-info/METADATA", metadata),
        stored("x-1.0.dist-info/WHEEL", wheel_file),
        stored("x-1.0.dist-info/RECORD", record),
    ];
    write("wheel", "whole", &[&[0], zip(&items).as_slice()].concat());
    write("wheel", "miscounted", &[&[1], zip_with(&items[3..], 7, b"comment").as_slice()].concat());
    write("wheel", "one", &[&[2], zip(&[deflated("a.so", &two)]).as_slice()].concat());

    let member = |path: u8, how: u8, bytes: &[u8]| {
        [&[path, how][..], &(bytes.len() as u16).to_le_bytes(), bytes].concat()
    };
    let members = [
        member(0, 1, metadata),
        member(1, 0, wheel_file),
        member(2, 1, record),
        member(3, 1, b"cuda = '12.4'\n"),
        member(6, 1, b"\0sm_80 sm_90\0"),
    ];
    write("members", "texts", &members.concat());
    let cudart = include_bytes!("fixtures/cudart.so");
    write("members", "libraries", &[member(8, 1, cudart), member(9, 0, &dll), member(10, 1, &two)].concat());

    write("fatbin", "whole", &[&[3, 0, 4, 60], two.as_slice()].concat());
    write("fatbin", "cut", &[&[0], &two[..90], &two].concat());

    write("elf", "tiny", tiny);
    write("elf", "cudart", include_bytes!("fixtures/cudart.so"));
    write("elf", "nccl", include_bytes!("fixtures/nccl.so"));
    write("elf", "cudnn", include_bytes!("fixtures/cudnn.so"));
    write("elf", "cudnn_ops", include_bytes!("fixtures/cudnn_ops.so"));
    write("pe", "dll", &dll);

    for (which, name, text) in [
        (0, "torch", include_str!("fixtures/stated/torch-1.12.1-linux.py")),
        (1, "paddle", include_str!("fixtures/stated/paddlepaddle-gpu-2.6.1-windows.py")),
        (2, "tensorflow", include_str!("fixtures/stated/tensorflow-2.10.1-windows.py")),
        (
            3,
            "onnxruntime",
            "package_name = 'onnxruntime-gpu'\n__version__ = '1.20.1'\ncuda_version = '12.2'\n",
        ),
        (5, "cupy", include_str!("fixtures/stated/cupy-cuda12x-13.3.0-linux.json")),
        (6, "xformers", include_str!("fixtures/stated/xformers-0.0.28.post1-linux.json")),
        (7, "targets", "\0sm_80 sm_90a compute_90\0"),
        (8, "nccl", "NCCL version 2.20.5+cuda12.4\n"),
    ] {
        write("stated", name, &[&[which], text.as_bytes()].concat());
    }
    for (name, text) in [
        ("wheel", "torch-2.5.1%2Bcu124-1-cp39.cp312-abi3-manylinux_2_28_x86_64.manylinux2014_x86_64.whl"),
        ("variant", "bitsandbytes/libbitsandbytes_cuda118_nocublaslt.dll"),
        ("elf", "a.libs/libnvrtc-builtins-2dc4bf68.so.11.8"),
        ("dll", "torch\\lib\\nvrtc64_112_0.dll"),
        ("tag", "cp312-cp312-win_amd64"),
    ] {
        write("names", name, text.as_bytes());
    }
}
