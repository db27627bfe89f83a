//! The data that was compiled into this crate.

use crate::blob;
use kb_core::kb::Kb;
use kb_core::world::World;

static CORE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core.bin"));
#[cfg(feature = "joined")]
static PACKAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/packages.bin"));
#[cfg(feature = "libraries")]
static LIBRARIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libraries.bin"));
static WORDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.bin"));
static DIAGNOSIS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/diagnosis.bin"));
static REST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rest.bin"));

/// What answers need, in English: without the tables, pages, claims and sentences that only who looks up facts reads. Reading it takes about
/// a millisecond, so keep the value.
///
/// Without the feature `libraries` the tables of packages beside the frameworks are missing: enough for one framework.
pub fn builtin() -> Kb {
    // The build script wrote these bytes with the same code.
    let kb = blob::read_core(CORE).expect("core.bin is what the build script wrote");
    #[cfg(feature = "libraries")]
    let kb = {
        let mut kb = kb;
        blob::add_tables(&mut kb, LIBRARIES);
        kb
    };
    kb
}

/// The same with the words of another language.
pub fn builtin_in(language: &str) -> Kb {
    let mut kb = builtin();
    if language != "en" {
        blob::add_words(&mut kb, WORDS);
    }
    kb
}

/// The same with signatures and causes, which `diagnose` needs.
pub fn builtin_for_diagnosis(language: &str) -> Kb {
    let mut kb = builtin_in(language);
    blob::add_diagnosis(&mut kb, DIAGNOSIS);
    kb
}

/// Everything, in all languages. Handles of facts that [`builtin`] gives are valid here too; its tables stand before the others, so
/// the tables as a whole are not sorted.
pub fn builtin_full() -> Kb {
    blob::join(builtin_for_diagnosis("*"), REST).expect("rest.bin is what the build script wrote")
}

/// The rules' view of [`builtin`] or [`builtin_full`], with packages that were joined when this crate was built
/// (feature `joined`).
pub fn world(kb: &Kb) -> World<'_> {
    #[cfg(feature = "joined")]
    return World::with_joined(kb, |package, platform| blob::joined(PACKAGES, package, platform));
    #[cfg(not(feature = "joined"))]
    World::new(kb)
}

/// The sizes of two parts, core and rest, for tests and reports.
pub fn sizes() -> (usize, usize) {
    (CORE.len(), REST.len())
}
