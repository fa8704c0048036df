#!/usr/bin/env python3
"""Usage: readme.py [README]: the form of the README, its program and its numbers."""
import re
import sys
from pathlib import Path

import pages

path = Path(sys.argv[1]) if len(sys.argv) > 1 else pages.ROOT / "README.md"
text = path.read_text()
faults = []


def check(good, fault):
    if not good:
        faults.append(fault)


# What it is, in two sentences, for somebody who knows no word of takt's.
first = re.search(r"^# takt\n\n(.*?)\n\n", text, re.S)
check(first, "no first paragraph")
if first:
    sentences = re.findall(r"[^.]+\.(?=\s|$)", first.group(1).replace("\n", " "))
    check(len(sentences) == 2, f"the first paragraph has {len(sentences)} sentences")
    check("beat" not in first.group(1), "the first paragraph says 'beat'")
check("\n![" in text and "(docs/pictures/nested.svg)" in text, "no picture")
check("    ./demo " in text and "    ./check " in text, "not both commands")

# The first program.
blocks = pages.blocks(text)
marked = [(m, language, content) for m, language, content in blocks if m]
for marker, language, content in marked:
    kind = re.fullmatch(r"(run|file): (\S+)", marker)
    if not kind:
        check(marker == "table:begin", f"no form of a marker: {marker}")
        continue
    check(language == "sh" if kind.group(1) == "run" else language in ("cpp", "cmake"),
          f"'{marker}' stands above a block of '{language}'")
    check(not kind.group(2).startswith(("/", "..")), f"{marker}: a path outside of the folder")
runs = [m[len("run: "):] for m, _, _ in marked if m.startswith("run: ")]
check(runs == ["install", "pkg-config", "cmake", "fetchcontent"], f"other runs than expected: {runs}")
files = {m[len("file: "):]: content for m, _, content in marked if m.startswith("file: ")}
for name in ("hello.cpp", "CMakeLists.txt", "together/CMakeLists.txt"):
    check(name in files, f"no file {name}")
example = (pages.ROOT / "examples/hello.cpp").read_text().split("\n", 1)[1]
check(files.get("hello.cpp") == example, "hello.cpp is not examples/hello.cpp")
# What the test example_hello expects of it.
expected = re.search(r'says" 0 "(fib.*?)"', (pages.ROOT / "examples/CMakeLists.txt").read_text())
printed = expected.group(1).replace("\\\\n", "\n").replace("\\\\", "")
check(any(language == "text" and content == printed for _, language, content in blocks), "not what the program prints")

# The table: short, in one direction, and of numbers that the results have.
table = re.search(r"<!-- table:begin -->\n(.*?)<!-- table:end -->", text, re.S)
rows = pages.tables(table.group(1))[0] if table else []
check(2 <= len(rows) - 1 <= 8, f"the table has {len(rows) - 1} rows")
check("**smaller is better** in every column" in text, "the table's direction is not said")
numbers = set(re.findall(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])", (pages.ROOT / "docs/results.md").read_text()))
for row in rows[1:]:
    check(len(row) == len(rows[0]), f"a row of {len(row)} cells: {row[0]}")
    for cell in row[1:]:
        number = re.fullmatch(r"(?:\*\*)?(\d+(?:\.\d+)?)(?:\*\*)?", cell)
        check(number, f"{row[0]}: '{cell}' is not one number")
        check(not number or number.group(1) in numbers, f"{row[0]}: docs/results.md has no {cell}")
lost = [row[0] for row in rows[1:] if "**" not in row[-2]]
check(lost, "no row is lost")

for fault in faults:
    print(f"README: {fault}")
print(f"{len(blocks)} blocks, {max(len(rows) - 1, 0)} rows, {len(faults)} faults")
sys.exit(1 if faults else 0)
