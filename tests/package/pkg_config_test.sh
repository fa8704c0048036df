#!/bin/sh
# pkg_config_test.sh COMPILER PKG_CONFIG READELF PREFIX LIBDIR SOURCE WORK: builds one file with the flags of takt.pc
# and its two sisters alone. What nothing else was said to runs from anywhere, with no library of takt's to find.
set -eu
compiler=$1 pkg_config=$2 readelf=$3 prefix=$4 libdir=$5 source=$6 work=$7
mkdir -p "$work"

# A plain directory list, not PATH: no other takt.pc may be found.
PKG_CONFIG_LIBDIR=$prefix/$libdir/pkgconfig
export PKG_CONFIG_LIBDIR
unset LD_LIBRARY_PATH LIBRARY_PATH CPATH

fail() {
  echo "$1" >&2
  exit 1
}

# build NAME FLAGS... -- LIBS...
build() {
  name=$1
  shift
  before=
  while [ "$1" != -- ]; do
    before="$before $1"
    shift
  done
  shift
  # Flags are words, so they are not quoted.
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 $before "$source" "$@" -o "$work/$name"
}

needs_takt() { "$readelf" -d "$work/$1" | grep -q 'NEEDED.*libtakt'; }

# shellcheck disable=SC2046
build default $("$pkg_config" --cflags takt) -- $("$pkg_config" --libs takt)
"$work/default"
! needs_takt default || fail "the package takt did not link the static library"
[ "$("$pkg_config" --cflags --libs takt)" = "$("$pkg_config" --cflags --libs takt-static)" ] ||
  fail "the packages takt and takt-static differ"

# Wholly static, libc and all.
# shellcheck disable=SC2046
build static -static $("$pkg_config" --cflags takt-static) -- $("$pkg_config" --static --libs takt-static)
"$work/static"

# As packaging/README.md says it.
# shellcheck disable=SC2046
build shared $("$pkg_config" --cflags takt-shared) -- $("$pkg_config" --libs takt-shared) \
  "-Wl,-rpath,$("$pkg_config" --variable=libdir takt-shared)"
needs_takt shared || fail "the package takt-shared did not link the shared library"
"$work/shared"
