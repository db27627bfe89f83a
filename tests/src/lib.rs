//! Tests that run the whole program: cases (arguments, output, exit code) and examination questions; a package index
//! for those that ask one.

pub mod cases;
pub mod logs;
pub mod package;
pub mod questions;
pub mod server;
#[cfg(unix)]
pub mod wine;

use std::path::PathBuf;

/// The directory of this crate.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The program under test: built by Cargo beside the tests' own programs.
///
/// # Errors
/// If it is not there; it is built by `cargo test` of the whole workspace, or by `cargo build -p kb`.
pub fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let name = format!("kb{}", std::env::consts::EXE_SUFFIX);
    let found = own.ancestors().skip(1).take(3).map(|dir| dir.join(&name)).find(|p| p.is_file());
    found.ok_or_else(|| "the program `kb` is not built: run `cargo build -p kb` first".to_owned())
}
