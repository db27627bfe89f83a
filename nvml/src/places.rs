//! Where the library is.

use std::ffi::OsString;
#[cfg(windows)]
use std::path::PathBuf;

/// What is given to the loader, in this order, where nobody names a library.
///
/// A name without a directory is looked for by the loader. On Windows only full paths are given: a `nvml.dll` that lies
/// in the current directory is not NVIDIA's.
pub fn places() -> Vec<OsString> {
    #[cfg(windows)]
    {
        let directory = |variable: &str, otherwise: &str| {
            PathBuf::from(std::env::var_os(variable).unwrap_or(otherwise.into()))
        };
        let system = directory("SystemRoot", r"C:\Windows").join(r"System32\nvml.dll");
        // Drivers before R430 have it here.
        let own = directory("ProgramW6432", r"C:\Program Files").join(r"NVIDIA Corporation\NVSMI\nvml.dll");
        vec![system.into(), own.into()]
    }
    #[cfg(not(windows))]
    {
        // In WSL the Windows driver brings the library, into a directory of its own.
        ["libnvidia-ml.so.1", "libnvidia-ml.so", "/usr/lib/wsl/lib/libnvidia-ml.so.1"]
            .map(OsString::from)
            .to_vec()
    }
}
