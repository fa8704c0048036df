#!/usr/bin/env python3
"""Usage: browser.py SITE: pages of the built site in a real browser, as a reader sees them.

Exit codes: 0 good, 1 a fault, 77 there is no browser, or no site. TAKT_BROWSER names a browser that knows Chromium's
options; TAKT_KEEP_SCREENSHOTS=FOLDER keeps pictures of the screen for people.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

site = Path(sys.argv[1]).resolve()
browser = os.environ.get("TAKT_BROWSER") or next(
    (found for found in map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome")) if found), None)
if browser is None:
    print("skipped: no browser: install chromium-headless-shell or chromium, or set TAKT_BROWSER")
    sys.exit(77)
if not (site / "index.html").is_file():
    print(f"skipped: no site in {site}")
    sys.exit(77)

# What the laid-out page says of itself.
LOOK = """
addEventListener('load', () => {
  const wide = [];
  const limit = document.documentElement.clientWidth;
  for (const e of document.querySelectorAll('article h1, article h2, article p, article li, article td, article img')) {
    const box = e.getBoundingClientRect();
    const scrolls = e.closest('.md-typeset__table, pre');
    if (box.width && !scrolls && box.right > limit + 1) wide.push(e.tagName + ': ' + e.textContent.slice(0, 60));
  }
  const pictures = [...document.images].map(
      i => [i.getAttribute('src'), i.complete && i.naturalWidth > 0 ? i.getBoundingClientRect().width : 0]);
  const tables = [...document.querySelectorAll('article table')].map(t => {
    const frame = (t.closest('.md-typeset__scrollwrap') || t.parentElement).getBoundingClientRect().width;
    return [t.getBoundingClientRect().width, frame, t.innerText];
  });
  const small = [...document.querySelectorAll('article p, article td, article code')].filter(
      e => e.getClientRects().length && parseFloat(getComputedStyle(e).fontSize) < 10).length;
  const styled = getComputedStyle(document.querySelector('.md-header') || document.body).position;
  const out = document.createElement('pre');
  out.id = 'looked';
  out.textContent = JSON.stringify({wide, pictures, tables, small, styled,
    scrolls: document.documentElement.scrollWidth > limit + 1,
    nav: document.querySelectorAll('.md-nav--primary a').length, text: document.querySelector('article').innerText});
  document.body.appendChild(out);
});
"""
faults = []


def run(page, *options):
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                               f"--user-data-dir={home}", "--window-size=1280,1000", *options, page.as_uri()],
                              capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": home})
    if done.returncode != 0:
        print(f"the browser failed: {done.stderr.strip()}")
        sys.exit(1)
    return done.stdout


for name, words in (
        ("index.html", ["takt is a C++20 library", "smaller is better", "merge sort, every level forks", "First program"]),
        ("results.html", ["Where takt loses", "nqueens(12)", "0.53"]),
        ("coming-from.html", ["No counterpart: do this instead", "flow::graph", "scope(|s| s.spawn(...))"]),
        ("api/calls.html", ["fork_join", "Returns", "Cost:"])):
    path = site / name
    copy = path.with_name("looked-at-" + path.name)
    copy.write_text(path.read_text().replace("</body>", f"<script>{LOOK}</script></body>"))
    try:
        dom = run(copy, "--dump-dom")
        if os.environ.get("TAKT_KEEP_SCREENSHOTS"):
            kept = Path(os.environ["TAKT_KEEP_SCREENSHOTS"]) / (name.replace("/", "-")[:-len(".html")] + ".png")
            run(path, f"--screenshot={kept.resolve()}")
    finally:
        copy.unlink()
    found = re.search(r'<pre id="looked">(.*?)</pre>', dom, re.S)
    if not found:
        faults.append(f"{name}: the page did not load to its end")
        continue
    seen = json.loads(html.unescape(found.group(1)))
    flat = re.sub(r"\s+", " ", seen["text"])
    faults += [f"{name}: no text '{w}'" for w in words if w not in flat]
    faults += [f"{name}: is cut off: {w}" for w in seen["wide"]]
    faults += [f"{name}: picture {source} is not shown" for source, width in seen["pictures"] if width < 100]
    faults += [f"{name}: a table of {width:.0f} pixels in {frame:.0f}: {text[:40]!r}"
               for width, frame, text in seen["tables"] if width > frame + 1]
    if seen["scrolls"]:
        faults.append(f"{name}: the page is wider than the window")
    if seen["small"]:
        faults.append(f"{name}: {seen['small']} pieces of text are too small")
    if seen["styled"] != "sticky":
        faults.append(f"{name}: the style sheet is not in force")
    if seen["nav"] < 20:
        faults.append(f"{name}: {seen['nav']} entries of navigation")
    if name == "index.html" and not any("nested.svg" in source for source, _ in seen["pictures"]):
        faults.append(f"{name}: no picture")

for fault in faults:
    print(fault)
print(f"4 pages in {Path(browser).name}, {len(faults)} faults")
sys.exit(1 if faults else 0)
