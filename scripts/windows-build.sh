#!/bin/sh
# Builds kb for Windows on Linux: scripts/windows-build.sh [OUT_DIR] [OPTION OF CARGO …]
# Prints the path of kb.exe as its last line. `-p PACKAGE` builds further packages of the workspace beside it, such as DLLs
# that tests put in the place of a driver's; with OUT_DIR the program and the DLLs are copied there. Other options are
# cargo's: `--no-default-features` leaves out the network, and with it the only C code.
# The build is one for tests: no optimisation, no debug information. CARGO_PROFILE_DEV_OPT_LEVEL=1 and the like change that.
#
# The target of rustup is taken where it is, or can be, installed; else a compiler with its own sources of std (Debian's
# rustc-web), which builds std as well. KB_WINDOWS_COMPILER=rustup or =debian allows only the one. The linker is mingw's gcc.
# As root, Debian's packages are installed where they are missing; otherwise the script says which ones are. The exit code
# is 125 where something is missing, any other where the build itself failed.
set -eu
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
# A directory of its own: two compilers in one would build everything anew at each turn.
dir="${CARGO_TARGET_DIR:-$PWD/target}/windows"
out=
case "${1:-}" in
  '' | -*) ;;
  *) out=$1; shift ;;
esac

say() { echo "windows-build: $*" >&2; }

# Debian's packages that bring what is missing.
need() {
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    say "installing $*"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } \
      < /dev/null > "$dir/apt.log" 2>&1 || { tail -5 "$dir/apt.log" >&2; exit 125; }
  else
    say "missing: install $* (Debian's names)"
    exit 125
  fi
}

mkdir -p "$dir"
by="${KB_WINDOWS_COMPILER:-any}"
if [ "$by" != debian ]; then
  if command -v rustup > /dev/null && timeout 300 rustup target add $target > "$dir/rustup.log" 2>&1; then
    by=rustup
  elif [ "$by" = rustup ]; then
    say "rustup has no target $target"
    [ ! -f "$dir/rustup.log" ] || cat "$dir/rustup.log" >&2
    exit 1
  else
    by=debian
  fi
fi

set -- -p kb "$@" --target $target --target-dir "$dir/$by" --locked
missing=
command -v x86_64-w64-mingw32-gcc > /dev/null || missing=gcc-mingw-w64-x86-64
if [ "$by" = debian ]; then
  # rustc-web's sources of std are those of its own version; another /usr/bin/rustc may have none.
  [ -d "$(/usr/bin/rustc --print sysroot 2> /dev/null)/lib/rustlib/src/rust/library" ] && [ -x /usr/bin/cargo ] ||
    missing="$missing rustc-web cargo-web rust-web-src"
fi
# shellcheck disable=SC2086
[ -z "$missing" ] || need $missing

# panic=abort as in a release; what a debugger would need is not kept.
export CARGO_PROFILE_DEV_PANIC=abort CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}"
say "compiler: $by"
if [ "$by" = rustup ]; then
  cargo build "$@" >&2
else
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build "$@" -Z build-std=std,panic_abort >&2
fi

built="$dir/$by/$target/debug"
if [ -n "$out" ]; then
  mkdir -p "$out"
  # Also what `-p` built: programs and libraries alike.
  find "$built" -maxdepth 1 -type f \( -name '*.exe' -o -name '*.dll' \) -exec cp -p {} "$out" \;
  built=$(cd "$out" && pwd)
fi
echo "$built/kb.exe"
