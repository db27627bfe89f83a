//! Services that GPUs need, and whether they run: by their traces, no program is asked.

use crate::Sink;
use crate::machine::{Family, is_directory, is_file};

/// Linux: a service, and the file in which it writes the number of its process.
const LINUX: [(&str, &str); 3] = [
    ("nvidia-fabricmanager", "/run/nvidia-fabricmanager/nv-fabricmanager.pid"),
    ("nvidia-persistenced", "/run/nvidia-persistenced/nvidia-persistenced.pid"),
    ("nvidia-imex", ""),
];

/// Where units of systemd are.
const UNITS: [&str; 3] = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];

/// Where systemd keeps the processes of a service that runs, with either generation of control groups.
const GROUPS: [&str; 2] = ["/sys/fs/cgroup/system.slice", "/sys/fs/cgroup/systemd/system.slice"];

const WINDOWS: [&str; 2] = ["nvlddmkm", "NVDisplay.ContainerLocalSystem"];

/// Looks at them.
pub(super) fn observe(sink: &mut Sink<'_>) {
    match sink.machine.family() {
        Family::Linux => LINUX.iter().for_each(|(name, pid)| linux(sink, name, pid)),
        Family::Windows => WINDOWS.iter().for_each(|name| windows(sink, name)),
        Family::Macos => {}
    }
}

fn linux(sink: &mut Sink<'_>, name: &str, pid: &str) {
    let unit = UNITS.iter().map(|d| format!("{d}/{name}.service")).find(|u| is_file(sink.machine, u));
    if let Some(group) =
        GROUPS.iter().map(|d| format!("{d}/{name}.service")).find(|g| is_directory(sink.machine, g))
    {
        return sink.see("service", format!("{name} active"), "file", Some(&group));
    }
    let text = if pid.is_empty() { None } else { sink.text("service", pid) };
    let number = text.as_deref().and_then(|t| t.trim().parse::<u32>().ok());
    if number.is_some_and(|n| is_directory(sink.machine, &format!("/proc/{n}"))) {
        return sink.see("service", format!("{name} active"), "file", Some(pid));
    }
    if let Some(unit) = unit {
        sink.see("service", format!("{name} inactive"), "file", Some(&unit));
    }
}

/// How it is started; whether it runs is not in the registry.
fn windows(sink: &mut Sink<'_>, name: &str) {
    let key = format!(r"HKLM\SYSTEM\CurrentControlSet\Services\{name}");
    let result = sink.machine.registry(&key);
    let Some(values) = sink.tried("service", "registry", &key, result) else { return };
    let start = match values.value("Start") {
        Some("0" | "1") => "boot",
        Some("2") => "automatic",
        Some("3") => "manual",
        Some("4") => "disabled",
        _ => return,
    };
    sink.see("service", format!("{name} {start}"), "registry", Some(&key));
}
