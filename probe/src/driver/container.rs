//! What a container may use, and the runtimes that its engine has.

use crate::Sink;

/// The rules of the first generation of control groups. Those of the second are a program inside the kernel.
const DEVICES: &str = "/sys/fs/cgroup/devices/devices.list";

/// Docker's settings.
const DOCKER: &str = "/etc/docker/daemon.json";

/// Rules are few; a file with more is of something else.
const MOST: usize = 256;

/// Looks at them.
pub(super) fn observe(sink: &mut Sink<'_>) {
    if let Some(text) = sink.text("cgroup-device", DEVICES) {
        for rule in text.lines().map(str::trim).filter(|l| !l.is_empty()).take(MOST) {
            sink.see("cgroup-device", rule, "file", Some(DEVICES));
        }
    }
    if let Some(text) = sink.text("container-runtimes", DOCKER) {
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(settings) => {
                let runtimes = settings.get("runtimes").and_then(|r| r.as_object());
                let names: Vec<&str> = runtimes.into_iter().flatten().map(|(name, _)| &**name).collect();
                if !names.is_empty() {
                    sink.see("container-runtimes", names.join(" "), "file", Some(DOCKER));
                }
            }
            Err(error) => sink.fail("container-runtimes", "file", Some(DOCKER), error),
        }
    }
}
