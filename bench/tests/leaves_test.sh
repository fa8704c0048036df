#!/bin/sh
# leaves_test.sh PYTHON SCRIPT LIBRARY COMPILER: a small table, and what is said about bad arguments.
set -eu
python=$1 script=$2 library=$3 compiler=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

"$python" "$script" "$library" --compilers "$compiler" --flags=-O1 --problems quarters --runs 1 >"$work/out"
if ! grep -qE '^\| quarters \| [0-9]+\.[0-9]{2} \|$' "$work/out"; then
  cat "$work/out" >&2
  exit 1
fi

refuses
refuses "$work/none"
refuses "$library" --problems quarters,none
refuses "$library" --runs 0
refuses "$library" --compilers "$work/none"
