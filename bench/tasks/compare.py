#!/usr/bin/env python3
"""Compares OpenMP task programs: serial, with takt, and with Clang's and GCC's OpenMP runtimes and their best cut-offs.

Compiles the programs of this folder with the Clang that the build's taktcc starts, and with GCC, finds the best cut-off for each of the
other runtimes, runs all in turns, each in a process of its own, and prints medians of ratios. See README.md beside this file."""
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

# What is tried for the other runtimes. In the programs that are not here a task is long.
CUT_OFFS = {"fib": (12, 18, 24, 28), "nqueens": (4, 6, 8, 10), "sort": (300, 3000, 30000, 300000), "tree": (1, 3, 8, 20)}
TUNING_RUNS = 3


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
    compilers = {"serial": [clang], "takt": [str(given.build / "plugin" / "taktcc"), "-fopenmp"],
                 "omp": [clang, "-fopenmp", "-DCUT_OFF"]}
    if shutil.which("gcc") is None:
        print("gcc is missing: nothing is said of its runtime")
    else:
        compilers["gomp"] = ["gcc", "-fopenmp", "-DCUT_OFF"]
    for name in given.programs:
        for system, command in compilers.items():
            made = subprocess.run([*command, "-O2", "-w", str(HERE / f"{name}.c"), "-o", str(work / f"{name}_{system}"), "-lm"],
                                  capture_output=True, text=True)
            if made.returncode != 0:
                fail(f"{name}.c does not compile for {system}: {(made.stderr.splitlines() or ['no message'])[0]}")
    return [system for system in ("omp", "gomp") if system in compilers]


def run(work, name, system, workers, number, cut_off=None):
    """Returns the seconds and the answer."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "OMP_", "KMP_", "GOMP_"))}
    environment.update({"TAKT_SETTINGS": "", "TAKT_WORKERS": str(workers), "OMP_NUM_THREADS": str(workers)})
    command = [str(work / f"{name}_{system}"), str(number)]
    if cut_off is not None:
        command.append(str(cut_off))
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        print(f"{name}, {system}, {workers} workers: exit code {done.returncode}", file=sys.stderr)
        sys.exit(1)
    return float(done.stderr), done.stdout


def tuned(work, name, system, workers, number):
    """Returns the cut-off with which a runtime is fastest; None: the program has none."""
    def median(cut_off):
        return statistics.median(run(work, name, system, workers, number, cut_off)[0] for _ in range(TUNING_RUNS))
    return min(CUT_OFFS[name], key=median) if name in CUT_OFFS else None


def compare(given, work, name, number, peers):
    """Prints a row. Returns the ratios in it: takt's to serial, and to each peer."""
    cut_offs = {peer: tuned(work, name, peer, given.workers, number) for peer in peers}
    systems = [("serial", 1), ("takt", 1), ("takt", given.workers), *((peer, given.workers) for peer in peers)]
    seconds = {system: [] for system in systems}
    answer = None
    for turn in range(given.runs):
        for at in range(len(systems)):
            system = systems[(turn + at) % len(systems)]
            took, got = run(work, name, *system, number, cut_offs.get(system[0]))
            if answer is not None and got != answer:
                print(f"{name}, {system[0]}, {system[1]} workers: {got.strip()} instead of {answer.strip()}", file=sys.stderr)
                sys.exit(1)
            answer = got
            seconds[system].append(took)

    def ratios(above, below):
        return sorted(a / b for a, b in zip(seconds[above], seconds[below]))

    serial, one, many = systems[:3]
    shown = [ratios(one, serial), ratios(many, serial), *(ratios(many, system) for system in systems[3:])]
    cells = [f"{statistics.median(each):.2f} ({each[0]:.2f} to {each[-1]:.2f})" for each in shown]
    for at, peer in enumerate(peers):
        cells[2 + at] += f", cut-off {cut_offs[peer]}" if cut_offs[peer] is not None else ""
    print(f"| {name} {number} | {statistics.median(seconds[serial]):.3f} s | {' | '.join(cells)} |", flush=True)
    return [statistics.median(each) for each in shown]


def main():
    given = arguments()
    sizes = {**SIZES, **dict(given.size)}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        peers = compile_all(given, work)
        heads = ["takt 1 / serial", f"takt {given.workers} / serial",
                 *(f"takt / {peer}, {given.workers} workers" for peer in peers)]
        print(f"Medians of {given.runs} runs in turns, least to largest. The best of the cut-offs, by medians of {TUNING_RUNS} runs.\n")
        print(f"| program | serial | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 2)}")
        rows = [compare(given, work, name, sizes[name], peers) for name in given.programs]
        means = [f"{statistics.geometric_mean(column):.2f}" for column in zip(*rows)]
        print(f"| geometric mean | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
