#!/bin/sh
# run_program.sh LIBRARIES WORK SOURCE COMPILER FLAGS...: a program for another OpenMP runtime says "right" on takt's,
# with teams of 1, 2 and 8 members, on two workers and on as many as there are members.
set -eu
libraries=$1 work=$2 source=$3
shift 3
mkdir -p "$work"
program=$work/$(basename "$source" | sed 's/[.].*//')
"$@" "$source" -o "$program" -lm
export OMP_CANCELLATION=true LD_LIBRARY_PATH="$libraries"
unset OMP_NUM_THREADS OMP_SCHEDULE OMP_NESTED OMP_MAX_ACTIVE_LEVELS OMP_DYNAMIC OMP_THREAD_LIMIT LD_PRELOAD
for workers in 2 8; do
  for members in 1 2 8; do
    said=$(TAKT_WORKERS=$workers OMP_NUM_THREADS=$members "$program" 2>&1) || {
      echo "$workers workers, $members members: $said" >&2
      exit 1
    }
    [ "$said" = right ] || {
      echo "$workers workers, $members members: $said" >&2
      exit 1
    }
  done
done
