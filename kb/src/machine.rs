//! What is taken from the machine the program runs on: system and processor always, Python and glibc with `--here`.

use std::process::{Command, Stdio};

/// The operating system as a word of `--os`.
pub(crate) fn os() -> &'static str {
    match std::env::consts::OS {
        "windows" => "windows",
        "macos" | "ios" => "macos",
        _ => {
            let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
            if is_wsl(&release) { "wsl2" } else { "linux" }
        }
    }
}

/// Does the text of a kernel's release come from WSL?
fn is_wsl(release: &str) -> bool {
    let lower = release.to_ascii_lowercase();
    lower.contains("microsoft") || lower.contains("wsl")
}

/// The processor as a word of `--arch`, where it is one of them.
pub(crate) fn arch() -> Option<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Some("x86_64"),
        "aarch64" => Some("aarch64"),
        _ => None,
    }
}

/// The version of the Python that a shell would start.
pub(crate) fn python() -> Option<String> {
    ["python3", "python"].iter().find_map(|program| {
        let text = output(program, &["-c", "import sys; print('%d.%d' % sys.version_info[:2])"])?;
        version(&text)
    })
}

/// The version of the C library.
pub(crate) fn glibc() -> Option<String> {
    if std::env::consts::OS != "linux" {
        return None;
    }
    let text = output("getconf", &["GNU_LIBC_VERSION"])?;
    version(text.trim().strip_prefix("glibc")?)
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let out =
        Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// A text that is a version with one dot, and nothing else.
fn version(text: &str) -> Option<String> {
    let text = text.trim();
    let (major, minor) = text.split_once('.')?;
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    (digits(major) && digits(minor)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn wsl_is_told_by_its_kernel() {
        assert!(super::is_wsl("5.15.153.1-microsoft-standard-WSL2"));
        assert!(!super::is_wsl("6.8.0-45-generic"));
    }
}
