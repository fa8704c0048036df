#!/usr/bin/env python3
"""What the code of leaves is worth that stands in a fork or a loop: one worker's time over the serial program's.

usage: leaves.py LIBRARY [--compilers NAME,...] [--flags FLAGS,...] [--problems NAME,...] [--runs N] [--under COMMAND]
                 [--most X]

LIBRARY is the static library of a build that optimises. Each problem is compiled by each compiler with each set of
flags, serial and forked program alike, and both take turns in one process (turns.cpp); four processes, whose code lies
at four places, and the geometric mean of their medians. --under: what a process is started by, as "chrt -f 50".

--most: exit code 1 if a figure is above. Exit code 2 for what cannot be compiled or run.
"""
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import Parser, fail, positive

BENCH = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
# Sizes of some milliseconds: many turns are worth more than long ones.
SIZES = {"quarters": 384, "mergesort": 200_000, "spmv": 20_000, "mandelbrot": 100, "saxpy": 200_000, "reduce": 4_000_000,
         "scan": 2_000_000, "filter": 2_000_000, "histogram": 4_000_000, "matmul": 512, "heat2d": 512}
FLAGS = "-O2,-O3,-O3 -march=native,-O3 -flto"
PLACES = (0, 16, 32, 48)


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as e:
        fail(f"{command[0]}: {e.strerror}")
    if done.returncode != 0:
        fail(f"{command[0]}: {(done.stderr.strip() or str(done.returncode)).splitlines()[0]}")
    return done.stdout


def sources(problem):
    """Files, each with what it is compiled with beside the flags."""
    folder = BENCH / "locality" / problem
    if folder.is_dir():
        for system in ("serial", "takt"):
            yield folder / "algorithm.cpp", [f'-DTAKT_LOCALITY_SYSTEM="locality/parallel/{system}.hpp"',
                                             f"-I{BENCH / 'locality'}"]
    elif (BENCH / "leaves" / f"{problem}.cpp").exists():
        yield BENCH / "leaves" / f"{problem}.cpp", []
    else:
        for system in ("serial", "takt"):
            yield BENCH / problem / f"{system}.cpp", []


def compile_to(out, compiler, flags, source, more=()):
    run([compiler, "-std=c++20", *flags, "-DNDEBUG", "-DTAKT_STATIC", f"-I{BENCH}", f"-I{ROOT / 'include'}",
         f"-I{ROOT / 'abi'}", *more, "-c", source, "-o", out])
    return out


class Table:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.shared = [compile_to(folder / f"{name.replace('/', '_')}.o", "g++", ["-O2"], BENCH / name) for name in
                       ("leaves/turns.cpp", "harness/catalogue.cpp", "harness/matrices.cpp", "io/matrix_market.cpp")]
        self.places = [compile_to(folder / f"at{at}.o", "g++", [], BENCH / "harness" / "code_at.cpp",
                                  [f"-DTAKT_CODE_AT={at}"]) for at in PLACES]

    def figure(self, problem, compiler, flags):
        objects = [compile_to(self.folder / f"{i}.o", compiler, flags, source, more)
                   for i, (source, more) in enumerate(sources(problem))]
        logs = 0.0
        for place in self.places:
            program = self.folder / "program"
            run([compiler, *flags, place, *objects, *self.shared, self.options.library, "-lboost_context", "-ldl",
                 "-pthread", "-o", program])
            out = run([*shlex.split(self.options.under), "env", "TAKT_WORKERS=1", program, problem,
                       str(SIZES[problem]), str(self.options.runs)])
            logs += math.log(float(out))
        return math.exp(logs / len(PLACES))


def main():
    parser = Parser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--compilers", default="g++,clang++-19")
    parser.add_argument("--flags", default=FLAGS)
    parser.add_argument("--problems", default=",".join(SIZES))
    parser.add_argument("--runs", type=positive, default=11)
    parser.add_argument("--under", default="")
    parser.add_argument("--most", type=float)
    options = parser.parse_args()
    problems = options.problems.split(",")
    for problem in problems:
        if problem not in SIZES:
            fail(f"no such problem: {problem}")
    if not options.library.exists():
        fail(f"no such library: {options.library}")
    columns = [(c, f) for c in options.compilers.split(",") for f in options.flags.split(",")]
    for compiler, _ in columns:
        run([compiler, "--version"])
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        table = Table(options, pathlib.Path(folder))
        print("| | " + " | ".join(f"{c} {f}" for c, f in columns) + " |\n|" + "---|" * (len(columns) + 1), flush=True)
        for problem in problems:
            figures = [table.figure(problem, c, f.split()) for c, f in columns]
            most = max(most, *figures)
            print(f"| {problem} | " + " | ".join(f"{x:.2f}" for x in figures) + " |", flush=True)
    if options.most is not None and most > options.most:
        sys.exit(1)


if __name__ == "__main__":
    main()
