//! The modules that run the engine in pages, and the parts of the data that they read.

use crate::Site;
use kb_core::diag::Diagnostic;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Files by name, as `scripts/wasm.sh` writes them.
pub type Modules = BTreeMap<String, Vec<u8>>;

/// What pages with a form need.
const ENGINE: [&str; 6] =
    ["engine.wasm", "diagnose.wasm", "core.bin", "libraries.bin", "words.bin", "diagnosis.bin"];

/// Scripts of those pages.
const SCRIPTS: [(&str, &[u8]); 3] = [
    ("static/engine.js", include_bytes!("static/engine.js")),
    ("static/solve.js", include_bytes!("static/solve.js")),
    ("static/paste.js", include_bytes!("static/paste.js")),
];

/// Adds the engine's modules, their data and their scripts.
///
/// # Errors
/// If one of the files is not there.
pub(crate) fn add(site: &mut Site, modules: &Modules) -> Result<(), Diagnostic> {
    for name in ENGINE {
        let bytes = modules.get(name).ok_or_else(|| missing(name))?;
        site.insert(format!("static/engine/{name}"), bytes.clone());
    }
    site.extend(SCRIPTS.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())));
    Ok(())
}

fn missing(name: &str) -> Diagnostic {
    Diagnostic::error("no-module", format!("{name} is not among the modules for browsers"))
        .help("build them: scripts/wasm.sh DIR, then kb site build OUT --modules DIR")
}

/// What tells these files from those of another build: pages ask for them by it, so that a browser keeps them and never
/// mixes a module with data of another one.
pub(crate) fn version(modules: &Modules) -> String {
    let mut hash = Sha256::new();
    for name in ENGINE {
        hash.update(modules.get(name).map(Vec::as_slice).unwrap_or_default());
    }
    hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
}
