#!/bin/sh
# run_unloaded.sh LIBRARIES WORK SOURCE COMPILER FLAGS...: a program loads two libraries, each after the other is gone.
set -eu
libraries=$1 work=$2/unloaded source=$3
shift 3
mkdir -p "$work"
"$@" -DLIBRARY -fPIC -shared "$source" -o "$work/plain.so"
"$@" -DLIBRARY -DOWN -fPIC -shared "$source" -o "$work/own.so"
"$@" "$source" -o "$work/program" -ldl
said=$(LD_LIBRARY_PATH="$libraries" TAKT_WORKERS=2 OMP_NUM_THREADS=8 "$work/program" "$work/plain.so" "$work/own.so" 2>&1) || {
  echo "$said" >&2
  exit 1
}
[ "$said" = right ] || { echo "$said" >&2; exit 1; }
