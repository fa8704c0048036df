#!/bin/sh
# same_bits_test.sh PLUGIN_FOLDER WORK SOURCE: with TAKT_DETERMINISTIC=1 what the program prints is the same whatever the
# workers, the beat and the trigger are, and agrees with the serial program to rounding.
set -eu
plugin=$1 work=$2 source=$3
rm -rf "$work"
mkdir -p "$work"
"$plugin/taktcc" -O1 -w "$source" -o "$work/serial" -lm
"$work/serial" >"$work/serial.out"
for level in 0 2; do
  "$plugin/taktcc" -O$level -w -fopenmp -Rpass-missed=takt "$source" -o "$work/program" -lm 2>"$work/missed"
  if grep 'stays with' "$work/missed" >&2; then exit 1; fi
  rm -f "$work/wanted"
  for workers in 1 2 3 8; do
    for setting in BEAT_US=100 BEAT_US=0 TRIGGER=never; do
      env TAKT_DETERMINISTIC=1 TAKT_WORKERS=$workers TAKT_$setting "$work/program" >"$work/got"
      [ -e "$work/wanted" ] || cp "$work/got" "$work/wanted"
      if grep differs "$work/got" >&2 || ! diff "$work/wanted" "$work/got" >&2; then
        echo "-O$level, $workers workers, $setting: '<' is wanted, '>' is what came" >&2
        exit 1
      fi
    done
  done
  python3 - "$work/serial.out" "$work/wanted" <<'END'
import sys
for serial, got in zip(*(open(name).read().split("\n")[:-1] for name in sys.argv[1:3]), strict=True):
    a, b = (float.fromhex(line.split()[1]) for line in (serial, got))
    if abs(a - b) > 1e-9 * abs(a):
        sys.exit(f"serial {serial}, converted {got}")
END
done
