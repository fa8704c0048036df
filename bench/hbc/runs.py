"""What the scripts of this folder share: runners, arguments, results in files."""
import atexit
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import Parser, Process, fail, positive

PROGRAMS = (
    "mandelbrot mandelbulb spmv_arrowhead spmv_powerlaw spmv_random floyd_warshall kmeans "
    "plus_reduce_array srad cg ttv ttm bfs cc pr pr_delta cf sssp").split()


def check_programs(names):
    for name in names:
        if name not in PROGRAMS:
            fail(f"no program {name}: one of {', '.join(PROGRAMS)}")


def folder_of(build, runners):
    """Where the runners of a build are."""
    folder = build / "bench"
    for name in runners:
        if not (folder / f"takt-bench-hbc-{name}").exists():
            fail(f"{folder / f'takt-bench-hbc-{name}'} is missing: build it first")
    return folder


def process_of(folder, runner, problem, settings, workers=1, more=()):
    """With one worker, a runner does nothing while others run."""
    command = [str(folder / f"takt-bench-hbc-{runner}"), "--problem", "hbc_" + problem,
               "--workers", str(workers), *more]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TAKT_")}
    environment.update({"TAKT_SETTINGS": "", **settings})
    return Process(command, environment)


def ratios(seconds, serial_seconds):
    """Of the medians, and of the fastest runs."""
    return {"median": statistics.median(seconds) / statistics.median(serial_seconds),
            "fastest": min(seconds) / min(serial_seconds)}


def mean_of(many):
    """The geometric mean of ratios."""
    return {key: math.exp(statistics.fmean(math.log(ratio[key]) for ratio in many))
            for key in ("median", "fastest")}


def shown(ratio):
    return f"{ratio['median']:.2f} [{ratio['fastest']:.2f}]"


class Table:
    """Rows as they come, for people or in Markdown."""

    def __init__(self, heads, markdown, width):
        self.markdown = markdown
        self.widths = [width] + [max(len(head), 13) for head in heads]
        self.row("", heads)
        if markdown:
            print("|---" * (len(heads) + 1) + "|")

    def row(self, first, cells):
        if self.markdown:
            print(f"| {first} | " + " | ".join(cells) + " |", flush=True)
        else:
            padded = (cell.rjust(width) for cell, width in zip(cells, self.widths[1:]))
            print(first.ljust(self.widths[0]) + "  " + "  ".join(padded), flush=True)


class Results:
    """A file of JSON. It is opened before anything is measured, so that one that cannot be written
    costs nobody an hour, and has its name when it is complete."""

    def __init__(self, path):
        self.path = path
        if path.is_dir():
            fail(f"{path}: is a directory")
        try:
            self.file = tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent,
                                                    prefix=path.name, delete=False)
        except OSError as error:
            fail(f"{path}: {error.strerror}")
        atexit.register(pathlib.Path(self.file.name).unlink, missing_ok=True)

    def write(self, results):
        with self.file:
            json.dump(results, self.file, indent=1)
            self.file.write("\n")
        os.replace(self.file.name, self.path)
