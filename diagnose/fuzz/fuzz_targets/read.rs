//! Every reader over any lines.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lines = diagnose::text::lines(&text);
    for o in diagnose::read::read(&lines) {
        assert!(kb_core::observe::is_name(&o.what), "{o:?}");
        // An empty LD_LIBRARY_PATH is a value.
        assert!(!o.value.is_empty() || matches!(&*o.what, "search-path" | "cuda-visible-devices" | "cuda-path"), "{o:?}");
        assert!(o.line.is_some_and(|l| l >= 1), "{o:?}");
    }
});
