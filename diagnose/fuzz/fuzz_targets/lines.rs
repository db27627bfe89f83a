//! What was put around a text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lines = diagnose::text::lines(&text);
    assert!(lines.len() <= text.len() + 1);
    for line in &lines {
        assert!(!line.text.contains('\n'));
    }
    let joined = diagnose::text::joined(&lines);
    assert!(joined.len() <= lines.len() * 4 + 4);
});
