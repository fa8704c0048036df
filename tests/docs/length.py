#!/usr/bin/env python3
"""Usage: length.py [ROOT]: how many words the pages have, those of docs/ and of the root, and all; at most so many.

A word has a letter or a digit: the bars of a table are none. A page that grows has to say what goes.
"""
import re
import sys
from pathlib import Path

import pages

MOST_OF_DOCS = 37_000
MOST = 71_300

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
lengths = {}
for path in pages.all_pages(root):
    name = path.relative_to(root).as_posix()
    lengths[name] = sum(re.search(r"\w", word) is not None for word in path.read_text().split())
docs = {name: words for name, words in lengths.items() if name.startswith("docs/") or "/" not in name}
too_long = False
for what, some, most in (("docs/ and the root", docs, MOST_OF_DOCS), ("all", lengths, MOST)):
    total = sum(some.values())
    print(f"{len(some)} pages of {what}: {total} words")
    if total > most:
        too_long = True
        print(f"at most {most}; the longest:")
        for name, words in sorted(some.items(), key=lambda page: -page[1])[:10]:
            print(f"{words:6} {name}")
sys.exit(1 if too_long or not docs else 0)
