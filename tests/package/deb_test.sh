#!/bin/sh
# deb_test.sh COMPILER PKG_CONFIG VERSION SOURCE OPENMP WORK: installs the packages that deb_build.sh made into an empty
# root, uses them there, and removes them: nothing may be left. 77: skipped.
#
# dpkg works on a root of its own and on a copy of what this machine says is installed. So it checks the packages'
# dependencies as it would on this machine, and touches nothing here. What is left out is what maintainer scripts would
# do: there are none.
set -eu
compiler=$1 pkg_config=$2 version=$3 source=$4 openmp=$5 work=$6
PATH=$PATH:/usr/sbin:/sbin
export PATH
fail() {
  echo "$1" >&2
  exit 1
}
if [ "$(id -u)" != 0 ]; then
  # dpkg wants to own what it unpacks.
  command -v fakeroot >/dev/null || { echo "skipped: neither root nor fakeroot"; exit 77; }
  exec fakeroot sh "$0" "$@"
fi

root=$work/root
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
# Whoever has takt's packages installed tests these all the same.
awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^Package: (libtakt|takt-)/' /var/lib/dpkg/status >"$root/var/lib/dpkg/status"
for list in /var/lib/dpkg/info/*.list; do
  : >"$root/var/lib/dpkg/info/${list##*/}"
done
here_dpkg() { dpkg --root="$root" --log=/dev/null "$@"; }
list_root() { (cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort); }
list_root >"$work/before"

runtime=$(echo "$work"/debs/libtakt[0-9]*.deb)
dev=$(echo "$work"/debs/libtakt-dev_*.deb)
tools=$(echo "$work"/debs/takt-tools_*.deb)
[ -e "$runtime" ] && [ -e "$dev" ] || fail "no packages in $work/debs"
library=$(dpkg-deb -f "$runtime" Package)
names="libtakt-dev $library"
for deb in "$runtime" "$dev" "$tools"; do
  [ -e "$deb" ] || continue
  rm -rf "$work/control"
  dpkg-deb -e "$deb" "$work/control"
  for script in preinst postinst prerm postrm; do
    [ ! -e "$work/control/$script" ] || fail "$deb has a $script, which this test does not run"
  done
done

# Each alone lacks what it depends on.
if here_dpkg -i "$dev" >"$work/messages" 2>&1; then
  fail "libtakt-dev could be installed without the library"
fi
here_dpkg --purge libtakt-dev >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
set -- "$runtime" "$dev"
if [ -e "$tools" ]; then
  set -- "$@" "$tools"
  names="takt-tools $names"
fi
here_dpkg -i "$@" >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
for name in $names; do
  [ "$(here_dpkg --verify "$name")" = "" ] || fail "$name is not what it was packed as"
  for document in copyright changelog.Debian.gz; do
    [ -s "$root/usr/share/doc/$name/$document" ] || fail "$name has no $document"
  done
done

# --- Used ------------------------------------------------------------------------------------------------------------

pc=$(find "$root" -name takt.pc)
PKG_CONFIG_LIBDIR=${pc%/takt.pc}
export PKG_CONFIG_LIBDIR
unset LD_LIBRARY_PATH LIBRARY_PATH CPATH
[ "$("$pkg_config" --modversion takt)" = "$version" ] || fail "takt.pc has another version"
# Flags are words, so they are not quoted.
# shellcheck disable=SC2046
"$compiler" -std=c++20 $("$pkg_config" --cflags takt) "$source" $("$pkg_config" --libs takt) -o "$work/used"
"$work/used"
# In a system's own root the loader finds the library by itself.
# shellcheck disable=SC2046
"$compiler" -std=c++20 $("$pkg_config" --cflags takt-shared) "$source" $("$pkg_config" --libs takt-shared) \
  -o "$work/used_shared"
LD_LIBRARY_PATH=$("$pkg_config" --variable=libdir takt-shared) "$work/used_shared"
if [ -e "$tools" ]; then
  if [ -e "$root/usr/bin/takt" ] && [ "$("$root/usr/bin/takt" --version)" != "takt $version" ]; then
    fail "takt has another version"
  fi
  if [ -e "$root/usr/bin/taktcc" ]; then
    "$root/usr/bin/taktcc" -O2 -fopenmp "$openmp" -o "$work/used_openmp"
    "$work/used_openmp"
  fi
fi

# --- Removed ---------------------------------------------------------------------------------------------------------

if here_dpkg --purge "$library" >"$work/messages" 2>&1; then
  fail "the library could be removed while libtakt-dev is there"
fi
# shellcheck disable=SC2086
here_dpkg --purge $names >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
list_root >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "this is left, or was lost"
if grep -A1 -E '^Package: (libtakt|takt-)' "$root/var/lib/dpkg/status"; then
  fail "dpkg still knows them"
fi
echo "installed, used, removed: $names"
