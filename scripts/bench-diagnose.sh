#!/bin/sh
# Measures `kb diagnose` on a log of 100 MB beside ripgrep with the same fixed texts, and writes the section about that in
# book/src/benchmarks.md: scripts/bench-diagnose.sh
# Needs hyperfine, ripgrep, python3 and GNU time. The log is made with a fixed seed.
set -eu
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-$(pwd)/target}"
work="$target/bench-diagnose"
mkdir -p "$work"
cargo build -q --release -p kb
kb="$target/release/kb"
python3 scripts/bench_diagnose.py log "$work" kb-data/data/signatures tests/corpus/diagnose

# `kb diagnose` ends with 1 or 3: that is its answer, no failure.
hyperfine -N -i --warmup 2 --runs 10 --output null --export-json "$work/large.json" \
  -n rg "rg -c -F -f $work/needles $work/large.log" \
  -n rg-i "rg -i -c -F -f $work/needles $work/large.log" \
  -n kb "$kb diagnose $work/large.log" \
  -n kb-one "$kb diagnose $work/large.log --data $work/one" \
  -n kb-ten "$kb diagnose $work/large.log --data $work/ten" > /dev/null
hyperfine -N -i --warmup 5 --runs 50 --output null --export-json "$work/short.json" \
  -n kb "$kb diagnose $work/short.log" -n version "$kb --version" \
  -n one "$kb diagnose $work/short.log --data $work/one" -n ten "$kb diagnose $work/short.log --data $work/ten" > /dev/null
# Its exit code is no failure here either.
/usr/bin/time -f '%M' -o "$work/rss" "$kb" diagnose "$work/large.log" > /dev/null || true
tail -1 "$work/rss" > "$work/rss.last"

python3 scripts/bench_diagnose.py table "$work" | tee "$work/section.md"
python3 scripts/bench_section.py book/src/benchmarks.md < "$work/section.md"
