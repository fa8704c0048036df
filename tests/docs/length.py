#!/usr/bin/env python3
"""Usage: length.py [ROOT]: how long the pages are: those of docs/ and of the root, and all; at most so many words each.

A word has a letter or a digit: the bars of a table are none. A page that grows has to say what goes.
"""
import re
import sys
from pathlib import Path

import pages

MOST_OF_DOCS = 35_000

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
lengths = {}
for path in pages.all_pages(root):
    name = path.relative_to(root).as_posix()
    lengths[name] = sum(re.search(r"\w", word) is not None for word in path.read_text().split())
docs = {name: words for name, words in lengths.items() if name.startswith("docs/") or "/" not in name}
total = sum(docs.values())
print(f"{len(docs)} pages of docs/ and the root with {total} words, {len(lengths)} pages in all with {sum(lengths.values())}")
if total > MOST_OF_DOCS:
    print(f"at most {MOST_OF_DOCS}; the longest:")
    for name, words in sorted(docs.items(), key=lambda page: -page[1])[:10]:
        print(f"{words:6} {name}")
sys.exit(1 if total > MOST_OF_DOCS or not docs else 0)
