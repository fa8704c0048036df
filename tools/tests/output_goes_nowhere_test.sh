# What a command prints and nobody gets: one line on stderr, exit code 1. A pipe that is closed ends it, as it ends others.
takt=$1
work=$2
wrong=0
mkdir -p "$work"
# check CODE WHAT, with its exit code in $code and what it said in $work/said
check() {
  if [ "$code" -ne 1 ] || [ "$(wc -l <"$work/said")" -ne 1 ] || ! grep -q '^takt: .*write.* to ' "$work/said"; then
    echo "$1: exit code $code: $(cat "$work/said")" >&2
    wrong=1
  fi
}
for words in --help --version 'doctor --runs 1' 'run --help' 'scale --help' 'trace --help' 'tune --help'; do
  # shellcheck disable=SC2086  # two words
  "$takt" $words >&- 2>"$work/said"
  code=$?
  check "takt $words, closed"
  # shellcheck disable=SC2086
  "$takt" $words >/dev/full 2>"$work/said"
  code=$?
  check "takt $words, full"
  # Where the pipe's signal is ignored: nobody reads, so that what is written next is refused.
  # shellcheck disable=SC2086
  (
    trap '' PIPE
    rm -f "$work/gone"
    mkfifo "$work/gone"
    exec 3<>"$work/gone" 4>"$work/gone" 3>&-
    "$takt" $words >&4 2>"$work/said"
  )
  code=$?
  check "takt $words, a pipe that nobody reads"
done
# Nothing is printed there, so that nothing is lost; and the program gets what there was.
"$takt" run -- sh -c 'echo something' >&- 2>/dev/null && { echo "the program has an output" >&2; wrong=1; }
"$takt" run -- true >&- || { echo "takt run -- true: exit code $?" >&2; wrong=1; }
exit $wrong
