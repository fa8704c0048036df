#!/bin/sh
# programs_test.sh PLUGIN_FOLDER WORK CLANG yes|no SOURCE: the program gives without OpenMP, with plain Clang (yes) and with
# the plugin the same output, and the plugin converts as much of it as it says: `// converted: LOOPS loops, REGIONS regions,
# LEFT left` in its last line. Where it has many cases they are named.
set -eu
plugin=$1 work=$2 clang=$3 clang_alone=$4 source=$5
rm -rf "$work"
mkdir -p "$work"
case $source in
  *.cpp) driver=$plugin/takt++ ;;
  *) driver=$plugin/taktcc ;;
esac
# The default of later versions than 16.
openmp="-fopenmp -fopenmp-version=51"
# What is about two runtimes beside each other.
runtime=
if grep -q '^// With libomp\.' "$source"; then runtime=-ftakt-openmp=libomp; fi
linker=
if command -v ld.lld >/dev/null 2>&1 || [ -e "$(dirname "$clang")/ld.lld" ]; then linker=-fuse-ld=lld; fi
# Without -fopenmp the plugin has nothing to do.
"$driver" $runtime -O0 -w $linker "$source" -o "$work/program"
"$work/program" >"$work/serial"
compare() {
  if ! "$work/program" >"$work/got"; then
    echo "$1: exit code $?" >&2
    exit 1
  elif ! diff "$work/serial" "$work/got" >&2; then
    echo "$1: '<' is wanted, '>' is what came" >&2
    exit 1
  fi
}
export OMP_NUM_THREADS=3 TAKT_WORKERS=3
if [ "$clang_alone" = yes ]; then
  "$clang" -O0 -w -DCLANG_ALONE $linker $openmp "$source" -o "$work/program" -lm -latomic
  # Where libomp steals chunks, lastprivate of its dynamic schedule may be lost.
  KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=true compare "Clang's OpenMP"
fi
"$driver" $runtime -O0 -w $linker $openmp "$source" -o "$work/program"
TAKT_BEAT_US=0 compare "-O0"
"$driver" $runtime -O2 -w $openmp -Rpass=takt -Rpass-missed=takt -S "$source" -o "$work/program.s" 2>"$work/remarks"
"$driver" $runtime -w $linker $openmp "$work/program.s" -o "$work/program" -lm -latomic
TAKT_BEAT_US=0 compare "-O2, always promoting"
TAKT_WORKERS=8 TAKT_BEAT_US=0 compare "-O2, always promoting, 8 workers"
compare "-O2"
TAKT_WORKERS=1 TAKT_BEAT_US=0 compare "-O2, one worker"
# The version of a function in which all tasks are free, which short programs hardly get to: with a band without end.
if grep -q takt_pushing "$work/program.s"; then
  sed '/takt_site[.0-9]*:/,/\.size/{/\.quad[[:space:]]*-1/{n;s/\.quad.*/.quad -1/}}' "$work/program.s" >"$work/endless.s"
  if cmp -s "$work/program.s" "$work/endless.s"; then
    echo "no band found in $work/program.s" >&2
    exit 1
  fi
  "$driver" $runtime -w $linker $openmp "$work/endless.s" -o "$work/program" -lm -latomic
  compare "-O2, all tasks free"
fi
count() { grep -c "remark: $1" "$work/remarks" || true; }
got="// converted: $(count 'the parallel loop became') loops, $(count 'the parallel region runs') regions, $(
  count 'the parallel region stays') left"
[ "$got" = "$(tail -n 1 "$source")" ] || {
  echo "the last line of $source should be '$got'" >&2
  cat "$work/remarks" >&2
  exit 1
}
if grep -q '^case ' "$work/serial"; then
  echo "$(grep -c '^case ' "$work/serial") cases: $(sed -n 's/^case \(.*\):.*/\1/p' "$work/serial" | tr '\n' ' ')"
fi
