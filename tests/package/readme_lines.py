#!/usr/bin/env python3
"""Pastes the lines of the README's section "First program" into a shell, in order, in an empty folder.

readme_lines.py PAGE SOURCES SCRATCH [ROOT]

PAGE     the page; README.md, with a section "First program"
SOURCES  the tree that the page's `git clone URL takt` stands for
SCRATCH  a folder that is emptied
ROOT     a folder with a system of its own, in which the lines run (chroot); SCRATCH lies in it

A block that is to be executed has one of these on the line before its fence:

<!-- run: NAME -->   a ```sh block: its lines go, as they are, into one `sh -e` that all blocks share, as in a terminal
<!-- file: PATH -->  a ```cpp, ```cmake or ```sh block, which is written to PATH

The one line that is replaced is `git clone URL takt`: the clone is made of the files that SOURCES has now, changes that
are not committed and all. A page that has no such line takes the folder `takt` for granted, and finds it there. Nothing
of the caller's environment that leads to a takt is handed on; CXX, CMAKE_GENERATOR and the like are, as a user would
have them.

Exit code: 0 all lines work; 1 a line failed, or the section lacks something; 2 wrong arguments.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SECTION = "First program"
CLONE = r"^git clone URL takt$"
# What the section has to show, whatever its blocks are called.
SHOWN = {
    "an installation to a prefix": r"cmake --install .*--prefix",
    "a program with takt": r"#include <takt/takt.hpp>",
    "pkg-config": r"\$\(pkg-config .*\btakt\b.*\)",
    "find_package": r"find_package\(takt\b",
    "FetchContent": r"FetchContent_MakeAvailable\(takt\)",
}
# What a shell of the user's has whatever is installed; anything else might help takt to be found.
ENVIRONMENT = re.compile(
    r"PATH|HOME|USER|LOGNAME|TMPDIR|LANG|LC_.*|TERM|CC|CXX|CMAKE_GENERATOR|CMAKE_CXX_COMPILER_LAUNCHER|CCACHE_.*"
    r"|TAKT_WORKERS"
)


class Wrong(Exception):
    """One line for the reader of the test's output."""


class Block:
    def __init__(self, kind, name, line):
        self.kind, self.name, self.line, self.text = kind, name, line, ""

    def __str__(self):
        return f"block '{self.kind}: {self.name}' (line {self.line})"


def blocks_of(page):
    """The marked blocks of the section, in order."""
    blocks, marker, block, fence, level = [], None, None, None, 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if fence:
            if line.strip() == fence:
                fence = block = None
            elif block:
                block.text += line + "\n"
            continue
        heading = re.match(r"(#+) +(.*?) *$", line)
        if heading:
            if heading[2] == SECTION:
                level = len(heading[1])
            elif len(heading[1]) <= level:
                level = 0
        opened = re.match(r"(```+)(\w*)$", line)
        found = re.match(r"<!-- (run|file): (\S+) -->$", line)
        if marker and line.strip() and not opened:
            raise Wrong(f"{page.name}: no block after the comment of line {number - 1}")
        if not level:
            if found:
                raise Wrong(f"{page.name}:{number}: a block that is to be executed, outside the section '{SECTION}'")
            if opened:
                fence = opened[1]
            continue
        if found:
            marker = (*found.groups(), number)
        elif opened:
            fence = opened[1]
            if marker:
                if marker[0] == "run" and opened[2] != "sh":
                    raise Wrong(f"{page.name}:{number}: a block to run is a ```sh block, not ```{opened[2]}")
                block = Block(*marker)
                blocks.append(block)
            marker = None
    if not blocks:
        raise Wrong(f"{page.name}: no section '{SECTION}' with blocks to execute")
    if fence or marker:
        raise Wrong(f"{page.name}: the last block has no end")
    for what, pattern in SHOWN.items():
        if not any(re.search(pattern, block.text, re.MULTILINE) for block in blocks):
            raise Wrong(f"{page.name}: the section '{SECTION}' has no block with {what} ({pattern})")
    for block in blocks:
        # A path that leaves the folder would change the machine of whoever pastes it.
        if block.kind == "file" and (os.path.isabs(block.name) or ".." in Path(block.name).parts):
            raise Wrong(f"{page.name}: {block} is outside the folder")
    return blocks


def copy_tree(sources, to):
    """What a clone of `sources` would have, were all of it committed."""

    def git(*arguments):
        # Whoever owns the checkout, and whether there is git at all.
        if not shutil.which("git"):
            return ""
        command = ["git", "-c", "safe.directory=*", "-C", sources, *arguments]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        return os.fsdecode(ended.stdout)

    if git("rev-parse", "--show-toplevel").rstrip("\n") == str(sources):
        for name in filter(None, git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")):
            if (sources / name).exists():
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(sources / name, to / name, follow_symlinks=False)
    else:  # A source package.
        shutil.copytree(sources, to, ignore=shutil.ignore_patterns("build", ".git"))


def script_of(blocks, stage, scratch, written_to):
    """One shell script that says in `stage`/at where it is; what it reads is put into `written_to`."""
    lines = ["set -e", f"cd '{scratch}'"]
    if not any(re.search(CLONE, block.text, re.MULTILINE) for block in blocks):
        lines.append(f"cp -R '{stage}/clone' takt")
    for number, block in enumerate(blocks):
        text = block.text
        if block.kind == "run":
            text = re.sub(CLONE, f"cp -R '{stage}/clone' takt", text, flags=re.MULTILINE)
        (written_to / str(number)).write_text(text, encoding="utf-8")
        lines.append(f"echo {number} >'{stage}/at'")
        if block.kind == "file":
            target = scratch / block.name
            lines += [f"mkdir -p '{target.parent}'", f"cp '{stage}/{number}' '{target}'"]
        else:
            # As pasted: what a block exports is there for the next one. -x names the line that fails.
            lines += ["set -x", f". '{stage}/{number}'", "{ set +x; } 2>/dev/null"]
    return "\n".join([*lines, f"echo end >'{stage}/at'", ""])


def main():
    if len(sys.argv) not in (4, 5):
        print("readme_lines.py: usage: readme_lines.py PAGE SOURCES SCRATCH [ROOT]", file=sys.stderr)
        return 2
    page, sources, scratch, *root = (Path(argument).resolve() for argument in sys.argv[1:])
    blocks = blocks_of(page)
    shutil.rmtree(scratch, ignore_errors=True)
    stage, folder = scratch / "stage", scratch / "folder"
    stage.mkdir(parents=True)
    folder.mkdir()
    copy_tree(sources, stage / "clone")
    seen = [Path("/") / path.relative_to(root[0]) if root else path for path in (stage, folder)]
    (stage / "script").write_text(script_of(blocks, *seen, stage), encoding="utf-8")
    command = ["sh", seen[0] / "script"]
    if root:
        command = ["chroot", root[0], *command]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
    else:
        environment = {name: value for name, value in os.environ.items() if ENVIRONMENT.fullmatch(name)}
    with open(stage / "output", "w", encoding="utf-8") as output:
        ended = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
        )
    said = (stage / "output").read_text(encoding="utf-8", errors="replace")
    at = (stage / "at").read_text(encoding="utf-8").strip()
    if at != "end" or ended.returncode:
        print("\n".join(said.splitlines()[-30:]), file=sys.stderr)
        failed = f"{blocks[int(at)]} failed with exit code {ended.returncode}"
        raise Wrong(f"{page.name}: {failed}; all output: {stage}/output")
    if not list(folder.glob("**/takt.pc")):
        raise Wrong(f"{page.name}: the lines installed no takt in their own folder")
    runs = sum(block.kind == "run" for block in blocks)
    print(f"{page.name}: {runs} blocks run, {len(blocks) - runs} files written")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        print(f"readme_lines.py: {wrong}", file=sys.stderr)
        sys.exit(1)
