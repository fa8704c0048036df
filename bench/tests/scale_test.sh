#!/bin/sh
# scale_test.sh TAKT RUNNERS: twice the same numbers, a page with a picture, and what is said about bad arguments.
set -eu
takt=$1 runners=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scaled() {
  "$takt" bench scale --runners "$runners" --workers 16,64 "$@"
}
scaled heat2d reduce --report "$work/one" >"$work/out"
scaled heat2d reduce --report "$work/two" >/dev/null
cmp "$work/one/results.json" "$work/two/results.json"
grep -q '^reduce  *[0-9.]* ms  *[0-9.]* (16)  *[0-9.]* (64) ' "$work/out"
[ "$(grep -c '<svg ' "$work/one/index.html")" -eq 2 ]

# What does not scale so well ends with 1.
if scaled reduce --at-least 17,1 >/dev/null 2>"$work/said"; then exit 1; else [ $? -eq 1 ]; fi
grep -q '^takt bench scale: reduce: speed-up [0-9.]* on 16 workers is less than 17$' "$work/said"

refuses() {
  code=0
  "$takt" bench scale "$@" >/dev/null 2>"$work/said" || code=$?
  if [ $code -ne 2 ] || [ "$(wc -l <"$work/said")" -ne 1 ] || ! grep -q '^takt bench scale: ' "$work/said"; then
    echo "$*: exit code $code, and it said:" >&2
    cat "$work/said" >&2
    exit 1
  fi
}
refuses --runners "$runners" nothing
refuses --runners "$runners" heat2d --workers 0
refuses --runners "$runners" heat2d --workers 5000
refuses --runners "$runners" heat2d --at-least 1
refuses --runners "$runners" heat2d --at-least 1,x
refuses --runners "$runners" heat2d --machine "$work/missing"
refuses heat2d --runners "$work"
refuses --runners "$runners" heat2d --report "$work/out/here"
refuses --runners "$runners" heat2d --json "$work/missing/file"
refuses --runners "$runners" heat2d --runs 0
refuses --runners "$runners" --unknown
