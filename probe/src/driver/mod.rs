//! GPUs and their driver, by every way there is: NVML, libcuda, nvidia-smi, `/proc` and `/sys`, registry and driver store.
//!
//! What comes first is the most reliable. Nothing of the driver is called beside NVML and nvidia-smi, and that program only
//! where NVML gave no answer although there is a driver.

mod container;
mod device_tree;
mod libcuda;
mod linux_packages;
mod modules;
mod number;
mod nvml;
mod pci;
mod proc;
mod programs;
mod secure_boot;
mod services;
mod smi;
mod store;
mod windows;

use crate::Sink;
use crate::machine::Family;

/// Looks for GPUs and driver.
pub(crate) fn observe(sink: &mut Sink<'_>) {
    let family = sink.machine.family();
    if family == Family::Linux {
        device_tree::observe(sink);
    }
    let answered = nvml::observe(sink);
    if family == Family::Linux {
        proc::observe(sink);
    }
    libcuda::observe(sink);
    programs::observe(sink);
    if family == Family::Windows {
        windows::observe(sink);
    }
    if answered == nvml::Answer::None {
        smi::observe(sink);
    }
    if family == Family::Linux {
        pci::observe(sink);
        modules::observe(sink);
        linux_packages::observe(sink);
        container::observe(sink);
    }
    store::observe(sink);
    secure_boot::observe(sink);
    services::observe(sink);
}
