#!/bin/sh
# Measures kb beside other programs on this machine and writes book/src/benchmarks.md: scripts/bench.sh
# Needs hyperfine, python3 with venv, GNU time and, once, the network (uv and its index cache go to target/bench).
# Every figure is a ratio within one run; the machine is not described, and absolute times are only there to be
# compared with their neighbours.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
target="${CARGO_TARGET_DIR:-$root/target}"
work="$target/bench"
mkdir -p "$work" book/src

cargo build -q --release -p kb
kb="$target/release/kb"

[ -x "$work/venv/bin/uv" ] || { python3 -m venv "$work/venv" && "$work/venv/bin/pip" -q install uv; }
uv="$work/venv/bin/uv"
export UV_CACHE_DIR="$work/uv-cache"
printf 'torch\n' > "$work/torch.in"
"$uv" pip compile -q --python-version 3.12 --python-platform linux "$work/torch.in" -o "$work/torch.txt" > /dev/null

hyperfine -N --warmup 5 --runs 50 --export-json "$work/process.json" \
  -n kb "$kb solve --gpu rtx3090 --os linux" \
  -n uv-version "$uv --version" \
  -n uv-compile "$uv pip compile -q --offline --python-version 3.12 --python-platform linux $work/torch.in -o $work/torch.txt" \
  > /dev/null

(cd benches && CARGO_TARGET_DIR="$work/cargo" cargo bench -q --bench answers -- --noplot > "$work/criterion.txt")

/usr/bin/time -f '%M' -o "$work/rss" "$kb" solve --gpu rtx3090 --os linux > /dev/null
blobs=$(ls -td "$target"/release/build/kb-data-*/out | head -1)
for blob in core packages words rest; do gzip -9 -c "$blobs/$blob.bin" | wc -c > "$work/$blob.gz.size"; wc -c < "$blobs/$blob.bin" > "$work/$blob.size"; done
wc -c < "$kb" > "$work/binary.size"

# The last section is written by scripts/bench-artifact.sh.
sed -n '/^## Reading files/,$p' book/src/benchmarks.md > "$work/files.md"
{ python3 scripts/bench_table.py "$work"; echo; cat "$work/files.md"; } > "$work/benchmarks.md"
cp "$work/benchmarks.md" book/src/benchmarks.md
cat book/src/benchmarks.md
