//! `kb snapshot`: the state of this machine as a file, and what has changed since.

use super::{Session, doctor, this_machine};
use crate::args::Snapshot;
use crate::output::{json, snapshot as writer, write_out};
use crate::{Failure, Outcome};
use kb_core::diag::Diagnostic;
use std::path::Path;

mod drift;
mod lock;

pub(crate) use drift::{Drift, Effect};
use lock::Lock;

/// Bytes of such a file at most.
const LARGEST: u64 = 4 << 20;

/// Writes the state, or compares it.
pub(super) fn run(session: &Session<'_>, args: &Snapshot) -> Outcome {
    // What cannot be read is told before the machine is looked at.
    let before = args.check.as_deref().map(read).transpose()?;
    let seen = this_machine::observe(session, &args.machine)?;
    let world = session.world();
    let now = Lock::of(session.kb, world, &seen);
    let Some(before) = before else {
        return write(session, args.output.as_deref(), &now);
    };
    let changes = drift::between(session, world, &before, &now);
    let matters = changes.iter().any(|c| c.effect == Effect::Breaks);
    if session.global.json {
        json::print(&drift::Document::new(&before.written, changes, matters));
    } else {
        let mut screen = session.screen();
        writer::print(&mut screen, &before.written, &changes);
        screen.print();
    }
    Ok(u8::from(matters))
}

fn read(path: &Path) -> Result<Lock, Failure> {
    let fail = |why: String| {
        Failure::from(
            Diagnostic::error("unreadable", format!("--check {}: {why}", path.display()))
                .help("name a file that `kb snapshot -o FILE` wrote"),
        )
    };
    let about = std::fs::metadata(path).map_err(|e| fail(e.to_string()))?;
    // A pipe would wait, a device would never end.
    if !about.is_file() {
        return Err(fail("this is no regular file".to_owned()));
    }
    let length = about.len();
    if length > LARGEST {
        return Err(fail(format!("{length} bytes are more than a snapshot has")));
    }
    let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
    Lock::parse(&text).map_err(fail)
}

fn write(session: &Session<'_>, path: Option<&Path>, lock: &Lock) -> Outcome {
    let fail = |place: &Path, why: String| {
        Failure::from(Diagnostic::error("unwritable", format!("--output {}: {why}", place.display())))
    };
    let text = lock.to_text();
    match path {
        None if session.global.json => json::print(lock),
        None => write_out(text.as_bytes(), false),
        Some(path) => {
            // Somebody's own file is not replaced.
            if path.exists() && read(path).is_err() {
                return Err(fail(path, "something else is there; choose another name".to_owned()));
            }
            std::fs::write(path, text).map_err(|e| fail(path, e.to_string()))?;
            if session.global.json {
                json::print(lock);
            }
        }
    }
    Ok(0)
}

/// What the doctor says of a state.
fn findings(session: &Session<'_>, world: &kb_core::world::World<'_>, lock: &Lock) -> doctor::Found {
    doctor::examine(session, world, &lock.probe())
}
