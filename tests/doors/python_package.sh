#!/bin/sh
# python_package.sh BUILD|wheel WORK PYTHON CC SOURCE: the Python package as it is installed from a build, or from a
# wheel that is made of the source: its libraries are found from wherever it lies, and OpenMP regions of a library that
# GCC compiled run on the workers of its loops.
set -eu
build=$1 work=$2 python=$3 cc=$4 source=$5
rm -rf "$work"
mkdir -p "$work"
if [ "$build" = wheel ]; then
  "$python" -m pip -q wheel --no-deps --no-build-isolation -w "$work" "$source"
  "$python" -m pip -q install --no-deps --no-index --target "$work/first" "$work"/takt-*.whl
else
  cmake --install "$build" --prefix "$work/first" --component takt_python >/dev/null
fi
mv "$work/first" "$work/moved"
export PYTHONPATH="$work/moved"
unset TAKT_C_LIBRARY LD_LIBRARY_PATH LD_PRELOAD
cd "$work"

cat >region.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <string.h>
int members(void) {
  int n = 0;
#pragma omp parallel reduction(+ : n)
  n += 1;
  return n;
}
int is_served(void) {
  Dl_info where;
  return dladdr((void*)&omp_get_num_threads, &where) != 0 && strstr(where.dli_fname, "libtakt-omp.so") != 0;
}
C
if ! "$cc" -shared -fPIC -O1 -fopenmp region.c -o region.so 2>cc.log; then
  echo "skipped: $cc has no OpenMP"
  exit 77
fi
cat >program.py <<'P'
import ctypes
import os
import sys
import takt
region = ctypes.CDLL("./region.so")
hits = [0] * 1000
def hit(i):
    hits[i] += 1
takt.parallel_for(0, 1000, hit)
assert hits == [1] * 1000
print(region.members(), bool(region.is_served()), takt.workers(), len(os.listdir("/proc/self/task")), *sys.argv[1:])
P

# says WANTED COMMAND...
says() {
  wanted=$1
  shift
  got=$("$@" 2>&1) || true
  [ "$got" = "$wanted" ] || {
    echo "'$*' says '$got', not '$wanted'" >&2
    exit 1
  }
}
# Four members, served, on the four threads that there are; the arguments are handed on.
says "4 True 4 4 a b" "$python" -m takt program.py a b
says "4 True 4 4" "$python" -m takt -c 'exec(open("program.py").read())'
# Without it only its own loops are: another runtime has threads besides.
export OMP_NUM_THREADS=2
says "2 False 4 5" "$python" program.py
unset OMP_NUM_THREADS
says "takt: no program (see python -m takt --help)" "$python" -m takt
code=0
"$python" -m takt 2>/dev/null || code=$?
[ $code = 2 ]
"$python" -m takt --help >help
grep -q '^usage: python -m takt PROGRAM.py' help
mv "$work/moved" "$work/a space"
export PYTHONPATH="$work/a space"
says "takt: $work/a space/takt/lib/libtakt-omp.so: a path with a colon or a space cannot be preloaded" "$python" -m takt program.py
mv "$work/a space" "$work/moved"
export PYTHONPATH="$work/moved"
rm "$work/moved/takt/lib/libtakt-omp.so"
says "takt: $work/moved/takt/lib/libtakt-omp.so is not there: this is no installed package" "$python" -m takt program.py
# The tests of the module, from there.
cp "$source/test_takt.py" .
TAKT_BEAT_US=0 "$python" test_takt.py 2>tests.log || {
  cat tests.log >&2
  exit 1
}
