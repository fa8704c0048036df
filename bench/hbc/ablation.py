#!/usr/bin/env python3
"""What each part of a converted loop costs: time over that of the serial program, on one worker.

usage: ablation.py BUILD_DIR [--runs K] [--size SIZE] [--markdown] [PROGRAM...]

BUILD_DIR/bench has the runners of hbc. For each program (default: all 18; `spmv_random`, not
`hbc_spmv_random`) one process per column, and one of the serial program, take turns; the first run
of each is not counted, K (default 5) are. A ratio is of medians. `ablation.py --columns` says what
the columns are. Exit code 2 for what cannot be run.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

PROGRAMS = (
    "mandelbrot mandelbulb spmv_arrowhead spmv_powerlaw spmv_random floyd_warshall kmeans "
    "plus_reduce_array srad cg ttv ttm bfs cc pr pr_delta cf sssp").split()

NEVER = {"TAKT_TRIGGER": "never"}
# With one worker nobody asks for a task: all the polls, and no promotion.
POLLS = {"TAKT_TRIGGER": "request"}
NO_END = {"TAKT_CHUNKING": "1000000000000000000"}
HBC = {"TAKT_CHUNKING": "hbc"}

# Name, settings, whether loops may be promoted, meaning.
COLUMNS = [
    ("outlined", {"TAKT_BEAT_US": "1000000000"}, False,
     "the converted code where it is written: the clock is next looked at after minutes, and loops"
     " inside loops run free once they have been timed"),
    ("charged", NEVER, False,
     "no loop is free: leaf loops are charged and run in place, loops around them have frames and"
     " claim their iterations"),
    ("sliced", {**NEVER, **NO_END}, False,
     "each leaf loop has a frame and runs in chunks that go on from loop to loop, as HBC's; none of"
     " them ends, so none polls"),
    ("poll 1", {**POLLS, "TAKT_CHUNKING": "1"}, False, "the same with a poll after each iteration"),
    ("poll 64", {**POLLS, "TAKT_CHUNKING": "64"}, False, "with a poll after every 64 iterations"),
    ("poll hbc", {**POLLS, **HBC}, False, "with chunks sized by HBC's algorithm"),
    ("poll time", POLLS, False,
     "takt's own way: chunks by time, short loops in place and free; polls, and no promotion"),
    ("hbc", HBC, True, "HBC's chunks, with promotions"),
    ("time", {}, True, "the default"),
]


def fail(message):
    print(f"ablation.py: {message}", file=sys.stderr)
    sys.exit(2)


class Process:
    """One runner that is told when to run. It is stopped meanwhile by having nothing to do."""

    def __init__(self, runner, program, system, size, settings):
        command = [str(runner), "--problem", "hbc_" + program, "--system", system, "--workers", "1"]
        if size:
            command += ["--size", size]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TAKT_")}
        environment.update({"TAKT_SETTINGS": "", **settings})
        self.name = runner.name
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment,
                                            stdout=subprocess.PIPE, text=True)
        except OSError as error:
            fail(f"{runner}: {error.strerror}")
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            fail(f"{self.name} ended early")
        answer = json.loads(line)
        if "error" in answer:
            fail(answer["error"])
        return answer

    def run(self):
        try:
            self.process.stdin.write("run\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            fail(f"{self.name} ended early")
        answer = self.answer()
        if not answer["ok"]:
            fail(f"{self.name}: wrong answer")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def ratios_of(folder, program, size, runs):
    """Per column: median over the median of the serial program."""
    serial = Process(folder / "takt-bench-hbc-serial", program, "serial", size, {})
    takt = [Process(folder / "takt-bench-hbc-takt", program, "takt", size, settings)
            for _, settings, _, _ in COLUMNS]
    for process in [serial, *takt]:
        process.run()
    serial_seconds = []
    seconds = [[] for _ in COLUMNS]
    for _ in range(runs):
        serial_seconds.append(serial.run()["seconds"])
        for (name, _, may_promote, _), process, times in zip(COLUMNS, takt, seconds):
            answer = process.run()
            if not may_promote and answer.get("tasks", 0) != 0:
                fail(f"{program}, {name}: {answer['tasks']} tasks where there should be none")
            times.append(answer["seconds"])
    for process in [serial, *takt]:
        process.end()
    base = statistics.median(serial_seconds)
    return [statistics.median(times) / base for times in seconds]


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
    parser.add_argument("--size")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    arguments = parser.parse_intermixed_args()
    for program in arguments.programs:
        if program not in PROGRAMS:
            fail(f"no program {program}: one of {', '.join(PROGRAMS)}")
    folder = arguments.build / "bench"
    for runner in ("takt-bench-hbc-serial", "takt-bench-hbc-takt"):
        if not (folder / runner).exists():
            fail(f"{folder / runner} is missing: build it first")

    width = max(map(len, arguments.programs + ["geometric mean"]))
    names = [name for name, _, _, _ in COLUMNS]

    def show(first, cells):
        if arguments.markdown:
            print(f"| {first} | " + " | ".join(cells) + " |", flush=True)
        else:
            padded = (cell.rjust(max(len(name), 5)) for cell, name in zip(cells, names))
            print(first.ljust(width) + "  " + "  ".join(padded), flush=True)

    show("", names)
    if arguments.markdown:
        print("|---" * (len(names) + 1) + "|")
    rows = []
    for program in arguments.programs:
        rows.append(ratios_of(folder, program, arguments.size, arguments.runs))
        show(program, [f"{ratio:.2f}" for ratio in rows[-1]])
    means = [math.exp(statistics.fmean(map(math.log, column))) for column in zip(*rows)]
    show("geometric mean", [f"{mean:.2f}" for mean in means])


if __name__ == "__main__":
    main()
