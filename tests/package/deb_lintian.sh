#!/bin/sh
# deb_lintian.sh WORK: lintian finds no error in the packages that deb_build.sh made. 77: skipped.
set -eu
work=$1
command -v lintian >/dev/null || { echo "skipped: there is no lintian (cmake/debian-packages.txt names it)"; exit 77; }
set -- "$work"/debs/*.deb
[ -e "$1" ] || { echo "no package in $work/debs" >&2; exit 1; }
lintian --fail-on error --tag-display-limit 0 "$@"
