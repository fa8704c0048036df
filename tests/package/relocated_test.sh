#!/bin/sh
# relocated_test.sh CMAKE GENERATOR COMPILER PKG_CONFIG BUILD LIBDIR SOURCES WORK: installs, moves what was installed,
# and builds with it by CMake and pkg-config. Nothing in it may name where it was.
set -eu
cmake=$1 generator=$2 compiler=$3 pkg_config=$4 build=$5 libdir=$6 sources=$7 work=$8
rm -rf "$work"
mkdir -p "$work/elsewhere"
"$cmake" --install "$build" --prefix "$work/first" >"$work/messages"
mv "$work/first" "$work/elsewhere/moved"
moved=$work/elsewhere/moved

# Binaries may name source files; text that does is read by somebody.
if grep -rIl -e "$work/first" -e "$build" "$moved" >&2; then
  echo "these name the folder that takt was built in or installed to" >&2
  exit 1
fi

"$cmake" -S "$sources" -B "$work/build" -G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" \
  "-DCMAKE_PREFIX_PATH=$moved" -DOUTSIDE_TARGET=takt::shared >"$work/messages" 2>&1 &&
  "$cmake" --build "$work/build" >"$work/messages" 2>&1 || { cat "$work/messages" >&2; exit 1; }
"$work/build/outside"

[ -n "$pkg_config" ] || exit 0
PKG_CONFIG_LIBDIR=$moved/$libdir/pkgconfig
export PKG_CONFIG_LIBDIR
# Flags are words, so they are not quoted.
# shellcheck disable=SC2046
"$compiler" -std=c++20 $("$pkg_config" --cflags takt) "$sources/main.cpp" $("$pkg_config" --libs takt) \
  -o "$work/outside"
"$work/outside"
