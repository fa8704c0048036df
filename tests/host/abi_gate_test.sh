#!/usr/bin/env bash
# abi_gate_test.sh SCRATCH SHARED_LIBRARY INCLUDE_DIR ABI_DIR COMPILER...: a program that was compiled with the headers
# of another ABI does not link, whatever it uses, and does not start; both say so by a name with the version in it.
set -euo pipefail
scratch=$1 library=$2 include=$3 abi=$4
shift 4
rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$include/takt" "$scratch/takt"
cp -r "$abi/takt/." "$scratch/takt/"
# A layout that differs as well: what the gate is there for.
sed -i -e 's/^#define TAKT_ABI_VERSION .*/#define TAKT_ABI_VERSION 999/' "$scratch/takt/abi.hpp"

fail() {
  echo "$*" >&2
  exit 1
}

program() {
  cat >"$scratch/$1.cpp"
  "$compiler" -std=c++20 -O2 "-I$scratch" -c "$scratch/$1.cpp" -o "$scratch/$1.o"
  if "$compiler" "$scratch/$1.o" "$library" -o "$scratch/$1" 2>"$scratch/$1.log"; then
    fail "$compiler: a program with $1 of another ABI links"
  fi
  grep -q 'takt_abi_999_' "$scratch/$1.log" || fail "$(cat "$scratch/$1.log")"
}

for compiler in "$@"; do
  program forks <<<'#include <takt/fork_join.hpp>
int main() { takt::fork_join([] {}, [] {}); }'
  program groups <<<'#include <takt/task_group.hpp>
int main() { takt::task_group().wait(); }'
  program settings <<<'#include <takt/config.hpp>
int main() { takt::configure(takt::config()); return takt::stats_json().empty(); }'
  program portable <<<'#define TAKT_FORCE_PORTABLE
#include <takt/fork_join.hpp>
int main() { takt::fork_join([] {}, [] {}); }'

  # Linked where the other version was, and started where somebody has put this one in its place.
  echo '__thread long takt_abi_999_hot[8];' |
    "$compiler" -x c - -shared -fPIC -Wl,-soname,libtakt.so.999 -o "$scratch/libtakt.so.999"
  "$compiler" "$scratch/forks.o" "$scratch/libtakt.so.999" -Wl,--unresolved-symbols=ignore-all \
    "-Wl,-rpath,$scratch" -o "$scratch/forks" 2>"$scratch/link.log" || fail "$(cat "$scratch/link.log")"
  ln -sf "$library" "$scratch/libtakt.so.999"
  if "$scratch/forks" 2>"$scratch/forks.log"; then
    fail "$compiler: a program of another ABI starts"
  fi
  grep -q 'undefined symbol: takt_abi_999_hot' "$scratch/forks.log" || fail "$(cat "$scratch/forks.log")"
done
