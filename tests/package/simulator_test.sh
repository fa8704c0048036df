#!/bin/sh
# The installed simulator. Programs that were linked in all ways give the same report of a run in made-up time; who
# cannot have it says so and does nothing; and who does not simulate has nothing of it.
# simulator_test.sh COMPILER NM PREFIX LIBDIR TOOL SOURCE WORK; TOOL: "" without the command
set -eu
compiler=$1 nm=$2 prefix=$3 libdir=$4 tool=$5 source=$6 work=$7/simulator
libs=$prefix/$libdir
unset TAKT_SIM LD_LIBRARY_PATH || true
# Many promotions, in the middle of everything.
export TAKT_BEAT_US=1
rm -rf "$work"
mkdir -p "$work/alone" "$work/beside"
library=$(find "$libs" -name 'libtakt_sim.so.*' -type l)
name=${library##*/}

fail() {
  echo "$1" >&2
  exit 1
}

exported=$("$nm" -D --defined-only "$library" | grep -v ' [VWvwu] ' | cut -d' ' -f3)
[ "$exported" = "takt_abi_${name##*.}_simulator" ] || fail "$name exports: $exported"
for one in libtakt.so libtakt.a; do
  if "$nm" -C "$libs/$one" 2>/dev/null | grep 'takt::sim::'; then fail "$one has parts of the simulator"; fi
done
"$nm" -C "$libs/libtakt_sim.a" | grep -q 'takt::sim::' || fail "nm shows no simulator where there is one"

"$compiler" -std=c++20 -O1 -I"$prefix/include" -c "$source" -o "$work/main.o"
link() {
  to=$1
  shift
  "$compiler" "$work/main.o" "$@" -o "$work/$to" 2>"$work/said" || fail "$(cat "$work/said")"
  [ ! -s "$work/said" ] || fail "linking $to: $(cat "$work/said")"
}
link alone/shared -L"$libs" -ltakt "-Wl,-rpath,$libs"
link alone/static "$libs/libtakt.a" -lboost_context -pthread
# Boost's shared library would ask the program for its C++ library, and so would all others.
link alone/own_cxx "$libs/libtakt.a" -Wl,-Bstatic -lboost_context -Wl,-Bdynamic -pthread -static-libstdc++ -static-libgcc
link alone/all_static -static -L"$libs" -ltakt -lboost_context -pthread
link alone/linked_in -static -L"$libs" "-Wl,-u,${exported}" -ltakt_sim -ltakt -lboost_context -pthread
cp "$work/alone/static" "$library" "$work/beside/"
mkdir "$work/broken"
cp "$work/alone/static" "$work/broken/"
echo "no library" >"$work/broken/$name"

request=workers=5,deterministic=1,out=
# simulates PROGRAM [LIBRARY]
simulates() {
  rm -f "$work/report"
  env "TAKT_SIM=library=${2-},$request$work/report" "$work/$1" >"$work/out"
  grep -qx 'good' "$work/out"
  if [ ! -e "$work/first" ]; then cp "$work/report" "$work/first"; fi
  cmp "$work/first" "$work/report" || fail "$1: another report than alone/shared: $(cat "$work/first" "$work/report")"
}
# refuses COMMAND... : one line, exit code 2, and the program has done nothing.
refuses() {
  code=0
  "$@" >"$work/out" 2>"$work/err" || code=$?
  if [ $code -ne 2 ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
    fail "$*: exit code $code: $(cat "$work/out" "$work/err")"
  fi
}
says() { grep -q "$1" "$work/err" || fail "no '$1' in: $(cat "$work/err")"; }

simulates alone/shared
grep -q '"takt_sim":1,"workers":5,' "$work/first"
simulates beside/static
simulates alone/linked_in
simulates alone/static "$library"
(
  export LD_LIBRARY_PATH="$libs"
  simulates alone/static
)
# Two C++ libraries are in this process then.
simulates alone/own_cxx "$library"

simulation=TAKT_SIM=$request$work/report
refuses env "$simulation" "$work/alone/static"
says "^takt: TAKT_SIM: cannot load the simulator .*$name: cannot open"
refuses env "TAKT_SIM=library=$work/nowhere,${simulation#*=}" "$work/alone/shared"
says '^takt: TAKT_SIM: cannot load the simulator that library= names: .*/nowhere'
refuses env "TAKT_SIM=library=$libs/libtakt.so,${simulation#*=}" "$work/alone/static"
says '^takt: TAKT_SIM: the simulator belongs to another version of takt: .*/libtakt.so$'
refuses env "$simulation" "$work/broken/static"
says "^takt: TAKT_SIM: cannot load the simulator: .*/broken/$name: "
refuses env "$simulation" "$work/alone/all_static"
says '^takt: TAKT_SIM: a program that is linked with -static '
# Without a simulation all of them run.
for one in shared static all_static linked_in; do
  [ "$("$work/alone/$one")" = 'good' ] || fail "$one does not run"
done

[ -n "$tool" ] || exit 0
# Which code it was cannot be told with -static: there all code is one place.
scale() { "$1" scale --deterministic --workers 1,3 --runs 1 -- "$work/alone/$2"; }
for one in shared static linked_in; do
  scale "$tool" $one >"$work/scale" || fail "takt scale: $one"
  sed "s,alone/$one,PROGRAM,; /% of the span, /d" "$work/scale" >"$work/scale.$one"
  cmp "$work/scale.shared" "$work/scale.$one" || fail "$(diff "$work/scale.shared" "$work/scale.$one")"
done
grep -q '^ *3 ' "$work/scale.static" || fail "$(cat "$work/scale.static")"
# A command that was installed without it.
cp "$tool" "$work/alone/takt"
refuses scale "$work/alone/takt" static
says '^takt scale: .*alone/static with 1 worker: ended with exit code 2: takt: TAKT_SIM: cannot load the simulator '
