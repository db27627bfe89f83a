//! What Windows Defender leaves out: it slows down, and sometimes removes, what it looks at.

use crate::Sink;

const KEYS: [&str; 2] = [
    r"HKLM\SOFTWARE\Microsoft\Windows Defender\Exclusions\Paths",
    r"HKLM\SOFTWARE\Policies\Microsoft\Windows Defender\Exclusions\Paths",
];

pub(super) fn observe(sink: &mut Sink<'_>) {
    for key in KEYS {
        let result = sink.machine.registry(key);
        let Some(values) = sink.tried("defender-exclusion", "registry", key, result) else { continue };
        for path in values.values.into_keys().filter(|p| !p.is_empty()) {
            sink.see("defender-exclusion", path, "registry", Some(key));
        }
    }
}
