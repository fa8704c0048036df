#!/bin/sh
# ablation_test.sh PYTHON SCRIPT BUILD_DIR: a small table, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

columns=$("$python" "$script" --columns | wc -l)
[ "$columns" -ge 2 ]
has_rows() {
  for row in "$@"; do
    has_ratios "$row" "$columns"
  done
}

# A median and a fastest run for each program, in each column that has a description.
"$python" "$script" "$build" --runs 1 --size 300 pr spmv_random --json "$work/two" >"$work/out"
has_rows pr spmv_random "geometric mean"
cp "$work/out" "$work/shown"

# What was written can be shown again, and put together.
"$python" "$script" --from "$work/two" >"$work/out"
cmp "$work/shown" "$work/out"
"$python" "$script" "$build" --runs 1 --size 20 srad --json "$work/one" >"$work/out"
"$python" "$script" --from "$work/two" "$work/one" >"$work/out"
has_rows pr spmv_random srad "geometric mean"

refuses
refuses "$work"
refuses "$build" hbc_pr
refuses "$build" --runs 0 pr
refuses "$build" --size x pr
refuses "$build" --unknown
refuses "$build" --json "$work/missing/file" pr
refuses "$build" --from "$work/two"
refuses --from "$work/missing"
refuses --from "$work/out"
refuses --from "$work/two" "$work/two"
sed 's/outlined/inlined/' "$work/two" >"$work/other"
refuses --from "$work/other"
