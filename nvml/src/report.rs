//! What was read, as plain values.

use serde::{Deserialize, Serialize};

/// How much of each device is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extent {
    /// What a device is and how it is set; no measurement, so it costs little.
    Identity,
    /// What changes from second to second, with the names that tell devices apart.
    Changing,
    /// All of it.
    #[default]
    All,
}

/// What the management library said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NvmlReport {
    /// What was given to the loader, in order. The last one is the library that was used, if `library` is there.
    pub tried: Vec<Tried>,
    /// The library that was loaded, as it was given to the loader.
    pub library: Option<String>,
    /// Why nothing more could be read: the library is not there or does not start, or the devices cannot be counted.
    pub error: Option<Failure>,
    /// The call that did not come back.
    pub hung: Option<Hang>,
    /// Version of the driver, as it is said: `535.104.05`.
    pub driver: Option<String>,
    /// Version of the library, as it is said: `12.535.104.05`.
    pub nvml: Option<String>,
    /// The highest CUDA the driver serves: `12.2`.
    pub cuda: Option<String>,
    /// Versions that could not be read.
    pub failures: Vec<Failure>,
    /// How many devices the library says there are. `devices` has no more than 1024 of them.
    pub device_count: Option<u32>,
    /// The devices, by index.
    pub devices: Vec<Device>,
}

/// A library that was given to the loader.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tried {
    /// Its name or path.
    pub path: String,
    /// `library-not-found`, or `library-not-loadable` for a file that is there and is refused.
    #[serde(default)]
    pub error: Option<String>,
    /// What the loader said, in its words.
    #[serde(default)]
    pub says: Option<String>,
}

/// Something that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// The field of the report that is absent for it; `library`, `init`, `devices` or `device` if it is more than one.
    pub field: String,
    /// The function that was asked; absent if none was.
    #[serde(default)]
    pub call: Option<String>,
    /// NVML's code by name (`driver-not-loaded`), `error-N` for one that has none yet; `not-utf8`, `no-value` and
    /// `unexpected-value-N` for an answer that says nothing.
    pub error: String,
}

/// A call that did not come back within the time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hang {
    /// The function, or `load` for the loader.
    pub call: String,
    /// The device it was asked about.
    #[serde(default)]
    pub device: Option<u32>,
    /// The deadline of the whole reading, in milliseconds.
    pub deadline_ms: u64,
}

/// A GPU. What it does not support is absent; what could not be read is absent and stands in `failures`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Device {
    /// Its index in NVML, which is not always that in CUDA.
    pub index: u32,
    /// Name, as it is said: `NVIDIA GeForce RTX 3090`.
    pub name: Option<String>,
    /// `GPU-` and a UUID.
    pub uuid: Option<String>,
    /// PCI address: `00000000:01:00.0`.
    pub pci_bus_id: Option<String>,
    /// PCI device id and, in the lower half, the vendor id: `0x220410DE`.
    pub pci_device_id: Option<u32>,
    /// Memory in MiB, of which an older library counts what the driver reserves as used.
    pub memory_total_mib: Option<u64>,
    /// Memory in use, in MiB.
    pub memory_used_mib: Option<u64>,
    /// Memory that is free, in MiB.
    pub memory_free_mib: Option<u64>,
    /// Compute capability, with the dot: `8.6`.
    pub compute_capability: Option<String>,
    /// Driver model on Windows: `WDDM`, `TCC`, `MCDM`.
    pub driver_model: Option<String>,
    /// Driver model after the next start of the system.
    pub driver_model_pending: Option<String>,
    /// Is the device divided into instances (MIG)?
    pub mig: Option<bool>,
    /// Will it be after the next reset?
    pub mig_pending: Option<bool>,
    /// The instances, where it is divided.
    pub mig_instances: Vec<MigInstance>,
    /// Who may compute: `default`, `exclusive-thread`, `prohibited`, `exclusive-process`.
    pub compute_mode: Option<String>,
    /// Does the driver stay loaded without a program that uses it (Linux)?
    pub persistence: Option<bool>,
    /// Is ECC on?
    pub ecc: Option<bool>,
    /// Will it be after the next start?
    pub ecc_pending: Option<bool>,
    /// Memory errors that ECC could not correct, since the driver was loaded. Read where ECC is on.
    pub ecc_uncorrected_volatile: Option<u64>,
    /// The same, over the device's life.
    pub ecc_uncorrected_aggregate: Option<u64>,
    /// What changes from second to second.
    #[serde(flatten)]
    pub changing: Changing,
    /// What could not be read.
    pub failures: Vec<Failure>,
}

/// What changes from second to second.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Changing {
    /// Temperature of the chip, in °C.
    pub temperature_c: Option<u32>,
    /// Power that is drawn, in mW.
    pub power_mw: Option<u32>,
    /// Power at which the driver lowers the clocks, in mW.
    pub power_limit_mw: Option<u32>,
    /// Part of the last sample period in which a kernel ran, in percent.
    pub utilisation_gpu: Option<u32>,
    /// Part of it in which memory was read or written, in percent.
    pub utilisation_memory: Option<u32>,
    /// Clock of the multiprocessors, in MHz.
    pub clock_sm_mhz: Option<u32>,
    /// Clock of the memory, in MHz.
    pub clock_memory_mhz: Option<u32>,
    /// Why the clocks are not higher: `gpu-idle`, `sw-power-cap`, `hw-thermal-slowdown` …, `bit-N` for a reason
    /// without a name.
    pub clock_reasons: Option<Vec<String>>,
}

/// A part of a device that is divided (MIG).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MigInstance {
    /// Its number on the device.
    pub index: u32,
    /// Name, as it is said: `NVIDIA A100-SXM4-40GB MIG 1g.5gb`.
    pub name: Option<String>,
    /// Profile: `1g.5gb`, from the name.
    pub profile: Option<String>,
    /// `MIG-` and a UUID.
    pub uuid: Option<String>,
    /// Memory in MiB.
    pub memory_total_mib: Option<u64>,
}

impl NvmlReport {
    /// Nothing of the library answered: it is not there, does not start, or hung before a device was counted.
    pub fn silent(&self) -> bool {
        self.device_count.is_none()
    }
}

impl Device {
    /// A device of which nothing is known yet.
    pub(crate) fn new(index: u32) -> Self {
        Device { index, ..Device::default() }
    }

    /// Did the device fall off the bus?
    pub fn lost(&self) -> bool {
        self.failures.iter().any(|failure| failure.error == "gpu-lost")
    }
}
