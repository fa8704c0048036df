#!/usr/bin/env python3
"""Usage: site.py FOLDER [--no-build]: builds the site into FOLDER and looks at the built pages.

Exit codes: 0 good, 1 a fault, 77 mkdocs is missing.
"""
import json
import posixpath
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pages

site = Path(sys.argv[1]).resolve()
if "--no-build" not in sys.argv:
    build = subprocess.run([str(pages.ROOT / "site/build"), str(site)], capture_output=True, text=True)
    if build.returncode == 2 and "is missing" in build.stderr:
        print("skipped: " + build.stderr.strip())
        sys.exit(77)
    if build.returncode != 0:
        print(build.stdout + build.stderr)
        sys.exit(1)


class Page(HTMLParser):
    """Text, headings, ids and links of a page; those of its content are told apart from the frame's."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.resources, self.text, self.titles = set(), [], [], [], []
        self.open, self.article, self.heading, self.rows, self.row = [], 0, None, 0, None
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            self.ids.add(a["id"])
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if tag in ("img", "script") and a.get("src"):
            self.resources.append(a["src"])
        if tag == "link" and a.get("href") and a.get("rel") in ("stylesheet", "icon", "shortcut icon"):
            self.resources.append(a["href"])
        if tag == "article":
            self.article += 1
        if tag == "tr" and self.article:
            self.rows += 1
        if tag in ("h1", "h2", "h3") and self.article:
            self.heading = ""

    def handle_endtag(self, tag):
        if tag == "article":
            self.article -= 1
        if tag in ("h1", "h2", "h3") and self.heading is not None:
            self.titles.append(self.heading.replace("¶", "").strip())
            self.heading = None

    def handle_data(self, data):
        if self.article:
            self.text.append(data)
        if self.heading is not None:
            self.heading += data


faults = []
built = {p.relative_to(site).as_posix(): Page(p) for p in sorted(site.rglob("*.html"))}
count = 0
for name, page in built.items():
    if name == "404.html":
        continue
    for link in page.links + page.resources:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if link in page.resources:
                faults.append(f"{name}: {link} comes from elsewhere")
            continue
        count += 1
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
        if (site / target).is_dir():
            target = posixpath.join(target, "index.html")
        if not (site / target).is_file():
            faults.append(f"{name}: {link} is not there")
        elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].ids:
            faults.append(f"{name}: {link}: no such place")
    if len("".join(page.text)) < 200:
        faults.append(f"{name}: hardly any text")
    if not page.titles:
        faults.append(f"{name}: no heading")

# Every page of docs/ is there, with its headings and as many rows of tables as it has.
for path in pages.all_pages():
    source = path.relative_to(pages.ROOT).as_posix()
    if not source.startswith("docs/") and source != "README.md":
        continue
    special = {"README.md": "index.html", "docs/README.md": "map.html"}
    name = special.get(source) or source[len("docs/"):-len(".md")] + ".html"
    if name.endswith("README.html"):
        name = name[:-len("README.html")] + "index.html"
    if name not in built:
        faults.append(f"{source}: no page {name}")
        continue
    text = path.read_text()
    for level, title in pages.headings(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").replace("\\", "").replace("*", "")
        if level <= 3 and plain not in built[name].titles:
            faults.append(f"{name}: no heading '{plain}'")
    rows = sum(len(t) for t in pages.tables(text))
    if built[name].rows != rows:
        faults.append(f"{name}: {built[name].rows} rows of tables, {rows} in {source}")
    shown = "".join(built[name].text)
    for marker, _, block in pages.blocks(text):
        if block.strip() and block.strip().split("\n")[0].strip() not in shown:
            faults.append(f"{name}: a block is not shown: {block.strip().splitlines()[0]}")
    prose = pages.without_code(text)
    for leftover in ("](", "<!--", "\\|"):
        in_blocks = sum(block.count(leftover) for _, _, block in pages.blocks(text))
        if shown.count(leftover) > (in_blocks if leftover == "\\|" else text.count(leftover) - prose.count(leftover)):
            faults.append(f"{name}: Markdown that is left over: {leftover}")

# Numbers of the results, and the names of the interface.
results = "".join(built["results.html"].text) if "results.html" in built else ""
for table in pages.tables((pages.ROOT / "docs/results.md").read_text()):
    for row in table[1:]:
        for cell in row[1:]:
            if re.fullmatch(r"[\d.]+", cell) and cell not in results:
                faults.append(f"results.html: no {cell} of '{row[0]}'")
for name, wanted in (("api/calls.html", ("fork_join", "parallel_for", "parallel_reduce", "parallel_invoke",
                                         "task_group::run", "stay")),
                     ("api/settings.html", ("configure", "current_config", "config::workers", "stats_json")),
                     ("api/algorithms.html", ("reduce", "inclusive_scan", "filter", "sort", "histogram", "per_worker::with",
                                              "random_stream::below", "reducing_for"))):
    for entry in wanted:
        if name not in built or entry not in built[name].titles:
            faults.append(f"{name}: no {entry}")
    if name in built and "TAKT_INLINE" in "".join(built[name].text):
        faults.append(f"{name}: what is for the compiler alone is shown")

# What the search of the site looks through.
found = json.loads((site / "search/search_index.json").read_text())["docs"]
if not any(entry["location"].startswith("guide/threads-and-locks.html") and "mutex" in entry["text"] for entry in found):
    faults.append("search: no mutex in guide/threads-and-locks.html")
if any(entry["location"].startswith("inside/") for entry in found):
    faults.append("search: pages for authors")

for fault in faults:
    print(fault)
print(f"{len(built)} pages, {count} links, {len(faults)} faults")
sys.exit(1 if faults or len(built) < 50 else 0)
