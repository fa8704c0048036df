#!/bin/sh
# conan_test.sh CONAN SOURCES COMPILER GENERATOR VERSION WORK: makes takt's Conan package from this tree, static and
# shared, with the machine's own Boost; each time Conan builds and runs a program with it. Conan has a home of its own
# for that. 77: skipped.
set -eu
conan=$1 sources=$2 compiler=$3 generator=$4 version=$5 work=$6
[ -n "$conan" ] || { echo "skipped: there is no conan (a Python package, version 2)"; exit 77; }
case $("$conan" --version) in
  "Conan version 2."*) ;;
  *) echo "skipped: $conan is not Conan 2"; exit 77 ;;
esac
CONAN_HOME=$work/home
export CONAN_HOME
rm -rf "$work"
mkdir -p "$work"
# Nothing is looked for on a server.
run() { "$conan" "$@" >"$work/messages" 2>&1 || { tail -n 60 "$work/messages" >&2; exit 1; }; }
CXX=$compiler
export CXX
run profile detect
run create "$sources/tests/package/stand_ins/conan_boost" --no-remote
# Conan builds where its program lies.
cp -R "$sources/packaging/conan/test_package" "$work/program"
for shared in False True; do
  run create "$sources/packaging/conan" --test-folder="$work/program" --no-remote --build=missing \
    -c "tools.cmake.cmaketoolchain:generator=$generator" -s compiler.cppstd=20 -o "takt/*:shared=$shared"
  grep -q "^outside: good" "$work/messages" || { tail -n 60 "$work/messages" >&2; exit 1; }
  grep -q "takt/$version" "$work/messages" || { echo "another version than $version was packed" >&2; exit 1; }
done
echo "packed, built with and run: takt/$version, static and shared"
