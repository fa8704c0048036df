#!/bin/sh
# sanitizer_test.sh PLUGIN_FOLDER WORK CLANG SANITIZERS WORKERS SOURCE [REPORT]: the program, compiled with the plugin and
# -fsanitize=SANITIZERS, gives what it gives without OpenMP with each of the numbers of workers, and no sanitizer reports
# anything. With REPORT: one reports that. Exit code 77: it cannot be tested, and why.
set -eu
plugin=$1 work=$2 clang=$3 sanitizers=$4 many=$5 source=$6 report=${7:-}
rm -rf "$work"
mkdir -p "$work"
case $source in
  *.cpp) driver=$plugin/takt++ ;;
  *) driver=$plugin/taktcc ;;
esac
linker=
if command -v ld.lld >/dev/null 2>&1 || [ -e "$(dirname "$clang")/ld.lld" ]; then linker=-fuse-ld=lld; fi
# Not what the presets say: a report has an exit code of its own here, and nobody waits for threads at the end.
export TSAN_OPTIONS=halt_on_error=1:exitcode=66:atexit_sleep_ms=0
export UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=3
begun=
unchecked=
case $(basename "$source") in
  # Clang promises 16 bytes for arrays in a task's record, and lays them out at 8. The same is reported without the plugin.
  task_array_words.c | task_clauses.c | task_cases_clauses.c) unchecked=-fno-sanitize=alignment ;;
esac
build() {
  "$driver" -O$level -g -w -DSMALLER=4 $linker -fopenmp -fopenmp-version=51 "-fsanitize=$sanitizers" \
    $unchecked -fno-sanitize-recover=all -fsanitize-link-c++-runtime -Rpass-missed=takt "$source" $begun \
    -o "$work/program" -latomic 2>"$work/remarks" || {
    cat "$work/remarks" >&2
    exit 1
  }
}
run() {
  code=0
  "$work/program" >"$work/got" 2>"$work/report" || code=$?
}
fail() {
  echo "-O$level, $TAKT_WORKERS workers, beat ${TAKT_BEAT_US:-by default}: $1" >&2
  head -n 60 "$work/report" >&2
  exit 1
}
if [ -n "$report" ]; then
  export TAKT_WORKERS=3 TAKT_BEAT_US=0
  for level in 1 2; do
    build
    run
    grep -qE "$report" "$work/report" || fail "exit code $code, and no report of '$report'"
  done
  exit 0
fi

# ThreadSanitizer does not see the order that the OpenMP runtime makes: in regions that are left to it, and between teams.
# Archer, which comes with that runtime, tells of it.
ask_archer() {
  grep -q "the parallel region stays" "$work/remarks" || grep -q 'omp teams' "$source" || return 0
  archer=$("$clang" -print-file-name=libarcher.so)
  if ! [ -e "$archer" ]; then
    echo "no libarcher.so: what the OpenMP runtime does cannot be told from a race"
    exit 77
  fi
  echo "with Archer: the OpenMP runtime is asked for a region or teams"
  # Archer says that a function is entered where that runtime begins, and left when the process ends. So it begins on the
  # first thread: a fiber of takt's has a stack of its own, and the thread's would have one function too few in the end.
  echo 'int omp_get_max_threads(void); __attribute__((constructor)) static void begin(void) { (void)omp_get_max_threads(); }' \
    >"$work/begin.c"
  begun=$work/begin.o
  "$clang" -x c -c "$work/begin.c" -o "$begun"
  build
  export OMP_TOOL_LIBRARIES="$archer" TSAN_OPTIONS="$TSAN_OPTIONS:ignore_noninstrumented_modules=1"
  # What Archer does not know of either. The same is reported of these programs without the plugin.
  case $(basename "$source") in
    ordered.c) unknown="what iterations depend on" ;;
    reduction_task.c | task_refused.c) unknown="what the tasks of a reduction share" ;;
    task_cases_refused.c | task_region_reduction.c) unknown="the memory of a task, which the runtime uses again for the next" ;;
    teams.c | teams_loop.c) unknown="the end of teams" ;;
    *) return 0 ;;
  esac
  echo "answers only, reports are not looked at: Archer does not know $unknown"
  TSAN_OPTIONS=$TSAN_OPTIONS:report_bugs=0
}
expected=${source%.*}.expected
if [ -e "$expected" ]; then
  cp "$expected" "$work/wanted"
else
  "$clang" -O1 -w -DSMALLER=4 $linker "$source" -o "$work/serial" -lm
  "$work/serial" >"$work/wanted"
fi
check() {
  run
  [ "$code" = 0 ] || fail "exit code $code"
  diff "$work/wanted" "$work/got" >"$work/report" || fail "'<' is wanted, '>' is what came"
}
level=2
build
if [ "$sanitizers" = thread ]; then ask_archer; fi
for TAKT_WORKERS in $many; do
  export TAKT_WORKERS
  TAKT_BEAT_US=0 check
  check
done
