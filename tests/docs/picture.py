#!/usr/bin/env python3
"""Usage: picture.py: each picture is what its command in docs/pictures/README.md makes of the results beside it."""
import json
import re
import subprocess
import sys

import pages

folder = pages.ROOT / "docs/pictures"
faults, count = [], 0
for marker, _, command in pages.blocks((folder / "README.md").read_text()):
    if not marker.startswith("run: "):
        continue
    count += 1
    name = marker[len("run: "):]
    made = subprocess.run(["sh", "-ec", command], cwd=pages.ROOT, capture_output=True, text=True)
    if made.returncode != 0:
        faults.append(f"{name}: {made.stderr.strip()}")
        continue
    committed = (folder / name).read_text()
    if made.stdout != committed:
        faults.append(f"{name} is not what its command makes")
    # Without the script: the numbers that a reader sees are those of the file.
    results = json.loads((folder / name).with_suffix(".json").read_text())
    problem = re.search(r"--problem (\S+)", command).group(1)
    seconds = {(r["system"], r["workers"]): r["median_s"] for r in results["rows"] if r["problem"] == problem}
    serial = seconds["serial", 1]
    for system in ("serial", "omp", "tbb", "takt"):
        ratio = f"{seconds[system, 1 if system == 'serial' else 2] / serial:.2f}"
        if f">{ratio}<" not in committed:
            faults.append(f"{name}: no {ratio} of {system}")
# Bad input: one line, exit code 2, and no half of a picture.
for arguments in (["no-such-file.json", "--problem", "nqueens"], ["README.md", "--problem", "nqueens"],
                  ["docs/pictures/nested.json", "--problem", "no-such-problem"],
                  ["docs/pictures/nested.json", "--problem", "nqueens", "--systems", "no-such-system"],
                  ["docs/pictures/nested.json", "--problem", "nqueens", "--workers", "64"],
                  ["docs/pictures/nested.json", "--problem", "nqueens", "--title", "long " * 20]):
    made = subprocess.run([pages.ROOT / "bench/results_picture", "--title", "t", "--note", "n", *arguments], cwd=pages.ROOT,
                          capture_output=True, text=True)
    if made.returncode != 2 or made.stdout or made.stderr.count("\n") != 1:
        faults.append(f"{' '.join(arguments)}: exit code {made.returncode}, {made.stderr!r}")
for fault in faults:
    print(fault)
print(f"{count} pictures, {len(faults)} faults")
sys.exit(1 if faults or not count else 0)
