#!/usr/bin/env python3
"""What each part of a converted loop costs: time over that of the serial program, on one worker.

usage: ablation.py BUILD_DIR [--runs K] [--size SIZE] [--markdown] [PROGRAM...]

BUILD_DIR/bench has the runners of hbc. For each program (default: all 18; `spmv_random`, not
`hbc_spmv_random`) one process per column, and one of the serial program, take turns; the first run
of each is not counted, K (default 5) are. Shown is the ratio of medians, and in brackets that of
the fastest runs, which says more where others use the machine. What takes ten times as long as
the serial program in its first run is not run again, and that run counts. `ablation.py --columns`
says what the columns are. Exit code 2 for what cannot be run.
"""
import argparse
import math
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import Process, fail

PROGRAMS = (
    "mandelbrot mandelbulb spmv_arrowhead spmv_powerlaw spmv_random floyd_warshall kmeans "
    "plus_reduce_array srad cg ttv ttm bfs cc pr pr_delta cf sssp").split()

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


def runner(folder, system, program, size, settings):
    """With one worker, a runner does nothing while others run."""
    command = [str(folder / f"takt-bench-hbc-{system}"), "--problem", "hbc_" + program,
               "--system", system, "--workers", "1"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TAKT_")}
    environment.update({"TAKT_SETTINGS": "", **settings})
    return Process(command + (["--size", str(size)] if size else []), environment)


def ratios_of(folder, program, size, runs):
    """Per column: medians, and fastest runs, over those of the serial program."""
    serial = runner(folder, "serial", program, size, {})
    takt = [runner(folder, "takt", program, size, settings) for _, settings, _, _ in COLUMNS]

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
    return [(statistics.median(times) / statistics.median(serial_seconds),
             min(times) / min(serial_seconds)) for times in counted]


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def main():
    if sys.argv[1:] == ["--columns"]:
        for name, settings, _, meaning in COLUMNS:
            shown = " ".join(f"{k}={v}" for k, v in settings.items()) or "no settings"
            print(f"{name}: {meaning} ({shown})")
        return
    parser = Parser(usage="ablation.py BUILD_DIR [--runs K] [--size SIZE] [--markdown] "
                          "[PROGRAM...]")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=positive, default=5)
    parser.add_argument("--size", type=positive)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    arguments = parser.parse_intermixed_args()
    for program in arguments.programs:
        if program not in PROGRAMS:
            fail(f"no program {program}: one of {', '.join(PROGRAMS)}")
    folder = arguments.build / "bench"
    for name in ("takt-bench-hbc-serial", "takt-bench-hbc-takt"):
        if not (folder / name).exists():
            fail(f"{folder / name} is missing: build it first")

    width = max(map(len, arguments.programs + ["geometric mean"]))
    names = [name for name, _, _, _ in COLUMNS]

    def show(first, cells):
        if arguments.markdown:
            print(f"| {first} | " + " | ".join(cells) + " |", flush=True)
        else:
            padded = (cell.rjust(max(len(name), 13)) for cell, name in zip(cells, names))
            print(first.ljust(width) + "  " + "  ".join(padded), flush=True)

    rows = []
    for program in arguments.programs:
        rows.append(ratios_of(folder, program, arguments.size, arguments.runs))
        if len(rows) == 1:
            show("", names)
            if arguments.markdown:
                print("|---" * (len(names) + 1) + "|")
        show(program, [f"{median:.2f} [{fastest:.2f}]" for median, fastest in rows[-1]])
    means = [[math.exp(statistics.fmean(map(math.log, ratios))) for ratios in zip(*column)]
             for column in zip(*rows)]
    show("geometric mean", [f"{median:.2f} [{fastest:.2f}]" for median, fastest in means])


if __name__ == "__main__":
    main()
