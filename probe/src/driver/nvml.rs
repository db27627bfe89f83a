//! NVIDIA's management library: GPUs, their settings, versions.

use super::number;
use crate::Sink;
use nvml_report::{Device, Failure, NvmlReport};

const METHOD: &str = "nvml";

/// How far asking it came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// It counted the GPUs.
    Some,
    /// It is not there, or failed.
    None,
    /// It hangs, and so would every other program that asks the driver.
    Hangs,
}

/// Asks it.
pub(super) fn observe(sink: &mut Sink<'_>) -> Answer {
    let report = sink.machine.nvml();
    let library = report.library.as_deref();
    failures(sink, &report);
    if let Some(driver) = &report.driver {
        sink.see("driver", driver, METHOD, library);
    }
    if let Some(version) = &report.nvml {
        sink.made("nvml-version", number::of_nvml(version), version, METHOD, library);
    }
    if let Some(cuda) = &report.cuda {
        sink.see("cuda-driver-level", cuda, METHOD, library);
    }
    if let Some(count) = report.device_count {
        sink.see("gpu-count", count.to_string(), METHOD, library);
    }
    for gpu in &report.devices {
        device(sink, gpu);
    }
    match (&report.hung, report.silent()) {
        (Some(_), _) => Answer::Hangs,
        (None, true) => Answer::None,
        (None, false) => Answer::Some,
    }
}

/// What is wrong with all of it.
fn failures(sink: &mut Sink<'_>, report: &NvmlReport) {
    let library = report.library.as_deref();
    for tried in &report.tried {
        let error = tried.error.as_deref().filter(|e| *e != "library-not-found");
        if let Some(error) = error {
            sink.fail("gpu", METHOD, Some(&tried.path), tried.says.as_deref().unwrap_or(error));
        }
    }
    if let Some(error) = report.error.as_ref().filter(|e| e.field != "library") {
        fail(sink, error, library);
    }
    for failure in &report.failures {
        fail(sink, failure, library);
    }
    if let Some(hung) = &report.hung {
        let device = hung.device.map(|d| format!(" of device {d}")).unwrap_or_default();
        let says = format!("{}{device}: no answer within {} ms", hung.call, hung.deadline_ms);
        sink.fail("gpu", METHOD, library, says);
    }
}

/// A failure, and the error by its name where it says something of the machine.
fn fail(sink: &mut Sink<'_>, failure: &Failure, place: Option<&str>) {
    let says = match &failure.call {
        Some(call) => format!("{call}: {}", failure.error),
        None => failure.error.clone(),
    };
    sink.fail(what(&failure.field), METHOD, place, says);
    if let Some(error) = error(failure) {
        sink.see("error", error, METHOD, place);
    }
}

/// The observation that is missing where a field of the report is.
fn what(field: &str) -> &str {
    match field {
        "driver" => "driver",
        "nvml" => "nvml-version",
        "cuda" => "cuda-driver-level",
        "devices" => "gpu-count",
        "pci_bus_id" => "pci-id",
        "memory_total_mib" => "memory-mib",
        "compute_capability" => "compute-capability",
        "driver_model" => "driver-model",
        "mig" | "mig_instances" => "mig",
        "compute_mode" => "compute-mode",
        "persistence" => "persistence",
        "ecc" => "ecc",
        "power_limit_mw" => "power-limit",
        _ => "gpu",
    }
}

/// The names under which its messages are known.
fn error(failure: &Failure) -> Option<&'static str> {
    Some(match &*failure.error {
        "gpu-lost" => "gpu-lost",
        "driver-not-loaded" => "nvml-driver-not-loaded",
        "lib-rm-version-mismatch" => "nvml-driver-library-mismatch",
        "operating-system" => "nvml-gpu-access-blocked",
        "no-permission" => "nvml-insufficient-permissions",
        // That a setting cannot be told says nothing of the machine.
        "unknown" if matches!(&*failure.field, "init" | "devices" | "device") => "nvml-unknown-error",
        "library-not-found" if failure.field == "init" => "nvml-library-not-found",
        _ => return None,
    })
}

fn device(sink: &mut Sink<'_>, device: &Device) {
    let place = match &device.pci_bus_id {
        Some(bus) => super::pci::address(bus),
        None => format!("index {}", device.index),
    };
    let place = Some(&*place);
    let mut see = |what: &str, value: Option<String>| {
        if let Some(value) = value {
            sink.see(what, value, METHOD, place);
        }
    };
    let state = |on: bool| if on { "Enabled" } else { "Disabled" }.to_owned();
    see("gpu", device.name.clone());
    see("pci-id", device.pci_device_id.map(|id| format!("{:04x}:{:04x}", id & 0xffff, id >> 16)));
    see("memory-mib", device.memory_total_mib.map(|m| m.to_string()));
    see("compute-capability", device.compute_capability.clone());
    see("driver-model", device.driver_model.clone());
    see("mig", device.mig.map(state));
    for instance in &device.mig_instances {
        see("mig", instance.profile.clone().or(instance.name.clone()));
    }
    see("compute-mode", device.compute_mode.clone());
    see("ecc", device.ecc.map(state));
    see("persistence", device.persistence.map(state));
    see("power-limit", device.changing.power_limit_mw.map(watts));
    for failure in &device.failures {
        fail(sink, failure, place);
    }
}

/// 350000 mW are 350 W.
fn watts(milli: u32) -> String {
    let text = format!("{}.{:03}", milli / 1000, milli % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
