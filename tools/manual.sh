#!/bin/sh
# manual.sh TAKT FOLDER [DRIVER...]: manual pages of takt and its commands, made of what --help says, and of taktcc and
# takt++, of the comment in their first lines.
set -eu
takt=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
version=$("$takt" --version)

# page NAME: roff of what --help says on standard input, which is of the command NAME.
page() {
  awk -v name="$1" -v version="$version" '
    function roff(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      sub(/^\./, "\\\\\\&.", text)
      sub(/^\x27/, "\\\\\\&\x27", text)
      return text
    }
    # "--runs INT:INT in [1 - 1000]=3" has a range and a default.
    function tag(spec,   range, by_default) {
      by_default = range = ""
      sub(/ (Excludes|Needs): .*/, "", spec)
      if (match(spec, /=[^ ]*$/)) {
        by_default = substr(spec, RSTART + 1)
        spec = substr(spec, 1, RSTART - 1)
      }
      if (match(spec, / in \[[^\]]*\]/)) {
        range = substr(spec, RSTART + 5, RLENGTH - 6)
        spec = substr(spec, 1, RSTART - 1) substr(spec, RSTART + RLENGTH)
        sub(/ - /, " to ", range)
      }
      sub(/(INT|UINT|FLOAT)(:[A-Z]+)?/, "NUMBER", spec)
      sub(/TEXT(:[A-Z]+)?/, "VALUE", spec)
      sub(/,--/, ", --", spec)
      print ".TP\n.B " roff(spec)
      note = range by_default == "" ? "" : " (" range (range != "" && by_default != "" ? "; " : "") \
        (by_default != "" ? "default: " by_default : "") ")"
    }
    function option_ends() {
      if (spec == "") return
      tag(spec)
      print roff(text note)
      spec = text = ""
    }
    NR == 1 && !/^Usage: / { about = $0; next }
    /^Usage: / { usage = substr($0, 8); next }
    { lines[++count] = $0 }
    END {
      if (about == "") about = "Nested parallelism: looks at programs that use takt, and at machines."
      print ".TH " toupper(name) " 1 \"\" \"" version "\""
      short = about
      sub(/\.$/, "", short)
      print ".SH NAME\n" roff(name) " \\- " roff(tolower(substr(short, 1, 1)) substr(short, 2))
      print ".SH SYNOPSIS\n.B " roff(usage)
      print ".SH DESCRIPTION\n" roff(about)
      for (i = 1; i <= count; ++i) {
        line = lines[i]
        if (line == "Options:" || line == "Positionals:") continue
        if (line ~ /^  [a-z-]/ && !seen++) print ".SH OPTIONS"
        # The text is in column 31, or in the next line.
        if (line ~ /^  [a-z]+  / || line ~ /^  --[a-z]+  [a-z]/) {
          option_ends()
          match(line, /^  [a-z-]+ +/)
          print ".TP\n.B " roff(substr(line, 3, index(substr(line, 3), " ") - 1)) "\n" roff(substr(line, RLENGTH + 1))
        } else if (line ~ /^  [a-z-]/) {
          option_ends()
          next_has_text = i < count && lines[i + 1] ~ /^          /
          spec = next_has_text ? substr(line, 3) : substr(line, 3, 28)
          text = next_has_text ? "" : substr(line, 31)
          sub(/ +$/, "", spec)
        } else if (line ~ /^          / && spec != "") {
          text = substr(line, 31)
        }
      }
      option_ends()
      print ".SH EXIT STATUS\n0: all is well. 1: the machine or a file has failed. 2: what was asked for cannot be."
      print "A command that runs a program ends as it does."
      if (name != "takt") print ".SH SEE ALSO\n.BR takt (1)"
    }'
}

"$takt" --help >"$folder/help"
page takt <"$folder/help" >"$folder/takt.1"
sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$folder/help" | while read -r command; do
  # One that this build does not have says so.
  if "$takt" "$command" --help >"$folder/help" 2>/dev/null; then
    page "takt-$command" <"$folder/help" >"$folder/takt-$command.1"
  fi
done
rm "$folder/help"
for driver; do
  name=$(basename "$driver")
  awk -v name="$name" -v version="$version" '
    NR == 1 { next }
    !/^#/ { exit }
    { line = substr($0, 3); gsub(/-/, "\\-", line) }
    NR == 2 {
      print ".TH " toupper(name) " 1 \"\" \"" version "\""
      sub(/^[^:]*: /, "", line)
      print ".SH NAME\n" name " \\- " line
      print ".SH SYNOPSIS\n.B " name " [ARGUMENTS]\n.SH DESCRIPTION"
    }
    NR > 2 { print line == "" ? ".PP" : line }' "$driver" >"$folder/$name.1"
done
# Without a time in it.
gzip -9nf "$folder"/*.1
