//! GPUs and other accelerators on the PCI bus, as the kernel of Linux lists them.

use super::Refusal;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Where they are.
pub(super) const DEVICES: &str = "/sys/bus/pci/devices";

/// A device on the PCI bus.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PciDevice {
    /// Its address: `0000:01:00.0`.
    pub at: String,
    /// Vendor and device: `10de:2684`.
    pub id: String,
    /// Its class, six hexadecimal digits: `030000` is a VGA controller, `030200` a 3D controller.
    pub class: String,
    /// The driver that holds it: `nvidia`, `nouveau`, `vfio-pci`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
}

/// Display controllers and processing accelerators.
const CLASSES: [&str; 2] = ["03", "12"];

/// Those in a directory, by address.
pub(super) fn list(directory: &Path) -> Result<Vec<PciDevice>, Refusal> {
    let mut out = Vec::new();
    for entry in fs::read_dir(directory)? {
        let Ok(entry) = entry else { continue };
        // The one file that has all of it; a device that is being removed has none any more.
        let Ok(text) = fs::read_to_string(entry.path().join("uevent")) else { continue };
        let at = entry.file_name().to_string_lossy().into_owned();
        out.extend(device(at, &text).filter(|d| CLASSES.iter().any(|c| d.class.starts_with(c))));
    }
    out.sort_unstable();
    Ok(out)
}

/// `DRIVER=nvidia`, `PCI_CLASS=30000`, `PCI_ID=10DE:2684` …
fn device(at: String, text: &str) -> Option<PciDevice> {
    let value = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix('='));
    Some(PciDevice {
        at,
        id: value("PCI_ID")?.to_ascii_lowercase(),
        class: format!("{:0>6}", value("PCI_CLASS")?.to_ascii_lowercase()),
        driver: value("DRIVER").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_gpu_is_left_out() {
        let directory = tempfile::tempdir().expect("there is room");
        let plant = |at: &str, text: &str| {
            let device = directory.path().join(at);
            fs::create_dir(&device).expect("there is room");
            fs::write(device.join("uevent"), text).expect("there is room");
        };
        plant("0000:41:00.0", "PCI_CLASS=30200\nPCI_ID=10DE:20B0\nPCI_SUBSYS_ID=10DE:144E\n");
        plant("0000:01:00.0", "DRIVER=nvidia\nPCI_CLASS=30000\nPCI_ID=10DE:2684\n");
        plant("0000:01:00.1", "DRIVER=snd_hda_intel\nPCI_CLASS=40300\nPCI_ID=10DE:22BA\n");
        plant("0000:02:00.0", "gone");
        let device = |at: &str, id: &str, class: &str, driver: Option<&str>| PciDevice {
            at: at.to_owned(),
            id: id.to_owned(),
            class: class.to_owned(),
            driver: driver.map(str::to_owned),
        };
        assert_eq!(
            list(directory.path()),
            Ok(vec![
                device("0000:01:00.0", "10de:2684", "030000", Some("nvidia")),
                device("0000:41:00.0", "10de:20b0", "030200", None)
            ])
        );
        assert_eq!(list(&directory.path().join("none")), Err(Refusal::NotFound));
    }
}
