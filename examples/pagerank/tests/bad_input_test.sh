#!/bin/sh
# Bad input gets one line on standard error, nothing on standard output, and exit code 2.
# Usage: bad_input_test.sh PROGRAM
set -u

program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect PATTERN ARGUMENT...: standard input is passed on.
expect() {
  pattern=$1
  shift
  "$program" "$@" >"$scratch/out" 2>"$scratch/err"
  code=$?
  lines=$(wc -l <"$scratch/err")
  if [ "$code" -ne 2 ] || [ "$lines" -ne 1 ] || [ -s "$scratch/out" ] ||
     ! grep -q -e "$pattern" "$scratch/err"; then
    echo "FAILED: $*: exit code $code, $lines lines on stderr, expected one with '$pattern':"
    cat "$scratch/err" "$scratch/out"
    failures=$((failures + 1))
  fi
}

header='%%MatrixMarket matrix coordinate pattern general'
printf '%s\n3 4 1\n1 2\n' "$header" >"$scratch/wide.mtx"
printf '%s\n0 0 0\n' "$header" >"$scratch/nothing.mtx"
printf '%s\n3 3 2\n1 2\n' "$header" >"$scratch/short.mtx"
printf '%s\n3 3 1\n1 9\n' "$header" >"$scratch/outside.mtx"
printf 'no matrix\n' >"$scratch/text.mtx"
: >"$scratch/empty"

expect 'give a Matrix Market file' </dev/null
expect 'wide.mtx: a graph needs a square matrix, this one is 3 x 4' "$scratch/wide.mtx"
expect 'nothing.mtx: the matrix has no rows' "$scratch/nothing.mtx"
expect 'short.mtx' "$scratch/short.mtx"
expect 'outside.mtx:3' "$scratch/outside.mtx"
expect 'text.mtx:1' "$scratch/text.mtx"
expect 'empty' "$scratch/empty"
expect 'missing.mtx' "$scratch/missing.mtx"
expect 'is a directory' "$scratch"
expect 'no-such-option' --no-such-option
expect 'runs' --runs 0 "$scratch/wide.mtx"
expect 'runs' --runs many "$scratch/wide.mtx"
expect 'excludes' --packages "$scratch/empty" "$scratch/wide.mtx"
expect 'empty: no packages in it' --packages "$scratch/empty"
expect 'missing: cannot be opened' --packages "$scratch/missing"
expect 'cannot be opened' --packages "$scratch"
expect 'text.mtx: line 1: expected' --packages "$scratch/text.mtx"
printf 'Package: a\n\nDepends: b\n' | expect 'standard input: line 3: a stanza without' --packages -

[ "$failures" -eq 0 ]
