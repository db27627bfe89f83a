//! The processor of this machine.

use super::{Cpu, Machine};

/// Name and extensions.
pub(super) fn here(machine: &dyn Machine) -> Cpu {
    Cpu { name: name(machine), features: features() }
}

#[cfg(windows)]
fn name(machine: &dyn Machine) -> Option<String> {
    let key = machine.registry(r"HKLM\HARDWARE\DESCRIPTION\System\CentralProcessor\0").ok()?;
    key.value("ProcessorNameString").map(|v| v.trim().to_owned())
}

#[cfg(not(windows))]
fn name(_machine: &dyn Machine) -> Option<String> {
    use std::io::Read;
    // The file has a block for each processor and takes long to write for many; the first says it.
    let mut head = Vec::new();
    std::fs::File::open("/proc/cpuinfo").ok()?.take(4096).read_to_end(&mut head).ok()?;
    let text = String::from_utf8_lossy(&head);
    let line = text.lines().find(|l| l.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    let all = [
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    Vec::new()
}
