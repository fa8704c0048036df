#!/usr/bin/env python3
"""Compares OpenMP programs, as a compiler has left them, on their own runtime and on takt's.

The table, a TOML file, says which:

    [[program]]
    name = "bt.W"
    command = ["npb/bin/bt.W"]                 # from the table's folder
    seconds = 'Time in seconds = *([0-9.]+)'   # what it says; without it, the time of the process
    right = 'Verification *= *SUCCESSFUL'      # what it says if its answer is right

Runs take turns, each in a process of its own. A ratio is that of medians; in brackets stand the least and the most seconds."""
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import Parser, fail, positive


def arguments():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=pathlib.Path, help="which programs: see the beginning of this file")
    parser.add_argument("--takt", type=pathlib.Path, required=True, help="the folder with libtakt-omp.so under the names of other runtimes")
    parser.add_argument("--own", type=pathlib.Path, help="the folder of the other runtime; default: where the loader finds it")
    parser.add_argument("--threads", type=positive, default=os.cpu_count())
    parser.add_argument("--runs", type=positive, default=5)
    return parser.parse_args()


def programs_of(table):
    try:
        programs = tomllib.loads(table.read_text()).get("program", [])
    except (OSError, ValueError) as error:
        fail(f"{table}: {error}")
    if not isinstance(programs, list) or not programs or not all(isinstance(p, dict) for p in programs):
        fail(f"{table}: no [[program]] in it")
    for program in programs:
        name, command = program.get("name", "a program without a name"), program.get("command")
        if not isinstance(command, list) or not command or "name" not in program:
            fail(f"{table}: {name}: it needs a name and a command, a list of words")
        for key in ("seconds", "right"):
            try:
                program[key] = re.compile(program[key]) if key in program else None
            except (re.error, TypeError) as error:
                fail(f"{table}: {name}: {key}: {error}")
    return programs


def seconds_of(program, folder, libraries, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    if libraries is not None:
        environment["LD_LIBRARY_PATH"] = str(libraries.resolve())
    begun = time.monotonic()
    try:
        run = subprocess.run(program["command"], cwd=folder, env=environment, capture_output=True, text=True, errors="replace")
    except OSError as error:
        fail(f"{program['name']}: {error}")
    took = time.monotonic() - begun
    said = run.stdout + run.stderr
    # Some programs end with any code.
    if not program["right"].search(said) if program["right"] else run.returncode != 0:
        fail(f"{program['name']}: not right, exit code {run.returncode}" + (f" with {libraries}" if libraries else ""))
    if program["seconds"] is None:
        return took
    found = program["seconds"].search(said)
    if found is None:
        fail(f"{program['name']}: it does not say how long it took")
    return float(found[1])


def main():
    given = arguments()
    if not (given.takt / "libtakt-omp.so").exists():
        fail(f"{given.takt}: libtakt-omp.so is not there")
    programs = programs_of(given.table)
    print("| program | own runtime, s | takt, s | ratio |\n|---|---|---|---|")
    ratios = []
    for program in programs:
        seconds = {given.own: [], given.takt: []}
        for _ in range(given.runs):
            for libraries, all_of in seconds.items():
                all_of.append(seconds_of(program, given.table.parent, libraries, given.threads))
        own, takt = seconds[given.own], seconds[given.takt]
        cells = [f"{statistics.median(s):.3g} [{min(s):.3g} {max(s):.3g}]" for s in (own, takt)]
        # What a program says may be 0.00.
        if statistics.median(own) > 0 and statistics.median(takt) > 0:
            ratios.append(statistics.median(takt) / statistics.median(own))
            cells.append(f"{ratios[-1]:.3f}")
        else:
            cells.append("")
        print("|", " | ".join([program["name"], *cells]), "|", flush=True)
    if ratios:
        print(f"\ngeometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.3f}")


if __name__ == "__main__":
    main()
