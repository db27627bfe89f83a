//! The registry of Windows: display adapters, their drivers, NVIDIA's installer.

use super::{number, pci};
use crate::Sink;
use crate::machine::{Machine, RegistryKey, variable};

const CONTROL: &str = r"HKLM\SYSTEM\CurrentControlSet\Control\Class";
const DISPLAY: &str = "{4d36e968-e325-11ce-bfc1-08002be10318}";
const DEVICES: &str = r"HKLM\SYSTEM\CurrentControlSet\Enum";

/// The devices that NVIDIA's driver serves since the start of the system.
const SERVED: &str = r"HKLM\SYSTEM\CurrentControlSet\Services\nvlddmkm\Enum";

/// What NVIDIA's installer writes for the list of installed programs.
const INSTALLED: &str = r"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\{B2FE1952-0186-46C3-BAEC-A80AA35AC5B8}_Display.Driver";

/// The directory of Windows.
pub(super) fn root(machine: &dyn Machine) -> String {
    variable(machine, "SystemRoot").filter(|r| !r.is_empty()).unwrap_or_else(|| r"C:\Windows".to_owned())
}

/// Looks there.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let served = served(sink);
    let class = format!(r"{CONTROL}\{DISPLAY}");
    let mut adapters: Vec<Adapter> = served.clone().unwrap_or_default();
    let result = sink.machine.registry(&class);
    let listed = sink.tried("gpu", "registry", &class, result).map(|k| k.keys).unwrap_or_default();
    for key in listed.into_iter().filter(|k| k.len() == 4 && k.bytes().all(|b| b.is_ascii_digit())) {
        let key = format!(r"{class}\{key}");
        if !adapters.iter().any(|a| a.key.eq_ignore_ascii_case(&key)) {
            adapters.push(Adapter { key, at: None });
        }
    }
    let mut nvidia = false;
    for adapter in &adapters {
        let result = sink.machine.registry(&adapter.key);
        let Some(values) = sink.tried("gpu", "registry", &adapter.key, result) else { continue };
        let id = values.value("MatchingDeviceId").and_then(pci_id);
        let ours = id.as_deref().is_some_and(|id| id.starts_with(pci::NVIDIA))
            || values.value("ProviderName").is_some_and(|p| p.eq_ignore_ascii_case("NVIDIA"));
        // The key of an adapter stays when the adapter is taken out.
        let gone = served.as_ref().is_some_and(|s| !s.contains(adapter));
        if ours && !gone {
            nvidia = true;
            gpu(sink, adapter, &values);
        }
        if let Some(id) = id.filter(|_| !(ours && gone)) {
            sink.see("pci-id", id, "registry", Some(adapter.at.as_deref().unwrap_or(&adapter.key)));
        }
    }
    if !nvidia {
        without_driver(sink);
    }
    installer(sink);
}

/// A display adapter.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Adapter {
    /// Its key below the class.
    key: String,
    /// Its address on the bus.
    at: Option<String>,
}

/// The adapters that NVIDIA's driver serves; `None` where that is not known.
fn served(sink: &mut Sink<'_>) -> Option<Vec<Adapter>> {
    let result = sink.machine.registry(SERVED);
    let served = sink.tried("gpu", "registry", SERVED, result)?;
    let instances = (0..).map_while(|n: u32| served.value(&n.to_string()));
    let mut out = Vec::new();
    for instance in instances {
        let key = format!(r"{DEVICES}\{instance}");
        let result = sink.machine.registry(&key);
        let Some(device) = sink.tried("gpu", "registry", &key, result) else { continue };
        let Some(driver) = device.value("Driver") else { continue };
        let at = device.value("LocationInformation").and_then(bus);
        out.push(Adapter { key: format!(r"{CONTROL}\{driver}"), at });
    }
    Some(out)
}

fn gpu(sink: &mut Sink<'_>, adapter: &Adapter, values: &RegistryKey) {
    let key = Some(&*adapter.key);
    let place = adapter.at.as_deref().or(key);
    if let Some(name) = values.value("DriverDesc") {
        sink.see("gpu", name, "registry", place);
    }
    if let Some(raw) = values.value("DriverVersion") {
        match number::of_windows(raw) {
            Some(version) => sink.made("driver", version, raw, "registry", key),
            None => sink.fail("driver", "registry", key, format_args!("`{raw}` is no number of NVIDIA's")),
        }
    }
    let bytes: Option<u64> = values.value("HardwareInformation.qwMemorySize").and_then(|v| v.parse().ok());
    if let (Some(bytes), Some(text)) = (bytes, values.value("HardwareInformation.qwMemorySize")) {
        sink.made("memory-mib", (bytes >> 20).to_string(), text, "registry", place);
    }
}

/// NVIDIA's devices that Windows has seen, where none has NVIDIA's driver: it may run with Microsoft's.
fn without_driver(sink: &mut Sink<'_>) {
    let bus = format!(r"{DEVICES}\PCI");
    let result = sink.machine.registry(&bus);
    let listed = sink.tried("pci-id", "registry", &bus, result).map(|k| k.keys).unwrap_or_default();
    for device in listed.into_iter().filter(|d| d.to_ascii_uppercase().starts_with("VEN_10DE&")) {
        let key = format!(r"{bus}\{device}");
        let result = sink.machine.registry(&key);
        let instances = sink.tried("pci-id", "registry", &key, result).map(|k| k.keys).unwrap_or_default();
        for instance in instances {
            let key = format!(r"{key}\{instance}");
            let result = sink.machine.registry(&key);
            let Some(values) = sink.tried("pci-id", "registry", &key, result) else { continue };
            // A device without any driver has no class.
            let class = values.value("ClassGUID").unwrap_or(DISPLAY);
            let Some(id) = pci_id(&device).filter(|_| class.eq_ignore_ascii_case(DISPLAY)) else { continue };
            let at = values.value("LocationInformation").and_then(self::bus);
            sink.see("pci-id", id, "registry", Some(at.as_deref().unwrap_or(&key)));
        }
    }
}

fn installer(sink: &mut Sink<'_>) {
    let result = sink.machine.registry(INSTALLED);
    let Some(key) = sink.tried("driver-package", "registry", INSTALLED, result) else { return };
    let (Some(name), Some(version)) = (key.value("DisplayName"), key.value("DisplayVersion")) else { return };
    // `NVIDIA Graphics Driver 581.80`
    let name = name.trim_end_matches(version).trim_end();
    sink.see("driver-package", format!("{name} {version}"), "registry", Some(INSTALLED));
}

/// `pci\ven_10de&dev_2684&subsys_…` is `10de:2684`.
fn pci_id(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let part = |name: &str| {
        let (_, rest) = lower.split_once(name)?;
        rest.get(..4).filter(|id| id.bytes().all(|b| b.is_ascii_hexdigit())).map(str::to_owned)
    };
    Some(format!("{}:{}", part("ven_")?, part("dev_")?))
}

/// `@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(1,0,0)` is `0000:01:00.0`.
fn bus(text: &str) -> Option<String> {
    let inside = text.rsplit_once('(')?.1.trim_end().strip_suffix(')')?;
    let mut numbers = inside.split(',').map(|n| n.trim().parse::<u32>());
    let (Some(Ok(bus)), Some(Ok(device)), Some(Ok(function)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return None;
    };
    // What is above a byte of the bus is the segment.
    Some(format!("{:04x}:{:02x}:{device:02x}.{function:x}", bus >> 8, bus & 0xff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ids() {
        let text = r"@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(65,0,0)";
        assert_eq!(bus(text).as_deref(), Some("0000:41:00.0"));
        assert_eq!([bus("PCI bus 1"), bus("(1,2)"), bus("")], [None, None, None]);
        assert_eq!(pci_id(r"pci\ven_10de&dev_2684&subsys_88e21043").as_deref(), Some("10de:2684"));
        assert_eq!([pci_id(r"pci\cc_0300"), pci_id("ven_10&dev_é")], [None, None]);
    }
}
