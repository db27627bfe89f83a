#!/bin/sh
# How large kb-core is in the browser, with the data for a first answer: scripts/browser-size.sh
# Prints the gzip size of one module that holds the engine, the facts for answers and the words of all languages, as it is
# and after wasm-opt. Packages are joined there when they are asked for, which saves their bytes; the tables of libraries
# and of NVIDIA's wheels, which only questions about several packages need, are fetched beside it and are not counted.
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
[profile.release]
opt-level = "z"
lto = "fat"
codegen-units = 1
panic = "abort"
strip = true
TOML
cat > "$crate/src/lib.rs" <<'RUST'
//! The engine and its data alone: how questions and answers cross to the page is not counted.
use kb_core::request::RawRequest;

/// Answers a question: lines with GPU, system, driver and then the packages.
#[unsafe(no_mangle)]
pub extern "C" fn ask(question: *const u8, len: usize) -> usize {
    // SAFETY: the page passes a block that it has just filled.
    let bytes = unsafe { std::slice::from_raw_parts(question, len) };
    let Ok(text) = std::str::from_utf8(bytes) else { return 0 };
    let mut lines = text.lines().map(str::to_owned);
    let raw = RawRequest {
        command: "solve".into(),
        gpus: lines.next().into_iter().collect(),
        os: lines.next(),
        driver: lines.next(),
        wants: lines.collect(),
        ..RawRequest::default()
    };
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    match kb_core::ask(&world, &raw) {
        Ok(answer) => Box::leak(Box::new(answer)) as *const _ as usize,
        Err(mistakes) => mistakes.len(),
    }
}
RUST
cp Cargo.lock "$crate/Cargo.lock"
cd "$crate"
# A page cannot read a panic's message: std is built without them.
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zunstable-options -Cpanic=immediate-abort"
set -- build -q --release --target wasm32-unknown-unknown --target-dir "$crate/target" \
  -Z build-std=std,panic_abort -Z build-std-features=optimize_for_size
if [ -d "$(rustc --print sysroot)/lib/rustlib/src" ] && rustup target list --installed 2> /dev/null | grep -q wasm32; then
  cargo "$@"
else
  # Debian's compiler brings the sources of std; its linker is in a package of its own.
  RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$(ls /usr/bin/wasm-ld* | head -1)" \
    /usr/bin/cargo "$@"
fi
module="$crate/target/wasm32-unknown-unknown/release/browser_size.wasm"
gzip -9 -c "$module" | wc -c
if command -v wasm-opt > /dev/null; then
  wasm-opt -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    "$module" -o "$module.opt" && gzip -9 -c "$module.opt" | wc -c
fi
