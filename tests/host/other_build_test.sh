#!/usr/bin/env bash
# other_build_test.sh SCRATCH SOURCE COMPILER FLAG...: compiles SOURCE, links it and runs it. Skipped (77) where nothing
# at all can be built with such flags, as with a standard library that is not installed.
set -euo pipefail
scratch=$1 source=$2
shift 2
mkdir -p "$scratch"
if ! echo '#include <string>
int main(int argc, char**) { return std::string(static_cast<unsigned>(argc), char(65)).size() == 1 ? 0 : 1; }' |
  "$@" -x c++ - -x none -o "$scratch/probe" >"$scratch/probe.log" 2>&1 || ! "$scratch/probe"; then
  echo "skipped: $* builds nothing here: $(grep -m 1 error "$scratch/probe.log" || true)" >&2
  exit 77
fi
# The source first: libraries count for what comes before them.
compiler=$1
shift
"$compiler" "$source" "$@" -o "$scratch/program"
"$scratch/program"
