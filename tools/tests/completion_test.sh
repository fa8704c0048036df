#!/bin/bash
# completion_test.sh TAKT COMPLETION MACHINES: bash is offered each command, each option, and each machine, and nothing of
# takt's behind "--".
takt=$1 machines=$3
# shellcheck source=/dev/null
. "$2"
wrong=0
# offers WANTED WORD...: of the last word
offers() {
  local wanted=$1
  shift
  COMP_WORDS=("$takt" "$@")
  COMP_CWORD=$#
  _takt
  local got="${COMPREPLY[*]}"
  if [ "$got" != "$wanted" ]; then
    echo "takt $*: '$got' is not '$wanted'" >&2
    wrong=1
  fi
}
commands=$("$takt" --help | sed -nE 's/^  ([a-z]+)  .*/\1/p' | tr '\n' ' ')
offers "$commands--version --help" ''
offers 'trace tune' t
for command in $commands; do
  options=$("$takt" "$command" --help 2>/dev/null | grep -oE '^  (-h,)?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | tr '\n' ' ')
  case $command in
    bench) ;;  # not in each build
    *) [ -n "$options" ] || { echo "takt $command has no options" >&2; wrong=1; } ;;
  esac
  offers "$options--" "$command" --
  offers '' "$command" -- --
done
offers "$(cd "$machines" && printf '%s\n' *.json | sed 's/\.json$//' | tr '\n' ' ' | sed 's/ $//')" scale --machine ''
offers 'epyc-9654' scale --machine ep
offers '' scale ''
exit $wrong
