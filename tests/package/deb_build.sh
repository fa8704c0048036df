#!/bin/sh
# deb_build.sh CPACK BUILD CONFIG WORK: makes the Debian packages of a build tree, in WORK/debs.
set -eu
cpack=$1 build=$2 config=$3 work=$4
rm -rf "$work/debs"
mkdir -p "$work/debs"
cd "$build"
"$cpack" -G DEB -C "$config" -B "$work/debs" >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
rm -rf "$work/debs/_CPack_Packages"
ls "$work/debs"
