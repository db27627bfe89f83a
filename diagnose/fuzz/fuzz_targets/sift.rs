//! A log in pieces is the log as a whole.
#![no_main]

use libfuzzer_sys::fuzz_target;

fn kb() -> &'static kb_core::kb::Kb {
    static KB: std::sync::OnceLock<kb_core::kb::Kb> = std::sync::OnceLock::new();
    KB.get_or_init(|| kb_data::builtin_for_diagnosis("*"))
}

fn needles() -> &'static diagnose::needles::Needles<'static> {
    static NEEDLES: std::sync::OnceLock<diagnose::needles::Needles<'static>> = std::sync::OnceLock::new();
    NEEDLES.get_or_init(|| diagnose::needles::Needles::new(kb(), &diagnose::read::ANCHORS))
}

fuzz_target!(|data: &[u8]| {
    let needles = needles();
    let whole = diagnose::sift::sift(needles, &mut &*data).expect("memory can be read");
    let size = data.first().map_or(1, |b| usize::from(*b) + 1);
    let mut sieve = diagnose::sift::Sieve::new(needles);
    data.chunks(size).for_each(|piece| sieve.push(piece));
    let pieces = sieve.finish();
    // What it is written in is told by its beginning, which is shorter in pieces.
    if std::str::from_utf8(data).is_ok() && !data.contains(&0) {
        assert_eq!(whole.hits, pieces.hits);
        assert_eq!(whole.total, pieces.total);
    }
});
