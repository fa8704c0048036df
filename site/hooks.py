"""What mkdocs does not know of this repository: pages outside of docs/, and the links between them.

Pages are named by their path in the repository. Those of docs/ are where mkdocs has them, README.md is the home page, and
every other page that the navigation names gets a place under inside/. Links in a page are relative to the page's file, as
everywhere in the repository; here they become links of the site. A link to a file that is no page leads to a copy of it.
A link that leads nowhere ends the build.
"""
import fnmatch
import json
import os
import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent

# Set by on_config: repository path -> page of the site, and the other way round.
page_of = {}
path_of = {}
# Files that pages link to: repository path -> file of the site.
copies = {}


def api_folder():
    """Where site/build has put the pages of the API reference."""
    return Path(os.environ["TAKT_SITE_API"])


def source(path):
    return api_folder() / path[len("api/"):] if path.startswith("api/") else ROOT / path


def site_page(path):
    if path == "README.md":
        return "index.md"
    if path == "docs/README.md":
        return "map.md"
    if path.startswith("docs/"):
        return path[len("docs/"):]
    if path.startswith("api/"):
        return path
    folder, name = posixpath.split(path)
    return "inside/" + (folder if name == "README.md" else posixpath.join(folder, name[:-len(".md")])) + ".md"


def matches(pattern):
    """Repository paths, in the order of their names."""
    if pattern.startswith("api/"):
        found = sorted("api/" + p.name for p in api_folder().glob("*.md"))
        return [p for p in found if fnmatch.fnmatch(p, pattern)]
    return sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob(pattern))


def expanded(entries, seen):
    out = []
    for entry in entries:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(value, list):
            inside = expanded(value, seen)
            if inside:
                out.append({title: inside})
            continue
        for path in matches(value):
            if path in seen:
                continue
            seen.add(path)
            out.append({title: site_page(path)} if title else site_page(path))
    return out


def on_config(config):
    page_of.clear(), path_of.clear(), copies.clear()
    seen = set()
    config["nav"] = expanded(config["nav"], seen)
    for path in seen:
        page_of[path] = site_page(path)
        path_of[site_page(path)] = path
    for path in ROOT.glob("docs/**/*.md"):
        name = path.relative_to(ROOT).as_posix()
        if name not in page_of:
            raise PluginError(f"{name} is in no entry of the navigation in site/mkdocs.yml")
    return config


def made(config, name, path):
    file = File(name, config["docs_dir"], config["site_dir"], config["use_directory_urls"])
    file.abs_src_path = str(path)
    return file


def on_files(files, config):
    # The map has a place of its own: mkdocs would make the home page of it.
    for file in [f for f in files if f.src_uri == "README.md"]:
        files.remove(file)
    for path, name in page_of.items():
        if path != "docs/" + name:
            files.append(made(config, name, source(path)))
    files.append(made(config, "takt.css", ROOT / "site/takt.css"))
    # What pages link to must be known before the first page is made.
    for path in page_of:
        rewritten(source(path).read_text(), path)
    for path, name in copies.items():
        files.append(made(config, name, ROOT / path))
    return files


CODE = re.compile(r"^(```|~~~).*?^\1[ \t]*$|(?:(?<=\n\n)|\A)(?: {4}[^\n]*\n?|\n(?= {4}))+|(`+)(?!`).+?(?<!`)\2(?!`)", re.M | re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def target_of(path, link):
    """The place in the site that a link in the page `path` means; None: a folder without a page."""
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    if (ROOT / wanted).is_dir() and wanted + "/README.md" in page_of:
        wanted += "/README.md"
    if wanted in page_of:
        return page_of[wanted]
    if wanted.startswith("docs/") and (ROOT / wanted).is_file():
        return wanted[len("docs/"):]
    if (ROOT / wanted).is_file():
        # As text: a browser shows that, whatever the file's language is.
        copies[wanted] = "files/" + wanted + ".txt"
        return copies[wanted]
    if (ROOT / wanted).is_dir():
        return None
    raise PluginError(f"{path} links to {link}, which is not there")


# Code has been taken out of a link's text before the link is seen, so marks stand for it.
def rewritten(text, path):
    here = posixpath.dirname(site_page(path))
    spans = []

    def hide(code):
        span = code.group()
        # In a table a repository's page needs the backslash, and mkdocs shows it.
        spans.append(span.replace("\\|", "|") if span.startswith("`") and not span.startswith("```") else span)
        return f"\x00{len(spans) - 1}\x00"

    def change(link):
        mark, shown, to = link.groups()
        if re.match(r"[a-z]+:|#", to):
            return link.group()
        to, _, anchor = to.partition("#")
        target = target_of(path, to)
        if target is None:
            return shown
        return f"{mark}[{shown}]({posixpath.relpath(target, here or '.')}{'#' + anchor if anchor else ''})"

    text = LINK.sub(change, CODE.sub(hide, text))
    return re.sub(r"\x00(\d+)\x00", lambda m: spans[int(m.group(1))], text)


def on_page_markdown(markdown, page, config, files):
    return rewritten(markdown, path_of[page.file.src_uri])


def on_post_build(config):
    """Protocols and other pages for authors are not searched: whoever looks for `mutex` wants to use one."""
    index = Path(config["site_dir"]) / "search/search_index.json"
    found = json.loads(index.read_text())
    found["docs"] = [entry for entry in found["docs"] if not entry["location"].startswith("inside/")]
    index.write_text(json.dumps(found))
