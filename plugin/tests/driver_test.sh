#!/bin/sh
# driver_test.sh PLUGIN_FOLDER WORK SOURCES: the ways in which taktcc and takt++ are used.
set -eu
plugin=$1 work=$2 sources=$3
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
printf 'int nests(void);\nint main(void) { return nests(); }\n' >user.c
"$plugin/taktcc" --takt-shared -O2 -fopenmp user.c -L. -lnests "-Wl,-rpath,$PWD" -o user
./user | cmp - wanted
# Without -fopenmp it is Clang.
"$plugin/taktcc" -O2 -w "$sources/nests.c" -o plain
./plain | cmp - wanted
# Bad uses get one line and exit code 2.
for attempt in "env TAKT_CLANG=/none/clang $plugin/taktcc x.c" "env TAKT_CLANG=/bin/true $plugin/takt++ x.cpp" \
  "$plugin/taktcc"; do
  code=0
  $attempt 2>messages || code=$?
  [ "$code" = 2 ] || { echo "'$attempt' ended with $code" >&2; exit 1; }
  [ "$(wc -l <messages)" = 1 ] || { echo "'$attempt' said:" >&2; cat messages >&2; exit 1; }
done
code=0
TAKT_CLANG=/bin/true "$plugin/taktcc" x.c 2>messages || code=$?
[ "$code $(cat messages)" = "2 taktcc: '/bin/true' is no Clang" ] || { cat messages >&2; exit 1; }
