//! Compiles data/ into blobs with the same loader that reads a directory at run time.
//!
//! An error in the data fails the build, with all the mistakes as `kb lint` would show them.

// The modules are the crate's own; the build script uses a part of them.
#![allow(dead_code, unreachable_pub)]

#[path = "src/authoring/mod.rs"]
mod authoring;
#[path = "src/blob.rs"]
mod blob;
#[path = "src/tree.rs"]
mod tree;

use kb_core::diag::Level;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    for path in ["build.rs", "data", "src/authoring", "src/blob.rs", "src/tree.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    if std::env::var_os("CARGO_FEATURE_BUILTIN").is_none() {
        return Ok(());
    }
    let root = std::env::var("CARGO_MANIFEST_DIR")?;
    let tree = tree::DataTree::from_dir(&Path::new(&root).join("data"))?;
    let (kb, diagnostics) = authoring::load(&tree);
    let errors: Vec<String> =
        diagnostics.iter().filter(|d| d.level == Level::Error).map(ToString::to_string).collect();
    if !errors.is_empty() {
        eprintln!("{}\n\n{} mistakes in kb-data/data", errors.join("\n\n"), errors.len());
        std::process::exit(1);
    }
    let blobs = blob::write(kb)?;
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join("core.bin"), blobs.core)?;
    std::fs::write(Path::new(&out).join("libraries.bin"), blobs.libraries)?;
    std::fs::write(Path::new(&out).join("rest.bin"), blobs.rest)?;
    std::fs::write(Path::new(&out).join("packages.bin"), blobs.packages)?;
    std::fs::write(Path::new(&out).join("words.bin"), blobs.words)?;
    std::fs::write(Path::new(&out).join("diagnosis.bin"), blobs.diagnosis)?;
    Ok(())
}
