//! Signals that ask kb to end.

use super::note;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What shells say of a program that a signal ended: this, and the number of the signal.
const ENDED: i32 = 128;

/// The program that SIGTERM is passed on to, while there is one; what came before it started waits for it.
static CHILD: Mutex<Receiver> = Mutex::new(Receiver { pid: None, waiting: false });

struct Receiver {
    pid: Option<Pid>,
    waiting: bool,
}

/// From now on the signals are noted.
pub(crate) fn listen() {
    // Where they cannot be noted, they end kb as they end everything.
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || signals.forever().for_each(heard));
}

fn heard(signal: i32) {
    let first = note();
    let mut child = child();
    match child.pid {
        Some(pid) if signal == SIGTERM => pass(pid),
        _ if !first => std::process::exit(ENDED + signal),
        _ => child.waiting |= signal == SIGTERM,
    }
}

fn child() -> MutexGuard<'static, Receiver> {
    CHILD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pass(pid: Pid) {
    // One that ended in the meantime needs it no more.
    let _ = kill_process(pid, Signal::TERM);
}

/// While it lives, SIGTERM is passed on to a child.
pub(crate) struct Passing;

impl Passing {
    pub(crate) fn to(process: &Child) -> Self {
        let mut child = child();
        child.pid = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        if let (Some(pid), true) = (child.pid, child.waiting) {
            pass(pid);
        }
        Passing
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // The number may be that of another program from now on.
        child().pid = None;
    }
}
