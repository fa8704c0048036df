"""Pages of Markdown, as far as the tests need to understand them."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)


def all_pages(root=ROOT):
    """Every page of the repository that is no output of a build."""
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if not any(p == "build" or p.startswith(".") or p == "planted" for p in parts[:-1]):
            yield path


def without_code(text):
    """The text with the lines of code blocks emptied, and code spans shortened to nothing."""
    out, fence, previous, in_code = [], None, "", False
    for line in text.split("\n"):
        mark = re.match(r"\s*(```|~~~)", line)
        if fence:
            fence = None if mark and mark.group(1) == fence else fence
            out.append("")
            continue
        if mark:
            fence = mark.group(1)
            out.append("")
            continue
        in_code = line.startswith("    ") and (in_code or previous.strip() == "") or (in_code and not line.strip())
        out.append("" if in_code else line)
        previous = line
    return CODE_SPAN.sub("", "\n".join(out))


def links(text):
    return LINK.findall(without_code(text))


def headings(text):
    """(level, title) of each heading, with the code spans' text."""
    out, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```|~~~)", line)
        if mark:
            fence = None if fence else mark.group(1)
        found = re.match(r"(#+) +(.*?)\s*$", line)
        if found and not fence:
            out.append((len(found.group(1)), found.group(2)))
    return out


def anchor(title):
    """What a browser of repositories and mkdocs both make of a heading; None if they differ, so that no link is safe."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    repository = kept.replace(" ", "-")
    site = re.sub(r"[-\s]+", "-", kept.strip())
    return repository if repository == site else None


def anchors(text):
    seen, out = {}, set()
    for _, title in headings(text):
        name = anchor(title)
        if name is None:
            continue
        count = seen.get(name, 0)
        seen[name] = count + 1
        # The second one has another name here than there.
        if count == 0:
            out.add(name)
        else:
            out.discard(name)
    return out


def blocks(text):
    """(marker, language, content) of each fenced block; the marker is the comment in the line above, or empty."""
    out, lines, n = [], text.split("\n"), 0
    while n < len(lines):
        opened = re.match(r"```(\w*)$", lines[n])
        if opened:
            end = lines.index("```", n + 1)
            marker = re.match(r"<!-- (.*) -->$", lines[n - 1]) if n else None
            out.append((marker.group(1) if marker else "", opened.group(1), "\n".join(lines[n + 1:end]) + "\n"))
            n = end
        n += 1
    return out


def tables(text):
    """Rows of cells of each table, its head first."""
    out, rows = [], []
    for line in without_code(text).split("\n") + [""]:
        if line.startswith("|"):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not all(re.fullmatch(r":?-+:?", c) for c in cells):
                rows.append(cells)
        elif rows:
            out.append(rows)
            rows = []
    return out
