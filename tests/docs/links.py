#!/usr/bin/env python3
"""Usage: links.py [ROOT]: every link of every page leads somewhere; exit code 1 and a line for each that does not."""
import posixpath
import re
import sys
from pathlib import Path

import pages

root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pages.ROOT
faults, count = [], 0
for page in pages.all_pages(root):
    name = page.relative_to(root).as_posix()
    for link in pages.links(page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        count += 1
        to, _, anchor = link.partition("#")
        target = page if not to else (page.parent / to)
        if not target.exists():
            faults.append(f"{name}: {link} is not there")
            continue
        if root not in target.resolve().parents and target.resolve() != root:
            faults.append(f"{name}: {link} is outside of the repository")
            continue
        if target.is_dir():
            target = target / "README.md"
        if anchor and (not target.is_file() or anchor not in pages.anchors(target.read_text())):
            faults.append(f"{name}: {link}: no such heading, or not one of its own")

# Comments and messages name pages, too.
named = re.compile(r"\bdocs/[\w/-]+(?:\.[\w-]+)*\.md\b")
for folder in ("abi", "bench", "cmake", "doors", "examples", "include", "plugin", "proofs", "site", "src", "tests", "tools"):
    for path in sorted((root / folder).rglob("*")):
        if not path.is_file() or path.name in ("mkdocs.yml", "twins.sh") or path.suffix in (".png", ".mtx", ".svg") or "planted" in path.parts:
            continue
        for found in named.findall(path.read_text(errors="replace")):
            count += 1
            if not (root / posixpath.normpath(found)).is_file():
                faults.append(f"{path.relative_to(root)}: {found} is not there")

for fault in faults:
    print(fault)
if count < 2:
    print("links.py: nothing to look at")
    sys.exit(1)
print(f"{count} links and names, {len(faults)} lead nowhere")
sys.exit(1 if faults else 0)
