#!/usr/bin/env python3
"""readme_lines.py on pages that are wrong: each is refused, and one line says what and where.

readme_lines_test.py SCRATCH
"""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("readme_lines.py")
# Everything that the section has to show, and nothing that takes time: its programs are these.
PROGRAMS = {
    "cmake": "mkdir -p prefix/lib/pkgconfig; touch prefix/lib/pkgconfig/takt.pc",
    "pkg-config": "echo flag",
}
GOOD = """# takt

## First program

<!-- run: install -->
```sh
git clone URL takt
cmake --install takt --prefix "$PWD/prefix"
export SEEN="$PWD"
```

<!-- file: deep/hello.cpp -->

```cpp
#include <takt/takt.hpp>
```

<!-- file: CMakeLists.txt -->
```cmake
find_package(takt 0.1 REQUIRED)
FetchContent_MakeAvailable(takt)
```

<!-- run: use -->
```sh
test "$(pkg-config --libs takt)" = flag
test -f takt/source
test -f deep/hello.cpp
test "$SEEN" = "$PWD"
test -z "$PKG_CONFIG_PATH"
```

```sh
false
```

## Next

```sh
false
```
"""

# What is put in whose place, and what is said then; None: all is well.
CASES = {
    "good": ("", "", None),
    "a line fails": ("test -f takt/source", "test -f takt/nothing", "block 'run: use' (line 24) failed"),
    "a failure in the middle of a block": ("git clone URL takt", "git clone URL takt\nfalse", "block 'run: install'"),
    "no section": ("## First program", "## The first program", "outside the section 'First program'"),
    "no blocks": ("<!-- ", "<!-- not ", "no section 'First program' with blocks"),
    "a clone that is there already": ("git clone URL takt", "", None),
    "another clone": ("git clone URL takt", "git clone ./nowhere takt", "block 'run: install' (line 5) failed"),
    "no installation": ('cmake --install takt --prefix "$PWD/prefix"', "", "no block with an installation"),
    "no FetchContent": ("FetchContent_MakeAvailable(takt)", "", "no block with FetchContent"),
    "no pkg-config": ("$(pkg-config --libs takt)", "flag", "no block with pkg-config"),
    "nothing installed": ("cmake --install takt --prefix", ": cmake --install --prefix", "installed no takt in their"),
    "a comment without its block": ("<!-- run: use -->", "<!-- run: use -->\nWords.", "no block after the comment of line"),
    "another language": ("-->\n```sh\ntest", "-->\n```python\ntest", "a block to run is a ```sh block, not ```python"),
    "a path that leaves the folder": ("file: deep/hello.cpp", "file: ../hello.cpp", "is outside the folder"),
    "a fence without an end": (GOOD[GOOD.index("```\n\n## Next") :], "", "the last block has no end"),
}


def main():
    scratch = Path(sys.argv[1])
    sources = scratch / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    (sources / "source").write_text("", encoding="utf-8")
    programs = (scratch / "programs").resolve()
    programs.mkdir(exist_ok=True)
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    wrong = 0
    for name, (old, new, said) in CASES.items():
        assert old in GOOD, name
        page = scratch / "page.md"
        page.write_text(GOOD.replace(old, new) if old else GOOD, encoding="utf-8")
        ended = subprocess.run(
            [sys.executable, SCRIPT, page, sources, scratch / "work"],
            env={"PATH": f"{programs}:/usr/bin:/bin", "PKG_CONFIG_PATH": "/somewhere"},
            capture_output=True,
            text=True,
            check=False,
        )
        last = (ended.stderr.splitlines() or [""])[-1]
        if (said is None) != (ended.returncode == 0) or said is not None and said not in last:
            print(f"{name}: exit code {ended.returncode}, said: {ended.stderr}")
            wrong += 1
    print(f"{len(CASES)} pages, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
