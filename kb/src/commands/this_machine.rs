//! The machine that a command looks at: this one, as a service sees it, or a captured one.

use crate::Failure;
use crate::args;
use kb_core::diag::Diagnostic;
use probe::machine::{Capture, Live, Machine, Replay, Service};
use probe::{Probe, Wanted};

/// What is to be looked at.
pub(super) fn wanted(args: &args::Machine) -> Wanted {
    Wanted {
        python: args.python.as_ref().map(|p| p.to_string_lossy().into_owned()),
        all_pythons: args.all_pythons,
        ..Wanted::default()
    }
}

/// Hands the machine to `look`.
///
/// # Errors
/// If a captured machine cannot be read.
pub(super) fn with<R>(args: &args::Machine, look: impl FnOnce(&dyn Machine) -> R) -> Result<R, Failure> {
    if let Some(from) = &args.from {
        let capture = Capture::load(from).map_err(|error| {
            Diagnostic::error("unreadable", format!("--from {error}"))
                .help("name a directory that `kb probe --capture DIR` wrote, or the capture.toml in it")
        })?;
        return Ok(look(&Replay::new(capture)));
    }
    let live = Live;
    if args.as_service {
        return Ok(look(&Service(&live)));
    }
    Ok(look(&live))
}

/// Looks at the machine.
///
/// # Errors
/// If a captured machine cannot be read, or the environment that was named is none.
pub(super) fn observe(args: &args::Machine) -> Result<Probe, Failure> {
    let wanted = wanted(args);
    let seen = with(args, |machine| probe::observe(machine, &wanted))?;
    checked(args, seen)
}

/// An environment that was named and is none is a wrong question.
///
/// # Errors
/// If so.
pub(super) fn checked(args: &args::Machine, seen: Probe) -> Result<Probe, Failure> {
    let Some(python) = &args.python else { return Ok(seen) };
    if !seen.environments.is_empty() {
        return Ok(seen);
    }
    let why = seen.failures.iter().find(|f| f.what == "environment");
    let why = why.map_or("there is no Python environment", |f| &f.says);
    Err(Diagnostic::error("no-environment", format!("--python {}: {why}", python.display()))
        .help("name the directory of an environment, its interpreter, or its site-packages")
        .into())
}
