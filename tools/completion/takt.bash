# Completion of takt for bash. What there is to complete is what --help says.

_takt_commands() { "$1" --help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p; s/^  \(--[a-z-]*\)  .*/\1/p'; }
_takt_options() { "$@" --help 2>/dev/null | sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p'; }
_takt_machines() {
  local folder
  folder=$(dirname -- "$(readlink -f -- "$(type -P -- "$1")")")/../share/takt/machines
  ls -- "$folder" 2>/dev/null | sed -n 's/\.json$//p'
}

_takt() {
  local takt=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_takt_commands "$takt")" -- "$current")
    return
  fi
  # Behind "--" there is a program with its arguments: the shell's own way.
  for ((i = 2; i < COMP_CWORD; ++i)); do
    [ "${COMP_WORDS[i]}" != -- ] || return
  done
  if [ "$previous" = --machine ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_takt_machines "$takt")" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_takt_options "$takt" "${COMP_WORDS[1]}") --" -- "$current")
  fi
}
complete -o default -F _takt takt
