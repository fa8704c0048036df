# takt scale finds the machines that come with it by their names.
takt=$1
machines=$2
wrong=0
# says CODE TEXT WORD...: the command ends with the code, and its one line on stderr has the text.
says() {
  code=$1 text=$2
  shift 2
  said=$("$takt" scale "$@" -- /no/such/program 2>&1)
  got=$?
  case $said in
    *"
"*) got="more than one line, exit code $got" ;;
    *"$text"*) ;;
    *) got="not '$text', exit code $got" ;;
  esac
  if [ "$got" != "$code" ]; then
    echo "takt scale $*: $got: $said" >&2
    wrong=1
  fi
}
for file in "$machines"/*.json; do
  name=$(basename "$file" .json)
  says 2 '/no/such/program' --machine "$name"
  says 2 '/no/such/program' --machine "$file"
  names="${names-}${names:+, }$name"
done
says 2 "--machine epyc: no such file, and no machine like $names" --machine epyc
says 2 '--machine ./epyc-9654: cannot be read' --machine ./epyc-9654
says 2 '--machine : no such file' --machine ''
exit $wrong
