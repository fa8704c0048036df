#!/bin/sh
# chunking_test.sh PYTHON SCRIPT BUILD_DIR: small tables, and what is said about bad arguments.
set -eu
python=$1 script=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

for workers in "--workers 1" "--workers 2" "--simulated 64"; do
  "$python" "$script" "$build" sizes $workers --images 16x2000,40x5 --runs 1 \
    --json "$work/sizes" >"$work/out"
  for chunks in 1 2 64 4096 hbc time hbc+ time-; do
    has_ratios $chunks 3
  done
  grep -q '^best of the fixed sizes: [0-9]* (dear), [0-9]* (cheap), [0-9]* (in turn)$' "$work/out"
  grep -q '"figure": "sizes"' "$work/sizes"
done

# Each part of an image has its points in chunks; an image of other rows has other parts.
"$python" "$script" "$build" rows --image 64x2000 --runs 1 --json "$work/rows" >"$work/out"
for rows in 0-3 4-7 60-63; do
  grep -qE "^$rows +[0-9]+ +[1-9][0-9]* +[0-9]+ +[1-9][0-9]* +[0-9]+$" "$work/out"
done
[ "$(wc -l <"$work/out")" -eq 17 ]

"$python" "$script" "$build" target --programs mandelbrot --size 100 --runs 2 \
  --json "$work/target" >"$work/out"
for polls in 1 2 4 8 16; do
  has_ratios "mandelbrot, hbc:$polls" 1
  grep -qE "^mandelbrot, hbc:$polls +[0-9]+\.[0-9]% " "$work/out"
done
has_ratios "mandelbrot, time" 1

# In made-up time, which is the same in every run: a larger target makes more polls, and the trace
# has every one that the runtime counts.
polls_of() {
  echo run | TAKT_SIM="workers=1,deterministic=1,out=$work/report" TAKT_TRIGGER=request \
    TAKT_CHUNKING=$1 HBC_TRACE="$work/trace" "$build/bench/takt-bench-hbc-traced" \
    --problem hbc_mandelbrot --size 200 >/dev/null
  polls=$(grep -oE '"total":\{[^}]*"polls":[0-9]+' "$work/report" | grep -oE '[0-9]+$')
  if [ "$(wc -l <"$work/trace")" -ne $((polls + 1)) ] || ! grep -qx 'unseen 0' "$work/trace"; then
    echo "$1: $polls polls, and not one line for each in the trace" >&2
    exit 1
  fi
  echo "$polls"
}
few=$(polls_of hbc:2)
more=$(polls_of hbc:8)
[ "$few" -lt "$more" ]
[ "$(polls_of hbc)" -eq "$(polls_of hbc:4)" ]

refuses
refuses "$build"
refuses "$build" figures
refuses "$work" sizes
refuses "$build" sizes --workers 0
refuses "$build" sizes --simulated 0
refuses "$build" sizes --chunks 64,hbc,3
refuses "$build" sizes --chunks ""
refuses "$build" sizes --simulated 10000
refuses "$build" sizes --images 64x100
refuses "$build" sizes --images 64x100,64
refuses "$build" sizes --images 0x100,64x100
refuses "$build" sizes --runs x
refuses "$build" sizes --json "$work/missing/file"
refuses "$build" rows --image 4x100
refuses "$build" rows --image 64
refuses "$build" target --programs hbc_pr
refuses "$build" target --size -1
refuses "$build" --unknown
