#!/bin/sh
# Pages with a planted fault: each check must find it. Usage: twins.sh SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/docs" "$scratch/src"

# finds WHAT COMMAND...: fails, and says WHAT.
finds() {
  what=$1
  shift
  if out=$("$@" 2>&1); then
    echo "not found: $what"
    exit 1
  fi
  case $out in
    *"$what"*) echo "found: $what" ;;
    *) echo "no '$what' in: $out"; exit 1 ;;
  esac
}

export PYTHONDONTWRITEBYTECODE=1
links() { python3 "$here/links.py" "$scratch"; }
printf '# A\n\n[b](docs/b.md#there) `[no](link)`\n' >"$scratch/README.md"
printf '# B\n\n## There\n\n```sh\n[no](link)\n```\n' >"$scratch/docs/b.md"
echo '// See docs/b.md.' >"$scratch/src/a.cpp"
links
printf '[c](c.md)\n' >"$scratch/docs/c1.md"
finds "docs/c1.md: c.md is not there" links
printf '[b](b.md#elsewhere)\n' >"$scratch/docs/c1.md"
finds "b.md#elsewhere: no such heading" links
rm "$scratch/docs/c1.md"
echo '// See docs/gone.md.' >"$scratch/src/a.cpp"
finds "docs/gone.md is not there" links

readme() { sed "$1" "$root/README.md" >"$scratch/README.md" && python3 "$here/readme.py" "$scratch/README.md"; }
readme ''
finds "says 'beat'" readme '3s/takt is/takt has a beat and is/'
finds "is not examples/hello.cpp" readme 's/fib(30));/fib(31));/'
finds "docs/results.md has no 7.77" readme 's/| 1.11 |/| 7.77 |/'
finds "other runs than expected" readme 's/run: cmake/run: make/'
finds "stands above a block of" readme '/run: pkg-config/,/```sh/s/```sh/```console/'
