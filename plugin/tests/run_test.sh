#!/bin/sh
# run_test.sh PLUGIN_FOLDER WORK LEVELS SOURCE...: builds the program with taktcc at each of the levels and compares what it
# prints with what the serial program prints, or with the expectation beside it.
set -eu
plugin=$1 work=$2 levels=$3
shift 3
rm -rf "$work"
mkdir -p "$work"
first=$1
case $first in
  *.cpp) driver=$plugin/takt++ ;;
  *) driver=$plugin/taktcc ;;
esac
expected=${first%.*}.expected
if [ -e "$expected" ]; then
  cp "$expected" "$work/wanted"
else
  # Without -fopenmp.
  "$driver" -O1 -w "$@" -o "$work/serial"
  "$work/serial" >"$work/wanted"
fi
for level in $levels; do
  "$driver" -O$level -w -fopenmp "$@" -o "$work/program$level"
  many=
  if [ $level = 2 ]; then many=64; fi
  for workers in 1 2 3 8 $many; do
    for beat in 100 0; do
      if ! TAKT_WORKERS=$workers TAKT_BEAT_US=$beat OMP_NUM_THREADS=3 "$work/program$level" >"$work/got"; then
        echo "-O$level, $workers workers, beat $beat: exit code $?" >&2
        exit 1
      elif ! diff "$work/wanted" "$work/got" >&2; then
        echo "-O$level, $workers workers, beat $beat: '<' is wanted, '>' is what came" >&2
        exit 1
      fi
    done
  done
done
