#!/bin/sh
# clean_root.sh DEBS PAGE: a Debian 12 in a folder of its own, with nothing in it but what the page asks for, in which
#
# 1. the packages in DEBS are installed by apt, used by a program, and removed with nothing left;
# 2. the lines of PAGE (the README) are pasted.
#
# Run by hand, as root: it needs mmdebstrap and Debian's servers, and takes ten minutes of one core. The folder (1 GB)
# is removed afterwards. The tests package.deb and package.readme do the same on this machine's own Debian.
set -eu
[ $# = 2 ] && ls "$1"/*.deb >/dev/null && [ -r "$2" ] || { echo "usage: clean_root.sh DEBS PAGE" >&2; exit 2; }
debs=$1 page=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'umount "$root/proc" "$root/dev" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT

fail() {
  echo "$1" >&2
  exit 1
}
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
apt_get() { inside apt-get -q -y "$@" >"$root/tmp/apt.log" 2>&1 || { tail -n 20 "$root/tmp/apt.log" >&2; exit 1; }; }
list() {
  (cd "$root" && find . \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
    -o -path ./var/cache -o -path ./var/log \) -prune -o -print | LC_ALL=C sort)
}

mmdebstrap --quiet --variant=apt bookworm "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
apt_get update
apt_get install --no-install-recommends g++ make cmake pkg-config libboost-context-dev
# What the packages need beside the page's; how takt-tools was built says which.
cp "$debs"/*.deb "$root/tmp"
needed=$(for deb in "$debs"/*.deb; do dpkg-deb -f "$deb" Depends; done |
  tr ',' '\n' | sed 's/(.*//; s/ //g; /takt/d' | sort -u)
# Names are words.
# shellcheck disable=SC2086
apt_get install --no-install-recommends $needed

# --- The packages ----------------------------------------------------------------------------------------------------

list >"$root/tmp/before"
names=$(for deb in "$debs"/*.deb; do dpkg-deb -f "$deb" Package; done)
apt_get install --no-install-recommends $(cd "$root" && ls tmp/*.deb | sed 's|^|/|')
cp "$here/outside/main.cpp" "$here/outside/CMakeLists.txt" "$root/tmp"
inside sh -ec '
  cd /tmp
  g++ -std=c++20 -O2 $(pkg-config --cflags takt) main.cpp $(pkg-config --libs takt) -o static && ./static
  g++ -std=c++20 -O2 $(pkg-config --cflags takt-shared) main.cpp $(pkg-config --libs takt-shared) -o shared && ./shared
  cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DOUTSIDE_TARGET=takt::takt >/dev/null
  cmake --build build >/dev/null
  ./build/outside
  ! command -v takt || takt --version'
# shellcheck disable=SC2086
apt_get purge $names
list >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" >&2 || fail "this is left, or was lost"
echo "installed, used, removed, nothing left:" $names

# --- The page --------------------------------------------------------------------------------------------------------

python3 "$here/readme_lines.py" "$page" "$(cd "$here/../.." && pwd)" "$root/tmp/page" "$root"
