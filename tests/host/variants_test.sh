#!/usr/bin/env bash
# variants_test.sh SCRATCH EMULATOR SOURCE COMPILER LINE...: two files with the same named bodies, one of them
# compiled for a wider CPU, share no function of takt: the linker keeps one of each name, and this CPU could not run the
# wider one. With an EMULATOR that is not "none", the program is run on a CPU that cannot.
set -euo pipefail
scratch=$1 emulator=$2 source=$3 compiler=$4
shift 4
mkdir -p "$scratch"
"$compiler" "$@" -c "$source" -o "$scratch/plain.o"
# The name of a type that is thrown is data, and the same in all files.
functions_of() {
  nm -C --defined-only "$1" | grep -E ' [WVuw] ' | cut -d' ' -f3- | grep takt | grep -vE '^(typeinfo |DW[.]ref[.])' | sort -u
}
functions_of "$scratch/plain.o" >"$scratch/plain.txt"
[[ -s $scratch/plain.txt ]] || { echo "no function of takt's is in the object: this says nothing" >&2; exit 1; }
for flags in "-march=x86-64-v4" "-mpopcnt" "-fno-exceptions" "-D_GLIBCXX_USE_CXX11_ABI=0"; do
  # shellcheck disable=SC2086
  "$compiler" "$@" $flags -DWIDE -c "$source" -o "$scratch/wide.o"
  functions_of "$scratch/wide.o" >"$scratch/wide.txt"
  both=$(comm -12 "$scratch/plain.txt" "$scratch/wide.txt")
  [[ -z $both ]] || { echo "in files with and without $flags:" "$both" >&2; exit 1; }
  [[ $flags == -march=x86-64-v4 ]] && cp "$scratch/wide.o" "$scratch/widest.o"
done
# The wider file first: its functions are the ones kept.
"$compiler" "$scratch/widest.o" "$scratch/plain.o" "$@" -o "$scratch/program"
if [[ $emulator != none ]]; then
  "$emulator" -cpu Haswell "$scratch/program"
else
  "$scratch/program"
fi
