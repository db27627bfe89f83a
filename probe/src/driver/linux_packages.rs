//! Packages of drivers of Linux distributions, from the lists of their package managers.
//!
//! RPM keeps its list in a database, which is not read here.

use crate::Sink;

const PACMAN: &str = "/var/lib/pacman/local";

/// Beginnings of the names of a driver's packages.
const PREFIXES: [&str; 12] = [
    "nvidia-driver",
    "nvidia-open",
    "nvidia-kernel",
    "nvidia-dkms",
    "nvidia-fabricmanager",
    "nvidia-headless",
    "nvidia-firmware",
    "nvidia-compute-utils",
    "nvidia-imex",
    "libnvidia-compute",
    "linux-modules-nvidia",
    "cuda-drivers",
];

/// Names of packages of a driver that have no such beginning, or more than that.
const NAMES: [&str; 6] =
    ["libcuda1", "libnvidia-ml1", "nvidia-smi", "nvidia-l4t-cuda", "nvidia-l4t-core", "nvidia-persistenced"];

/// Looks into the lists.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let listed = sink.machine.dpkg(&is_of_driver);
    for package in sink.tried("driver-package", "dpkg", "/var/lib/dpkg/status", listed).unwrap_or_default() {
        let mut value = format!("{} {}", package.name, package.version);
        if package.state != "installed" {
            value = format!("{value} {}", package.state);
        }
        sink.see("driver-package", value, "dpkg", None);
    }
    pacman(sink);
}

fn is_of_driver(name: &str) -> bool {
    let behind = |prefix: &str| name.strip_prefix(prefix).is_some_and(|r| r.is_empty() || r.starts_with('-'));
    (PREFIXES.iter().any(|p| behind(p)) && !name.ends_with("-dev")) || NAMES.contains(&name)
}

/// A directory for each package: `nvidia-utils-550.54.14-1`.
fn pacman(sink: &mut Sink<'_>) {
    let listed = sink.machine.list(PACMAN, &|n| n.starts_with("nvidia"));
    for entry in sink.tried("driver-package", "pacman", PACMAN, listed).unwrap_or_default() {
        let mut parts = entry.rsplitn(3, '-');
        let (Some(release), Some(version), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let driver = name.contains("-dkms") || name.contains("-utils") || name.contains("-open");
        if driver || name == "nvidia" || name == "nvidia-lts" {
            sink.see("driver-package", format!("{name} {version}-{release}"), "pacman", None);
        }
    }
}
