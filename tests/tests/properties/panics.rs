//! Nothing that can be typed or pasted makes a parser panic.

use super::runner::values;
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::{RawRequest, Request, resolve};
use kb_core::value::{Branch, ColumnType};
use kb_core::version::{ComputeTarget, CudaVersion, Dotted, DriverVersion, VersionSet};
use kb_core::world::World;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

static KB: LazyLock<Kb> = LazyLock::new(kb_data::builtin);

/// Texts that mean something somewhere.
const WORDS: [&str; 40] = [
    "rtx3090",
    "RTX 4090",
    "a100-80gb",
    "sm_86",
    "cc8.6",
    "compute capability 8.6",
    "none",
    "cpu",
    "h20",
    "ascend 910b",
    "M1",
    "12.4",
    "12.4.1",
    ">=12.4, <13",
    "cu126",
    "cuda 12",
    "12.x",
    "8.9.7.29",
    "9.1.*",
    "535.104.05",
    "537.13",
    "580",
    "3.12",
    "cp312",
    "python3.9",
    "torch",
    "torch==2.9.1+cu126",
    "jax[cuda12]==0.9.0",
    "cudnn==8.5.0.96",
    "cuda-toolkit==12.9",
    "nvidia-driver==550.54.14",
    "tensorflow>=2,<3",
    "paddle",
    "python==3.10",
    "pypi",
    "linux",
    "wsl2",
    "arm64",
    "tested",
    "２.1",
];

/// A word with something done to it, or anything at all.
pub fn text() -> impl Strategy<Value = String> {
    let word = || select(&WORDS[..]).prop_map(str::to_owned);
    prop_oneof![
        2 => word(),
        2 => any::<String>(),
        1 => "[a-zA-Z0-9_.+=<>!*\\[\\]@;:/, ()~|-]{0,40}",
        2 => (word(), any::<char>(), 0usize..24).prop_map(|(word, c, at)| {
            let mut chars: Vec<char> = word.chars().collect();
            chars.insert(at.min(chars.len()), c);
            chars.into_iter().collect()
        }),
        1 => (word(), 0usize..24).prop_map(|(word, at)| word.chars().skip(at).collect()),
        1 => (word(), word()).prop_map(|(a, b)| a + &b),
        1 => "[0-9.]{1,40}",
    ]
}

fn request() -> impl Strategy<Value = RawRequest> {
    (
        (
            select(vec!["solve", "check", "", "?"]),
            vec(text(), 0..3),
            vec(text(), 0..3),
            of(text()),
            of(text()),
        ),
        (of(text()), of(text()), of(text()), of(text()), of(text()), of(text())),
        (vec(text(), 0..2), of(text()), of(text()), of(text())),
    )
        .prop_map(
            |(
                (command, wants, gpus, gpus_mode, os),
                (arch, glibc, driver, cuda, cudnn, python),
                (channels, policy, lang, today),
            )| RawRequest {
                command: command.into(),
                wants,
                gpus,
                gpus_mode,
                os,
                arch,
                glibc,
                driver,
                cuda,
                cudnn,
                python,
                channels,
                policy,
                lang,
                today,
                assumed: Vec::new(),
                exact_extras: false,
            },
        )
}

#[test]
fn requests() {
    let world = kb_data::world(&KB);
    let empty = Kb::default();
    let nothing = World::new(&empty);
    values("requests", request(), |raw| {
        let _ = Request::parse(&world, raw);
        let _ = kb_core::ask(&nothing, raw);
        Ok(())
    });
}

/// Questions that are understood are answered, whatever is in them.
#[test]
fn answers() {
    let world = kb_data::world(&KB);
    let gpu =
        select(vec!["rtx3090", "v100", "gtx 1080", "rtx 5090", "h100", "sm_120", "cc3.5", "none", "k80"]);
    let want = select(vec![
        "torch",
        "torch==2.9.1",
        "torch==2.9.1+cu126",
        "jax[cuda12]",
        "tensorflow<2.11",
        "paddlepaddle-gpu==2.6.1",
        "cupy-cuda12x",
        "onnxruntime-gpu",
        "vllm",
        "nvidia-cudnn-cu12==9.10.2.21",
        "numpy",
        "cuda-toolkit==12.9",
        "cudnn==8.9.7",
    ]);
    let raw = (
        (
            any::<bool>(),
            vec(want, 0..3),
            vec(gpu, 0..3),
            any::<bool>(),
            select(vec!["linux", "windows", "wsl2", "macos"]),
            any::<bool>(),
        ),
        (
            of(select(vec![
                "470.57.02",
                "535.104.05",
                "550.54.14",
                "580.65.06",
                "999.10",
                "537.13",
                "573.76",
                "100.1",
            ])),
            of(text()),
        ),
        (
            of(select(vec!["11.8", "12.6", ">=12, <13", "13.0"])),
            of(select(vec!["8.9.7", "9.1.0", "9.10.2.21"])),
            of(select(vec!["3.8", "3.12", "3.14"])),
        ),
    )
        .prop_map(|((check, wants, gpus, any, os, arm), (driver, glibc), (cuda, cudnn, python))| {
            RawRequest {
                command: if check { "check" } else { "solve" }.into(),
                wants: wants.into_iter().map(Into::into).collect(),
                gpus: gpus.into_iter().map(Into::into).collect(),
                gpus_mode: any.then(|| "any".into()),
                os: Some(os.into()),
                arch: arm.then(|| "aarch64".into()),
                driver: driver.map(Into::into),
                glibc,
                cuda: cuda.map(Into::into),
                cudnn: cudnn.map(Into::into),
                python: python.map(Into::into),
                ..RawRequest::default()
            }
        });
    values("answers", raw, |raw| {
        if let Ok(answer) = kb_core::ask(&world, raw) {
            serde_json::to_string(&answer).map_err(|e| e.to_string())?;
        }
        Ok(())
    });
}

#[test]
fn parsers() {
    values("parsers", text(), |text| {
        let _ = resolve::gpu(&KB, text);
        let _ = resolve::package(&KB, text);
        let _ = resolve::channel(&KB, text);
        let _ = kb_core::decode::decode(&KB, text);
        let _ = text.parse::<Requirement>();
        let _ = text.parse::<Dotted>();
        let _ = text.parse::<CudaVersion>();
        let _ = text.parse::<DriverVersion>();
        let _ = text.parse::<VersionSet>();
        let _ = text.parse::<ComputeTarget>();
        let _ = text.parse::<Branch>();
        let _ = ColumnType::parse(text);
        let _ = kb_core::catalog::normal_form(text);
        Ok(())
    });
}
