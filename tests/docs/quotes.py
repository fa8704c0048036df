#!/usr/bin/env python3
"""Programs that pages quote are parts of files that tests compile and run. Usage: quotes.py"""
import sys

import pages

# Page, source, and how many blocks of the page at least come from it. Comments at the top of the source are left out.
QUOTED = [
    ("README.md", "examples/hello.cpp", 1),
    ("docs/first-program.md", "examples/hello.cpp", 2),
    ("docs/cluster.md", "examples/cluster.cpp", 1),
    ("docs/coming-from.md", "examples/port/with_takt.cpp", 1),
    ("docs/coming-from.md", "examples/port/with_tbb.cpp", 1),
]
faults = 0
for page, source, least in QUOTED:
    code = (pages.ROOT / source).read_text()
    blocks = pages.blocks((pages.ROOT / page).read_text())
    found = [block for _, language, block in blocks if language == "cpp" and block.strip() in code]
    if len(found) < least:
        print(f"{page}: {len(found)} blocks are from {source}, not {least}")
        faults += 1
print(f"{len(QUOTED)} sources, {faults} not quoted as they are")
sys.exit(1 if faults else 0)
