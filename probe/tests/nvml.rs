//! The management library of this machine, through the system's loader: a stand-in that answers from a file. Each look is
//! taken by a process of its own, as the library takes its answers from an environment variable.

#![allow(missing_docs)]

use kb_core::observe::Observation;
use probe::machine::{Capture, Live, Recorder, Replay};
use probe::{Wanted, observe};
use std::process::Command;

const MARK: &str = "seen: ";

/// The process that looks: another run of this program, with this test alone.
#[test]
#[ignore = "the other tests start it"]
fn looking() {
    let recorder = Recorder::new(&Live);
    let seen = observe(&recorder, &Wanted::default());
    let text = recorder.capture().to_text().expect("a capture can be written");
    let replay = Replay::new(Capture::parse(&text).expect("what was written can be read"));
    assert_eq!(observe(&replay, &Wanted::default()), seen);
    println!("\n{MARK}{}", serde_json::to_string(&(seen.observations, seen.failures)).expect("it is plain"));
}

/// What it shows of this library, and what it could not.
fn seen(world: &str) -> (Vec<String>, Vec<String>) {
    let place = tempfile::tempdir().expect("there is room");
    let file = place.path().join("world.toml");
    std::fs::write(&file, world).expect("there is room");
    let mut command = Command::new(std::env::current_exe().expect("it runs"));
    command.args(["--exact", "looking", "--ignored", "--nocapture"]);
    command.env("FAKE_NVML", &file).env("KB_NVML", fake_nvml::library().expect("it is built"));
    let out = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().find_map(|l| l.strip_prefix(MARK));
    let line = line.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&out.stderr)));
    let (observations, failures): (Vec<Observation>, Vec<serde_json::Value>) =
        serde_json::from_str(line).expect("it is what was seen");
    let of = observations.into_iter().filter(|o| o.method == "nvml");
    let place = |o: &Observation| {
        let place = o.place.as_deref().unwrap_or("");
        if place.contains("fake_nvml") { "library".to_owned() } else { place.to_owned() }
    };
    let shown = of.map(|o| format!("{}={} @ {}", o.what, o.value, place(&o))).collect();
    let text = |f: &serde_json::Value, name: &str| f[name].as_str().unwrap_or("").to_owned();
    let failures = failures.iter().filter(|f| f["method"] == "nvml");
    (shown, failures.map(|f| format!("{}: {}", text(f, "what"), text(f, "says"))).collect())
}

#[test]
fn two_gpus_of_two_kinds() {
    let world = r#"
driver = "550.54.14"
nvml = "12.550.54.14"
cuda = 12040
[[device]]
compute-mode = 3
persistence = 1
ecc = [0, 0]
power-limit-mw = 350000
[[device]]
name = "NVIDIA A100-SXM4-40GB"
pci = "00000000:C1:00.0"
pci-device-id = 0x20B010DE
memory-mib = 40960
compute-capability = [8, 0]
mig = [1, 1]
most-instances = 7
instances = [{ name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb", uuid = "MIG-1", memory-mib = 4864 }]
"#;
    let (seen, failures) = seen(world);
    assert_eq!(
        seen,
        [
            "driver=550.54.14 @ library",
            "nvml-version=550.54.14 @ library",
            "cuda-driver-level=12.4 @ library",
            "gpu-count=2 @ library",
            "gpu=NVIDIA GeForce RTX 3090 @ 0000:01:00.0",
            "pci-id=10de:2204 @ 0000:01:00.0",
            "memory-mib=24576 @ 0000:01:00.0",
            "compute-capability=8.6 @ 0000:01:00.0",
            "compute-mode=exclusive-process @ 0000:01:00.0",
            "ecc=Disabled @ 0000:01:00.0",
            "persistence=Enabled @ 0000:01:00.0",
            "power-limit=350 @ 0000:01:00.0",
            "gpu=NVIDIA A100-SXM4-40GB @ 0000:c1:00.0",
            "pci-id=10de:20b0 @ 0000:c1:00.0",
            "memory-mib=40960 @ 0000:c1:00.0",
            "compute-capability=8.0 @ 0000:c1:00.0",
            "mig=Enabled @ 0000:c1:00.0",
            "mig=1g.5gb @ 0000:c1:00.0",
        ]
    );
    assert_eq!(failures, [""; 0]);
}

#[test]
fn a_driver_that_is_not_loaded() {
    let (seen, failures) = seen("calls = { nvmlInit_v2 = 9 }\n");
    assert_eq!(seen, ["error=nvml-driver-not-loaded @ library", "nvml-version=535.104.05 @ library"]);
    assert_eq!(failures, ["gpu: nvmlInit_v2: driver-not-loaded"]);
}

#[test]
fn a_gpu_that_is_lost_and_one_of_which_something_is_not_told() {
    let world = r#"
[[device]]
calls = { nvmlDeviceGetHandleByIndex_v2 = 15 }
[[device]]
pci = "00000000:02:00.0"
calls = { nvmlDeviceGetEccMode = 999 }
"#;
    let (seen, failures) = seen(world);
    assert!(seen.contains(&"error=gpu-lost @ index 0".to_owned()), "{seen:?}");
    assert!(seen.contains(&"gpu=NVIDIA GeForce RTX 3090 @ 0000:02:00.0".to_owned()), "{seen:?}");
    assert!(!seen.iter().any(|s| s.contains("unknown")), "{seen:?}");
    assert_eq!(
        failures,
        ["gpu: nvmlDeviceGetHandleByIndex_v2: gpu-lost", "ecc: nvmlDeviceGetEccMode: unknown"]
    );
}
