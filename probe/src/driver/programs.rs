//! Tools of the driver and of NVIDIA's container toolkit.

use crate::Sink;
use crate::machine::{Family, Machine, is_file, variable};
use crate::place;

/// Their names.
const NAMES: [&str; 4] = ["nvidia-smi", "nvidia-container-cli", "nvidia-ctk", "nvidia-container-runtime"];

/// What NVIDIA's own installer leaves, as opposed to packages of the distribution.
const UNINSTALLER: &str = "/usr/bin/nvidia-uninstall";

/// Looks for them.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let linux = sink.machine.family() == Family::Linux;
    for name in NAMES.iter().filter(|n| linux || **n == "nvidia-smi") {
        for path in find(sink.machine, name) {
            sink.see("program-found", path, "file", None);
        }
    }
    if linux && is_file(sink.machine, UNINSTALLER) {
        sink.see("program-found", UNINSTALLER, "file", None);
    }
}

/// Where a program stands: first as a shell finds it, then in the driver's own directories.
pub(super) fn find(machine: &dyn Machine, name: &str) -> Vec<String> {
    let family = machine.family();
    let mut directories = place::entries(family, &variable(machine, "PATH").unwrap_or_default());
    let file = match family {
        Family::Windows => {
            let root = super::windows::root(machine);
            directories.push(place::join(family, &root, "System32"));
            directories.push(r"C:\Program Files\NVIDIA Corporation\NVSMI".to_owned());
            format!("{name}.exe")
        }
        Family::Linux | Family::Macos => {
            directories
                .extend(["/usr/bin", "/usr/lib/wsl/lib", "/run/current-system/sw/bin"].map(str::to_owned));
            name.to_owned()
        }
    };
    let mut seen = std::collections::BTreeSet::new();
    // An entry that is no whole path means another directory for every process.
    directories.retain(|d| place::is_absolute(family, d) && seen.insert(place::key(family, d)));
    let mut out = Vec::new();
    let mut behind = std::collections::BTreeSet::new();
    for directory in directories {
        let path = place::join(family, &directory, &file);
        // `/bin` and `/usr/bin` are mostly one.
        if is_file(machine, &path) && machine.resolved(&path).is_ok_and(|r| behind.insert(r)) {
            out.push(path);
        }
    }
    out
}
