//! NVIDIA's management library of this machine.

use nvml_report::{Extent, Failure, NvmlReport, Options};

/// The variable that names another library than that of the driver.
const LIBRARY: &str = "KB_NVML";

const NOT_FOUND: &str = "library-not-found";

/// One of these is there where a driver is loaded: its own on Linux and on Jetson, that of Windows in WSL2.
const LOADED: [&str; 5] = [
    "/proc/driver/nvidia/version",
    "/sys/module/nvidia",
    "/dev/dxg",
    "/usr/lib/wsl/lib",
    "/etc/nv_tegra_release",
];

/// Asks it what the GPUs are and how they are set, nothing that changes from second to second.
///
/// Without a driver the library would have nothing to say, and started by root it makes device nodes: then it is not asked.
pub(super) fn read() -> NvmlReport {
    let library = std::env::var_os(LIBRARY).filter(|l| !l.is_empty());
    let loaded = || LOADED.iter().any(|path| std::path::Path::new(path).exists());
    if library.is_none() && cfg!(target_os = "linux") && !loaded() {
        return none();
    }
    nvml_report::read(&Options { library, extent: Extent::Identity, ..Options::default() })
}

/// What is said where there is no library.
pub(super) fn none() -> NvmlReport {
    let error = Failure { field: "library".to_owned(), call: None, error: NOT_FOUND.to_owned() };
    NvmlReport { error: Some(error), ..NvmlReport::default() }
}

/// Does a report say that there is no library?
pub(super) fn is_none(report: &NvmlReport) -> bool {
    report.error.as_ref().is_some_and(|e| e.error == NOT_FOUND)
}
