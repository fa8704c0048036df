#!/bin/sh
# driver_test.sh PLUGIN_FOLDER WORK SOURCES [tuning]: the ways in which taktcc and takt++ are used; with the room tuning/.
set -eu
plugin=$1 work=$2 sources=$3 tuning=${4-}
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export TAKT_WORKERS=2

is_converted() {
  nm "$1" | grep -q ' takt_omp_run$' || { echo "$1 was not converted" >&2; exit 1; }
}

# Objects, then a link; dependencies; debug information.
"$plugin/taktcc" -O2 -g -fopenmp -MD -c "$sources/nests.c" -o nests.o 2>messages
[ ! -s messages ] || { echo "messages for -c:" >&2; cat messages >&2; exit 1; }
is_converted nests.o
[ -s nests.d ]
"$plugin/taktcc" -fopenmp nests.o -o nests
./nests >wanted
# Link-time optimisation.
"$plugin/taktcc" -O2 -fopenmp -flto -fuse-ld=lld "$sources/nests.c" -o lto
is_converted lto
./lto | cmp - wanted
# A shared library, and a program that uses it, share one runtime.
"$plugin/taktcc" -O2 -fopenmp -fPIC -shared -Dmain=nests "$sources/nests.c" -o libnests.so
cat >user.c <<'END'
int nests(void);
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum == 4950 ? nests() : 1;
}
END
"$plugin/taktcc" --takt-shared -O2 -fopenmp user.c -L. -lnests "-Wl,-rpath,$PWD" -o user
./user | cmp - wanted
nm user | grep -q ' U takt_omp_run' || { echo "user has a runtime of its own" >&2; exit 1; }
# Without the OpenMP runtime, which nothing asks for, threads have numbers all the same.
cat >numbers.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  static int v[200000];
  int last = 0;
#pragma omp parallel for reduction(max : last)
  for (int i = 0; i < 200000; ++i) {
    const int number = omp_get_thread_num();
    for (int k = 0; k < 20; ++k) v[i] += (i + k) % 7;
    if (number > last) last = number;
  }
  printf("%d\n", last);
}
END
"$plugin/taktcc" -O2 -fopenmp numbers.c -Wl,--as-needed -o numbers
is_converted numbers
if readelf -d numbers | grep -q libomp; then echo "numbers asks for the OpenMP runtime" >&2; exit 1; fi
for threads in 1 3; do
  last=$(TAKT_WORKERS=8 TAKT_BEAT_US=0 OMP_NUM_THREADS=$threads ./numbers)
  [ "$last" -lt $threads ] || { echo "thread $last of $threads" >&2; exit 1; }
done
# Regions that stay run on takt's workers, where its OpenMP runtime is part of the build: also if CMake names LLVM's, and
# with a function of the program's own in place of one.
cat >stays.c <<'END'
#include <omp.h>
#include <stdio.h>
void *takt_team_state(void) __attribute__((weak));
#ifdef OWN
int kmp_get_blocktime(void) { return 7; }
#endif
int main(void) {
  int members = 0, sum = 0, ours = 0;
#pragma omp parallel
  {
#pragma omp critical
    {
      ++members;
      ours += takt_team_state != NULL && takt_team_state() != NULL;
    }
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
#ifdef OWN
  sum += kmp_get_blocktime() - 7;
#endif
  printf("%d %d %d\n", members, sum, ours);
}
END
openmp=$(sed -n "s/^openmp='\(.*\)'/\1/p" "$plugin/taktcc")
stays() {
  "$plugin/taktcc" -O2 -fopenmp stays.c -o stays "$@"
  [ "$(OMP_NUM_THREADS=2 ./stays)" = "2 499500 $ours" ] || { echo "$*: not 2 499500 $ours: $(./stays)" >&2; exit 1; }
  readelf -d stays | grep -q 'libomp\.so' && named=yes || named=no
  [ "$named" = "$with_libomp" ] || { echo "$*: libomp is needed: $named" >&2; exit 1; }
}
if [ -e "$openmp/static/libomp.so" ]; then
  ours=2 with_libomp=no
  stays
  stays -DOWN
  stays --takt-shared
  stays "$("$plugin/taktcc" -print-file-name=libomp.so)"
fi
ours=0 with_libomp=yes
stays -ftakt-openmp=libomp
# To bisect: of four regions the first, all, or none; and the same program, whatever is left out.
cat >bisected.c <<'END'
#include <stdio.h>
int main(void) {
  static int v[1000], w[1000];
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i) v[i] = i;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 1000; ++i) w[i] = v[i];
#pragma omp for
    for (int i = 0; i < 1000; ++i) v[i] = 2 * w[999 - i];
  }
#pragma omp parallel for
  for (int i = 0; i < 10; ++i)
    if (v[i] == 1998 - 2 * i)
#pragma omp critical
      ++sum;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += v[i];
  printf("%d\n", sum);
}
END
bisect() {
  wanted=$1
  shift
  "$plugin/taktcc" -O2 -fopenmp -Rpass=takt "$@" bisected.c -o bisected 2>messages
  converted=$(grep -c 'remark: the parallel loop became\|remark: the parallel region runs' messages || true)
  [ "$converted $(./bisected)" = "$wanted 999010" ] || { echo "$*: $converted regions converted:" >&2; cat messages >&2; exit 1; }
}
bisect 6 -save-stats
grep -q '"takt.converted_teams": 1' bisected.stats
bisect 1 -mllvm -takt-regions=1
bisect 0 -mllvm -takt-regions=0
bisect 3 -mllvm -takt-teams=0
bisect 6 -mllvm -takt-verdicts-only
[ -z "$tuning" ] || tuning="rows sums landings unasked frame-pointers"
for switch in gather epilogues tasks places inline forks $tuning; do
  bisect 6 -mllvm "-takt-$switch=0"
done
# Without -fopenmp it is Clang.
"$plugin/taktcc" -O2 -w "$sources/nests.c" -o plain
./plain | cmp - wanted
# Bad uses get one line and exit code 2.
for attempt in "env TAKT_CLANG=/none/clang $plugin/taktcc x.c" "env TAKT_CLANG=/bin/true $plugin/takt++ x.cpp" \
  "$plugin/taktcc" "$plugin/taktcc -fopenmp -ftakt-openmp=libgomp stays.c"; do
  code=0
  $attempt 2>messages || code=$?
  [ "$code" = 2 ] || { echo "'$attempt' ended with $code" >&2; exit 1; }
  [ "$(wc -l <messages)" = 1 ] || { echo "'$attempt' said:" >&2; cat messages >&2; exit 1; }
done
code=0
TAKT_CLANG=/bin/true "$plugin/taktcc" x.c 2>messages || code=$?
[ "$code $(cat messages)" = "2 taktcc: '/bin/true' is no Clang" ] || { cat messages >&2; exit 1; }
# What waits when a function of another file is called need not be done before, if that file says so: one that Clang made alone does not.
cat >asks.c <<'END'
#include <stdio.h>
int done;
int ask(void);
int main(void) {
  int seen = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    done = 1;
    seen = ask();
#pragma omp taskwait
  }
  printf("%d %d\n", seen, done);
}
END
printf 'extern int done;\nint ask(void) { return done; }\n' >quiet.c
printf 'extern int done;\nint ask(void) {\n#pragma omp taskwait\n  return done;\n}\n' >waits.c
clang=$(sed -n "s/^clang=\${TAKT_CLANG:-'\(.*\)'}/\1/p" "$plugin/taktcc")
"$plugin/taktcc" -O2 -fopenmp -c asks.c -o asks.o
for kind in quiet waits; do
  "$plugin/taktcc" -O2 -fopenmp -c $kind.c -o $kind.o
  "${TAKT_CLANG:-$clang}" -O2 -fopenmp -c $kind.c -o $kind.plain.o
  "$plugin/taktcc" -fopenmp asks.o $kind.o -o asks_$kind
  "$plugin/taktcc" -fopenmp asks.o $kind.plain.o -o asks_$kind.plain
done
for program in asks_quiet:0 asks_quiet.plain:1 asks_waits:1 asks_waits.plain:1; do
  said=$(TAKT_WORKERS=1 "./${program%:*}")
  [ "$said" = "${program#*:} 1" ] || { echo "${program%:*} printed '$said'" >&2; exit 1; }
done
# Who keeps such loops from takt is said at the start, if statistics are asked for.
printf 'static _Thread_local int level = 1;\nint told(int i) { return level = i + 1; }\n' >told.c
cat >asking.c <<'END'
int told(int i);
static int v[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) v[i] = told(i);
  return v[99] != 100;
}
END
"$plugin/taktcc" -O2 -g -fopenmp asking.c told.c -o asking
line="takt: loops that call code of other files are left to the OpenMP runtime: told in told.c: it reaches the thread-local variable level (line 2)"
./asking 2>messages
[ ! -s messages ] || { cat messages >&2; exit 1; }
TAKT_STATS=stats.json ./asking 2>messages
printf '%s\n' "$line" | cmp - messages || { cat messages >&2; exit 1; }
