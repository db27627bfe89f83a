#!/bin/sh
# Runs a program for Windows under Wine: scripts/wine.sh PROGRAM [ARGUMENT …], as in
#   scripts/wine.sh "$(scripts/windows-build.sh)" solve torch --gpu rtx3090
# The exit code is the program's, of which Unix keeps the lowest byte. Nothing of Wine's own is printed, no display is
# needed. KB_WINE_PREFIX is the prefix, target/wine unless told; it is made once, as a Windows 10. Without a program the
# script only makes it, and prints where it is.
# Needs wine; where that is older than 9, mingw's gcc too. As root, Debian's packages are installed where they are missing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
WINEPREFIX="${KB_WINE_PREFIX:-${CARGO_TARGET_DIR:-$root/target}/wine}"
case "$WINEPREFIX" in /*) ;; *) WINEPREFIX="$PWD/$WINEPREFIX" ;; esac
export WINEPREFIX WINEDEBUG="${WINEDEBUG:--all}" WINEARCH=win64
# Neither .NET nor a browser nor menus are looked for or offered.
export WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
unset DISPLAY WAYLAND_DISPLAY
# Arguments and names of files are UTF-8; the language stays what it was.
[ -z "${LC_ALL:-}" ] || export LANG="$LC_ALL"
unset LC_ALL
export LC_CTYPE=C.UTF-8

# Programs that are missing, by the names of Debian's packages.
need() {
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "wine: installing $*" >&2
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } \
      < /dev/null > /dev/null 2>&1 || { echo "wine: $* cannot be installed" >&2; exit 125; }
  else
    echo "wine: missing: install $* (Debian's names)" >&2
    exit 125
  fi
}

# Rust's std imports ProcessPrng from a DLL that Wine has since its version 9.
random_numbers() {
  dll="$1/drive_c/windows/system32/bcryptprimitives.dll"
  [ ! -e "$dll" ] || return 0
  command -v x86_64-w64-mingw32-gcc > /dev/null || need gcc-mingw-w64-x86-64
  cat > "$1/bcryptprimitives.c" <<'C'
unsigned char __stdcall SystemFunction036(void *to, unsigned long size);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *to, unsigned long long size) { return SystemFunction036(to, size); }
C
  x86_64-w64-mingw32-gcc -shared -O1 -s -o "$dll" "$1/bcryptprimitives.c" -ladvapi32
  rm "$1/bcryptprimitives.c"
}

if [ ! -d "$WINEPREFIX/drive_c" ]; then
  # Made elsewhere and then moved: whoever comes at the same time finds no half of one.
  new="$WINEPREFIX.new.$$"
  mkdir -p "$new"
  (
    export WINEPREFIX="$new"
    command -v wine > /dev/null || need wine wine64
    wineboot --init && winecfg -v win10 && wineserver -w
  ) < /dev/null > "$new.log" 2>&1 || { cat "$new.log" >&2; rm -r "$new" "$new.log"; exit 125; }
  rm "$new.log"
  random_numbers "$new"
  mv -T "$new" "$WINEPREFIX" 2> /dev/null || rm -r "$new"
fi
[ $# -gt 0 ] || { echo "$WINEPREFIX"; exit 0; }
exec wine "$@"
