#!/usr/bin/env python3
"""What each part of a converted loop costs: time over that of the serial program, on one worker.

usage: ablation.py BUILD_DIR [--runs K] [--size SIZE] [--markdown] [--json FILE] [PROGRAM...]
       ablation.py --from FILE... [--markdown]

BUILD_DIR/bench has the runners of hbc. For each program (default: all 18; `spmv_random`, not
`hbc_spmv_random`) one process per column, and one of the serial program, take turns; the first run
of each is not counted, K (default 5) are. Shown is the ratio of medians, and in brackets that of
the fastest runs, which says more where others use the machine. What takes ten times as long as
the serial program in its first run is not run again, and that run counts. Without `--size` inputs
take tenths of a second, as a poll after each iteration makes that a minute. `--from` shows what
`--json` has written, in one table: a few programs at a time can be measured. `ablation.py
--columns` says what the columns are. Exit code 2 for what cannot be run.
"""
import json
import pathlib
import sys

from runs import (PROGRAMS, Parser, Results, Table, check_programs, fail, folder_of, mean_of,
                  positive, process_of, ratios, shown)

NEVER = {"TAKT_TRIGGER": "never"}
# With one worker nobody asks for a task: all the polls, and no promotion.
POLLS = {"TAKT_TRIGGER": "request", "TAKT_BEAT_US": "100"}
# As in the paper: one promotion per heartbeat, and heartbeats of 100 microseconds.
BEATS = {"TAKT_TRIGGER": "beat", "TAKT_BEAT_US": "100"}
LONG = {"TAKT_CHUNKING": "100000"}
HBC = {"TAKT_CHUNKING": "hbc"}

# Name, settings, whether loops may be promoted, meaning.
COLUMNS = [
    ("outlined", {**POLLS, "TAKT_BEAT_US": "1000000000"}, False,
     "the converted code where it is written: the clock is next looked at after minutes, and loops"
     " inside loops run free once they have been timed"),
    ("charged", NEVER, False,
     "nothing inside loops is free: leaf loops are charged and run in place, loops around them have"
     " frames and claim their iterations; no beats"),
    ("chunked", {**NEVER, **LONG}, False,
     "chunks as HBC's, which go on from one leaf loop to the next, of 100,000 iterations, so that"
     " there is hardly a poll; no beats"),
    ("poll 1", {**POLLS, "TAKT_CHUNKING": "1"}, False,
     "chunks of 1, so a poll after each iteration of a leaf loop: HBC's \"no chunking\""),
    ("poll 64", {**POLLS, "TAKT_CHUNKING": "64"}, False, "chunks of 64: HBC's \"static\""),
    ("poll hbc", {**POLLS, **HBC}, False, "chunks sized by HBC's algorithm, a poll after each"),
    ("poll time", POLLS, False,
     "takt's chunks, by time, with what is free or covered by credit in place; polls"),
    ("hbc", {**BEATS, **HBC}, True, "HBC's chunks, with promotions"),
    ("time", BEATS, True, "takt's chunks, with promotions"),
    ("default", {}, True, "takt's chunks, with the default's lazy beats"),
]

# Smaller than those of the table of `takt bench`.
SIZES = {
    "mandelbrot": 400, "mandelbulb": 48, "spmv_arrowhead": 2_000_000, "spmv_powerlaw": 500_000,
    "spmv_random": 100_000, "floyd_warshall": 1000, "kmeans": 100_000,
    "plus_reduce_array": 8_000_000, "srad": 1000, "cg": 200_000, "ttv": 8_000_000,
    "ttm": 2_000_000, "bfs": 1_000_000, "cc": 400_000, "pr": 400_000, "pr_delta": 400_000,
    "cf": 100_000, "sssp": 400_000}

NAMES = [name for name, _, _, _ in COLUMNS]


def ratios_of(folder, program, size, runs):
    """Per column: medians, and fastest runs, over those of the serial program."""
    more = ["--size", str(size or SIZES[program])]
    serial = process_of(folder, "serial", program, {}, more=more)
    takt = [process_of(folder, "takt", program, settings, more=more)
            for _, settings, _, _ in COLUMNS]

    def seconds_of(column):
        name, _, may_promote, _ = COLUMNS[column]
        answer = takt[column].run()
        if not may_promote and answer["tasks"] != 0:
            fail(f"{program}, {name}: {answer['tasks']} tasks where there should be none")
        return answer["seconds"]

    first = serial.run()["seconds"]
    seconds = [[seconds_of(column)] for column in range(len(COLUMNS))]
    is_slow = [times[0] > 10 * first for times in seconds]
    serial_seconds = []
    for _ in range(runs):
        serial_seconds.append(serial.run()["seconds"])
        for column, times in enumerate(seconds):
            if not is_slow[column]:
                times.append(seconds_of(column))
    for process in [serial, *takt]:
        process.end()
    counted = [times if slow else times[1:] for times, slow in zip(seconds, is_slow)]
    return [ratios(times, serial_seconds) for times in counted]


def read_results(paths):
    """Of all files, the ratios of each program."""
    programs = {}
    for path in paths:
        try:
            results = json.loads(path.read_text(encoding="utf-8"))
            found = {program: [{key: float(ratio[key]) for key in ("median", "fastest")}
                               for ratio in row]
                     for program, row in results["programs"].items()}
            columns = results["columns"]
        except OSError as error:
            fail(f"{path}: {error.strerror}")
        except (ValueError, KeyError, TypeError, AttributeError):
            fail(f"{path}: not results of this script")
        if columns != NAMES or any(len(row) != len(NAMES) for row in found.values()):
            fail(f"{path}: other columns than those of this script")
        for program in found:
            if program in programs:
                fail(f"{path}: {program} has come before")
        programs.update(found)
    if not programs:
        fail("no program has been measured")
    return programs


def arguments_of(words):
    parser = Parser(usage="ablation.py BUILD_DIR [--runs K] [--size SIZE] [--markdown] "
                          "[--json FILE] [PROGRAM...]; ablation.py --from FILE... [--markdown]")
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--runs", type=positive, default=5)
    parser.add_argument("--size", type=positive)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", type=pathlib.Path, nargs="+", dest="earlier")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    arguments = parser.parse_intermixed_args(words)
    if (arguments.build is None) == (arguments.earlier is None):
        fail("wanted: the folder of a build, or --from with results")
    check_programs(arguments.programs)
    return arguments


def main():
    if sys.argv[1:] == ["--columns"]:
        for name, settings, _, meaning in COLUMNS:
            text = " ".join(f"{k}={v}" for k, v in settings.items()) or "no settings"
            print(f"{name}: {meaning} ({text})")
        return
    arguments = arguments_of(sys.argv[1:])
    if arguments.earlier:
        rows = read_results(arguments.earlier)
    else:
        folder = folder_of(arguments.build, ("serial", "takt"))
        rows = dict.fromkeys(arguments.programs)
    results = Results(arguments.json) if arguments.json else None
    table = None
    for program in rows:
        if rows[program] is None:
            rows[program] = ratios_of(folder, program, arguments.size, arguments.runs)
        table = table or Table(NAMES, arguments.markdown, max(map(len, [*rows, "geometric mean"])))
        table.row(program, map(shown, rows[program]))
    table.row("geometric mean", [shown(mean_of(column)) for column in zip(*rows.values())])
    if results:
        results.write({"columns": NAMES, "programs": rows})


if __name__ == "__main__":
    main()
