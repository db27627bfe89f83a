//! A small knowledge base with the relations that `decode` asks.

use crate::catalog::{Channel, Gpu, Package, PackageKind, Scheme};
use crate::fact::{Coverage, Relation, Row, Table};
use crate::kb::Kb;
use crate::value::{Branch, ColumnType, Kind, Value};

/// `name: type` columns, and rows whose cells stand between bars; `-` is an absent cell, `;` separates a list.
fn add(kb: &mut Kb, id: &str, columns: &[(&str, &str)], rows: &[&str]) {
    let columns: Vec<(Box<str>, ColumnType)> =
        columns.iter().map(|(n, t)| ((*n).into(), ColumnType::parse(t).expect(t))).collect();
    let rows = rows
        .iter()
        .map(|row| Row {
            cells: row.split('|').map(str::trim).zip(&columns).map(|(c, (_, t))| cell(c, *t)).collect(),
            also: Vec::new(),
            locator: None,
            note: None,
            withdrawn: None,
        })
        .collect();
    kb.relations.push(Relation {
        id: id.into(),
        title: id.into(),
        says: "".into(),
        key: Vec::new(),
        primary: Vec::new(),
        coverage: Coverage::Partial,
        ranked: false,
        columns,
        prose: "".into(),
    });
    kb.tables.push(Table {
        relation: kb.relations.len() as u16 - 1,
        source: 0,
        stem: "test".into(),
        locator: None,
        read_on: None,
        coverage: Coverage::Partial,
        imported_by: None,
        rows,
    });
}

fn cell(text: &str, column: ColumnType) -> Option<Value> {
    if text == "-" {
        return None;
    }
    if column.list {
        let one = ColumnType { list: false, ..column };
        return Some(Value::List(text.split(';').filter_map(|t| cell(t.trim(), one)).collect()));
    }
    Some(match column.kind {
        Kind::Integer => Value::Integer(text.parse().expect(text)),
        Kind::Dotted => Value::Version(text.parse().expect(text)),
        Kind::Compute => Value::Compute(text.parse().expect(text)),
        Kind::Branch => Value::Branch(text.parse::<Branch>().expect(text)),
        Kind::Bool => Value::Bool(text == "true"),
        _ => Value::Text(text.into()),
    })
}

fn package(id: &str) -> Package {
    Package {
        id: id.into(),
        name: id.into(),
        aliases: Vec::new(),
        kind: PackageKind::Framework,
        scheme: Scheme::Pep440,
        main: None,
        import_name: None,
        gpu_check: None,
        compiles_at_run_time: false,
        gpu_package: None,
        members: Vec::new(),
        channel_order: Vec::new(),
    }
}

fn channel(id: &str, address: Option<&str>, label: Option<&str>, packages: &[&str]) -> Channel {
    Channel {
        id: id.into(),
        name: id.into(),
        aliases: Vec::new(),
        kind: "pip-index".into(),
        address: address.map(Into::into),
        local_label: label.map(Into::into),
        packages: packages.iter().map(|p| (*p).into()).collect(),
        sources: Vec::new(),
        install: Vec::new(),
        extras: Vec::new(),
    }
}

/// Facts as in the reference, a few of each kind.
pub(super) fn kb() -> Kb {
    let mut kb = Kb::default();
    add(
        &mut kb,
        "cudnn-release",
        &[("cudnn", "cudnn"), ("full", "cudnn?"), ("integer", "integer?"), ("archives", "[text]?")],
        &[
            "7.6.5|-|7605|-",
            "8.2.4|8.2.4.15|8204|-",
            "8.4.1|8.4.1.50|8401|cudnn-linux-x86_64-8.4.1.50_cuda10.2-archive.tar.xz;cudnn-linux-x86_64-8.4.1.50_cuda11.6-archive.tar.xz;cudnn-windows-x86_64-8.4.1.50_cuda11.6-archive.zip",
            "8.5.0|8.5.0.96|8500|cudnn-linux-x86_64-8.5.0.96_cuda11-archive.tar.xz;cudnn-windows-x86_64-8.5.0.96_cuda10-archive.zip;cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip",
            "8.9.7|8.9.7.29|8907|-",
            "9.1.0|9.1.0.70|90100|-",
            "9.5.1|9.5.1.17|90501|-",
        ],
    );
    add(
        &mut kb,
        "cuda-installer",
        &[("toolkit", "cuda"), ("form", "text"), ("file", "text")],
        &[
            "9.0.176|linux|cuda_9.0.176_384.81_linux-run",
            "10.0.130|linux|cuda_10.0.130_410.48_linux",
            "10.2.89|windows|cuda_10.2.89_441.22_win10.exe",
            "11.7.1|linux|cuda_11.7.1_515.65.01_linux.run",
            "11.7.1|windows|cuda_11.7.1_516.94_windows.exe",
            "11.7.1|windows-network|cuda_11.7.1_windows_network.exe",
            "13.0.0|windows|cuda_13.0.0_windows.exe",
        ],
    );
    add(
        &mut kb,
        "cuda-release",
        &[("toolkit", "cuda"), ("label", "text")],
        &["8.0.61|8.0", "11.8.0|11.8", "12.4.1|12.4.1", "12.6.0|12.6", "13.5.0|13.5"],
    );
    add(
        &mut kb,
        "nccl-release",
        &[("nccl", "dotted"), ("code", "integer?")],
        &["2.8.4|2804", "2.10.3|21003", "2.21.5|22105"],
    );
    add(
        &mut kb,
        "tensorrt-release",
        &[("tensorrt", "dotted"), ("full", "dotted?")],
        &["8.5.3|8.5.3.1", "10.0.1|10.0.1.6", "11.1.0|11.1.0.106"],
    );
    add(
        &mut kb,
        "runtime-library",
        &[("package", "package"), ("platform", "platform"), ("cuda-major", "integer"), ("files", "[text]")],
        &[
            "nvidia-cublas-cu11|linux-x86_64|11|libcublas.so.11;libcublasLt.so.11",
            "nvidia-cublas-cu11|windows-x86_64|11|cublas64_11.dll;cublasLt64_11.dll",
            "nvidia-cublas-cu12|windows-x86_64|12|cublas64_12.dll;cublasLt64_12.dll",
            "nvidia-cublas|linux-x86_64|13|libcublas.so.13",
            "nvidia-cusparse-cu12|linux-x86_64|12|libcusparse.so.12",
            "nvidia-cusparse|linux-x86_64|13|libcusparse.so.12",
            "nvidia-cufft-cu12|windows-x86_64|12|cufft64_11.dll",
            "nvidia-cuda-runtime-cu11|windows-x86_64|11|cudart64_110.dll",
        ],
    );
    add(
        &mut kb,
        "cudnn-files",
        &[("major", "integer"), ("os", "os"), ("files", "[text]"), ("later", "[text]?")],
        &[
            "8|linux|libcudnn.so.8;libcudnn_ops_infer.so.8;libcudnn_cnn_infer.so.8|-",
            "8|windows|cudnn64_8.dll;cudnn_ops_infer64_8.dll;cudnn_cnn_infer64_8.dll|-",
            "9|windows|cudnn64_9.dll;cudnn_graph64_9.dll;cudnn_ops64_9.dll|libcudnn_ext.so.9 / cudnn_ext64_9.dll",
        ],
    );
    add(
        &mut kb,
        "driver-branch",
        &[("branch", "branch"), ("cuda", "cuda?"), ("windows-families", "[integer]?")],
        &["R535|12.2|535;536;537;538;539", "R570|12.8|570;571;572;573", "R580|13.0|580;581;582"],
    );
    add(
        &mut kb,
        "driver-release",
        &[
            ("driver", "driver"),
            ("os", "os"),
            ("branch", "branch"),
            ("cuda", "cuda?"),
            ("date", "date?"),
            ("paired-with", "driver?"),
        ],
        &[
            "573.76|windows|R570|12.8|2025-09-30|570.195.03",
            "570.195.03|linux|R570|12.8|-|573.76",
            "535.104.05|linux|R535|12.2|-|-",
            "384.81|linux|R384|9.0|-|-",
        ],
    );
    add(
        &mut kb,
        "image",
        &[
            ("tag", "text"),
            ("package", "package"),
            ("version", "text"),
            ("cuda", "cuda"),
            ("cudnn", "cudnn?"),
            ("tensorrt", "dotted?"),
        ],
        &[
            "paddlepaddle/paddle:2.6.0-gpu-cuda11.2-cudnn8.2-trt8.0|paddlepaddle-gpu|2.6.0|11.2|8.2|8.0",
            "paddlepaddle/paddle:2.6.0-gpu-cuda11.7-cudnn8.4-trt8.4|paddlepaddle-gpu|2.6.0|11.7|8.4|8.4",
            "paddlepaddle/paddle:2.6.0-gpu-cuda12.0-cudnn8.9-trt8.6|paddlepaddle-gpu|2.6.0|12.0|8.9|8.6",
            "paddlepaddle/paddle:3.0.0-gpu-cuda11.8-cudnn8.9-trt8.6|paddlepaddle-gpu|3.0.0|11.8|8.9|8.6",
        ],
    );
    add(
        &mut kb,
        "build-made-with",
        &[
            ("package", "package"),
            ("versions", "pep440-range"),
            ("channel", "channel"),
            ("platform", "platform"),
            ("kind", "text"),
            ("cuda", "cuda?"),
            ("cudnn", "cudnn?"),
            ("local-label", "text?"),
        ],
        &[
            "paddlepaddle-gpu|==2.6.1|paddle-post117|windows-x86_64|cuda|11.7|8.4.1|-",
            "paddlepaddle-gpu|==2.6.1|paddle-post117|linux-x86_64|cuda|11.7|8.4.1|-",
            "paddlepaddle-gpu|==2.6.1|pypi|windows-x86_64|cuda|11.2|8.2.1|-",
            "paddlepaddle-gpu|==3.0.0|paddle-cu118|linux-x86_64|cuda|11.8|8.9.7|-",
            "paddlepaddle-gpu|==3.0.0|paddle-cu126|linux-x86_64|cuda|12.6|9.5.1|-",
            "torch|==2.5.*|pytorch-cu124|linux-x86_64|cuda|12.4|9.1.0|cu124",
            "torch|==2.7.*|pytorch-cu118|linux-x86_64|cuda|11.8|-|cu118",
            "torch|==2.6.*|pypi|linux-x86_64|cuda|12.4|9.1.0|-",
        ],
    );
    add(
        &mut kb,
        "cuda-error",
        &[("code", "integer"), ("name", "text"), ("meaning", "text")],
        &[
            "35|cudaErrorInsufficientDriver|Driver older than the runtime.",
            "209|cudaErrorNoKernelImageForDevice|No code for this GPU.",
            "803|cudaErrorSystemDriverMismatch|Two driver versions.",
        ],
    );
    add(
        &mut kb,
        "gpu-compute-capability",
        &[("gpu", "gpu"), ("compute-capability", "compute")],
        &["rtx-3090|8.6", "rtx-5090|12.0"],
    );
    add(
        &mut kb,
        "arch-info",
        &[("compute-capability", "compute"), ("architecture", "text")],
        &["8.6|Ampere", "9.0|Hopper"],
    );
    kb.gpus.push(Gpu {
        id: "rtx-3090".into(),
        name: "GeForce RTX 3090".into(),
        aliases: Vec::new(),
        driver_names: Vec::new(),
        architecture: "Ampere".into(),
        chips: Vec::new(),
        memory_mib: Vec::new(),
        segment: "geforce".into(),
        processor: None,
        pci_ids: Vec::new(),
        sources: Vec::new(),
        note: None,
    });
    kb.packages =
        ["jax", "nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-nccl-cu12", "paddlepaddle-gpu", "torch"]
            .map(package)
            .into();
    kb.channels = vec![
        channel("conda-forge", None, None, &[]),
        channel(
            "paddle-cu118",
            Some("https://www.paddlepaddle.org.cn/packages/stable/cu118/"),
            None,
            &["paddlepaddle-gpu"],
        ),
        channel(
            "paddle-cu126",
            Some("https://www.paddlepaddle.org.cn/packages/stable/cu126/"),
            None,
            &["paddlepaddle-gpu"],
        ),
        channel("paddle-post117", None, None, &["paddlepaddle-gpu"]),
        channel("pypi", None, None, &["torch"]),
        channel("pytorch-cpu", Some("https://download.pytorch.org/whl/cpu"), Some("cpu"), &["torch"]),
        channel("pytorch-cu118", Some("https://download.pytorch.org/whl/cu118"), Some("cu118"), &["torch"]),
        channel("pytorch-cu124", Some("https://download.pytorch.org/whl/cu124"), Some("cu124"), &["torch"]),
        channel("pytorch-cu126", Some("https://download.pytorch.org/whl/cu126"), Some("cu126"), &["torch"]),
    ];
    kb
}
