#!/bin/sh
# How large kb-core is in the browser, with the data for a first answer: scripts/browser-size.sh
# Prints the gzip size of one module that holds the engine, the facts for answers and the words of all languages, as it is
# and after wasm-opt. Packages are joined there when they are asked for, which saves their bytes.
# Takes the target of rustup where it is installed, else a compiler with its own sources of std (Debian's rustc-web).
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
target="${CARGO_TARGET_DIR:-$root/target}"
crate="$target/browser-size"
mkdir -p "$crate/src"
cat > "$crate/Cargo.toml" <<TOML
[workspace]
[package]
name = "browser-size"
version = "0.0.0"
edition = "2024"
[lib]
crate-type = ["cdylib"]
[dependencies]
kb-core = { path = "$root/kb-core" }
kb-data = { path = "$root/kb-data", default-features = false, features = ["builtin"] }
serde_json = { version = "1", default-features = false, features = ["alloc"] }
[profile.release]
opt-level = "z"
lto = "fat"
codegen-units = 1
panic = "abort"
strip = true
TOML
cat > "$crate/src/lib.rs" <<'RUST'
//! The least that a page needs: a question as JSON in, an answer as JSON out.
use kb_core::request::RawRequest;

/// Answers the question in `len` bytes at `question`; gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask(question: *const u8, len: usize) -> usize {
    // SAFETY: the page passes a block that it has just filled.
    let bytes = unsafe { std::slice::from_raw_parts(question, len) };
    let Ok(raw) = serde_json::from_slice::<RawRequest>(bytes) else { return 0 };
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    match kb_core::ask(&world, &raw) {
        Ok(answer) => serde_json::to_vec(&answer).map_or(0, |v| v.leak().len()),
        Err(_) => 0,
    }
}
RUST
cp Cargo.lock "$crate/Cargo.lock"
cd "$crate"
if rustup target list --installed 2> /dev/null | grep -q wasm32-unknown-unknown; then
  cargo build -q --release --target wasm32-unknown-unknown --target-dir "$crate/target"
else
  # Debian's compiler brings the sources of std; rust-lld is a package of its own there.
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$(ls /usr/bin/wasm-ld* | head -1)" \
    /usr/bin/cargo build -q --release --target wasm32-unknown-unknown -Z build-std=std,panic_abort \
    --target-dir "$crate/target"
fi
module="$crate/target/wasm32-unknown-unknown/release/browser_size.wasm"
gzip -9 -c "$module" | wc -c
if command -v wasm-opt > /dev/null; then
  wasm-opt -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    "$module" -o "$module.opt" && gzip -9 -c "$module.opt" | wc -c
fi
