//! The runtime of Visual C++, without which Windows does not load what was built with it.

use crate::Sink;
use crate::machine::variable;
use crate::place;

/// Where its installer says what is there; it is a program of 32 bits.
const KEYS: [&str; 2] = [
    r"HKLM\SOFTWARE\Microsoft\VisualStudio\14.0\VC\Runtimes\",
    r"HKLM\SOFTWARE\WOW6432Node\Microsoft\VisualStudio\14.0\VC\Runtimes\",
];

/// Its libraries that are asked for most; the last came with the release of 2019.
const FILES: [&str; 3] = ["vcruntime140.dll", "msvcp140.dll", "vcruntime140_1.dll"];

pub(super) fn observe(sink: &mut Sink<'_>) {
    let arch = if sink.machine.arch() == "aarch64" { "arm64" } else { "x64" };
    for key in KEYS {
        let key = format!("{key}{arch}");
        let result = sink.machine.registry(&key);
        let Some(values) = sink.tried("vc-runtime", "registry", &key, result) else { continue };
        // What was uninstalled leaves its key.
        if let Some(raw) = values.value("Version").filter(|_| values.value("Installed") != Some("0")) {
            sink.made("vc-runtime", normal(raw), raw, "registry", Some(&key));
        }
    }
    let root = variable(sink.machine, "SystemRoot").unwrap_or_else(|| r"C:\Windows".to_owned());
    for file in FILES {
        let path = place::join(sink.machine.family(), &root, &format!(r"System32\{file}"));
        let facts = sink.machine.library(&path);
        let Some(facts) = sink.tried("vc-runtime", "version-resource", &path, facts) else { continue };
        if let Some(raw) = facts.version {
            sink.made("vc-runtime", normal(&raw), &raw, "version-resource", Some(&path));
        }
    }
}

/// `v14.38.33135.00` and the files' 14.38.33135.0 are one version.
fn normal(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['v', 'V']);
    match text.rsplit_once('.') {
        Some((version, last)) if text.split('.').count() == 4 && last.trim_matches('0').is_empty() => version,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_form() {
        use super::normal;
        assert_eq!(
            ["v14.38.33135.00", "14.38.33135.0", "14.0"].map(normal),
            ["14.38.33135", "14.38.33135", "14.0"]
        );
    }
}
