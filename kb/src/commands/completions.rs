//! `kb completions`.

use crate::args::{Cli, Completions, Global};
use clap::CommandFactory;

/// Prints the script; it is made in memory first, so that a closed pipe does no harm.
pub(super) fn run(global: &Global, args: &Completions) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kb", &mut script);
    super::text(global, "completions", &script);
    0
}
