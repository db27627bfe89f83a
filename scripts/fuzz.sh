#!/bin/sh
# Fuzzes the readers of files, every target after the other: scripts/fuzz.sh [SECONDS [TARGET …]]
# SECONDS is for each target, 3600 unless told. Needs a nightly compiler and `cargo install cargo-fuzz`.
# Memory is bounded to 2 GiB and an input to 10 seconds. What is found lies in {artifact,diagnose}/fuzz/artifacts/TARGET and the
# script fails; `cargo +nightly fuzz run TARGET FILE` in that directory shows it again. What was learnt on the way lies in
# fuzz/corpus, which is not kept; fuzz/seeds is: of artifact written by artifact/tests/seeds.rs, of diagnose the corpus of
# logs and reports in tests/corpus.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
seconds="${1:-3600}"
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- wheel members metadata record fatbin elf pe stated names decode lines read redact sift whole
mkdir -p diagnose/fuzz/seeds
# Without a sanitizer: none of this crate is unsafe, and the limit on memory needs an address space that is small.
build="--sanitizer ${FUZZ_SANITIZER:-none}"
failed=
# shellcheck disable=SC2086
for target in "$@"; do
  crate=artifact
  [ -f "artifact/fuzz/fuzz_targets/$target.rs" ] || crate=diagnose
  cd "$root/$crate"
  if [ "$crate" = diagnose ]; then
    mkdir -p "fuzz/seeds/$target"
    python3 "$root/scripts/fuzz_seeds.py" "$root/tests/corpus" "fuzz/seeds/$target"
  fi
  cargo +nightly fuzz build $build "$target"
  mkdir -p "fuzz/corpus/$target"
  (
    [ "${FUZZ_SANITIZER:-none}" != none ] || ulimit -v 2097152
    exec cargo +nightly fuzz run $build "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
      -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -use_value_profile=1 -print_funcs=0 -seed=1 \
      -print_final_stats=1 -verbosity=0
  ) || failed="$failed $target"
done
[ -z "$failed" ] || { echo "found something:$failed"; exit 1; }
