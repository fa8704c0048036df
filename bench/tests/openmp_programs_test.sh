#!/bin/sh
# openmp_programs_test.sh PYTHON SCRIPT TAKT: a table of a program that says twice as much on takt's runtime, and what is
# said about bad arguments, tables and programs.
set -eu
python=$1 script=$2 takt=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/script_checks.sh"

cat >"$work/program" <<'P'
#!/bin/sh
case ${LD_LIBRARY_PATH:-} in
  */omp-runtime/lib) echo "took 2.5 s on $OMP_NUM_THREADS: right" ;;
  *) echo "took 1.25 s on $OMP_NUM_THREADS: right" ;;
esac
P
chmod +x "$work/program"
# table LINE...
table() {
  printf '%s\n' "[[program]]" "$@" >"$work/table"
}
unset LD_LIBRARY_PATH
table 'name = "one"' 'command = ["./program"]' 'seconds = "took ([0-9.]+)"' 'right = "on 3: right"'
"$python" "$script" "$work/table" --takt "$takt" --threads 3 --runs 2 >"$work/out"
grep -qF '| one | 1.25 [1.25 1.25] | 2.5 [2.5 2.5] | 2.000 |' "$work/out"
grep -qx 'geometric mean 2.000' "$work/out"

refuses
refuses "$work/none" --takt "$takt"
refuses "$work/table" --takt "$work"
refuses "$work/table" --takt "$takt" --runs 0
refuses "$work/program" --takt "$takt"
for line in 'name = "two"' 'command = ["./program"]' 'command = "./program"'; do
  table "$line"
  refuses "$work/table" --takt "$takt"
done
table 'name = "one"' 'command = ["./program"]' 'seconds = "("'
refuses "$work/table" --takt "$takt"

# fails SAID LINE...: as it runs.
fails() {
  said=$1
  shift
  table 'name = "one"' "$@"
  code=0
  "$python" "$script" "$work/table" --takt "$takt" >/dev/null 2>"$work/err" || code=$?
  [ $code -eq 2 ] && grep -qx "compare.py: one: $said" "$work/err" || {
    cat "$work/err" >&2
    exit 1
  }
}
fails 'not right, exit code 0' 'command = ["./program"]' 'right = "wrong"'
fails 'not right, exit code 1' 'command = ["false"]'
fails 'it does not say how long it took' 'command = ["true"]' 'seconds = "took ([0-9.]+)"'
fails '.*no_such.*' 'command = ["./no_such"]'
