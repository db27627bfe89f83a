//! Ctrl-C while kb waits for something else: the first one is noted, the second one ends kb.
//!
//! The terminal sends it to every program in front, so a child gets it by itself. What a supervisor sends to kb alone
//! (SIGTERM) is passed on to the child: kb ends when that does.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{Passing, listen};

#[cfg(not(unix))]
mod console;
#[cfg(not(unix))]
pub(crate) use console::{Passing, listen};

use std::sync::atomic::{AtomicUsize, Ordering};

/// What shells say of a program that Ctrl-C ended: 128 and the number of the signal.
pub(crate) const ENDED_BY_CTRL_C: i32 = 130;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Was there one, or another wish that kb ends?
pub(crate) fn came() -> bool {
    COUNT.load(Ordering::SeqCst) > 0
}

/// Notes one; was it the first?
fn note() -> bool {
    COUNT.fetch_add(1, Ordering::SeqCst) == 0
}
