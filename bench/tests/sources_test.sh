#!/bin/sh
# sources_test.sh PYTHON SCRIPT BUILD_DIR: both figures, small, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

"$python" "$script" "$build" overhead --runs 1 --size 20000 pr cc --json "$work/json" >"$work/out"
for row in pr cc "geometric mean"; do
  has_ratios "$row" 4
done
grep -q '"figure": "overhead"' "$work/json"

# Beats that were missed and late, of two sources.
"$python" "$script" "$build" speed --runs 1 --size 20000 --beat 50 pr >"$work/out"
for row in pr "geometric mean"; do
  has_ratios "$row" 3
done
[ "$(grep '^pr ' "$work/out" | grep -oE ' ([0-9]+%|-)' | wc -l)" -eq 4 ]

refuses
refuses "$build"
refuses "$work" speed
refuses "$build" figure9
refuses "$build" speed hbc_pr
refuses "$build" speed --runs 0 pr
refuses "$build" speed --beat x pr
refuses "$build" speed --json "$work/missing/file" pr
