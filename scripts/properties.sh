#!/bin/sh
# Every property with many cases from a fixed seed: scripts/properties.sh [CASES [SEED]]
# Prints how many cases each property tried. A case that fails is kept in tests/worlds/.
set -eu
cd "$(dirname "$0")/.."
export KB_PROPTEST_CASES="${1:-10000}"
export KB_PROPTEST_SEED="${2:-20261130}"
# Optimised, with overflow checks; a directory of its own, so that the usual build stays as it is.
export CARGO_PROFILE_DEV_OPT_LEVEL=1
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/properties"
echo "$KB_PROPTEST_CASES cases for each property, seed $KB_PROPTEST_SEED"
exec cargo test -q -p kb-tests --test properties -- --nocapture
