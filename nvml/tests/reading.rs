//! Readings of the stand-in library, through the system's loader. Each is made in a process of its own, as the library
//! takes its answers from an environment variable and is loaded once.

use nvml_report::{Extent, Monitor, NvmlReport, Options};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const MARK: &str = "report: ";

/// The process that reads: another run of this program, with this test alone.
#[test]
#[ignore = "the other tests start it"]
fn reading() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let mut options = Options { library: std::env::var_os("TEST_LIBRARY"), ..Options::default() };
    if let Some(ms) = number("TEST_DEADLINE") {
        options.deadline = Duration::from_millis(ms);
    }
    options.extent = match number("TEST_EXTENT") {
        Some(0) => Extent::Identity,
        Some(1) => Extent::Changing,
        _ => Extent::All,
    };
    let mut monitor = Monitor::new(&options);
    for _ in 0..number("TEST_READINGS").unwrap_or(1) {
        let start = Instant::now();
        let report = monitor.read();
        assert!(start.elapsed() < options.deadline + Duration::from_secs(2), "{:?}", start.elapsed());
        println!("\n{MARK}{}", serde_json::to_string(&report).expect("it is plain"));
    }
    // A thread that hangs does not keep the program from ending.
}

/// A directory of one test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("nvml-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room");
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Reads so many times in another process.
fn readings(world: &str, name: &str, library: Option<&Path>, more: &[(&str, &str)]) -> Vec<NvmlReport> {
    let place = Place::new(name);
    let file = place.0.join("world.toml");
    std::fs::write(&file, world).expect("there is room");
    let mut command = Command::new(std::env::current_exe().expect("it runs"));
    command.args(["--exact", "reading", "--ignored", "--nocapture"]).env("FAKE_NVML", &file);
    if let Some(library) = library {
        command.env("TEST_LIBRARY", library);
    }
    let out = command.envs(more.iter().copied()).output().expect("it starts");
    let text = String::from_utf8_lossy(&out.stdout);
    let reports = text.lines().filter_map(|l| l.strip_prefix(MARK));
    let reports: Vec<NvmlReport> =
        reports.map(|l| serde_json::from_str(l).expect("it is a report")).collect();
    assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
    reports
}

fn read(world: &str, name: &str) -> NvmlReport {
    let library = fake_nvml::library().expect("it is built");
    readings(world, name, Some(&library), &[]).pop().expect("there is one")
}

fn failures(report: &NvmlReport) -> Vec<String> {
    let of = |f: &nvml_report::Failure| format!("{} {}", f.field, f.error);
    let devices = report.devices.iter().flat_map(|d| d.failures.iter());
    report.failures.iter().chain(devices).map(of).collect()
}

/// A GPU that supports everything.
const FULL: &str = r#"
[[device]]
driver-model = [0, 2]
mig = [0, 1]
compute-mode = 3
persistence = 1
ecc = [1, 0]
ecc-uncorrected = [2, 17]
used-mib = [1024]
temperature = [61]
power-mw = [215500]
power-limit-mw = 350000
utilisation = [97, 40]
clock-sm = 1695
clock-memory = 9501
reasons = [0x424]
"#;

#[test]
fn one_gpu_with_everything() {
    let report = read(FULL, "full");
    assert_eq!(report.error, None);
    assert_eq!(report.hung, None);
    assert_eq!(report.driver.as_deref(), Some("535.104.05"));
    assert_eq!(report.nvml.as_deref(), Some("12.535.104.05"));
    assert_eq!(report.cuda.as_deref(), Some("12.2"));
    assert_eq!((report.device_count, report.devices.len()), (Some(1), 1));
    let gpu = &report.devices[0];
    assert_eq!(gpu.name.as_deref(), Some("NVIDIA GeForce RTX 3090"));
    assert_eq!(gpu.uuid.as_deref(), Some("GPU-00000000-0000-4000-8000-000000000000"));
    assert_eq!(gpu.pci_bus_id.as_deref(), Some("00000000:01:00.0"));
    assert_eq!(gpu.pci_device_id, Some(0x2204_10de));
    assert_eq!((gpu.memory_total_mib, gpu.memory_used_mib), (Some(24576), Some(1024)));
    assert_eq!(gpu.memory_free_mib, Some(24576 - 1024 - 300));
    assert_eq!(gpu.compute_capability.as_deref(), Some("8.6"));
    assert_eq!(gpu.driver_model.as_deref(), Some("WDDM"));
    assert_eq!(gpu.driver_model_pending.as_deref(), Some("MCDM"));
    assert_eq!((gpu.mig, gpu.mig_pending), (Some(false), Some(true)));
    assert_eq!(gpu.compute_mode.as_deref(), Some("exclusive-process"));
    assert_eq!(gpu.persistence, Some(true));
    assert_eq!((gpu.ecc, gpu.ecc_pending), (Some(true), Some(false)));
    assert_eq!((gpu.ecc_uncorrected_volatile, gpu.ecc_uncorrected_aggregate), (Some(2), Some(17)));
    let now = &gpu.changing;
    assert_eq!(
        (now.temperature_c, now.power_mw, now.power_limit_mw),
        (Some(61), Some(215_500), Some(350_000))
    );
    assert_eq!((now.utilisation_gpu, now.utilisation_memory), (Some(97), Some(40)));
    assert_eq!((now.clock_sm_mhz, now.clock_memory_mhz), (Some(1695), Some(9501)));
    let reasons = now.clock_reasons.clone().expect("they were read");
    assert_eq!(reasons, ["sw-power-cap", "sw-thermal-slowdown", "bit-10"]);
    assert_eq!(gpu.failures, []);
}

/// What a device does not support is no failure.
#[test]
fn a_plain_gpu_has_no_failures() {
    let report = read("[[device]]\n", "plain");
    let gpu = &report.devices[0];
    assert_eq!((gpu.ecc, gpu.mig, &gpu.compute_mode), (None, None, &None));
    assert_eq!(gpu.changing, nvml_report::Changing::default());
    assert_eq!(failures(&report), [""; 0]);
    let none = read("", "none");
    assert_eq!((none.device_count, none.devices.len(), none.error), (Some(0), 0, None));
}

#[test]
fn eight_gpus_of_two_kinds() {
    let one =
        "[[device]]\nname = \"NVIDIA A100-SXM4-80GB\"\nmemory-mib = 81920\ncompute-capability = [8, 0]\n";
    let other =
        "[[device]]\nname = \"NVIDIA H100 80GB HBM3\"\nmemory-mib = 81559\ncompute-capability = [9, 0]\n";
    let report = read(&(one.repeat(4) + &other.repeat(4)), "eight");
    let found: Vec<(u32, &str)> =
        report.devices.iter().map(|d| (d.index, d.compute_capability.as_deref().unwrap_or("?"))).collect();
    assert_eq!(found[..5], [(0, "8.0"), (1, "8.0"), (2, "8.0"), (3, "8.0"), (4, "9.0")]);
    assert_eq!((found.len(), report.devices[7].memory_total_mib), (8, Some(81559)));
}

#[test]
fn mig_instances() {
    let report = read(
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
name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb+me"
uuid = "MIG-2"
memory-mib = 4864
"#,
        "mig",
    );
    let gpu = &report.devices[0];
    assert_eq!(gpu.mig, Some(true));
    let profiles: Vec<_> = gpu.mig_instances.iter().map(|i| i.profile.as_deref().unwrap_or("?")).collect();
    assert_eq!(profiles, ["3g.20gb", "1g.5gb+me"]);
    assert_eq!(gpu.mig_instances[1].memory_total_mib, Some(4864));
    assert_eq!(gpu.mig_instances[1].uuid.as_deref(), Some("MIG-2"));
    assert_eq!(failures(&report), [""; 0], "free numbers are no failures");
}

#[test]
fn every_code_at_the_start() {
    let names = [
        (1, "uninitialized"),
        (4, "no-permission"),
        (8, "insufficient-power"),
        (9, "driver-not-loaded"),
        (10, "timeout"),
        (12, "library-not-found"),
        (13, "function-not-found"),
        (15, "gpu-lost"),
        (17, "operating-system"),
        (18, "lib-rm-version-mismatch"),
        (20, "memory"),
        (25, "argument-version-mismatch"),
        (28, "gpu-not-found"),
        (77, "error-77"),
        (999, "unknown"),
        (u32::MAX, "error-4294967295"),
    ];
    for (code, name) in names {
        let report = read(&format!("[calls]\nnvmlInit_v2 = {code}\n"), "codes");
        let error = report.error.clone().expect("it failed");
        assert_eq!(
            (&*error.field, error.call.as_deref(), &*error.error),
            ("init", Some("nvmlInit_v2"), name)
        );
        assert!(report.library.is_some() && report.devices.is_empty() && report.silent());
        assert_eq!(report.nvml.as_deref(), Some("12.535.104.05"), "the library knows its own version");
    }
}

#[test]
fn every_code_of_a_device() {
    let codes = (1..=30).filter(|c| *c != 15).chain([31, 999]);
    // As many devices as there are codes, each of which has one.
    let world: String = codes
        .clone()
        .map(|code| format!("{FULL}[device.calls]\nnvmlDeviceGetTemperature = {code}\n"))
        .collect();
    let report = read(&world, "device-codes");
    for (gpu, code) in report.devices.iter().zip(codes) {
        let errors: Vec<&str> = gpu.failures.iter().map(|f| &*f.error).collect();
        // What is not supported is no failure; everything else is one, and the other fields are there.
        assert_eq!(errors.len(), usize::from(code != 3), "{code}: {errors:?}");
        assert_eq!((gpu.changing.temperature_c, gpu.changing.clock_sm_mhz), (None, Some(1695)), "{code}");
    }
    let count = read("[calls]\nnvmlDeviceGetCount_v2 = 999\n", "count-code");
    assert_eq!(count.error.map(|e| (e.field, e.error)), Some(("devices".to_owned(), "unknown".to_owned())));
    assert_eq!(count.driver.as_deref(), Some("535.104.05"), "what was read stays");
}

/// A GPU that fell off the bus stands at its place, the others are read.
#[test]
fn a_lost_gpu() {
    let lost = "[[device]]\n[device.calls]\nnvmlDeviceGetHandleByIndex_v2 = 15\n";
    let later = "[[device]]\n[device.calls]\nnvmlDeviceGetMemoryInfo_v2 = 15\n";
    let report = read(&format!("{FULL}{lost}{later}{FULL}"), "lost");
    let found: Vec<(bool, bool)> = report.devices.iter().map(|d| (d.lost(), d.name.is_some())).collect();
    assert_eq!(found, [(false, true), (true, false), (true, true), (false, true)]);
    assert_eq!(
        failures(&report),
        ["device gpu-lost", "memory_total_mib gpu-lost"],
        "it is asked nothing more"
    );
}

/// Of an older library the older functions are asked; where there is none, one field is absent.
#[test]
fn functions_that_are_not_there() {
    let place = Place::new("older-library");
    let copy = place.0.join(format!("older{}", std::env::consts::DLL_SUFFIX));
    let without = [
        "nvmlDeviceGetMemoryInfo_v2",
        "nvmlSystemGetCudaDriverVersion_v2",
        "nvmlDeviceGetDriverModel_v2",
        "nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetMigMode",
        "nvmlDeviceGetTemperature",
    ];
    fake_nvml::older(&copy, &without).expect("it can be written");
    let report = readings(FULL, "older", Some(&copy), &[]).pop().expect("there is one");
    assert_eq!(report.cuda.as_deref(), Some("12.2"));
    let gpu = &report.devices[0];
    assert_eq!(gpu.memory_total_mib, Some(24576));
    assert_eq!(gpu.memory_used_mib, Some(1024 + 300), "the older function counts what the driver reserves");
    assert_eq!(gpu.driver_model_pending.as_deref(), Some("TCC"), "it has no number for MCDM");
    assert!(gpu.changing.clock_reasons.is_some());
    assert_eq!(failures(&report), ["mig function-not-found", "temperature_c function-not-found"]);
    assert_eq!(gpu.changing.power_mw, Some(215_500), "the rest is read");

    fake_nvml::older(&copy, &["nvmlInit_v2"]).expect("it can be written");
    let report = readings(FULL, "no-init", Some(&copy), &[]).pop().expect("there is one");
    let error = report.error.expect("it cannot start");
    assert_eq!((&*error.field, &*error.error), ("init", "function-not-found"));
}

/// An entry that is there and says that it is not.
#[test]
fn functions_that_say_they_are_not_there() {
    let report = read(&format!("{FULL}[device.calls]\nnvmlDeviceGetComputeMode = 13\n"), "stub");
    assert_eq!(failures(&report), ["compute_mode function-not-found"]);
}

#[test]
fn garbage_is_data() {
    let bytes = vec!["255"; 400].join(", ");
    let unended = vec!["65"; 400].join(", ");
    let report = read(
        &format!(
            r#"
driver = [{bytes}]
nvml = ""
cuda = -5
count = 4000000000
[[device]]
name = [{bytes}]
uuid = [{unended}]
pci = [{bytes}]
pci-device-id = 0
memory-mib = 0
compute-capability = [-1, 2147483647]
driver-model = [7, 0]
mig = [2, 0]
compute-mode = 99
persistence = 5
ecc = [4294967295, 0]
temperature = [4294967295]
power-mw = [4294967295]
utilisation = [4294967295, 0]
[[device]]
memory-mib = 17592186044415
mig = [1, 1]
most-instances = 4294967295
clock-sm = 4294967295
reasons = [0]
"#
        ),
        "garbage",
    );
    assert_eq!(report.device_count, Some(4_000_000_000));
    assert_eq!(report.devices.len(), 1024);
    let gpu = &report.devices[0];
    assert_eq!(gpu.memory_total_mib, Some(0));
    assert_eq!(gpu.uuid.as_ref().map(String::len), Some(255), "text without an end ends with the buffer");
    let wanted = [
        "driver not-utf8",
        "nvml no-value",
        "cuda no-value",
        "devices unexpected-value-4000000000",
        "name not-utf8",
        "pci_bus_id not-utf8",
        "compute_capability no-value",
        "driver_model unexpected-value-7",
        "mig unexpected-value-2",
        "compute_mode unexpected-value-99",
        "persistence unexpected-value-5",
        "ecc unexpected-value-4294967295",
        "temperature_c no-value",
        "power_mw no-value",
        "utilisation_gpu no-value",
        "mig_instances unexpected-value-4294967295",
        "clock_sm_mhz no-value",
        "device invalid-argument",
    ];
    assert_eq!(failures(&report)[..wanted.len()], wanted);
}

/// Versions that nobody has seen yet are said as they are.
#[test]
fn versions_from_the_future() {
    let report = read(
        "driver = \"1234.5-next\"\nnvml = \"21.9.zeta\"\ncuda = 99130\n[[device]]\ncompute-capability = [42, 7]\n",
        "future",
    );
    assert_eq!(report.driver.as_deref(), Some("1234.5-next"));
    assert_eq!(report.nvml.as_deref(), Some("21.9.zeta"));
    assert_eq!(report.cuda.as_deref(), Some("99.13"));
    assert_eq!(report.devices[0].compute_capability.as_deref(), Some("42.7"));
}

/// A call that does not come back is named, what was read before it stays, and nothing waits for it.
#[test]
fn a_call_that_hangs() {
    let library = fake_nvml::library().expect("it is built");
    let short = [("TEST_DEADLINE", "300"), ("TEST_READINGS", "2")];
    let hangs = |call: &str, world: &str| {
        let start = Instant::now();
        let reports = readings(world, "hang", Some(&library), &short);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert_eq!(reports.len(), 2);
        for report in &reports {
            let hung = report.hung.as_ref().expect("it hung");
            assert_eq!((&*hung.call, hung.deadline_ms), (call, 300));
        }
        reports.into_iter().next().expect("there is one")
    };
    let start = hangs("nvmlInit_v2", "[calls]\nnvmlInit_v2 = \"hang\"\n");
    assert!(start.silent() && start.library.is_some());
    let version = hangs("nvmlSystemGetDriverVersion", "[calls]\nnvmlSystemGetDriverVersion = \"hang\"\n");
    assert!(version.silent());
    let world = format!("{FULL}{FULL}[device.calls]\nnvmlDeviceGetTemperature = \"hang\"\n");
    let report = hangs("nvmlDeviceGetTemperature", &world);
    assert_eq!(report.hung.and_then(|h| h.device), Some(1));
    assert_eq!(report.devices[0].changing.temperature_c, Some(61));
    assert_eq!(report.devices[1].name.as_deref(), Some("NVIDIA GeForce RTX 3090"));
    assert_eq!(report.devices[1].changing.temperature_c, None);
}

#[test]
fn several_readings_of_one_library() {
    let library = fake_nvml::library().expect("it is built");
    let world = "[[device]]\ntemperature = [40, 70]\nlost-after = 3\n";
    let reports = readings(world, "several", Some(&library), &[("TEST_READINGS", "4"), ("TEST_EXTENT", "1")]);
    let seen: Vec<_> =
        reports.iter().map(|r| (r.devices[0].changing.temperature_c, r.devices[0].lost())).collect();
    assert_eq!(seen, [(Some(40), false), (Some(70), false), (Some(70), false), (None, true)]);
    assert_eq!(reports[2].devices[0].compute_capability, None, "what does not change is not asked");
}

/// What a device is costs no measurement.
#[test]
fn identity_asks_for_no_measurement() {
    let library = fake_nvml::library().expect("it is built");
    let report =
        readings(FULL, "identity", Some(&library), &[("TEST_EXTENT", "0")]).pop().expect("there is one");
    let limit = nvml_report::Changing { power_limit_mw: Some(350_000), ..nvml_report::Changing::default() };
    assert_eq!(report.devices[0].changing, limit);
    assert_eq!(report.devices[0].ecc_uncorrected_aggregate, None);
    assert_eq!(report.devices[0].ecc, Some(true));
}

#[test]
fn no_library() {
    let place = Place::new("no-library");
    let gone = place.0.join("gone.so");
    let report = readings("", "gone", Some(&gone), &[]).pop().expect("there is one");
    assert_eq!(report.tried.len(), 1);
    assert_eq!(report.tried[0].error.as_deref(), Some("library-not-found"));
    assert_eq!(report.error.map(|e| e.error).as_deref(), Some("library-not-found"));
    assert_eq!(report.library, None);

    let broken = place.0.join("broken.so");
    std::fs::write(&broken, "this is no library").expect("there is room");
    let report = readings("", "broken", Some(&broken), &[]).pop().expect("there is one");
    assert_eq!(report.error.map(|e| e.error).as_deref(), Some("library-not-loadable"));
    assert!(report.tried[0].says.as_ref().is_some_and(|says| !says.is_empty()));
}

/// Under its own name the loader finds it, and an empty file of that name is told from none.
#[cfg(target_os = "linux")]
#[test]
fn the_usual_names() {
    let place = Place::new("usual");
    let named = place.0.join("libnvidia-ml.so.1");
    std::fs::copy(fake_nvml::library().expect("it is built"), &named).expect("there is room");
    let path = place.0.to_str().expect("it is text").to_owned();
    let report =
        readings("[[device]]\n", "named", None, &[("LD_LIBRARY_PATH", &path)]).pop().expect("there is one");
    assert_eq!(report.library.as_deref(), Some("libnvidia-ml.so.1"));
    assert_eq!((report.tried.len(), report.devices.len()), (1, 1));
}

#[test]
fn a_report_travels() {
    let mut report = read(FULL, "travels");
    let text = serde_json::to_string(&report).expect("it is plain");
    assert_eq!(serde_json::from_str::<NvmlReport>(&text).expect("it is a report"), report);
    // A later version may say more, an earlier one said less.
    let less: NvmlReport =
        serde_json::from_str(r#"{"driver":"1","new":2,"devices":[{"index":3,"x":[]}]}"#).expect("read");
    report = less;
    assert_eq!(report.devices[0].index, 3);
}

#[test]
fn there_are_places() {
    let places: Vec<OsString> = nvml_report::places();
    assert!(!places.is_empty());
}
