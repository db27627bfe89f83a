//! What the management library says, and how it fails.

use crate::desk::{Desk, by, causes, document, failures, output};
use std::time::{Duration, Instant};

/// What kb sees where the library answers like this.
fn probe(name: &str, world: &str) -> serde_json::Value {
    let desk = Desk::new(name);
    desk.gpus(world);
    let (exit, seen) = desk.json(&["probe"]);
    assert_eq!(exit, Some(0), "{seen}");
    // What people are shown comes without a panic as well.
    assert_eq!(desk.run(&["probe", "--all"]).exit, Some(0));
    seen
}

fn nvml(probe: &serde_json::Value, what: &str) -> Vec<String> {
    by(probe, what, Some("nvml"))
}

#[test]
fn one_gpu() {
    let seen = probe(
        "one",
        r#"
driver = "550.54.14"
nvml = "12.550.54.14"
cuda = 12040
[[device]]
name = "NVIDIA GeForce RTX 3090"
compute-mode = 3
persistence = 1
ecc = [1, 0]
power-limit-mw = 350000
mig = [0, 0]
"#,
    );
    for (what, value) in [
        ("driver", "550.54.14"),
        ("cuda-driver-level", "12.4"),
        ("gpu-count", "1"),
        ("gpu", "NVIDIA GeForce RTX 3090"),
        ("pci-id", "10de:2204"),
        ("memory-mib", "24576"),
        ("compute-capability", "8.6"),
        ("compute-mode", "exclusive-process"),
        ("persistence", "Enabled"),
        ("ecc", "Enabled"),
        ("power-limit", "350"),
        ("mig", "Disabled"),
    ] {
        assert_eq!(nvml(&seen, what), [value], "{what}");
    }
    assert_eq!(failures(&seen, "nvml"), [""; 0]);
    let gpu = seen["observations"].as_array().expect("a list").iter().find(|o| o["what"] == "gpu");
    assert_eq!(gpu.expect("it is seen")["place"], "0000:01:00.0");
}

#[test]
fn eight_gpus_of_two_kinds() {
    let device = |name: &str, memory: u32, cc: &str, bus: usize| {
        format!(
            "[[device]]\nname = \"{name}\"\nmemory-mib = {memory}\ncompute-capability = [{cc}]\npci = \"00000000:{bus:02X}:00.0\"\n"
        )
    };
    let a = (0..4).map(|n| device("NVIDIA A100-SXM4-80GB", 81920, "8, 0", n + 1));
    let h = (4..8).map(|n| device("NVIDIA H100 80GB HBM3", 81559, "9, 0", n + 1));
    let seen = probe("eight", &a.chain(h).collect::<String>());
    assert_eq!(nvml(&seen, "gpu-count"), ["8"]);
    let kinds = nvml(&seen, "compute-capability");
    assert_eq!(kinds, ["8.0", "8.0", "8.0", "8.0", "9.0", "9.0", "9.0", "9.0"]);
    assert_eq!(nvml(&seen, "memory-mib")[3..5], ["81920", "81559"]);
    let all = seen["observations"].as_array().expect("a list").iter();
    let places: std::collections::BTreeSet<&str> = all
        .filter(|o| o["what"] == "gpu" && o["method"] == "nvml")
        .filter_map(|o| o["place"].as_str())
        .collect();
    assert_eq!(places.len(), 8, "each has a place of its own: {places:?}");
}

#[test]
fn a_divided_gpu() {
    let seen = probe(
        "mig",
        r#"
[[device]]
name = "NVIDIA A100-SXM4-40GB"
mig = [1, 1]
most-instances = 7
[[device.instances]]
name = "NVIDIA A100-SXM4-40GB MIG 3g.20gb"
uuid = "MIG-1"
memory-mib = 19968
[[device.instances]]
name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
uuid = "MIG-2"
memory-mib = 4864
"#,
    );
    assert_eq!(nvml(&seen, "mig"), ["Enabled", "3g.20gb", "1g.5gb"]);
    assert_eq!(nvml(&seen, "gpu-count"), ["1"]);
}

/// Whatever the library answers at its start is named, and where it says something of the machine it is an observation.
#[test]
fn every_code_at_the_start() {
    let desk = Desk::new("codes");
    let known = [
        (4, "nvml-insufficient-permissions"),
        (9, "nvml-driver-not-loaded"),
        (12, "nvml-library-not-found"),
        (15, "gpu-lost"),
        (17, "nvml-gpu-access-blocked"),
        (18, "nvml-driver-library-mismatch"),
        (999, "nvml-unknown-error"),
    ];
    for code in (1..=31).chain([77, 999, u32::MAX]) {
        desk.gpus(&format!("[calls]\nnvmlInit_v2 = {code}\n"));
        let (exit, seen) = desk.json(&["probe"]);
        assert_eq!((exit, nvml(&seen, "gpu-count").len()), (Some(0), 0), "{code}");
        let failed = failures(&seen, "nvml");
        assert_eq!(failed.len(), 1, "{code}: {failed:?}");
        assert!(failed[0].starts_with("gpu: nvmlInit_v2: "), "{failed:?}");
        let wanted: Vec<&str> = known.iter().filter(|(c, _)| *c == code).map(|(_, error)| *error).collect();
        assert_eq!(nvml(&seen, "error"), wanted, "{code}");
    }
}

/// The doctor knows what the codes of a broken driver mean, although no GPU was counted.
#[test]
fn a_broken_driver_has_a_cause() {
    let desk = Desk::new("broken-driver");
    for (world, cause) in [
        ("[calls]\nnvmlInit_v2 = 18\n", "driver-library-mismatch"),
        ("[calls]\nnvmlInit_v2 = 15\n", "not-compat-hardware"),
        (
            "[[device]]\n[[device]]\n[device.calls]\nnvmlDeviceGetHandleByIndex_v2 = 15\n",
            "not-compat-hardware",
        ),
    ] {
        desk.gpus(world);
        let (exit, found) = desk.json(&["doctor"]);
        assert_eq!(causes(&found).first().map(String::as_str), Some(cause), "{world}: {:?}", causes(&found));
        assert_eq!(exit, Some(1), "{world}");
        assert_eq!(desk.run(&["doctor"]).exit, Some(1), "{world}");
    }
    // A library without a driver is what Debian's package is in a container.
    desk.gpus("[calls]\nnvmlInit_v2 = 9\n");
    if !std::path::Path::new("/proc/driver/nvidia").exists() {
        assert_eq!(desk.run(&["doctor"]).exit, Some(0));
    }
}

#[test]
fn a_lost_gpu_beside_others() {
    let seen = probe(
        "lost",
        "[[device]]\npci = \"00000000:01:00.0\"\n[[device]]\n[device.calls]\nnvmlDeviceGetHandleByIndex_v2 = 15\n[[device]]\npci = \"00000000:03:00.0\"\n",
    );
    assert_eq!(nvml(&seen, "gpu-count"), ["3"]);
    assert_eq!(nvml(&seen, "gpu").len(), 2, "the others are read");
    assert_eq!(nvml(&seen, "error"), ["gpu-lost"]);
    assert_eq!(failures(&seen, "nvml").len(), 1);
}

#[test]
fn a_library_that_lacks_functions() {
    let desk = Desk::new("older");
    desk.gpus("[[device]]\nmig = [0, 0]\n");
    let older = |without: &[&str]| {
        let copy = desk.path("older.so");
        fake_nvml::older(&copy, without).expect("it can be written");
        let out = output(desk.command(&["probe", "--json"]).env("KB_NVML", copy));
        assert_eq!(out.exit, Some(0));
        document(&out)
    };
    let seen =
        older(&["nvmlDeviceGetMemoryInfo_v2", "nvmlSystemGetCudaDriverVersion_v2", "nvmlDeviceGetMigMode"]);
    assert_eq!(
        (nvml(&seen, "memory-mib"), nvml(&seen, "cuda-driver-level")),
        (vec!["24576".into()], vec!["12.2".into()])
    );
    assert_eq!(failures(&seen, "nvml"), ["mig: nvmlDeviceGetMigMode: function-not-found"]);
    let seen = older(&["nvmlInit_v2"]);
    assert_eq!(failures(&seen, "nvml"), ["gpu: nvmlInit_v2: function-not-found"]);
}

#[test]
fn garbage_is_no_end() {
    let bytes = vec!["255"; 400].join(", ");
    let unended = vec!["65"; 400].join(", ");
    let seen = probe(
        "garbage",
        &format!(
            r#"
driver = [{bytes}]
nvml = ""
cuda = -5
count = 4000000000
[[device]]
name = [{unended}]
uuid = [{bytes}]
pci = [{bytes}]
pci-device-id = 0
memory-mib = 0
compute-capability = [-1, 2147483647]
driver-model = [7, 0]
mig = [2, 0]
compute-mode = 99
persistence = 5
ecc = [4294967295, 0]
[[device]]
name = "\u001b[31mred\u0007\u202e"
pci = "not an address"
memory-mib = 17592186044415
"#
        ),
    );
    let failed = failures(&seen, "nvml");
    for what in ["driver: ", "cuda-driver-level: ", "gpu-count: ", "compute-capability: ", "mig: ", "ecc: "] {
        assert!(failed.iter().any(|f| f.starts_with(what)), "{what}: {failed:?}");
    }
    assert_eq!(nvml(&seen, "driver"), [""; 0], "nothing is made of it");
    // What a library says does not command the terminal.
    let desk = Desk::new("escape");
    desk.gpus("[[device]]\nname = \"\\u001b[31mred\\u0007\"\n");
    for arguments in [&["probe"][..], &["probe", "--all"], &["doctor"], &["watch", "--count", "1"]] {
        let out = desk.run(arguments);
        assert!(!out.stdout.contains(['\u{1b}', '\u{7}']), "{arguments:?}: {out:?}");
    }
}

#[test]
fn versions_from_the_future() {
    let seen = probe(
        "future",
        "driver = \"1234.5-next\"\nnvml = \"21.9.zeta\"\ncuda = 99130\n[[device]]\nname = \"NVIDIA Nobody 9000\"\ncompute-capability = [42, 7]\n",
    );
    assert_eq!(nvml(&seen, "driver"), ["1234.5-next"]);
    assert_eq!(nvml(&seen, "cuda-driver-level"), ["99.13"]);
    assert_eq!(nvml(&seen, "compute-capability"), ["42.7"]);
    let desk = Desk::new("future-doctor");
    desk.gpus("driver = \"1234.5\"\ncuda = 99130\n[[device]]\nname = \"NVIDIA Nobody 9000\"\ncompute-capability = [42, 7]\n");
    let out = desk.run(&["doctor"]);
    assert!(matches!(out.exit, Some(0 | 3)), "nothing is wrong: {out:?}");
}

/// A call that does not come back is waited for as long as is said, named, and nothing else asks the driver.
#[test]
fn a_call_that_hangs() {
    for (name, world, call) in [
        ("hangs", "[calls]\nnvmlInit_v2 = \"hang\"\n", "nvmlInit_v2"),
        (
            "hangs-later",
            "[[device]]\n[[device]]\n[device.calls]\nnvmlDeviceGetName = \"hang\"\n",
            "nvmlDeviceGetName of device 1",
        ),
    ] {
        let desk = Desk::new(name);
        desk.gpus(world);
        let start = Instant::now();
        let (exit, seen) = desk.json(&["probe"]);
        // Five seconds is what is waited; the rest is a machine with much to do.
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
        let failed = failures(&seen, "nvml");
        assert_eq!(exit, Some(0));
        assert_eq!(failed, [format!("gpu: {call}: no answer within 5000 ms")]);
        assert_eq!(by(&seen, "gpu", Some("nvidia-smi")), [""; 0]);
    }
}

#[test]
fn no_library_and_what_is_none() {
    let desk = Desk::new("none");
    let (exit, seen) = desk.json(&["probe"]);
    assert_eq!((exit, failures(&seen, "nvml")), (Some(0), Vec::new()), "that there is none is normal");
    let broken = desk.file("broken.so", "this is no library");
    let out = output(desk.command(&["probe", "--json"]).env("KB_NVML", &broken));
    let failed = document(&out)["failures"].clone();
    assert_eq!(
        (out.exit, &failed[0]["place"]),
        (Some(0), &broken.to_str().expect("text").into()),
        "{failed}"
    );
}
