//! The GPUs that were there: one that is lost keeps its name and its place.

use nvml_report::{Device, Failure, NvmlReport};

/// The error of a GPU that the library does not list any more.
const NOT_LISTED: &str = "not-listed";

/// A GPU that was seen.
struct Gpu {
    index: u32,
    name: Option<String>,
    uuid: Option<String>,
}

/// Those that were seen so far.
#[derive(Default)]
pub(super) struct Seen(Vec<Gpu>);

/// Is the GPU of no more use: lost, or not listed any more?
pub(super) fn gone(device: &Device) -> bool {
    device.lost() || device.failures.iter().any(|failure| failure.error == NOT_LISTED)
}

impl Seen {
    /// Puts the names in that a lost GPU does not tell any more, and the GPUs that are not listed any more.
    pub(super) fn complete(&mut self, report: &mut NvmlReport) {
        // Where reading as a whole failed nothing is known of any of them.
        if report.error.is_some() || report.hung.is_some() {
            return;
        }
        for gpu in &self.0 {
            if gpu.uuid.is_some() && report.devices.iter().any(|d| d.uuid == gpu.uuid) {
                continue;
            }
            match report.devices.iter_mut().find(|d| d.index == gpu.index && d.uuid.is_none()) {
                Some(device) => {
                    device.name = device.name.take().or_else(|| gpu.name.clone());
                    device.uuid.clone_from(&gpu.uuid);
                }
                None if gpu.uuid.is_some() => report.devices.push(Device {
                    index: gpu.index,
                    name: gpu.name.clone(),
                    uuid: gpu.uuid.clone(),
                    failures: vec![Failure {
                        field: "device".to_owned(),
                        call: None,
                        error: NOT_LISTED.to_owned(),
                    }],
                    ..Device::default()
                }),
                None => {}
            }
        }
        for device in &report.devices {
            let known = |gpu: &Gpu| {
                if gpu.uuid.is_some() { gpu.uuid == device.uuid } else { gpu.index == device.index }
            };
            if !self.0.iter().any(known) {
                let (name, uuid) = (device.name.clone(), device.uuid.clone());
                self.0.push(Gpu { index: device.index, name, uuid });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, gone};
    use nvml_report::{Device, NvmlReport};

    fn report(devices: &[(u32, Option<&str>)]) -> NvmlReport {
        let device = |(index, uuid): &(u32, Option<&str>)| Device {
            index: *index,
            name: uuid.map(|u| format!("name of {u}")),
            uuid: uuid.map(str::to_owned),
            ..Device::default()
        };
        NvmlReport { devices: devices.iter().map(device).collect(), ..NvmlReport::default() }
    }

    #[test]
    fn a_gpu_that_left_is_still_told() {
        let mut seen = Seen::default();
        seen.complete(&mut report(&[(0, Some("a")), (1, Some("b"))]));
        // It is there and does not answer.
        let mut lost = report(&[(0, None), (1, Some("b"))]);
        seen.complete(&mut lost);
        assert_eq!(lost.devices[0].name.as_deref(), Some("name of a"));
        // It is not listed any more, and the next one has its number.
        let mut fewer = report(&[(0, Some("b"))]);
        seen.complete(&mut fewer);
        let told: Vec<_> = fewer.devices.iter().map(|d| (d.uuid.as_deref(), gone(d))).collect();
        assert_eq!(told, [(Some("b"), false), (Some("a"), true)]);
        // Nothing is known of any.
        let mut failed = NvmlReport { error: Some(nvml_report::Failure::default()), ..NvmlReport::default() };
        seen.complete(&mut failed);
        assert!(failed.devices.is_empty());
    }
}
