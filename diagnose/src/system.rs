//! On what kind of system a log was written, as far as it tells.

use crate::Line;
use crate::seen::Seen;
use kb_core::platform::{Arch, Os};

/// The system of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// The operating system; WSL2 is one of its own.
    pub os: Option<Os>,
    /// The processor.
    pub arch: Option<Arch>,
    /// Inside a container, or about starting one.
    pub container: bool,
    /// A Jetson module.
    pub jetson: bool,
    /// The line that tells the operating system.
    pub line: Option<usize>,
}

/// Words on a line that only one system prints.
const WSL: [&str; 4] = ["microsoft-standard-WSL2", "/usr/lib/wsl/lib", "/mnt/c/", "WSL2"];
const WINDOWS: [&str; 12] = [
    ":\\Users\\",
    ":\\Program Files",
    ":\\Windows\\",
    "site-packages\\",
    "[WinError ",
    "win_amd64",
    "Microsoft Windows",
    "Windows-1",
    ".dll",
    "PS C:\\",
    "libpaddle.pyd",
    "DLL load failed",
];
const LINUX: [&str; 10] = [
    "/usr/lib/",
    "/usr/local/",
    "site-packages/",
    ".so.",
    "dist-packages/",
    "manylinux",
    "x86_64-linux-gnu",
    "GNU/Linux",
    ".so:",
    "linux_x86_64",
];
const CONTAINER: [&str; 6] =
    ["docker run", "docker:", "nvidia-container-cli", "root@container", "/.dockerenv", "OCI runtime"];

impl System {
    /// What observations and lines tell.
    pub fn of(seen: &Seen, lines: &[Line<'_>]) -> System {
        let mut out = System::default();
        let text = |what: &str| seen.first(what).map(|o| (o.value.to_ascii_lowercase(), o.line));
        if let Some((value, line)) = text("os") {
            out.os = os(&value);
            out.line = line;
        }
        if let Some(o) = seen.first("wsl").filter(|o| !matches!(&*o.value, "false" | "False")) {
            out.os = Some(Os::Wsl2);
            out.line = o.line;
        }
        if let Some((_, line)) = text("l4t") {
            out.jetson = true;
            out.os = out.os.or(Some(Os::Linux));
            out.arch = Some(Arch::Aarch64);
            out.line = out.line.or(line);
        }
        out.arch = out.arch.or_else(|| text("arch").and_then(|(v, _)| arch(&v)));
        out.container = seen.first("container").is_some();
        let (mut windows, mut linux, mut wsl) = (None, None, None);
        for line in lines {
            let has = |words: &[&str]| words.iter().any(|w| line.text.contains(w));
            if wsl.is_none() && has(&WSL) {
                wsl = Some(line.number);
            }
            if windows.is_none() && (has(&WINDOWS) || has_drive(&line.text)) {
                windows = Some(line.number);
            }
            if linux.is_none() && has(&LINUX) {
                linux = Some(line.number);
            }
            out.container |= has(&CONTAINER);
            if out.arch.is_none() && (line.text.contains("aarch64") || line.text.contains("arm64")) {
                out.arch = Some(Arch::Aarch64);
            }
            out.jetson |= line.text.contains("nv_tegra_release") || line.text.contains("JetPack");
        }
        if out.os != Some(Os::Wsl2)
            && let Some(line) = wsl
        {
            out.os = Some(Os::Wsl2);
            out.line = Some(line);
        }
        if out.os.is_none() {
            (out.os, out.line) = match (windows, linux) {
                (Some(line), None) => (Some(Os::Windows), Some(line)),
                (None, Some(line)) => (Some(Os::Linux), Some(line)),
                // The one that comes first: a Windows log may quote a path of the build machine.
                (Some(w), Some(l)) if w <= l => (Some(Os::Windows), Some(w)),
                (Some(_), Some(l)) => (Some(Os::Linux), Some(l)),
                (None, None) => (None, None),
            };
        }
        out
    }

    /// The words that steps and commands are chosen by, the narrowest first.
    pub fn words(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        if self.jetson {
            out.push("jetson");
        }
        if self.container {
            out.push("docker");
        }
        match self.os {
            Some(Os::Wsl2) => out.extend(["wsl", "linux"]),
            Some(Os::Windows) => out.push("windows"),
            Some(Os::Linux) => out.push("linux"),
            Some(Os::Macos) => out.push("macos"),
            _ => {}
        }
        out
    }
}

/// Is there a path of a drive on the line: `C:\\Python313`?
fn has_drive(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memmem::find_iter(bytes, ":\\").any(|at| {
        let letter = at.checked_sub(1).map(|i| bytes[i]).is_some_and(|b| b.is_ascii_alphabetic());
        let alone = at.checked_sub(2).map(|i| bytes[i]).is_none_or(|b| !b.is_ascii_alphanumeric());
        letter && alone && bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic)
    })
}

/// The system that a name means.
pub fn os(text: &str) -> Option<Os> {
    let text = text.to_ascii_lowercase();
    if text.contains("wsl") {
        Some(Os::Wsl2)
    } else if text.contains("windows") || text.starts_with("10.0.") {
        Some(Os::Windows)
    } else if text.contains("macos") || text.contains("darwin") {
        Some(Os::Macos)
    } else if text.is_empty() || matches!(&*text, "n/a" | "none") {
        None
    } else {
        Some(Os::Linux)
    }
}

fn arch(text: &str) -> Option<Arch> {
    match text {
        "x86_64" | "amd64" => Some(Arch::X86_64),
        "aarch64" | "arm64" => Some(Arch::Aarch64),
        _ => None,
    }
}
