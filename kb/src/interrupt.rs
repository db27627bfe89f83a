//! Ctrl-C while kb waits for something else: the first one is noted, the second one ends kb.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What shells say of a program that Ctrl-C ended: 128 and the number of the signal.
const ENDED: i32 = 130;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// From now on Ctrl-C, and what else asks a program to end, is noted.
///
/// The terminal sends it to every program in front, so a child gets it by itself.
pub(crate) fn listen() {
    let note = || {
        if COUNT.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(ENDED);
        }
    };
    // Where it cannot be noted, Ctrl-C ends kb as it ends everything.
    drop(ctrlc::set_handler(note));
}

/// Was there one?
pub(crate) fn came() -> bool {
    COUNT.load(Ordering::SeqCst) > 0
}
