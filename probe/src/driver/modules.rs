//! Kernel modules of NVIDIA's that lie on the disk: what DKMS knows, and, where a GPU has no such module, for which
//! kernels there is one.

use crate::Sink;
use crate::machine::is_file;

const DKMS: &str = "/var/lib/dkms";
const MODULES: &str = "/lib/modules";

/// Below the directory of a kernel, where distributions and installers put the module.
const PLACES: [&str; 4] = ["updates/dkms", "kernel/drivers/video", "extra", "updates"];

/// Ends of a module's file name.
const ENDS: [&str; 4] = ["", ".zst", ".xz", ".gz"];

/// Looks for them.
pub(super) fn observe(sink: &mut Sink<'_>) {
    dkms(sink);
    let loaded = |o: &kb_core::observe::Observation| o.what == "kernel-module" && o.value == "nvidia";
    let gpu =
        |o: &kb_core::observe::Observation| o.what == "pci-id" && o.value.starts_with(super::pci::NVIDIA);
    if sink.observations.iter().any(gpu) && !sink.observations.iter().any(loaded) {
        on_disk(sink);
    }
}

/// In the words of `dkms status`: `nvidia/550.54.14, 6.8.0-45-generic, x86_64: installed`.
fn dkms(sink: &mut Sink<'_>) {
    let listed = sink.machine.list(DKMS, &|n| n.starts_with("nvidia"));
    for module in sink.tried("kernel-module", "file", DKMS, listed).unwrap_or_default() {
        let directory = format!("{DKMS}/{module}");
        let listed = sink.machine.list(&directory, &|_| true);
        let names = sink.tried("kernel-module", "file", &directory, listed).unwrap_or_default();
        // A link for each kernel that has it: `kernel-6.8.0-45-generic-x86_64` to `550.54.14/6.8.0-45-generic/x86_64`.
        let (kernels, versions): (Vec<_>, Vec<_>) = names.iter().partition(|n| n.starts_with("kernel-"));
        let mut installed = Vec::new();
        for kernel in kernels {
            let Ok(behind) = sink.machine.resolved(&format!("{directory}/{kernel}")) else { continue };
            let mut parts = behind.rsplit('/');
            let (Some(arch), Some(release), Some(version)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            installed.push(version.to_owned());
            let line = format!("{module}/{version}, {release}, {arch}: installed");
            sink.see("kernel-module", line, "file", Some(&directory));
        }
        for version in versions.into_iter().filter(|v| v.starts_with(|c: char| c.is_ascii_digit())) {
            if !installed.contains(version) {
                sink.see("kernel-module", format!("{module}/{version}: added"), "file", Some(&directory));
            }
        }
    }
}

fn on_disk(sink: &mut Sink<'_>) {
    let listed = sink.machine.list(MODULES, &|_| true);
    for kernel in sink.tried("kernel-module", "file", MODULES, listed).unwrap_or_default() {
        let mut places: Vec<String> = PLACES.iter().map(|p| format!("{MODULES}/{kernel}/{p}")).collect();
        // Ubuntu's signed modules: `kernel/nvidia-550`.
        let own = format!("{MODULES}/{kernel}/kernel");
        let listed = sink.machine.list(&own, &|n| n.starts_with("nvidia")).unwrap_or_default();
        places.extend(listed.into_iter().map(|n| format!("{own}/{n}")));
        for place in places {
            for end in ENDS {
                let file = format!("{place}/nvidia.ko{end}");
                if is_file(sink.machine, &file) {
                    sink.see("kernel-module", file, "file", None);
                }
            }
        }
    }
}
