//! From any text to causes and steps.
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

fn world() -> &'static kb_core::world::World<'static> {
    static WORLD: std::sync::OnceLock<kb_core::world::World<'static>> = std::sync::OnceLock::new();
    WORLD.get_or_init(|| kb_data::world(kb()))
}

fuzz_target!(|data: &[u8]| {
    let (needles, world) = (needles(), world());
    let excerpt = diagnose::sift::sift(needles, &mut &*data).expect("memory can be read");
    let findings = diagnose::diagnosis::observe(needles, excerpt, Vec::new());
    let found = diagnose::diagnosis::diagnose(world, &findings, "zh-Hans");
    for cause in &found.causes {
        assert!(!cause.says.is_empty() && cause.lines.iter().all(|l| *l >= 1));
    }
});
