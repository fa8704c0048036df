#!/bin/sh
# The shared library has a versioned soname and exports what exports.txt lists, no more and
# no less: a new name there is a promise, and adding it is a decision.
set -eu
nm=$1 readelf=$2 library=$3 list=$4 work=$5

soname=$("$readelf" -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
case $soname in
  libtakt.so.[0-9]*) ;;
  *)
    echo "soname is '$soname', not libtakt.so.N" >&2
    exit 1
    ;;
esac

# One order whatever the language of the machine; diff needs both lists in the same.
LC_ALL=C
export LC_ALL
grep -v '^#' "$list" | sort >"$work/exports_wanted"
# Weak symbols are templates and inline functions of the standard library, which makes them
# visible by itself.
"$nm" -D -C --defined-only "$library" | grep -v ' [VWvwu] ' | cut -d' ' -f3- |
  sort >"$work/exports_found"
if ! diff "$work/exports_wanted" "$work/exports_found" >"$work/exports_diff"; then
  echo "exports differ from $list ('<' is missing, '>' is new):" >&2
  grep '^[<>]' "$work/exports_diff" >&2
  exit 1
fi
