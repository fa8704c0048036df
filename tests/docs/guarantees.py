#!/usr/bin/env python3
"""Usage: guarantees.py [ROOT]: each guarantee of docs/guarantees.md names a test, and each test that is named is there.
Where pages, comments and the checker of traces say how many promotions there are in a beat at most, all say the same.

A guarantee is a row of a table; a row in bold letters is a heading. Paragraphs say what the words of a table mean. Tests are
files in tests/, tests/host/ or by their path.
"""
import re
import sys
from pathlib import Path

import pages

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
text = (root / "docs/guarantees.md").read_text()
FOLDERS = ("tests", "tests/host", "")
# A file's name in backticks; settings and code have no such ending, checks without one have a folder.
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:cpp|sh|py|cmake|v|md|txt)|(?:[\w.-]+/)+[\w-]+)`")
faults, names = [], 0


def tests(of):
    """What is named of tests; a fault for each that is not there."""
    global names
    found = NAMED.findall(of)
    for name in found:
        names += 1
        if not any((root / folder / name).is_file() for folder in FOLDERS):
            faults.append(f"{name} is not there")
    return found


count = 0
for section in re.split(r"^## ", text, flags=re.M)[1:]:
    for part in re.split(r"\n\s*\n", section.partition("\n")[2].strip()):
        if not part.startswith("|"):
            tests(part)
            continue
        for row in part.split("\n")[2:]:
            cells = [c.strip() for c in row.strip().strip("|").split(" | ")]
            if cells[0].startswith("**"):
                continue
            count += 1
            if not tests(cells[-1]):
                faults.append(f"no test of: {cells[0]}")
    if "|---" not in section:
        faults.append(f"a section without a guarantee: {section.splitlines()[0]}")
# The factor of tau/N in the bound on the work, and what the checker of traces is told.
MOST = re.compile(r"1 \+ (\d+) tau/N|at most (\d+)(?:\]\([^)]*\))? (?:promotions )?(?:in|for) N\b|k_lazy_promotions = (\d+);")
said = {}
for kind in ("*.md", "*.hpp", "*.cpp", "CMakeLists.txt"):
    for folder in ("docs", "include", "src", "proofs", "tests"):
        for path in sorted((root / folder).rglob(kind)):
            for found in MOST.finditer(path.read_text()):
                said.setdefault(next(filter(None, found.groups())), []).append(str(path.relative_to(root)))
if len(said) > 1:
    faults.append("promotions in a beat, at most: " + "; ".join(f"{n} in {', '.join(p)}" for n, p in said.items()))
for fault in faults:
    print(fault)
print(f"{count} guarantees, {names} tests named, {len(faults)} faults")
sys.exit(1 if faults or count < 2 else 0)
