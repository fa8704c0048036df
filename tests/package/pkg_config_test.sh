#!/bin/sh
# Builds one file with the flags of takt.pc alone: against the shared library, and fully
# static with --static.
set -eu
compiler=$1 pkg_config=$2 prefix=$3 libdir=$4 source=$5 work=$6

# A plain directory list, not PATH: no other takt.pc may be found.
PKG_CONFIG_LIBDIR=$prefix/$libdir/pkgconfig
export PKG_CONFIG_LIBDIR

cflags=$("$pkg_config" --cflags takt)
libs=$("$pkg_config" --libs takt)
static_libs=$("$pkg_config" --static --libs takt)

# Flags are words, so they are not quoted.
# shellcheck disable=SC2086
"$compiler" -std=c++20 $cflags "$source" $libs -o "$work/pkg_config_shared"
LD_LIBRARY_PATH=$prefix/$libdir "$work/pkg_config_shared"
if LD_LIBRARY_PATH='' "$work/pkg_config_shared" 2>/dev/null; then
  echo "pkg-config --libs did not link the shared library" >&2
  exit 1
fi

# shellcheck disable=SC2086
"$compiler" -std=c++20 -static $cflags "$source" $static_libs -o "$work/pkg_config_static"
"$work/pkg_config_static"
