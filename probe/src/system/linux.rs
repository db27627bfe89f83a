//! Linux: its distribution, kernel and C library, WSL, containers.

use crate::Sink;
use crate::machine::{is_directory, is_file, read_text, variable};

pub(super) fn observe(sink: &mut Sink<'_>) {
    distribution(sink);
    let release = sink.text("kernel", "/proc/sys/kernel/osrelease").map(|t| t.trim().to_owned());
    if let Some(release) = release.filter(|r| !r.is_empty()) {
        let lower = release.to_ascii_lowercase();
        sink.see("kernel", &*release, "file", Some("/proc/sys/kernel/osrelease"));
        if lower.contains("microsoft") || lower.contains("wsl") {
            // WSL1 has no kernel of its own and calls itself `4.4.0-19041-Microsoft`.
            let generation = if lower.contains("wsl2") || !lower.starts_with("4.4.") { "2" } else { "1" };
            sink.see("wsl", generation, "file", Some("/proc/sys/kernel/osrelease"));
        }
    }
    c_library(sink);
    container(sink);
    if let Some(text) = sink.text("l4t", "/etc/nv_tegra_release")
        && let Some(l4t) = tegra(&text)
    {
        sink.see("l4t", l4t, "file", Some("/etc/nv_tegra_release"));
    }
}

fn distribution(sink: &mut Sink<'_>) {
    for path in ["/etc/os-release", "/usr/lib/os-release"] {
        let Some(text) = sink.text("os", path) else { continue };
        let value = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix('='))?;
            Some(line.trim().trim_matches(['"', '\'']).to_owned()).filter(|v| !v.is_empty())
        };
        if let Some(name) = value("PRETTY_NAME").or_else(|| value("NAME")) {
            return sink.see("os", name, "file", Some(path));
        }
    }
    sink.see("os", "Linux", "program", None);
}

/// The version of glibc; of another C library there is none.
fn c_library(sink: &mut Sink<'_>) {
    let result = sink.machine.run("getconf", &["GNU_LIBC_VERSION"]);
    let Some(ran) = sink.tried("glibc", "getconf", "getconf", result) else { return };
    if let Some(version) = ran.stdout.trim().strip_prefix("glibc ") {
        sink.see("glibc", version, "getconf", None);
    }
}

/// Marks that container engines leave.
fn container(sink: &mut Sink<'_>) {
    let machine = sink.machine;
    if is_file(machine, "/.dockerenv") {
        sink.see("container", "docker", "file", Some("/.dockerenv"));
    }
    if is_file(machine, "/run/.containerenv") {
        sink.see("container", "podman", "file", Some("/run/.containerenv"));
    }
    if is_directory(machine, "/.singularity.d") {
        sink.see("container", "apptainer", "file", Some("/.singularity.d"));
    }
    if variable(machine, "KUBERNETES_SERVICE_HOST").is_some() {
        sink.see("container", "kubernetes", "variable", Some("KUBERNETES_SERVICE_HOST"));
    }
    // Only root may read it, outside of containers at least: that it is refused is normal.
    if let Ok(text) = read_text(machine, "/proc/1/environ")
        && let Some(engine) = text.split('\0').find_map(|v| v.strip_prefix("container="))
    {
        sink.see("container", engine, "file", Some("/proc/1/environ"));
    }
}

/// `# R36 (release), REVISION: 4.3, …` is 36.4.3.
fn tegra(text: &str) -> Option<String> {
    let release = text.split_once("# R")?.1.split([' ', '(']).next()?;
    let revision = text.split_once("REVISION:")?.1.split(',').next()?.trim();
    Some(format!("{release}.{revision}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn jetson_linux() {
        let line = "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64";
        assert_eq!(super::tegra(line).as_deref(), Some("36.4.3"));
        assert_eq!(super::tegra("nothing"), None);
    }
}
