#!/bin/sh
# run_command.sh TAKT WORK SOURCE COMPILER: `takt run --openmp` has its program's regions on takt's workers.
set -eu
mkdir -p "$2"
"$4" -O1 -fopenmp -w "$3" -o "$2/commanded"
said=$(OMP_NUM_THREADS=4 "$1" run --openmp -- "$2/commanded" 2>&1)
[ "$said" = right ] || { echo "it said: $said" >&2; exit 1; }
# And with no other runtime: the statistics are takt's.
OMP_NUM_THREADS=4 TAKT_STATS=json "$1" run --openmp -- "$2/commanded" 2>&1 | grep -q '"workers"' ||
  { echo "takt has counted nothing" >&2; exit 1; }
# Members of teams are in a trace.
OMP_NUM_THREADS=4 TAKT_TRACE="$2/commanded.json" "$1" run --openmp -- "$2/commanded" > /dev/null &&
  python3 -m json.tool "$2/commanded.json" /dev/null || { echo "no trace of it" >&2; exit 1; }
# Levels to bind are levels of regions.
levels() {
  OMP_PROC_BIND=$2 OMP_DISPLAY_ENV=true "$1" run --openmp -- "$3" 2>&1 | sed -n "s/.*OMP_MAX_ACTIVE_LEVELS = '\([0-9]*\)'.*/\1/p"
}
one=$(levels "$1" spread "$2/commanded") two=$(levels "$1" spread,close "$2/commanded")
[ "$one" = 1 ] && [ "$two" -gt 1 ] || { echo "levels: '$one' with one way to bind, '$two' with two" >&2; exit 1; }
