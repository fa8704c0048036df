#!/bin/sh
# forks_test.sh PLUGIN_FOLDER WORK SOURCE LEVELS [FLAG...]: forks of the library under takt++ give what the program's serial
# elision gives: at every level, promoting when a beat is due and always; and with bands without end, written into the
# assembly, in all of the sites of forks, in the even ones or in the odd ones, so that functions which ask run on as they
# do where nothing may be pushed. The fork in main() is left alone: it enters takt. FLAG: to compile with.
set -eu
plugin=$1 work=$2 source=$3 levels=$4
shift 4
flags=$*
root=$(dirname "$0")/../..
rm -rf "$work"
mkdir -p "$work"
build() {
  # shellcheck disable=SC2086
  "$plugin/takt++" -std=c++20 -w $flags "-I$root/include" "-I$root/abi" "$@"
}
check() {
  for workers in $2; do
    for beat in 100 0; do
      code=0
      TAKT_WORKERS=$workers TAKT_BEAT_US=$beat "$work/program" >"$work/got" || code=$?
      if [ $code != 0 ] || ! diff "$work/wanted" "$work/got" >&2; then
        echo "$1, $workers workers, beat $beat: exit code $code; '<' is wanted, '>' is what came" >&2
        exit 1
      fi
    done
  done
}
build -O1 -DTAKT_ELISION "$source" -o "$work/elision"
"$work/elision" >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -gt 100 ] || { echo "the elision says nothing" >&2; exit 1; }
for level in $levels; do
  build -O$level -S "$source" -o "$work/program.s"
  versions=$(grep -c '^[^ ]*\.takt_pushing:' "$work/program.s")
  [ "$versions" -ge 15 ] || { echo "-O$level: $versions functions have two versions" >&2; exit 1; }
  build "$work/program.s" -o "$work/program"
  check -O$level "1 2 8"
  for share in "1 0" "2 0" "2 1"; do
    step=${share% *} first=${share#* }
    awk -v step="$step" -v first="$first" '/^[^ \t]*7site_of.*:/ { inside = /7site_ofISt4pair/ && !/4mainE/ && sites++ % step == first; words = 0 }
      /\.size/ { inside = 0 }
      inside && /\.quad/ && ++words == 3 { sub(/\.quad[ \t]+0/, ".quad\t-1"); changed++ }
      { print }
      END { exit changed < 10 }' "$work/program.s" >"$work/endless.s" || {
      echo "-O$level: the sites of forks are not where they are looked for" >&2
      exit 1
    }
    build "$work/endless.s" -o "$work/program"
    check "-O$level, every site of $step endless, from number $first" 3
  done
done
