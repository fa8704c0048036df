#!/bin/sh
# A small matrix with names and a small package list go through the whole program: every
# system that was built agrees, and the node that all others name comes first.
# Usage: good_input_test.sh PROGRAM
set -eu

program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# has FILE PATTERN
has() {
  grep -q -e "$2" "$1" || { echo "no line with '$2' in:"; cat "$1"; exit 1; }
}

cat >"$scratch/star.mtx" <<'END'
%%MatrixMarket matrix coordinate pattern general
4 4 4
1 2
3 2
4 2
2 1
END
"$program" --runs 1 "$scratch/star.mtx" >"$scratch/numbers"
has "$scratch/numbers" '^ *1 .* 3  row 2$'
has "$scratch/numbers" '^takt, both levels '
has "$scratch/numbers" '^All ranks agree'

printf 'edge\nhub\nleft\nright\n' >"$scratch/star.names"
"$program" --runs 1 "$scratch/star.mtx" >"$scratch/names"
has "$scratch/names" '^ *1 .* 3  hub$'

# Names that do not fit the matrix are left aside with a word.
printf 'edge\nhub\n' >"$scratch/star.names"
"$program" --runs 1 "$scratch/star.mtx" >"$scratch/numbers" 2>"$scratch/word"
has "$scratch/numbers" '^ *1 .* 3  row 2$'
has "$scratch/word" 'star.names: 2 names for 4 rows'

printf 'Package: a\nDepends: libc\n\nPackage: b\nDepends: libc | libd\n\nPackage: libc\n' |
  "$program" --runs 1 --packages - >"$scratch/packages"
has "$scratch/packages" '^3 Debian packages and 1 names without a package, 3 dependencies'
has "$scratch/packages" '^ *1 .* 2  libc$'
