//! What the driver and the kernel of Linux say: `/proc/driver/nvidia`, `/sys/module`, device nodes.

use super::number;
use crate::Sink;
use crate::machine::{Kind, Refusal};

const VERSION: &str = "/proc/driver/nvidia/version";
const GPUS: &str = "/proc/driver/nvidia/gpus";

/// Modules that drive GPUs, or keep others from doing so.
const MODULES: [&str; 9] = [
    "nvidia",
    "nvidia_uvm",
    "nvidia_modeset",
    "nvidia_drm",
    "nvidia_peermem",
    "nvgpu",
    "nouveau",
    "nova_core",
    "amdgpu",
];

/// Looks there.
pub(super) fn observe(sink: &mut Sink<'_>) {
    version(sink);
    gpus(sink);
    modules(sink);
    nodes(sink);
}

/// `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 …`
fn version(sink: &mut Sink<'_>) {
    let Some(text) = sink.text("driver", VERSION) else { return };
    let Some(line) = text.lines().find(|l| l.starts_with("NVRM version:")) else {
        return sink.fail("driver", "file", Some(VERSION), "no line that says the version");
    };
    // The driver of Jetson has no number of its own there.
    if line.contains("(null)") {
        return;
    }
    let Some(version) = line.split_whitespace().find(|w| number::is_driver(w)) else {
        let says = format!("no version in `{}`", line.trim());
        return sink.fail("driver", "file", Some(VERSION), says);
    };
    sink.see("driver", version, "file", Some(VERSION));
    let flavour = if line.contains("Open Kernel Module") { "open" } else { "proprietary" };
    sink.see("kernel-module-flavour", flavour, "file", Some(VERSION));
}

/// The GPUs that the driver has taken, by their addresses.
fn gpus(sink: &mut Sink<'_>) {
    let listed = sink.machine.list(GPUS, &|n| n.contains(':'));
    let Some(addresses) = sink.tried("gpu", "file", GPUS, listed) else { return };
    for address in &addresses {
        let path = format!("{GPUS}/{address}/information");
        let Some(text) = sink.text("gpu", &path) else { continue };
        let model = text.lines().find_map(|l| l.strip_prefix("Model:")).map(str::trim);
        match model.filter(|m| !m.is_empty() && *m != "Unknown") {
            Some(model) => sink.see("gpu", model, "file", Some(&super::pci::address(address))),
            None => sink.fail("gpu", "file", Some(&path), "the driver does not know its name"),
        }
    }
    sink.see("gpu-count", addresses.len().to_string(), "file", Some(GPUS));
}

fn modules(sink: &mut Sink<'_>) {
    for module in MODULES {
        let path = format!("/sys/module/{module}");
        let about = sink.machine.about(&path);
        if sink.tried("kernel-module", "file", &path, about).is_none() {
            continue;
        }
        sink.see("kernel-module", module, "file", Some(&path));
        if module == "nvidia" {
            let path = format!("{path}/version");
            let version = sink.text("driver", &path);
            if let Some(version) = version.as_deref().map(str::trim).filter(|v| number::is_driver(v)) {
                sink.see("driver", version, "file", Some(&path));
            }
        }
    }
}

fn nodes(sink: &mut Sink<'_>) {
    let wanted = |name: &str| {
        name.starts_with("nvidia")
            || matches!(name, "dxg" | "kfd" | "nvmap")
            || name.starts_with("nvhost-gpu")
            || name.starts_with("nvhost-ctrl-gpu")
    };
    let listed = sink.machine.list("/dev", &wanted);
    for name in sink.tried("device-node", "file", "/dev", listed).unwrap_or_default() {
        let path = format!("/dev/{name}");
        match sink.machine.about(&path) {
            Ok(about) if about.kind != Kind::Other => {}
            Ok(_) => sink.see("device-node", &*path, "file", None),
            Err(Refusal::NotFound) => {}
            Err(why) => sink.fail("device-node", "file", Some(&path), why),
        }
    }
}
