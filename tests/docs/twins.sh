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

mkdir -p "$scratch/docs/algorithms" "$scratch/include/takt"
ln -s "$root/site" "$scratch/site"
ln -s "$root/include/takt/algorithms" "$scratch/include/takt/algorithms"
signatures() {
  cp "$root"/docs/algorithms/*.md "$scratch/docs/algorithms/"
  sed -i "$1" "$scratch/docs/algorithms/find.md"
  python3 "$here/signatures.py" "$scratch"
}
signatures ''
finds "no page has equal(a, b, [, same, ])" signatures '/equal(a, b/d'
finds '`find(range, value, proj)` is in no header' signatures 's/find(range, value, \[proj\])/find(range, value, proj)/'
rm -r "$scratch/docs/algorithms" "$scratch/site" "$scratch/include"

mkdir -p "$scratch/include"
cp -r "$root/include/takt" "$scratch/include/"
ln -s "$root/cluster" "$scratch/cluster"
reference() { python3 "$root/site/api.py" "$scratch/include" "$scratch/reference"; }
reference
sed -i 's,^/// Runs `f()`.*,// It runs,; s,^///,//,' "$scratch/include/takt/stop.hpp"
finds "stop.hpp: no comment \`///\`: with_stop" reference
rm -r "$scratch/include" "$scratch/cluster" "$scratch/reference"

readme() { sed "$1" "$root/README.md" >"$scratch/README.md" && python3 "$here/readme.py" "$scratch/README.md"; }
readme ''
finds "says 'beat'" readme '3s/takt is/takt has a beat and is/'
finds "is not examples/hello.cpp" readme 's/fib(30));/fib(31));/'
finds "docs/results.md has no 7.77" readme 's/| 1.11 |/| 7.77 |/'
finds "other runs than expected" readme 's/run: cmake/run: make/'
finds "stands above a block of" readme '/run: pkg-config/,/```sh/s/```sh/```console/'

mkdir -p "$scratch/docs/decisions" "$scratch/tests/unit"
decisions() { python3 "$here/decisions.py" "$scratch"; }
printf '# Decisions\n\n| [a](a.md) |\n' >"$scratch/docs/decisions/README.md"
printf '# A\n' >"$scratch/docs/decisions/a.md"
decisions
printf '# B\n' >"$scratch/docs/decisions/2026-11-30-b.md"
finds "2026-11-30-b.md is not in the table" decisions
rm "$scratch/docs/decisions/2026-11-30-b.md"
yes word | head -n 701 >"$scratch/docs/decisions/a.md"
finds "a.md: 701 words, at most 700" decisions
rm -r "$scratch/docs/decisions"

guarantees() { python3 "$here/guarantees.py" "$scratch"; }
touch "$scratch/tests/unit/a_test.cpp"
rows='# G\n\n## 1\n\n| what | shown by |\n|---|---|\n| **a group** | |\n| one | `unit/a_test.cpp` |\n'
printf "$rows"'| two | `unit/a_test.cpp` |\n' >"$scratch/docs/guarantees.md"
guarantees
printf "$rows"'| two | by `construction` |\n' >"$scratch/docs/guarantees.md"
finds "no test of: two" guarantees
printf "$rows"'| two | `unit/b_test.cpp` |\n' >"$scratch/docs/guarantees.md"
finds "unit/b_test.cpp is not there" guarantees
printf "$rows"'| two | `unit/a_test.cpp` |\n\n## 2\n\nIt is fast.\n' >"$scratch/docs/guarantees.md"
finds "a section without a guarantee: 2" guarantees
printf "$rows"'| two: (1 + 65 tau/N) w | `unit/a_test.cpp` |\n' >"$scratch/docs/guarantees.md"
echo 'There are at most 65 promotions in N.' >"$scratch/docs/b1.md"
guarantees
echo 'Work is at most 1 + 33 tau/N.' >"$scratch/src/README.md"
finds "65 in docs/b1.md, docs/guarantees.md; 33 in src/README.md" guarantees
rm "$scratch/docs/b1.md" "$scratch/src/README.md"
rm "$scratch/docs/guarantees.md"

glossary() { python3 "$here/glossary.py" "$scratch"; }
words='# G\n\n| word | meaning |\n|---|---|\n| **beat** | a time |\n'
unused='\n## Words that are not used\n\n| not | but |\n|---|---|\n| heart beat | beat |\n'
printf "$words$unused" >"$scratch/docs/glossary.md"
printf '# A\n\nA `heart beat`.\n' >"$scratch/docs/a.md"
glossary
printf '# A\n\nA heart\nbeat.\n' >"$scratch/docs/a.md"
finds "docs/a.md:3: 'heart beat': say 'beat'" glossary
printf '# A\n' >"$scratch/docs/a.md"
printf "$words"'| **task**, **beat** | another |\n'"$unused" >"$scratch/docs/glossary.md"
finds "'beat' is there twice" glossary

length() { python3 "$here/length.py" "$scratch"; }
length
yes 'word |' | head -n 37001 >"$scratch/docs/a.md"
finds "at most 37000" length
echo '# A' >"$scratch/docs/a.md"
mkdir -p "$scratch/src"
yes 'word |' | head -n 71301 >"$scratch/src/README.md"
finds "at most 71300" length
rm "$scratch/src/README.md"

cd "$scratch"
finds "unknown option '--bogus'" "$root/site/build" --bogus
