#!/bin/sh
# ./demo answers a wrong argument at once, before it installs or builds anything.
# Usage: demo_arguments_test.sh DEMO SCRATCH
set -u

demo=$1
scratch=$2
mkdir -p "$scratch"
failures=0

# expect PATTERN ARGUMENT...
expect() {
  pattern=$1
  shift
  "$demo" "$@" >"$scratch/out" 2>"$scratch/err"
  code=$?
  lines=$(wc -l <"$scratch/err")
  if [ "$code" -ne 2 ] || [ "$lines" -ne 1 ] || [ -s "$scratch/out" ] ||
     ! grep -q -e "$pattern" "$scratch/err"; then
    echo "FAILED: $*: exit code $code, $lines lines on stderr, expected one with '$pattern':"
    cat "$scratch/err" "$scratch/out"
    failures=$((failures + 1))
  fi
}

expect "unknown option '--fast'" --fast
expect 'at most one argument' one.mtx two.mtx
expect 'missing.mtx: no such file' "$scratch/missing.mtx"
expect 'is a directory' "$scratch"

if ! "$demo" --help >"$scratch/out" 2>"$scratch/err" || [ -s "$scratch/err" ] ||
   ! grep -q '^usage: ./demo' "$scratch/out"; then
  echo "FAILED: --help"
  failures=$((failures + 1))
fi

[ "$failures" -eq 0 ]
