//! The file: what the library says, and how its functions fail.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A machine.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct World {
    #[serde(default = "driver")]
    pub(crate) driver: Text,
    #[serde(default = "nvml")]
    pub(crate) nvml: Text,
    /// 12020 is CUDA 12.2.
    #[serde(default = "cuda")]
    pub(crate) cuda: i32,
    /// How many devices the library says there are; else as many as stand here.
    count: Option<u32>,
    /// How functions fail, by name.
    #[serde(default)]
    pub(crate) calls: BTreeMap<String, Behaviour>,
    #[serde(default)]
    pub(crate) device: Vec<Device>,
}

/// Text, or bytes that may be none.
#[derive(Deserialize, Clone, Debug)]
#[serde(untagged)]
pub(crate) enum Text {
    Plain(String),
    Bytes(Vec<u8>),
}

/// What a function does instead of answering.
#[derive(Deserialize, Clone, Debug)]
#[serde(untagged)]
pub(crate) enum Behaviour {
    /// It returns this code.
    Code(u32),
    /// `"hang"`: it does not return for an hour.
    Hang(Hang),
}

#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Hang {
    Hang,
}

/// A GPU. What is absent is not supported.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Device {
    #[serde(default = "name")]
    pub(crate) name: Text,
    #[serde(default = "uuid")]
    pub(crate) uuid: Text,
    #[serde(default = "pci")]
    pub(crate) pci: Text,
    #[serde(default = "pci_device_id")]
    pub(crate) pci_device_id: u32,
    #[serde(default = "memory_mib")]
    memory_mib: u64,
    #[serde(default)]
    used_mib: Vec<u64>,
    #[serde(default = "compute_capability")]
    pub(crate) compute_capability: [i32; 2],
    pub(crate) driver_model: Option<[u32; 2]>,
    pub(crate) mig: Option<[u32; 2]>,
    #[serde(default)]
    pub(crate) most_instances: u32,
    #[serde(default)]
    pub(crate) instances: Vec<Instance>,
    pub(crate) compute_mode: Option<u32>,
    pub(crate) persistence: Option<u32>,
    pub(crate) ecc: Option<[u32; 2]>,
    /// Since the driver was loaded, and over the device's life.
    pub(crate) ecc_uncorrected: Option<[u64; 2]>,
    /// Of each reading; the last one stays.
    #[serde(default)]
    pub(crate) temperature: Vec<u32>,
    #[serde(default)]
    pub(crate) power_mw: Vec<u32>,
    pub(crate) power_limit_mw: Option<u32>,
    pub(crate) utilisation: Option<[u32; 2]>,
    pub(crate) clock_sm: Option<u32>,
    pub(crate) clock_memory: Option<u32>,
    #[serde(default)]
    pub(crate) reasons: Vec<u64>,
    /// After so many readings it falls off the bus.
    lost_after: Option<usize>,
    /// How functions fail when they are asked about this device.
    #[serde(default)]
    pub(crate) calls: BTreeMap<String, Behaviour>,
    /// How often it was asked for its handle.
    #[serde(skip)]
    pub(crate) readings: usize,
}

/// A part of a divided GPU.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Instance {
    pub(crate) name: Text,
    pub(crate) uuid: Text,
    memory_mib: u64,
}

impl World {
    pub(crate) fn count(&self) -> u32 {
        self.count.unwrap_or_else(|| u32::try_from(self.device.len()).unwrap_or(u32::MAX))
    }
}

impl Device {
    pub(crate) fn is_lost(&self) -> bool {
        self.lost_after.is_some_and(|readings| self.readings > readings)
    }

    /// The value of this reading.
    pub(crate) fn now<T: Copy>(&self, values: &[T]) -> Option<T> {
        let at = self.readings.saturating_sub(1).min(values.len().saturating_sub(1));
        values.get(at).copied()
    }

    /// Total and used, in MiB.
    pub(crate) fn memory(&self, instance: Option<&Instance>) -> (u64, u64) {
        match instance {
            Some(instance) => (instance.memory_mib, 0),
            None => (self.memory_mib, self.now(&self.used_mib).unwrap_or(0)),
        }
    }
}

fn driver() -> Text {
    Text::Plain("535.104.05".to_owned())
}

fn nvml() -> Text {
    Text::Plain("12.535.104.05".to_owned())
}

fn cuda() -> i32 {
    12020
}

fn name() -> Text {
    Text::Plain("NVIDIA GeForce RTX 3090".to_owned())
}

fn uuid() -> Text {
    Text::Plain("GPU-00000000-0000-4000-8000-000000000000".to_owned())
}

fn pci() -> Text {
    Text::Plain("00000000:01:00.0".to_owned())
}

fn pci_device_id() -> u32 {
    0x2204_10de
}

fn memory_mib() -> u64 {
    24576
}

fn compute_capability() -> [i32; 2] {
    [8, 6]
}
