#!/bin/sh
# The shared library has the version of the ABI in its soname and beside its symbols, is never unloaded, and exports
# what exports.txt lists, no more and no less: a new name there is a promise, and adding it is a decision.
set -eu
nm=$1 readelf=$2 library=$3 list=$4 work=$5

soname=$("$readelf" -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
abi=$(sed -n 's/^takt_abi_\([0-9]*\)_hot$/\1/p' "$list")
if [ "$soname" != "libtakt.so.$abi" ]; then
  echo "soname is '$soname', not libtakt.so.$abi" >&2
  exit 1
fi
if ! "$readelf" -d "$library" | grep -q NODELETE; then
  echo "the library may be unloaded" >&2
  exit 1
fi

# One order whatever the language of the machine; diff needs both lists in the same.
LC_ALL=C
export LC_ALL
grep -v '^#' "$list" | sort >"$work/exports_wanted"
# Weak symbols are templates and inline functions of the standard library, which makes them
# visible by itself.
"$nm" -D -C --defined-only "$library" | grep -v ' [VWvwuA] ' | cut -d' ' -f3- |
  sort >"$work/exports_versioned"
if grep -v "@@TAKT_$abi\$" "$work/exports_versioned" >&2; then
  echo "these have no version TAKT_$abi" >&2
  exit 1
fi
sed 's/@@.*//' "$work/exports_versioned" >"$work/exports_found"
if ! diff "$work/exports_wanted" "$work/exports_found" >"$work/exports_diff"; then
  echo "exports differ from $list ('<' is missing, '>' is new):" >&2
  grep '^[<>]' "$work/exports_diff" >&2
  exit 1
fi
