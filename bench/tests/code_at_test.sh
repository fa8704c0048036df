#!/bin/sh
# The programs that compare systems in one process have their code at four places in a cache line:
# code_at_test.sh PROGRAM FUNCTION...
set -eu
program=$1
shift
for function in "$@"; do
  places=$(for at in "" -at-16 -at-32 -at-48; do
    address=$(nm "$program$at" | sed -n "s/^\([0-9a-f]*\) [Tt] $function\$/\1/p")
    test -n "$address" || { echo "no $function in $program$at" >&2; exit 1; }
    echo $((0x$address % 64))
  done | sort -u | wc -l)
  test "$places" = 4 || { echo "$function lies at $places places" >&2; exit 1; }
done
