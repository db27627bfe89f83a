#!/bin/sh
# On a machine with an NVIDIA GPU: compares what `kb probe` sees with what `nvidia-smi -q -x` says, value by value, and
# prints a table. Ends with 1 if a value differs or kb lacks one. Takes seconds; nothing is changed.
#   scripts/gpu-compare.sh [KB]           KB: the program, else target/release/kb, target/debug/kb or kb of PATH
#   scripts/gpu-compare.sh --self-test [KB]   the same with a recorded machine: tests/recorded/gpu
# Needs python3. KB_NVML names another management library, as for kb itself.
set -eu
cd "$(dirname "$0")/.."
self=
if [ "${1:-}" = --self-test ]; then
  self=1
  shift
fi
target="${CARGO_TARGET_DIR:-target}"
kb="${1:-}"
for candidate in "$target/release/kb" "$target/debug/kb" "$(command -v kb || true)"; do
  [ -n "$kb" ] || [ ! -x "$candidate" ] || kb="$candidate"
done
[ -n "$kb" ] || { echo "kb is not built: cargo build --release -p kb" >&2; exit 2; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ -n "$self" ]; then
  recorded=tests/recorded/gpu
  "$kb" probe --from "$recorded" --json > "$work/probe.json"
  python3 scripts/gpu_compare.py "$work/probe.json" "$recorded/nvidia-smi.xml" "$recorded/compute.csv"
  # What differs has to be found: another driver, less memory, no limit.
  sed -e 's/<driver_version>535/<driver_version>550/' -e 's/81920 MiB/40960 MiB/' \
    "$recorded/nvidia-smi.xml" > "$work/other.xml"
  if python3 scripts/gpu_compare.py "$work/probe.json" "$work/other.xml" "$recorded/compute.csv" > "$work/table"; then
    echo "a wrong driver and wrong memory were not found" >&2
    exit 1
  fi
  # The driver is seen in two ways, the memory in one.
  [ "$(grep -c ' different$' "$work/table")" -ge 2 ] || { cat "$work/table"; exit 1; }
  echo "Differences that were made are found."
  exit 0
fi

# Both at once would wait for each other's start of the driver; one after the other.
nvidia-smi -q -x > "$work/smi.xml"
# Drivers before R510 do not know the field; then it is not compared.
nvidia-smi --query-gpu=pci.bus_id,compute_cap --format=csv,noheader > "$work/compute.csv" || : > "$work/compute.csv"
"$kb" probe --json > "$work/probe.json"
python3 scripts/gpu_compare.py "$work/probe.json" "$work/smi.xml" "$work/compute.csv"
