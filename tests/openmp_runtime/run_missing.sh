#!/bin/sh
# run_missing.sh LIBRARIES WORK SOURCE COMPILER: a program that calls what the runtime does not have is told the name.
set -eu
mkdir -p "$2"
"$4" "$3" -o "$2/missing" -L"$1" -l:libgomp.so.1 -Wl,--allow-shlib-undefined
code=0
said=$(LD_LIBRARY_PATH="$1" "$2/missing" 2>&1) || code=$?
wanted="before
takt: OpenMP: the program calls GOMP_parallel_start, which takt's OpenMP runtime does not have"
case $said in
  "$wanted"*) ;;
  *) echo "it said: $said" >&2; exit 1 ;;
esac
[ "$code" = 134 ] || { echo "it ended with $code" >&2; exit 1; }
