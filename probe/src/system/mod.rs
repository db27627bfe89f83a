//! The system around the GPU: operating system, kernel, C library, processor, container, WSL.

mod defender;
mod linux;
mod processor;
mod vc_runtime;
mod windows;

use crate::Sink;
use crate::machine::Family;

/// Looks at the system.
pub(crate) fn observe(sink: &mut Sink<'_>) {
    match sink.machine.family() {
        Family::Linux => linux::observe(sink),
        Family::Windows => {
            windows::observe(sink);
            vc_runtime::observe(sink);
            defender::observe(sink);
        }
        Family::Macos => sink.see("os", "macOS", "program", None),
    }
    processor::observe(sink);
}
