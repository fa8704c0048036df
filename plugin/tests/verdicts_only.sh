#!/bin/sh
# verdicts_only.sh PLUGIN WORK OPT CLANG CLANGXX EACH ROOT FOLDER...: what the plugin decides of each EACH-th program in
# these folders leaves their modules as they are, bit by bit and in the order of uses; and it is what it says when it
# converts them. As text: bitcode also lists the kinds of metadata that some other module of the same process has had, as
# the copy.
set -eu
plugin=$1 work=$2 opt=$3 clang=$4 clangxx=$5 each=$6 root=$7
shift 7
rm -rf "$work"
mkdir -p "$work"
fail() {
  echo "$1" >&2
  exit 1
}
number=0
changed=0
for source in $(find "$@" -name '*.c' -o -name '*.cpp' | sort | awk "NR % $each == 0"); do
  case $source in
    *.cpp) compiler="$clangxx -std=c++20" ;;
    *) compiler=$clang ;;
  esac
  # Some files are parts of others, or want more options.
  $compiler -O1 -fopenmp -fopenmp-version=51 -w -Rpass=takt -c -emit-llvm -Xclang -disable-llvm-passes "-I$root/include" \
    "-I$root/abi" "$source" -o "$work/program.bc" 2>"$work/compiler" || continue
  number=$((number + 1))
  run() {
    "$opt" "-load-pass-plugin=$plugin" -S -preserve-ll-uselistorder "-passes=$1" -pass-remarks=takt -pass-remarks-missed=takt \
      "$work/program.bc" -o "$work/$2.ll" 2>"$work/$2.remarks" || fail "$source: $1: $(cat "$work/$2.remarks")"
  }
  run verify before
  run takt-verdicts after
  cmp "$work/before.ll" "$work/after.ll" >&2 || fail "$source: the analysis has changed the module"
  run takt-openmp converted
  cmp -s "$work/before.ll" "$work/converted.ll" || changed=$((changed + 1))
  # Forks of the library are converted behind all that.
  for run in converted after; do grep 'the parallel' "$work/$run.remarks" >"$work/$run.verdicts" || true; done
  diff "$work/converted.verdicts" "$work/after.verdicts" >&2 || fail "$source: '<' is done, '>' is what the analysis says"
done
[ "$changed" -ge $((150 / each)) ] || fail "only $changed of $number programs have something to convert"
echo "$number programs, of which $changed are converted"
