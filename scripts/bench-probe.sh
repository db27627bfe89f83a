#!/bin/sh
# Measures `kb probe` on a made machine with ten Python environments, beside torch-check and torch's collect_env, and
# writes the section "Looking at a machine" of book/src/benchmarks.md:
#   scripts/bench-probe.sh TORCH_CHECK COLLECT_ENV
# TORCH_CHECK is the program (`cargo install torch-check --locked --root DIR`), COLLECT_ENV the file
# torch/utils/collect_env.py of a wheel of torch, which is run with a stand-in for torch itself. Needs hyperfine,
# python3 and cc.
set -eu
cd "$(dirname "$0")/.."
check="$1" collect="$2"
target="${CARGO_TARGET_DIR:-$(pwd)/target}"
work="$target/bench-probe"
mkdir -p "$work"
# BENCH_CONFIG: options of Cargo for the build, such as `--config profile.release.lto=false`.
# shellcheck disable=SC2086
cargo build -q --release ${BENCH_CONFIG:-} -p kb -p fake-nvml
# shellcheck disable=SC2086
cargo build -q --release ${BENCH_CONFIG:-} -p nvml-report --examples
kb="$target/release/kb"
library="$target/release/libfake_nvml.so"
cc -O2 -o "$work/init" scripts/bench_nvml_init.c
python3 scripts/bench_probe.py make "$work" "$collect"
first="$work/home/.virtualenvs/env-0"

# Nothing of the user's own machine: its variables, its home.
clean="env -i HOME=$work/home PATH=$first/bin:/usr/bin:/bin"
# The same machine with one GPU: the library for kb, the program for the others.
gpu="env -i HOME=$work/home PATH=$first/bin:$work/bin:/usr/bin:/bin KB_NVML=$library FAKE_NVML=$work/nvml.toml"
runs="${RUNS:-40}"

# No process is let in between the two sides of a ratio: all in one run, and the least of many runs counts.
hyperfine -N -i --warmup 3 --runs "$runs" --output null --export-json "$work/probe.json" \
  -n env "$clean $kb --version" \
  -n all "$clean $kb probe --all-pythons --json" \
  -n text "$clean $kb probe --all-pythons" \
  -n one "$clean $kb probe --json" \
  -n large "$clean $kb probe --python $work/large --json" \
  -n none "$clean $kb probe --python $work/empty --json" \
  -n gpu "$gpu $kb probe --json" \
  -n gpu-all "$gpu $kb probe --all-pythons --json" \
  -n torch-check "$gpu $check --python $first/bin/python inspect" > /dev/null
hyperfine -N -i --warmup 1 --runs 7 --output null --export-json "$work/collect.json" \
  -n one "$gpu $kb probe --json" \
  -n all "$gpu $kb probe --all-pythons --json" \
  -n collect "$gpu PYTHONPATH=$work/stub python3 -m torch.utils.collect_env" > /dev/null
hyperfine -N --warmup 5 --runs "$runs" --output null --export-json "$work/nvml.json" \
  -n init "$gpu $work/init $library" -n read "$gpu $target/release/examples/read $library" \
  -n init-many "$gpu $work/init $library 500" -n read-many "$gpu $target/release/examples/read $library 500" > /dev/null

python3 scripts/bench_probe.py table "$work" | tee "$work/section.md"
python3 scripts/bench_section.py book/src/benchmarks.md < "$work/section.md"
