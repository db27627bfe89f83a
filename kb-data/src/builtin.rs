//! The data that was compiled into this crate.

use crate::blob;
use kb_core::kb::Kb;
use kb_core::world::World;

static CORE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core.bin"));
static PACKAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/packages.bin"));
static REST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rest.bin"));

/// What answers need: without the tables, pages and claims that only people read. Reading it takes a few
/// milliseconds, so keep the value.
pub fn builtin() -> Kb {
    // The build script wrote these bytes with the same code.
    blob::read_core(CORE).expect("core.bin is what the build script wrote")
}

/// Everything. Handles of facts that [`builtin`] gives are valid here too; its tables stand before the others, so
/// the tables as a whole are not sorted.
pub fn builtin_full() -> Kb {
    blob::join(builtin(), REST).expect("rest.bin is what the build script wrote")
}

/// The rules' view of [`builtin`] or [`builtin_full`], with packages that were joined when this crate was built.
pub fn world(kb: &Kb) -> World<'_> {
    World::with_joined(kb, |package, platform| blob::joined(PACKAGES, package, platform))
}

/// The sizes of the two parts, core and rest, for tests and reports.
pub fn sizes() -> (usize, usize) {
    (CORE.len(), REST.len())
}
