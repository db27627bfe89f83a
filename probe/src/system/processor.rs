//! The processor.

use crate::Sink;

pub(super) fn observe(sink: &mut Sink<'_>) {
    let arch = sink.machine.arch();
    sink.see("arch", arch, "program", None);
    let cpu = sink.machine.cpu();
    if let Some(name) = cpu.name {
        sink.see("cpu", name, "processor", None);
    }
    if !cpu.features.is_empty() {
        sink.see("cpu-features", cpu.features.join(" "), "processor", None);
    }
}
