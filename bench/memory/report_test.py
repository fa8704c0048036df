#!/usr/bin/env python3
"""report_test.py TAKT DIR: what `takt bench memory` writes, at small sizes, and what it refuses with one line and exit code 2."""
import json
import os
import pathlib
import subprocess
import sys

TAKT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
SMALL = ["--workers", "1,2", "--tasks", "8", "--fib", "20", "--eager-fib", "8", "--alpha", "1024", "--beta", "16", "--k", "65536"]


def check(good, *what):
    if not good:
        sys.exit(f"report_test.py: {what}")


def run(folder, *arguments, **settings):
    command = [TAKT, "bench", "memory", "--report", str(folder), *arguments]
    return subprocess.run(command, env=dict(os.environ, **settings), check=False, capture_output=True, text=True)


# The caller's own settings are not those of what has none.
done = run(FOLDER, *SMALL, "--programs", "pipeline", "--scale", "0.1", TAKT_MEMORY="1", TAKT_POLICY="asyncdf")
check(done.returncode == 0, done)
tables = json.loads((FOLDER / "results.json").read_text())
wanted = [f"{of}: {what}" for of in ("fib(20) in 8 tasks", "Each fork a task, fib(8)", "pipeline") for what in ("peak", "time")]
check([table["title"] for table in tables] == wanted, tables)
columns = ["none", "hybrid 1024, 16", "asyncdf 65536", "budget 2.3"]
check(tables[0]["columns"] == columns and [row["workers"] for row in tables[0]["rows"]] == [1, 2], tables[0])
check(all(len(row["values"]) == len(table["columns"]) for table in tables for row in table["rows"]), tables)
one, two = (row["values"] for row in tables[0]["rows"])
check(one == [1.0] * 4 and two[0] == 2.0, tables[0])
check([row["values"][0] for row in tables[1]["rows"]] == [1.0, 1.0], tables[1])
check((FOLDER / "index.html").read_text().count("<svg") == 6, "pictures")
check(sorted(file.name for file in FOLDER.iterdir()) ==
      ["index.html", "memory-1.svg", "memory-2.svg", "results.json", *(f"table-{k}.svg" for k in range(4))], "files")

for bad in (["--programs", "nothing"], ["--budget", "nan"], ["--budget=-1"], ["--scale", "inf"], ["--seeds", "0"],
            ["--workers", ""], ["--k", "1,x"]):
    done = run(FOLDER / "none", *SMALL, *bad)
    check(done.returncode == 2 and done.stderr.count("\n") == 1 and not (FOLDER / "none").exists(), bad, done)
done = run(FOLDER / "index.html", *SMALL)
check(done.returncode == 2 and done.stderr.count("\n") == 1, done)
