# manual_test.sh TAKT FOLDER GROFF: each command has a page with each of its options, which groff reads without a complaint.
takt=$1 folder=$2 groff=$3
wrong=0
fail() {
  echo "$1" >&2
  wrong=1
}
pages=0
for command in '' $("$takt" --help | sed -nE 's/^  ([a-z]+)  .*/\1/p'); do
  # shellcheck disable=SC2086  # none, or one word
  help=$("$takt" $command --help 2>/dev/null) || continue
  page=$folder/takt${command:+-$command}.1.gz
  [ -e "$page" ] || { fail "there is no $page"; continue; }
  pages=$((pages + 1))
  text=$(gzip -dc "$page" | sed 's/\\-/-/g')
  for option in $(printf '%s\n' "$help" | grep -oE '^  (-h,)?--[a-z-]+' | grep -oE '\-\-[a-z-]+'); do
    printf '%s\n' "$text" | grep -A 1 -e "^\.B .*$option\( \|$\)" | tail -n 1 | grep -q '^[^.]' ||
      fail "$page says nothing of $option"
  done
done
[ $pages -ge 6 ] || fail "$pages pages"
if [ -x "$groff" ]; then
  for page in "$folder"/*.1.gz; do
    said=$(gzip -dc "$page" | "$groff" -man -ww -z 2>&1)
    [ -z "$said" ] || fail "$page: $said"
  done
fi
exit $wrong
