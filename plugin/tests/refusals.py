"""refusals.py ROOT [--update]: the table of reasons in docs/openmp.md is that of plugin/openmp/refusals.def, and each reason
is given somewhere. --update writes the table. Exit code: 0 all is well; 1 it is not; 2 the list or the table has another
shape."""
import pathlib
import re
import sys

BEGIN, END = "<!-- reasons: from plugin/openmp/refusals.def -->\n", "<!-- end of reasons -->\n"
REPORT = "Please report it."  # said once, in front of the table
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def refuse(message, code=2):
    print(f"refusals.py: {message}", file=sys.stderr)
    sys.exit(code)


def joined(strings):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings))


def reasons(text):
    found = re.findall(rf"^REFUSAL\((\w+),\s*{STRINGS},\s*{STRINGS}\)", text, re.MULTILINE)
    if not found or len(found) != len(re.findall("^REFUSAL", text, re.MULTILINE)):
        refuse("refusals.def has an entry of another shape")
    return [(name, joined(what), joined(advice)) for name, what, advice in found]


def table(found):
    rows = (f"| {what.replace('{0}', '...')} | {advice} |\n" for _, what, advice in found if advice != REPORT)
    return BEGIN + "| reason | what to do |\n|---|---|\n" + "".join(rows) + END


if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
    refuse("usage: refusals.py ROOT [--update]")
root = pathlib.Path(sys.argv[1])
found = reasons((root / "plugin/openmp/refusals.def").read_text())
sources = [path for path in (root / "plugin").rglob("*") if path.suffix in (".cpp", ".hpp", ".def") and "tests" not in path.parts]
code = "".join(path.read_text() for path in sources if path.name != "refusals.def")
page = root / "docs/openmp.md"
text = page.read_text()
if text.count(BEGIN) != 1 or text.count(END) != 1:
    refuse(f"{page} has no place for the table")
before, rest = text.split(BEGIN)
wanted = before + table(found) + rest.split(END)[1]
if sys.argv[2:]:
    page.write_text(wanted)
elif text != wanted:
    refuse(f"the table in {page} is not that of refusals.def: python3 {sys.argv[0]} {root} --update", 1)
unused = [name for name, _, _ in found if not re.search(rf"reason::{name}\b|KMPC\(.*, {name}\)", code)]
if unused:
    refuse("nothing is refused for " + ", ".join(unused), 1)
