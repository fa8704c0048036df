#!/usr/bin/env python3
"""Usage: glossary.py [ROOT]: no page of docs/, and none in the root, has a word that docs/glossary.md says is not used.

Code, and the text of code spans, is left out. Exit code 1 and a line for each word that is there.
"""
import re
import sys
from pathlib import Path

import pages

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
glossary = root / "docs/glossary.md"
text = glossary.read_text()
unused = pages.tables(text[text.index("## Words that are not used"):])[0][1:]
banned = [(re.compile(r"\b" + r"\s+".join(map(re.escape, word.split())) + r"\b", re.I), word, instead) for word, instead in unused]
faults = []
for path in pages.all_pages(root):
    name = path.relative_to(root).as_posix()
    if path == glossary:
        continue
    prose = pages.without_code(path.read_text())
    for pattern, word, instead in banned:
        for found in pattern.finditer(prose):
            line = prose.count("\n", 0, found.start()) + 1
            faults.append(f"{name}:{line}: '{word}': say '{instead}'")

# One meaning for each word.
words = [w.strip() for row in pages.tables(text)[0][1:] for w in re.findall(r"\*\*([^*]+)\*\*", row[0])]
faults += [f"docs/glossary.md: '{word}' is there twice" for word in sorted(set(words)) if words.count(word) > 1]
for fault in faults:
    print(fault)
print(f"{len(words)} words, {len(banned)} not used, {len(faults)} faults")
sys.exit(1 if faults or not banned or not words else 0)
