#!/bin/sh
# two_abis_test.sh COMPILER PREFIX LIBDIR WORK: a plug-in that was linked with a later ABI version of the shared
# library, in a program that has loaded this one: each calls its own, though the functions have the same names. The
# later version is a stand-in of one function, which answers what nobody else would.
set -eu
compiler=$1 prefix=$2 libdir=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"
# takt_stay is a function of the library that takes and returns nothing that matters here.
echo 'int takt_stay(void) { return 12345; }' >later.c
echo 'TAKT_999 { global: takt_*; };' >later.symbols
echo 'int takt_stay(void); int answer(void) { return takt_stay(); }' >plugin.c
cat >program.cpp <<'END'
#include <takt/takt.hpp>

#include <dlfcn.h>

#include <cstdio>

int main() {
  void* const plugin = dlopen("./plugin.so", RTLD_NOW);
  if (plugin == nullptr) {
    std::puts(dlerror());
    return 1;
  }
  const auto answer = reinterpret_cast<int (*)()>(dlsym(plugin, "answer"));
  const auto [a, b] = takt::fork_join([] { return 1; }, [] { return 2; });
  if (a + b != 3 || answer() != 12345) {
    std::puts("the plug-in has called the program's library");
    return 1;
  }
  return 0;
}
END
"$compiler" -x c -shared -fPIC later.c -Wl,-soname,libtakt.so.999 -Wl,--version-script=later.symbols -o libtakt.so.999
"$compiler" -x c -shared -fPIC plugin.c -x none ./libtakt.so.999 "-Wl,-rpath,$work" -o plugin.so
"$compiler" -std=c++20 "-I$prefix/include" program.cpp \
  "-L$prefix/$libdir" -ltakt "-Wl,-rpath,$prefix/$libdir" -ldl -o program
./program
