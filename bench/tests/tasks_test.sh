#!/bin/sh
# tasks_test.sh PYTHON SCRIPT BUILD_DIR: small runs of the task programs, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

"$python" "$script" "$build" --runs 1 --workers 2 --size fib=15 --size nqueens=6 --size sort=1000 --size strassen=64 \
  --size tree=100 --size sparse_lu=6 --size sparse_lu_depend=6 >"$work/out"
# Against the serial program twice, and each other runtime once.
wanted=3
if command -v gcc >/dev/null 2>&1; then wanted=4; fi
for program in fib nqueens sort strassen tree sparse_lu sparse_lu_depend; do
  numbers=$(grep "^| $program " "$work/out" | grep -oE '[0-9]+\.[0-9]{2} \(' | wc -l)
  if [ "$numbers" -ne "$wanted" ]; then
    echo "$program: $numbers ratios, wanted $wanted" >&2
    cat "$work/out" >&2
    exit 1
  fi
done
grep -q "^| geometric mean " "$work/out"
# The cut-off is one of those that are tried.
grep "^| fib " "$work/out" | grep -qE 'cut-off (12|18|24|28)( |$)'
# Only what is named.
"$python" "$script" "$build" --runs 1 fib --size fib=10 >"$work/out"
[ "$(grep -c '^| [a-z_]* [0-9]' "$work/out")" -eq 1 ]

refuses
refuses "$work"
refuses "$build" quicksort
refuses "$build" --runs 0
refuses "$build" --size fib
refuses "$build" --size quicksort=3
