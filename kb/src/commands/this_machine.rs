//! The machine that a command looks at: this one, as a service sees it, or a captured one.

use super::Session;
use crate::{Failure, args, library_files};
use kb_core::diag::Diagnostic;
use probe::machine::{Capture, Live, Machine, Replay, Service};
use probe::{Probe, Wanted};

/// What is to be looked at.
pub(super) fn wanted(session: &Session<'_>, args: &args::Machine) -> Wanted {
    Wanted {
        python: args.python.as_ref().map(|p| p.to_string_lossy().into_owned()),
        all_pythons: args.all_pythons,
        file_sets: library_files::sets(session.kb),
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
            Diagnostic::error("bad-file", format!("--from {error}"))
                .help("name a directory that `kb probe --capture` wrote, or the capture.toml in it")
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
pub(super) fn observe(session: &Session<'_>, args: &args::Machine) -> Result<Probe, Failure> {
    let wanted = wanted(session, args);
    let seen = with(args, |machine| probe::observe(machine, &wanted))?;
    check(args, seen.environments.len(), &seen.failures)?;
    Ok(seen)
}

/// An environment that was named and is none is a wrong question.
///
/// # Errors
/// If so.
pub(super) fn check(
    args: &args::Machine,
    environments: usize,
    failures: &[probe::Failure],
) -> Result<(), Failure> {
    let (Some(python), 0) = (&args.python, environments) else { return Ok(()) };
    let why = failures.iter().find(|f| f.what == "environment" || f.what == "interpreter");
    let why = why.map_or("no environment of Python", |f| &f.says);
    Err(Diagnostic::error("bad-file", format!("--python {}: {why}", python.display()))
        .help("name an interpreter, or the directory of an environment")
        .into())
}
