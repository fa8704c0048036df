#!/usr/bin/env python3
"""Usage: decisions.py [ROOT]: the table of docs/decisions/README.md has every page of the folder; pages are not too long."""
import sys
from pathlib import Path

import pages

MOST_WORDS = 700

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
folder = root / "docs/decisions"
linked = set(pages.links((folder / "README.md").read_text()))
faults, count = [], 0
for path in sorted(folder.glob("*.md")):
    if path.name == "README.md":
        continue
    count += 1
    if path.name not in linked:
        faults.append(f"{path.name} is not in the table of README.md")
    words = len(path.read_text().split())
    # A dated page has what was tried and measured; it is gone once the living page has what matters.
    if words > MOST_WORDS and not path.name.startswith("2"):
        faults.append(f"{path.name}: {words} words, at most {MOST_WORDS}")
for fault in faults:
    print(fault)
print(f"{count} decisions, {len(faults)} faults")
sys.exit(1 if faults or count == 0 else 0)
