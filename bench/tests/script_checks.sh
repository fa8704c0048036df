# What the tests of the scripts in bench/hbc share; sourced with $python, $script, $build and $work
# set.

# refuses ARGUMENT...: exit code 2, one line on stderr, and nothing else said.
refuses() {
  code=0
  "$python" "$script" "$@" >"$work/out" 2>"$work/err" || code=$?
  if [ $code -ne 2 ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
    echo "$*: exit code $code" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
  fi
}

# has_ratios ROW NUMBER: so many medians with fastest runs in that row of $work/out.
has_ratios() {
  numbers=$(sed -n "s/^$1 //p" "$work/out" |
    grep -oE '[0-9]+\.[0-9]{2} \[[0-9]+\.[0-9]{2}\]' | wc -l)
  if [ "$numbers" -ne "$2" ]; then
    echo "$1: $numbers ratios, wanted $2" >&2
    cat "$work/out" >&2
    exit 1
  fi
}
