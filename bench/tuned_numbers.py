#!/usr/bin/env python3
"""Tries other values of the tuned numbers in src/cost/numbers.hpp (docs/numbers.md).

    bench/tuned_numbers.py header DIR            writes DIR/cost/numbers.hpp, whose numbers the environment can set
    cmake --preset bench -B build/try -DCMAKE_CXX_FLAGS="-iquote DIR" -DTAKT_WERROR=OFF && cmake --build build/try --target takt-bench-takt
    bench/tuned_numbers.py try k_many_frames --runner build/try/bench/takt-bench-takt --problems fib:32,nqueens:10

`try` prints, for each problem and each factor, the CPU time over that of the number as it is: the median of the rounds, and
its standard error. With more than one worker, the time by the clock is what counts: --clock. On a machine that is not there it is
virtual time, which other work on this one does not change: --simulated workers=16 (keys of TAKT_SIM; a seed for each round).
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "harness"))
from runner import Parser, Process, command_for, fail, positive

NUMBERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../src/cost/numbers.hpp")
NUMBER = re.compile(r"inline constexpr ([\w:]+) (k_\w+)(?: = |\{)([^;{}]+?)\}?;")
# Sizes of arrays, and what these depend on: they are tried by hand.
CONSTANT = {"k_least_half", "k_iterations_of_lines"}
READER = """#include <cstdlib>

namespace takt::cost {

template <class T>
T tried(const char* name, T value) {
  const char* const text = std::getenv(name);
  return text == nullptr ? value : static_cast<T>(std::strtod(text, nullptr));
}
"""


def read_numbers():
    with open(NUMBERS, encoding="utf-8") as file:
        return file.read()


def trial_header():
    def of(match):
        kind, name, value = match.groups()
        if name in CONSTANT:
            return match.group(0)
        tried = f'tried("TRY_{name}", {value})'
        if kind.startswith("std::chrono"):
            return f"inline const {kind} {name}{{{tried}}};"
        return f"inline const {kind} {name} = static_cast<{kind}>({tried});"
    return NUMBER.sub(of, read_numbers()).replace("namespace takt::cost {\n", READER, 1)


def value_of(name):
    for kind, found, value in NUMBER.findall(read_numbers()):
        if found == name and name not in CONSTANT:
            # Products and shifts of numbers.
            return float(eval(value.replace("std::uint64_t", ""), {"__builtins__": {}})), kind == "double"
    fail(f"{name}: no number that can be tried")


def cpu_ns(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total


def virtual_seconds(command, environment, request, seed):
    """Of the second of two runs: the first one learns."""
    ends = []
    for count in (1, 2):
        with tempfile.NamedTemporaryFile() as report:
            simulation = f"{request},deterministic=1,seed={seed},out={report.name}"
            done = subprocess.run(command, input="run\n" * count, stdout=subprocess.DEVNULL, text=True,
                                  env=dict(environment, TAKT_SIM=simulation), check=False)
            if done.returncode != 0:
                fail(f"a simulation ended with code {done.returncode}")
            with open(report.name, encoding="utf-8") as file:
                ends.append(json.load(file)["seconds_in_calls"])
    return ends[1] - ends[0]


def seconds_of(options, command, environment, turn):
    if options.simulated:
        return virtual_seconds(command, environment, options.simulated, turn + 1)
    process = Process(command, environment)
    process.run()
    before = cpu_ns(process.process.pid)
    seconds = process.run()["seconds"]
    if not options.clock:
        seconds = (cpu_ns(process.process.pid) - before) * 1e-9
    process.end()
    return seconds


def try_numbers(options):
    if options.rounds < 2:
        fail("--rounds: an error needs two at least")
    values = []
    for name in options.numbers.split(","):
        value, is_real = value_of(name)
        values.append((name, value, is_real))
    for problem in options.problems.split(","):
        environments = []
        for factor in [1.0] + options.factors:
            environment = dict(os.environ)
            for name, value, is_real in values:
                tried = value * factor
                environment[f"TRY_{name}"] = str(tried if is_real else max(1, round(tried)))
            environments.append(environment)
        command = command_for(options.runner, problem)
        if not options.simulated:
            command += ["--workers", str(options.workers)]
        times = [[] for _ in environments]
        # Where the data of a process lies stays the same, and can make a tenth: each round has its own.
        for turn in range(options.rounds):
            for at in range(len(environments)):
                at = (at + turn) % len(environments)
                times[at].append(seconds_of(options, command, environments[at], turn))
        row = []
        for at, factor in enumerate(options.factors, 1):
            ratios = [t / base for t, base in zip(times[at], times[0])]
            error = 1.25 * statistics.stdev(ratios) / len(ratios) ** 0.5
            row.append(f"x{factor:g} {statistics.median(ratios):.3f} +- {error:.3f}")
        print(f"{options.numbers:24} {problem:24} {statistics.median(times[0]) * 1e3:8.1f} ms   " + "   ".join(row), flush=True)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    header = commands.add_parser("header")
    header.add_argument("folder")
    tries = commands.add_parser("try")
    tries.add_argument("numbers", help="one, or several that change together, with commas")
    tries.add_argument("--runner", required=True)
    tries.add_argument("--problems", required=True, help="NAME[:SIZE[:INPUT]],...")
    tries.add_argument("--factors", type=lambda text: [float(f) for f in text.split(",")], default=[0.125, 0.5, 2, 8])
    tries.add_argument("--rounds", type=positive, default=9)
    tries.add_argument("--workers", type=positive, default=1)
    tries.add_argument("--clock", action="store_true")
    tries.add_argument("--simulated", metavar="KEYS", help="of TAKT_SIM, such as workers=16")
    options = parser.parse_args()
    if options.command == "try":
        try_numbers(options)
        return
    try:
        os.makedirs(os.path.join(options.folder, "cost"), exist_ok=True)
        with open(os.path.join(options.folder, "cost", "numbers.hpp"), "w", encoding="utf-8") as file:
            file.write(trial_header())
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


if __name__ == "__main__":
    main()
