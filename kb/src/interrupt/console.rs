//! Ctrl-C as the console of Windows tells it.

use super::{ENDED_BY_CTRL_C, note};
use std::process::Child;

/// From now on Ctrl-C is noted.
pub(crate) fn listen() {
    let heard = || {
        if !note() {
            std::process::exit(ENDED_BY_CTRL_C);
        }
    };
    // Where it cannot be noted, Ctrl-C ends kb as it ends everything.
    drop(ctrlc::set_handler(heard));
}

/// On Windows there is nothing to pass on.
pub(crate) struct Passing;

impl Passing {
    pub(crate) fn to(_child: &Child) -> Self {
        Passing
    }
}
