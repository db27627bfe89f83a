#!/bin/sh
# Fetches NVIDIA's management library from Debian's archive, for nvml/tests/genuine.rs: without a driver it loads, and
# says that there is none. Usage: scripts/genuine-nvml.sh [TARGET-DIRECTORY]
# It needs apt and dpkg, changes nothing of the system, and ends with 0 and a line if the archive cannot be reached.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${1:-${CARGO_TARGET_DIR:-$root/target}}/genuine-nvml
[ -e "$target/libnvidia-ml.so.1" ] && { echo "$target/libnvidia-ml.so.1 is there"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/tree"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm non-free" \
    > "$work/sources.list"
apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}
if ! (cd "$work" && apt update && apt download libnvidia-ml1); then
    echo "NOT CHECKED: Debian's archive cannot be reached, nvml/tests/genuine.rs will be skipped"
    exit 0
fi
dpkg -x "$work"/libnvidia-ml1_*.deb "$work/tree"
mkdir -p "$target"
# The link of that name leads through Debian's alternatives, which are not set up here.
cp "$(find "$work/tree" -name 'libnvidia-ml.so.*.*' -type f | head -n 1)" "$target/libnvidia-ml.so.1"
echo "$target/libnvidia-ml.so.1"
