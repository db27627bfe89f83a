//! GPUs on the PCI bus, whether or not a driver has them.

use crate::Sink;

/// NVIDIA.
pub(super) const NVIDIA: &str = "10de";

/// Those whose GPUs compute: NVIDIA, AMD, Intel.
const VENDORS: [&str; 3] = [NVIDIA, "1002", "8086"];

/// Looks at the bus.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let devices = sink.machine.pci();
    for device in sink.tried("pci-id", "pci", "/sys/bus/pci/devices", devices).unwrap_or_default() {
        let vendor = device.id.split(':').next().unwrap_or("");
        if !VENDORS.contains(&vendor) {
            continue;
        }
        sink.see("pci-id", &*device.id, "pci", Some(&device.at));
        if let Some(driver) = device.driver.filter(|_| vendor == NVIDIA) {
            sink.see("kernel-module", driver, "pci", Some(&device.at));
        }
    }
}

/// One form of an address on the bus, that of the kernel: NVML's `00000000:01:00.0` is `0000:01:00.0`.
pub(super) fn address(text: &str) -> String {
    let lower = text.trim().to_ascii_lowercase();
    match lower.split_once(':') {
        Some((domain, rest)) if domain.len() == 8 && rest.contains(':') => {
            format!("{}:{rest}", domain.strip_prefix("0000").unwrap_or(domain))
        }
        _ => lower,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_form_of_addresses() {
        use super::address;
        assert_eq!(address("00000000:0A:00.0"), "0000:0a:00.0");
        assert_eq!(address("00010000:0A:00.0"), "00010000:0a:00.0");
        assert_eq!(address("0000:01:00.0"), "0000:01:00.0");
        assert_eq!(address("é"), "é");
    }
}
