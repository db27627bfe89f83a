//! Any text can be redacted, and keeps its lines.
#![no_main]

use libfuzzer_sys::fuzz_target;

fn kb() -> &'static kb_core::kb::Kb {
    static KB: std::sync::OnceLock<kb_core::kb::Kb> = std::sync::OnceLock::new();
    KB.get_or_init(|| kb_data::builtin_for_diagnosis("*"))
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let out = diagnose::redact::Redactor::new(kb()).text(&text);
    assert_eq!(out.lines().count(), text.lines().count());
});
