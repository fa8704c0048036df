#!/bin/sh
# ablation_test.sh PYTHON SCRIPT BUILD_DIR: a small table, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" "$script" "$build" --runs 1 --size 300 pr spmv_random >"$work/out"
# A median and a fastest run for each program, in each column that has a description.
columns=$("$python" "$script" --columns | wc -l)
for row in pr spmv_random "geometric mean"; do
  numbers=$(sed -n "s/^$row //p" "$work/out" | grep -oE '[0-9]+\.[0-9]{2} \[[0-9]+\.[0-9]{2}\]' | wc -l)
  if [ "$columns" -lt 2 ] || [ "$numbers" -ne "$columns" ]; then
    echo "$row: $numbers numbers, wanted $columns" >&2
    cat "$work/out" >&2
    exit 1
  fi
done

refuses() {
  code=0
  "$python" "$script" "$@" >"$work/out" 2>"$work/err" || code=$?
  if [ $code -ne 2 ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
    echo "$*: exit code $code" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
  fi
}
refuses
refuses "$work"
refuses "$build" hbc_pr
refuses "$build" --runs 0 pr
refuses "$build" --size x pr
refuses "$build" --unknown
