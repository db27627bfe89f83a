//! Windows: its release and build.

use crate::Sink;

const VERSION: &str = r"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion";

/// From this build on it is Windows 11, whatever the name in the registry says.
const ELEVEN: u32 = 22000;

pub(super) fn observe(sink: &mut Sink<'_>) {
    let result = sink.machine.registry(VERSION);
    let Some(key) = sink.tried("os", "registry", VERSION, result) else {
        return sink.see("os", "Windows", "program", None);
    };
    let name = key.value("ProductName").unwrap_or("Windows").to_owned();
    let build = key.value("CurrentBuild").or(key.value("CurrentBuildNumber")).unwrap_or("").to_owned();
    let eleven = build.parse().is_ok_and(|b: u32| b >= ELEVEN) && !name.contains("Server");
    let name = if eleven { name.replacen("Windows 10", "Windows 11", 1) } else { name };
    let revision = key.value("UBR").map(|u| format!(".{u}")).unwrap_or_default();
    let display = key.value("DisplayVersion").map(|d| format!(" {d}")).unwrap_or_default();
    let text = if build.is_empty() { name } else { format!("{name}{display} (10.0.{build}{revision})") };
    sink.see("os", text, "registry", Some(VERSION));
}
