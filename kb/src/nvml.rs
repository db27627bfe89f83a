//! NVIDIA's management library, as the user's machine has it.

use nvml_report::{Extent, Options};

/// The variable that names the library to load.
const VARIABLE: &str = "KB_NVML";

/// How to read: the library that `KB_NVML` names, else those that a driver brings.
pub(crate) fn options(extent: Extent) -> Options {
    let library = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    Options { library, extent, ..Options::default() }
}
