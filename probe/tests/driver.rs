//! GPUs and drivers of captured machines.

#![allow(missing_docs)]

use probe::machine::{Capture, Machine, Recorder, Replay};
use probe::{Failure, Probe, Wanted, observe};

fn replay(text: &str) -> Replay {
    Replay::new(Capture::parse(text).expect("is a capture"))
}

fn seen(text: &str) -> Probe {
    let machine = replay(text);
    let recorder = Recorder::new(&machine);
    let seen = observe(&recorder, &Wanted::default());
    // A capture of it is the same machine once more.
    let again = recorder.capture().to_text().expect("a capture can be written");
    assert_eq!(observe(&replay(&again), &Wanted::default()), seen, "{again}");
    seen
}

/// `value (method) @ place` of what has one of these names, in order.
fn values(probe: &Probe, what: &str) -> Vec<String> {
    let of = probe.observations.iter().filter(|o| o.what == what);
    of.map(|o| match &o.place {
        Some(place) => format!("{} ({}) @ {place}", o.value, o.method),
        None => format!("{} ({})", o.value, o.method),
    })
    .collect()
}

fn failures(probe: &Probe) -> Vec<String> {
    let shown = |f: &Failure| {
        format!("{} ({}) @ {}: {}", f.what, f.method, f.place.as_deref().unwrap_or("-"), f.says)
    };
    probe.failures.iter().map(shown).collect()
}

const LINUX: &str = r#"
schema = 1
family = "linux"
arch = "x86_64"
loader-cache = [["libcuda.so.1", "/lib/x86_64-linux-gnu/libcuda.so.1"], ["libnvidia-ml.so.1", "/lib/x86_64-linux-gnu/libnvidia-ml.so.1"]]
[variables]
PATH = "/usr/local/bin:/usr/bin:/bin"
LD_LIBRARY_PATH = "/usr/local/cuda/lib64/stubs:/usr/local/cuda/compat"
[[path]]
at = "/lib"
link = "/usr/lib"
[[path]]
at = "/bin"
link = "/usr/bin"
[[path]]
at = "/usr/bin/nvidia-smi"
bytes = 900
[[path]]
at = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
link = "libcuda.so.550.54.14"
[[path]]
at = "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14"
bytes = 28000000
[[path]]
at = "/usr/lib/x86_64-linux-gnu/libcuda.so.535.104.05"
bytes = 28000000
[[path]]
at = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1"
link = "libnvidia-ml.so.550.54.14"
[[path]]
at = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.54.14"
bytes = 2000000
[[path]]
at = "/usr/local/cuda/lib64/stubs/libcuda.so.1"
bytes = 60000
[[path]]
at = "/usr/local/cuda/compat/libcuda.so.1"
link = "libcuda.so.570.86.10"
[[path]]
at = "/usr/local/cuda/compat/libcuda.so.570.86.10"
bytes = 60000
[[path]]
at = "/proc/driver/nvidia/version"
text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.14  Release Build  (user@host)  Thu Feb 22 01:44:30 UTC 2024\nGCC version:  gcc version 12.3.0\n"
[[path]]
at = "/proc/driver/nvidia/gpus/0000:01:00.0/information"
text = "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ:   \t\t 155\nBus Location: \t 0000:01:00.0\n"
[[path]]
at = "/proc/driver/nvidia/gpus/0000:02:00.0/information"
text = "Model: \t\t Unknown\n"
[[path]]
at = "/sys/module/nvidia/version"
text = "550.54.14\n"
[[path]]
at = "/sys/module/nvidia_uvm"
kind = "directory"
[[path]]
at = "/dev/nvidia0"
kind = "other"
[[path]]
at = "/dev/nvidiactl"
kind = "other"
[[path]]
at = "/dev/nvidia-caps"
kind = "directory"
[[path]]
at = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
base64 = "BgAAAAE="
[[path]]
at = "/usr/lib/systemd/system/nvidia-persistenced.service"
bytes = 300
[[path]]
at = "/sys/fs/cgroup/system.slice/nvidia-persistenced.service"
kind = "directory"
[[path]]
at = "/usr/lib/systemd/system/nvidia-fabricmanager.service"
bytes = 300
[[path]]
at = "/etc/docker/daemon.json"
text = '{"default-runtime": "nvidia", "runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}}'
[[path]]
at = "/var/lib/dkms/nvidia/kernel-6.8.0-45-generic-x86_64"
link = "550.54.14/6.8.0-45-generic/x86_64"
[[path]]
at = "/var/lib/dkms/nvidia/550.54.14/6.8.0-45-generic/x86_64"
kind = "directory"
[[path]]
at = "/var/lib/dkms/nvidia/535.104.05/source"
kind = "directory"
[[pci]]
at = "0000:00:02.0"
id = "8086:a780"
class = "030000"
driver = "i915"
[[pci]]
at = "0000:01:00.0"
id = "10de:2684"
class = "030000"
driver = "nvidia"
[[pci]]
at = "0000:05:00.0"
id = "1a03:2000"
class = "030000"
[[dpkg]]
name = "nvidia-driver-550"
version = "550.54.14-0ubuntu1"
state = "installed"
[[dpkg]]
name = "nvidia-driver-535"
version = "535.104.05-0ubuntu1"
state = "config-files"
[[dpkg]]
name = "cuda-drivers-550"
version = "550.54.14-1"
state = "installed"
"#;

#[test]
fn a_linux_machine_without_an_answer_of_the_library() {
    let smi = r#"
[[program]]
run = ["/usr/bin/nvidia-smi", "--query-gpu=index,name,driver_version,memory.total,pci.bus_id,compute_cap,mig.mode.current", "--format=csv,noheader,nounits"]
code = 2
stdout = "Field \"compute_cap\" is not a valid field to query.\n"
[[program]]
run = ["/usr/bin/nvidia-smi", "--query-gpu=index,name,driver_version,memory.total,pci.bus_id", "--format=csv,noheader,nounits"]
code = 0
stdout = "0, NVIDIA GeForce RTX 4090, 550.54.14, 24564, 00000000:01:00.0\nUnable to determine the device handle for GPU 0000:02:00.0: Unknown Error\n1, [Unknown Error], 550.54.14, [N/A], 00000000:02:00.0\n"
"#;
    let seen = seen(&format!("{LINUX}{smi}"));
    assert_eq!(
        values(&seen, "gpu"),
        [
            "NVIDIA GeForce RTX 4090 (file) @ 0000:01:00.0",
            "NVIDIA GeForce RTX 4090 (nvidia-smi) @ 0000:01:00.0"
        ]
    );
    assert_eq!(
        values(&seen, "driver"),
        [
            "550.54.14 (file) @ /proc/driver/nvidia/version",
            "550.54.14 (file) @ /sys/module/nvidia/version",
            "550.54.14 (nvidia-smi)"
        ]
    );
    assert_eq!(values(&seen, "kernel-module-flavour"), ["open (file) @ /proc/driver/nvidia/version"]);
    assert_eq!(values(&seen, "memory-mib"), ["24564 (nvidia-smi) @ 0000:01:00.0"]);
    assert_eq!(
        values(&seen, "driver-library"),
        [
            "550.54.14 (file-name) @ /lib/x86_64-linux-gnu/libcuda.so.1",
            "535.104.05 (file-name) @ /usr/lib/x86_64-linux-gnu/libcuda.so.535.104.05"
        ]
    );
    assert_eq!(
        values(&seen, "nvml-version"),
        ["550.54.14 (file-name) @ /lib/x86_64-linux-gnu/libnvidia-ml.so.1"]
    );
    assert_eq!(values(&seen, "library-found"), ["/usr/local/cuda/compat/libcuda.so.1 (file-name)"]);
    assert_eq!(values(&seen, "pci-id"), ["8086:a780 (pci) @ 0000:00:02.0", "10de:2684 (pci) @ 0000:01:00.0"]);
    assert_eq!(
        values(&seen, "kernel-module"),
        [
            "nvidia (file) @ /sys/module/nvidia",
            "nvidia_uvm (file) @ /sys/module/nvidia_uvm",
            "nvidia (pci) @ 0000:01:00.0",
            "nvidia/550.54.14, 6.8.0-45-generic, x86_64: installed (file) @ /var/lib/dkms/nvidia",
            "nvidia/535.104.05: added (file) @ /var/lib/dkms/nvidia"
        ]
    );
    assert_eq!(values(&seen, "device-node"), ["/dev/nvidia0 (file)", "/dev/nvidiactl (file)"]);
    assert_eq!(
        values(&seen, "driver-package"),
        [
            "cuda-drivers-550 550.54.14-1 (dpkg)",
            "nvidia-driver-535 535.104.05-0ubuntu1 config-files (dpkg)",
            "nvidia-driver-550 550.54.14-0ubuntu1 (dpkg)"
        ]
    );
    assert_eq!(
        values(&seen, "service"),
        [
            "nvidia-fabricmanager inactive (file) @ /usr/lib/systemd/system/nvidia-fabricmanager.service",
            "nvidia-persistenced active (file) @ /sys/fs/cgroup/system.slice/nvidia-persistenced.service"
        ]
    );
    assert_eq!(values(&seen, "container-runtimes"), ["nvidia (file) @ /etc/docker/daemon.json"]);
    assert_eq!(values(&seen, "program-found"), ["/usr/bin/nvidia-smi (file)"]);
    assert_eq!(values(&seen, "secure-boot").len(), 1);
    assert_eq!(
        failures(&seen),
        [
            "gpu (file) @ /proc/driver/nvidia/gpus/0000:02:00.0/information: the driver does not know its name",
            "gpu (nvidia-smi) @ 0000:02:00.0: name: Unknown Error",
            "gpu (nvidia-smi) @ /usr/bin/nvidia-smi: Unable to determine the device handle for GPU 0000:02:00.0: Unknown Error"
        ]
    );
}

#[test]
fn the_management_library_comes_first_and_the_tool_is_not_run() {
    let nvml = r#"
[nvml]
library = "libnvidia-ml.so.1"
driver = "550.54.14"
nvml = "12.550.54.14"
cuda = "12.4"
device_count = 2
[[nvml.devices]]
index = 0
name = "NVIDIA A100-SXM4-40GB"
pci_bus_id = "00000000:41:00.0"
pci_device_id = 0x20B010DE
memory_total_mib = 40960
compute_capability = "8.0"
mig = true
compute_mode = "default"
persistence = false
ecc = true
power_limit_mw = 400500
[[nvml.devices.mig_instances]]
index = 0
name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
profile = "1g.5gb"
[[nvml.devices]]
index = 1
[[nvml.devices.failures]]
field = "device"
call = "nvmlDeviceGetHandleByIndex_v2"
error = "gpu-lost"
"#;
    let seen = seen(&format!("{LINUX}{nvml}"));
    assert_eq!(values(&seen, "driver")[0], "550.54.14 (nvml) @ libnvidia-ml.so.1");
    assert_eq!(values(&seen, "nvml-version")[0], "550.54.14 (nvml) @ libnvidia-ml.so.1");
    assert_eq!(values(&seen, "cuda-driver-level"), ["12.4 (nvml) @ libnvidia-ml.so.1"]);
    assert_eq!(values(&seen, "gpu-count")[0], "2 (nvml) @ libnvidia-ml.so.1");
    let of_gpu = |what: &str| values(&seen, what).remove(0);
    assert_eq!(of_gpu("gpu"), "NVIDIA A100-SXM4-40GB (nvml) @ 0000:41:00.0");
    assert_eq!(of_gpu("pci-id"), "10de:20b0 (nvml) @ 0000:41:00.0");
    assert_eq!(of_gpu("power-limit"), "400.5 (nvml) @ 0000:41:00.0");
    assert_eq!(of_gpu("persistence"), "Disabled (nvml) @ 0000:41:00.0");
    assert_eq!(of_gpu("ecc"), "Enabled (nvml) @ 0000:41:00.0");
    assert_eq!(values(&seen, "mig"), ["Enabled (nvml) @ 0000:41:00.0", "1g.5gb (nvml) @ 0000:41:00.0"]);
    assert_eq!(values(&seen, "error"), ["gpu-lost (nvml) @ index 1"]);
    assert!(
        failures(&seen).contains(&"gpu (nvml) @ index 1: nvmlDeviceGetHandleByIndex_v2: gpu-lost".to_owned())
    );
    assert!(!failures(&seen).iter().any(|f| f.contains("nvidia-smi")), "{:?}", failures(&seen));
}

#[test]
fn a_library_that_does_not_fit_to_the_module_is_named() {
    let nvml = r#"
[nvml]
library = "libnvidia-ml.so.1"
nvml = "12.535.104.05"
error = { field = "init", call = "nvmlInit_v2", error = "lib-rm-version-mismatch" }
[[program]]
run = ["/usr/bin/nvidia-smi", "--query-gpu=index,name,driver_version,memory.total,pci.bus_id,compute_cap,mig.mode.current", "--format=csv,noheader,nounits"]
code = 18
stdout = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.104\n"
"#;
    let seen = seen(&format!("{LINUX}{nvml}"));
    assert_eq!(values(&seen, "error"), ["nvml-driver-library-mismatch (nvml) @ libnvidia-ml.so.1"]);
    assert_eq!(values(&seen, "nvml-version")[0], "535.104.05 (nvml) @ libnvidia-ml.so.1");
    let failures = failures(&seen);
    assert!(
        failures.contains(&"gpu (nvml) @ libnvidia-ml.so.1: nvmlInit_v2: lib-rm-version-mismatch".into())
    );
    let smi = "gpu (nvidia-smi) @ /usr/bin/nvidia-smi: Failed to initialize NVML: Driver/library version mismatch NVML library version: 535.104";
    assert!(failures.iter().any(|f| f == smi), "{failures:?}");
}

#[test]
fn where_the_library_hangs_the_tool_is_not_run() {
    let nvml = r#"
[nvml]
library = "libnvidia-ml.so.1"
driver = "550.54.14"
hung = { call = "nvmlDeviceGetHandleByIndex_v2", device = 1, deadline_ms = 5000 }
"#;
    let seen = seen(&format!("{LINUX}{nvml}"));
    assert_eq!(values(&seen, "driver")[0], "550.54.14 (nvml) @ libnvidia-ml.so.1");
    let failures = failures(&seen);
    let hangs =
        "gpu (nvml) @ libnvidia-ml.so.1: nvmlDeviceGetHandleByIndex_v2 of device 1: no answer within 5000 ms";
    assert!(failures.iter().any(|f| f == hangs), "{failures:?}");
    assert!(!failures.iter().any(|f| f.contains("nvidia-smi")), "{failures:?}");
}

#[test]
fn a_library_that_cannot_be_loaded_is_told_in_the_words_of_the_loader() {
    let seen = seen(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [nvml]
        error = { field = "library", error = "library-not-loadable" }
        [[nvml.tried]]
        path = "libnvidia-ml.so.1"
        error = "library-not-loadable"
        says = "libnvidia-ml.so.1: file too short"
        [[nvml.tried]]
        path = "/usr/lib/wsl/lib/libnvidia-ml.so.1"
        error = "library-not-found"
        "#,
    );
    assert_eq!(failures(&seen), ["gpu (nvml) @ libnvidia-ml.so.1: libnvidia-ml.so.1: file too short"]);
}

#[test]
fn nothing_is_a_normal_result() {
    let seen = seen("schema = 1\nfamily = \"linux\"\narch = \"x86_64\"\n");
    assert_eq!(failures(&seen), [""; 0]);
    assert_eq!([values(&seen, "gpu"), values(&seen, "driver"), values(&seen, "error")], [[""; 0]; 3]);
}

#[test]
fn a_gpu_without_its_module_and_modules_on_the_disk() {
    let seen = seen(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [[pci]]
        at = "0000:01:00.0"
        id = "10de:2204"
        class = "030000"
        driver = "nouveau"
        [[path]]
        at = "/sys/module/nouveau"
        kind = "directory"
        [[path]]
        at = "/lib/modules/6.8.0-45-generic/updates/dkms/nvidia.ko.zst"
        bytes = 10
        [[path]]
        at = "/lib/modules/6.5.0-18-generic/kernel/nvidia-535/nvidia.ko"
        bytes = 10
        [[path]]
        at = "/proc/driver/nvidia/version"
        refused = "denied"
        "#,
    );
    assert_eq!(
        values(&seen, "kernel-module"),
        [
            "nouveau (file) @ /sys/module/nouveau",
            "nouveau (pci) @ 0000:01:00.0",
            "/lib/modules/6.5.0-18-generic/kernel/nvidia-535/nvidia.ko (file)",
            "/lib/modules/6.8.0-45-generic/updates/dkms/nvidia.ko.zst (file)"
        ]
    );
    assert_eq!(failures(&seen), ["driver (file) @ /proc/driver/nvidia/version: permission denied"]);
}

#[test]
fn wsl_has_the_library_and_the_package_of_windows() {
    let seen = seen(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [[path]]
        at = "/dev/dxg"
        kind = "other"
        [[path]]
        at = "/usr/lib/wsl/lib/libcuda.so.1"
        bytes = 160000
        [[path]]
        at = "/usr/lib/wsl/drivers/nv_dispi.inf_amd64_0123456789abcdef/nv_dispi.inf"
        text = "[Version]\nSignature = \"$Windows NT$\"\nClassGUID = {4D36E968-E325-11CE-BFC1-08002BE10318}\nDriverVer = 10/14/2025, 32.0.15.8180 ; made\n"
        [[path]]
        at = "/usr/lib/wsl/drivers/nvhda.inf_amd64_0123456789abcdef/nvhda.inf"
        text = "[Version]\nClassGUID = {4d36e96c-e325-11ce-bfc1-08002be10318}\nDriverVer = 10/14/2025, 1.4.5.0\n"
        [[path]]
        at = "/usr/lib/wsl/lib/nvidia-smi"
        bytes = 100
        [[program]]
        run = ["/usr/lib/wsl/lib/nvidia-smi", "--query-gpu=index,name,driver_version,memory.total,pci.bus_id,compute_cap,mig.mode.current", "--format=csv,noheader,nounits"]
        refused = "timed-out"
        "#,
    );
    assert_eq!(values(&seen, "library-found"), ["/usr/lib/wsl/lib/libcuda.so.1 (file-name)"]);
    assert_eq!(values(&seen, "device-node"), ["/dev/dxg (file)"]);
    assert_eq!(
        values(&seen, "driver-package"),
        [
            "nv_dispi.inf_amd64_0123456789abcdef 581.80 (file) @ /usr/lib/wsl/drivers/nv_dispi.inf_amd64_0123456789abcdef"
        ]
    );
    assert_eq!(failures(&seen), ["gpu (nvidia-smi) @ /usr/lib/wsl/lib/nvidia-smi: no answer in time"]);
}

#[test]
fn an_old_container_and_an_empty_library() {
    let seen = seen(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [[path]]
        at = "/sys/fs/cgroup/devices/devices.list"
        text = "c 1:5 rwm\nc 195:* rw\n"
        [[path]]
        at = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
        text = ""
        [[path]]
        at = "/etc/docker/daemon.json"
        text = "{"
        "#,
    );
    assert_eq!(values(&seen, "cgroup-device").len(), 2);
    let failures = failures(&seen);
    assert_eq!(
        failures[0],
        "driver-library (file-name) @ /usr/lib/x86_64-linux-gnu/libcuda.so.1: the file is empty"
    );
    assert!(
        failures[1].starts_with("container-runtimes (file) @ /etc/docker/daemon.json: EOF"),
        "{failures:?}"
    );
}

#[test]
fn jetson_is_named_by_its_firmware() {
    let seen = seen(
        r#"
        schema = 1
        family = "linux"
        arch = "aarch64"
        [[path]]
        at = "/proc/device-tree/model"
        text = "NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super\u0000"
        [[path]]
        at = "/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1"
        link = "libcuda.so.1.1"
        [[path]]
        at = "/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1.1"
        bytes = 30
        [[path]]
        at = "/proc/driver/nvidia/version"
        text = "NVRM version: (null)\n"
        [[path]]
        at = "/sys/module/nvgpu"
        kind = "directory"
        "#,
    );
    assert_eq!(values(&seen, "gpu"), ["NVIDIA Jetson Orin Nano (device-tree) @ /proc/device-tree/model"]);
    assert_eq!(
        [values(&seen, "driver"), values(&seen, "kernel-module-flavour"), failures(&seen)],
        [[""; 0]; 3]
    );
    assert_eq!(values(&seen, "library-found"), ["/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1 (file-name)"]);
}

const WINDOWS: &str = r#"
schema = 1
family = "windows"
arch = "x86_64"
[variables]
SystemRoot = 'C:\WINDOWS'
Path = 'C:\WINDOWS\system32'
[[path]]
at = 'C:\Windows\System32\nvcuda.dll'
library = { machine = "x86_64", version = "32.0.15.8180" }
[[path]]
at = 'C:\Windows\System32\nvml.dll'
library = { machine = "x86_64", version = "8.17.15.8180" }
[[path]]
at = 'C:\Windows\System32\nvidia-smi.exe'
bytes = 900
[[path]]
at = 'C:\Windows\System32\vcruntime140.dll'
library = { machine = "x86_64", version = "14.38.33135.0" }
[[path]]
at = 'C:\Windows\System32\DriverStore\FileRepository\nv_dispi.inf_amd64_aaaa\nv_dispi.inf'
base64 = "INF_NEW"
[[path]]
at = 'C:\Windows\System32\DriverStore\FileRepository\nv_dispi.inf_amd64_bbbb\nv_dispi.inf'
text = "[Version]\r\nClassGUID={4D36E968-E325-11CE-BFC1-08002BE10318}\r\nDriverVer=02/08/2022, 30.0.15.1179\r\n"
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0000'
values = { DriverDesc = "NVIDIA GeForce GTX 1080", DriverVersion = "30.0.15.1179", ProviderName = "NVIDIA", MatchingDeviceId = 'pci\ven_10de&dev_1b80' }
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0001'
values = { DriverDesc = "NVIDIA GeForce RTX 4090", DriverVersion = "32.0.15.8180", ProviderName = "NVIDIA", MatchingDeviceId = 'pci\ven_10de&dev_2684&subsys_88e21043', "HardwareInformation.qwMemorySize" = "25757220864" }
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0002'
values = { DriverDesc = "Intel(R) UHD Graphics 770", DriverVersion = "31.0.101.4502", ProviderName = "Intel Corporation", MatchingDeviceId = 'PCI\VEN_8086&DEV_4680' }
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\Properties'
refused = "denied"
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Control\SecureBoot\State'
values = { UEFISecureBootEnabled = "1" }
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Services\NVDisplay.ContainerLocalSystem'
values = { Start = "2" }
[[registry]]
key = 'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\{B2FE1952-0186-46C3-BAEC-A80AA35AC5B8}_Display.Driver'
values = { DisplayName = "NVIDIA Graphics Driver 581.80", DisplayVersion = "581.80" }
[[registry]]
key = 'HKLM\SOFTWARE\WOW6432Node\Microsoft\VisualStudio\14.0\VC\Runtimes\X64'
values = { Installed = "1", Version = "v14.38.33135.00" }
[[registry]]
key = 'HKLM\SOFTWARE\Microsoft\Windows Defender\Exclusions\Paths'
refused = "denied"
[[registry]]
key = 'HKLM\SOFTWARE\Policies\Microsoft\Windows Defender\Exclusions\Paths'
values = { 'C:\work' = "0" }
"#;

/// With a driver store as Windows writes it: UTF-16.
fn windows(more: &str) -> Probe {
    let inf = "\u{feff}; made by hand\r\n[Version]\r\nClass = Display\r\nClassGUID = {4D36E968-E325-11CE-BFC1-08002BE10318}\r\nDriverVer   = 10/14/2025, 32.0.15.8180\r\n";
    let bytes: Vec<u8> = inf.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let text = WINDOWS.replace("INF_NEW", &data_encoding::BASE64.encode(&bytes));
    seen(&format!("{text}{more}"))
}

const SERVED: &str = r#"
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Services\nvlddmkm\Enum'
values = { 0 = 'PCI\VEN_10DE&DEV_2684&SUBSYS_88E21043&REV_A1\4&2283F625&0&0008', Count = "1", NextInstance = "1" }
[[registry]]
key = 'HKLM\SYSTEM\CurrentControlSet\Enum\PCI\VEN_10DE&DEV_2684&SUBSYS_88E21043&REV_A1\4&2283f625&0&0008'
values = { Driver = '{4d36e968-e325-11ce-bfc1-08002be10318}\0001', LocationInformation = '@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(1,0,0)' }
"#;

#[test]
fn windows_by_its_registry_and_driver_store() {
    let smi = r#"
[[program]]
run = ['C:\WINDOWS\system32\nvidia-smi.exe', "--query-gpu=index,name,driver_version,memory.total,pci.bus_id,compute_cap,mig.mode.current", "--format=csv,noheader,nounits"]
code = 0
stdout = "0, NVIDIA GeForce RTX 4090, 581.80, 24564, 00000000:01:00.0, 8.9, [N/A]\r\n"
"#;
    let seen = windows(&format!("{SERVED}{smi}"));
    let class = r"HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}";
    assert_eq!(
        values(&seen, "gpu"),
        [
            "NVIDIA GeForce RTX 4090 (registry) @ 0000:01:00.0",
            "NVIDIA GeForce RTX 4090 (nvidia-smi) @ 0000:01:00.0"
        ]
    );
    assert_eq!(
        values(&seen, "driver"),
        [format!(r"581.80 (registry) @ {class}\0001"), "581.80 (nvidia-smi)".into()]
    );
    assert_eq!(
        values(&seen, "pci-id"),
        ["10de:2684 (registry) @ 0000:01:00.0".to_owned(), format!(r"8086:4680 (registry) @ {class}\0002")]
    );
    assert_eq!(values(&seen, "compute-capability"), ["8.9 (nvidia-smi) @ 0000:01:00.0"]);
    assert_eq!(values(&seen, "mig"), [""; 0]);
    assert_eq!(
        values(&seen, "driver-library"),
        [r"581.80 (version-resource) @ C:\WINDOWS\System32\nvcuda.dll"]
    );
    assert_eq!(values(&seen, "nvml-version"), [r"581.80 (version-resource) @ C:\WINDOWS\System32\nvml.dll"]);
    let raw = seen.observations.iter().find(|o| o.what == "driver-library").and_then(|o| o.raw.as_deref());
    assert_eq!(raw, Some("32.0.15.8180"));
    let store = r"C:\WINDOWS\System32\DriverStore\FileRepository";
    assert_eq!(
        values(&seen, "driver-package")[1..],
        [
            format!(r"nv_dispi.inf_amd64_aaaa 581.80 (file) @ {store}\nv_dispi.inf_amd64_aaaa"),
            format!(r"nv_dispi.inf_amd64_bbbb 511.79 (file) @ {store}\nv_dispi.inf_amd64_bbbb"),
        ]
    );
    assert!(values(&seen, "driver-package")[0].starts_with("NVIDIA Graphics Driver 581.80 (registry)"));
    assert!(values(&seen, "secure-boot")[0].starts_with("enabled (registry)"));
    assert!(values(&seen, "service")[0].starts_with("NVDisplay.ContainerLocalSystem automatic (registry)"));
    assert!(values(&seen, "vc-runtime").iter().all(|v| v.starts_with("14.38.33135 (")));
    assert_eq!(values(&seen, "vc-runtime").len(), 2);
    assert!(values(&seen, "defender-exclusion")[0].starts_with(r"C:\work"));
    assert_eq!(
        failures(&seen),
        [
            r"defender-exclusion (registry) @ HKLM\SOFTWARE\Microsoft\Windows Defender\Exclusions\Paths: permission denied"
        ]
    );
}

#[test]
fn where_windows_does_not_say_which_adapters_are_there_all_count() {
    let seen = windows("");
    let names: Vec<String> = values(&seen, "gpu");
    assert!(
        names[0].starts_with("NVIDIA GeForce GTX 1080") && names[1].starts_with("NVIDIA GeForce RTX 4090")
    );
}

#[test]
fn a_gpu_that_windows_drives_itself_is_on_the_bus() {
    let seen = seen(
        r#"
        schema = 1
        family = "windows"
        arch = "x86_64"
        [[registry]]
        key = 'HKLM\SYSTEM\CurrentControlSet\Enum\PCI\VEN_10DE&DEV_2684&SUBSYS_88E21043&REV_A1\4&1'
        values = { Service = "BasicDisplay", ClassGUID = "{4d36e968-e325-11ce-bfc1-08002be10318}" }
        [[registry]]
        key = 'HKLM\SYSTEM\CurrentControlSet\Enum\PCI\VEN_10DE&DEV_22BA&SUBSYS_88E21043&REV_A1\4&2'
        values = { Service = "HDAudBus", ClassGUID = "{4d36e97d-e325-11ce-bfc1-08002be10318}" }
        [[registry]]
        key = 'HKLM\SYSTEM\CurrentControlSet\Enum\PCI\VEN_8086&DEV_22BA\4&2'
        "#,
    );
    let ids = values(&seen, "pci-id");
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert!(ids[0].starts_with("10de:2684 (registry)"));
    assert_eq!(values(&seen, "driver"), [""; 0]);
}

#[test]
fn the_head_of_a_file_and_a_service_see_the_same() {
    let machine =
        replay("schema = 1\nfamily = \"linux\"\narch = \"x\"\n[[path]]\nat = \"/a\"\ntext = \"abcdef\"\n");
    let recorder = Recorder::new(&machine);
    assert_eq!(recorder.head("/a", 3).as_deref(), Ok(&b"abc"[..]));
    assert_eq!(recorder.read("/a").as_deref(), Ok(&b"abcdef"[..]));
    assert_eq!(recorder.head("/a", 2).as_deref(), Ok(&b"ab"[..]));
    assert_eq!(recorder.capture().paths[0].text.as_deref(), Some("abcdef"));
    assert!(probe::machine::Service(&machine).nvml().error.is_some());
}
