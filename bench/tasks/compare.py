#!/usr/bin/env python3
"""Compares OpenMP task programs: serial, with Clang's OpenMP runtime, and with takt.

Compiles the programs of this folder with the Clang that the build's taktcc starts, runs them in turns, each in a process of its own, and
prints medians of ratios. See README.md beside this file."""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import Parser, fail, positive

HERE = pathlib.Path(__file__).resolve().parent
SIZES = {"fib": 34, "nqueens": 12, "sort": 3000000, "strassen": 1024, "tree": 500000, "sparse_lu": 40,
         "sparse_lu_depend": 40}


def size(text):
    name, equals, number = text.partition("=")
    if not equals:
        raise ValueError
    return name, positive(number)


def arguments():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a build folder that has the plugin")
    parser.add_argument("programs", nargs="*", default=list(SIZES), help="default: all")
    parser.add_argument("--runs", type=positive, default=9)
    parser.add_argument("--workers", type=positive, default=os.cpu_count())
    parser.add_argument("--size", type=size, action="append", default=[], metavar="PROGRAM=N")
    given = parser.parse_intermixed_args()
    for name in [*given.programs, *(name for name, _ in given.size)]:
        if name not in SIZES:
            fail(f"no program {name}: one of {', '.join(SIZES)}")
    if not (given.build / "plugin" / "taktcc").exists():
        fail(f"{given.build / 'plugin' / 'taktcc'} is missing: build it first")
    return given


def compile_all(given, work):
    """Returns the systems: what is run, and with which settings."""
    clang = os.environ.get("TAKT_CLANG", "clang-19")
    if shutil.which(clang) is None:
        fail(f"{clang} is missing")
    compilers = {"serial": [clang], "omp": [clang, "-fopenmp"],
                 "takt": [str(given.build / "plugin" / "taktcc"), "-fopenmp"]}
    for name in given.programs:
        for system, command in compilers.items():
            made = subprocess.run([*command, "-O2", "-w", str(HERE / f"{name}.c"), "-o", str(work / f"{name}_{system}"), "-lm"],
                                  capture_output=True, text=True)
            if made.returncode != 0:
                fail(f"{name}.c does not compile for {system}: {(made.stderr.splitlines() or ['no message'])[0]}")


def run(work, name, system, workers, number):
    """Returns the seconds and the answer."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "OMP_", "KMP_"))}
    environment.update({"TAKT_SETTINGS": "", "TAKT_WORKERS": str(workers), "OMP_NUM_THREADS": str(workers)})
    done = subprocess.run([str(work / f"{name}_{system}"), str(number)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        print(f"{name}, {system}, {workers} workers: exit code {done.returncode}", file=sys.stderr)
        sys.exit(1)
    return float(done.stderr), done.stdout


def compare(given, work, name, number):
    systems = [("serial", 1), ("takt", 1), ("takt", given.workers), ("omp", given.workers)]
    seconds = {system: [] for system in systems}
    answer = None
    for turn in range(given.runs):
        for at in range(len(systems)):
            system = systems[(turn + at) % len(systems)]
            took, got = run(work, name, *system, number)
            if answer is not None and got != answer:
                print(f"{name}, {system[0]}, {system[1]} workers: {got.strip()} instead of {answer.strip()}", file=sys.stderr)
                sys.exit(1)
            answer = got
            seconds[system].append(took)

    def ratio(above, below):
        each = sorted(a / b for a, b in zip(seconds[above], seconds[below]))
        return f"{statistics.median(each):.2f} ({each[0]:.2f} to {each[-1]:.2f})"

    serial, one, many, omp = systems
    print(f"{name} {number}: {statistics.median(seconds[serial]):.3f} s, {ratio(one, serial)}, {ratio(many, serial)}, "
          f"{ratio(many, omp)}", flush=True)


def main():
    given = arguments()
    sizes = {**SIZES, **dict(given.size)}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        compile_all(given, work)
        print(f"program, serial; takt with 1 worker / serial, takt with {given.workers} / serial, takt / omp with {given.workers}: "
              f"medians of {given.runs} runs in turns (least to largest)")
        for name in given.programs:
            compare(given, work, name, sizes[name])


if __name__ == "__main__":
    main()
