#!/bin/sh
# Measures how fast files are read, beside cat, unzip and Python, and writes the section about that in
# book/src/benchmarks.md: scripts/bench-artifact.sh WHEEL MEMBER
# WHEEL is a large one with MEMBER compressed in it; the figures in the book are those of paddlepaddle-gpu 2.6.1 for
# Windows and paddle/base/libpaddle.pyd. Needs hyperfine, unzip, python3 and GNU time.
set -eu
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-$(pwd)/target}"
work="$target/bench-artifact"
wheel="$1" member="$2"
mkdir -p "$work"
cargo build -q --release -p artifact --examples
scan="$target/release/examples/scan"
describe="$target/release/examples/describe"
unzip -oq "$wheel" "$member" -d "$work"
library="$work/$member"

hyperfine -N --warmup 2 --runs 10 --output null --export-json "$work/library.json" \
  -n cat "cat $library" -n stream "$scan stream $library" -n library "$scan library $library" > /dev/null
hyperfine --warmup 1 --runs 5 --export-json "$work/member.json" \
  -n unzip "unzip -p $wheel $member > /dev/null" \
  -n member "$scan member $wheel $member" \
  -n whole "python3 scripts/bench_artifact.py whole $wheel $member" \
  -n pieces "python3 scripts/bench_artifact.py pieces $wheel $member" > /dev/null
/usr/bin/time -f '%M' -o "$work/rss" "$describe" "$wheel" > /dev/null
/usr/bin/time -f '%M' -o "$work/rss.member" "$scan" member "$wheel" "$member" > /dev/null
wc -c < "$library" > "$work/size"
rm "$library"

python3 scripts/bench_artifact.py table "$work" | tee "$work/section.md"
python3 scripts/bench_section.py book/src/benchmarks.md < "$work/section.md"
