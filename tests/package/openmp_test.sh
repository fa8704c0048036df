#!/bin/sh
# openmp_test.sh CMAKE GENERATOR CC CXX PREFIX SOURCES WORK LANGUAGES...: builds the outside OpenMP project and looks
# whether its loops were converted, or, with compilers that the plugin is not for, whether one line says so.
set -eu
cmake=$1 generator=$2 cc=$3 cxx=$4 prefix=$5 sources=$6 work=$7
shift 7
for languages in "$@"; do
  rm -rf "$work"
  mkdir -p "$work"
  code=0
  "$cmake" -S "$sources" -B "$work/build" -G "$generator" "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx" \
    "-DCMAKE_PREFIX_PATH=$prefix" "-DOUTSIDE_LANGUAGES=$languages" >"$work/messages" 2>&1 || code=$?
  case $cc in
    *clang*)
      [ "$code" = 0 ] || { cat "$work/messages" >&2; exit 1; }
      "$cmake" --build "$work/build" >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
      "$work/build/outside"
      for file in "$work/build/outside" "$work/build/libpart.so"; do
        [ -e "$file" ] || continue
        { nm -D "$file"; nm "$file"; } | grep -Eq ' takt_omp_run(@TAKT_[0-9]+)?$' ||
          { echo "$file was not converted" >&2; exit 1; }
      done
      ;;
    *)
      [ "$code" != 0 ] || { echo "accepted $cc and $cxx" >&2; exit 1; }
      tr '\n' ' ' <"$work/messages" | tr -s ' ' | grep -q "compiler is GNU [0-9.]*; takt's plugin is for Clang 1" ||
        { cat "$work/messages" >&2; exit 1; }
      ;;
  esac
done
