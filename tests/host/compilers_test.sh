#!/usr/bin/env bash
# compilers_test.sh SCRATCH SOURCE ONE OTHER LINE...: two files with the same named bodies, one by each compiler. The linker
# keeps one function of each name, the first one's: the second file must be able to call it.
set -euo pipefail
scratch=$1 source=$2 one=$3 other=$4
shift 4
mkdir -p "$scratch"
check() {
  "$1" "${@:3}" -DWIDE -c "$source" -o "$scratch/first.o"
  "$2" "${@:3}" -c "$source" -o "$scratch/second.o"
  "$2" "$scratch/first.o" "$scratch/second.o" "${@:3}" -o "$scratch/program"
  code=0
  "$scratch/program" || code=$?
  [[ $code == 0 ]] || { echo "what $1 made, called by what $2 made: exit code $code" >&2; exit 1; }
}
check "$one" "$other" "$@"
check "$other" "$one" "$@"
