#!/bin/sh
# league_test.sh PYTHON SCRIPT BUILD: small ones of all rows, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

"$python" "$script" "$build" --quick --runs 1 >"$work/out"
for row in 'fib takt: [0-9.]+ s' 'skynet takt: ' 'nqueens takt: ' 'matmul takt: .* MiB$' 'takt: flat 100000 tasks of 0.1 us: ' \
  'takt: ticks of 1 ms of work: .* of CPU time$' 'takt: curve 0.1 us: [0-9.]+ of serial hot'; do
  if ! grep -qE "^$row" "$work/out"; then
    echo "no row '$row' in" && cat "$work/out"
    exit 1
  fi
done

refuses
refuses "$work"
refuses "$build" nothing
refuses "$build" --runs 0
refuses "$build" --against "$work" fib
refuses "$build" --against "$work" --peer nothing="$work" fib
refuses "$build" --against "$work" --peer libfork="$work/none" fib
refuses "$build" --peer libfork="$work" fib
