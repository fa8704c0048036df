# Each option that takes a value, of each command: without one there is one line that says what is wanted, and exit code 2.
takt=$1
wrong=0
for command in run trace scale tune doctor bench 'bench locality' 'bench scale'; do
  # shellcheck disable=SC2086  # two words
  help=$("$takt" $command --help 2>&1)
  case $help in
    "takt: built without 'bench'"*) continue ;;
  esac
  options=$(printf '%s\n' "$help" | sed -nE 's/^ +(--[a-z-]+) [A-Z]+([:= ].*)?$/\1/p')
  if [ -z "$options" ]; then
    echo "takt $command: no option with a value found" >&2
    wrong=1
  fi
  for option in $options; do
    # shellcheck disable=SC2086
    said=$("$takt" $command "$option" 2>&1)
    code=$?
    case $said in
      *"
"*) lines=many ;;
      "takt $command: $option needs a "*": "*) lines=1 ;;
      *) lines=0 ;;
    esac
    if [ $code -ne 2 ] || [ $lines != 1 ]; then
      echo "takt $command $option: exit code $code: $said" >&2
      wrong=1
    fi
  done
done
exit $wrong
