#!/bin/sh
# Builds the modules for browsers: scripts/wasm.sh [DIRECTORY [MODULE …]]
# Writes search.wasm, engine.wasm and diagnose.wasm (the engine with what reads logs) and the parts of the data into
# DIRECTORY (default: target/wasm) and prints their sizes as they are and compressed. No data is in the modules.
# wasm-opt (binaryen) is used where it is there. Takes the target of rustup where it is installed, else a compiler with its
# own sources of std (Debian's rustc-web).
set -eu
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-$PWD/target}"
out="${1:-$target/wasm}"
[ $# = 0 ] || shift
[ $# != 0 ] || set -- search engine diagnose
mkdir -p "$out"
out=$(cd "$out" && pwd)

cd bindings/wasm
# A page cannot read a panic's message: std is built without them.
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zunstable-options -Cpanic=immediate-abort"
for module in "$@"; do
  build="build -q --release --locked --no-default-features --features $module --target wasm32-unknown-unknown
    --target-dir $target/browser -Z build-std=std,panic_abort -Z build-std-features=optimize_for_size"
  if [ -d "$(rustc --print sysroot)/lib/rustlib/src" ] && rustup target list --installed 2> /dev/null | grep -q wasm32; then
    # shellcheck disable=SC2086
    cargo $build
  else
    # Debian's compiler brings the sources of std; its linker is in a package of its own.
    # shellcheck disable=SC2086
    RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$(ls /usr/bin/wasm-ld* | head -1)" \
      /usr/bin/cargo $build
  fi
  cp "$target/browser/wasm32-unknown-unknown/release/kb_wasm.wasm" "$out/$module.wasm"
  if command -v wasm-opt > /dev/null; then
    wasm-opt -Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
      "$out/$module.wasm" -o "$out/$module.opt" && mv "$out/$module.opt" "$out/$module.wasm"
  fi
done
# The parts of the data, as kb-data's build script wrote them for the newest module.
data=$(ls -td "$target"/browser/wasm32-unknown-unknown/release/build/kb-data-*/out 2> /dev/null | head -1)
[ -z "$data" ] || for part in core libraries words diagnosis; do cp "$data/$part.bin" "$out"; done

for file in "$out"/*.wasm "$out"/*.bin; do
  [ ! -f "$file" ] || echo "$(basename "$file"): $(wc -c < "$file") bytes, $(gzip -9 -c "$file" | wc -c) compressed"
done
