#!/usr/bin/env python3
"""Measures how long compilers take for the same program on takt and on others.

usage: compile_time.py [--compilers g++,clang++-19] [--runs K] [--flags=FLAGS] [--include DIRECTORY]...
                       [--parlaylib DIRECTORY] [PROGRAM]...

A PROGRAM is a folder beside this script, `kcore` (ParlayLib's example, on its own scheduler and on takt), or `headers`
(takt's headers and nothing else). ParlayLib is asked for where its sources are given. All that are compared are
compiled by turns; shown is the time that the compiler used the processor for, not that which passed, as the median of
K runs, the least, and takt's time over it: the median of the ratios within a round, with the least and the greatest.

Smaller is better in all columns. Exit code 2 for what cannot be compiled.
"""
import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SYSTEMS = ["takt", "tbb", "parlay", "serial"]


def fail(text):
    print(f"compile_time.py: {text}", file=sys.stderr)
    sys.exit(2)


def compile_once(command):
    """Seconds of processor time, of the compiler and what it starts."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.stderr.buffer.write(said)
        fail("this does not compile: " + shlex.join(command))
    return used.ru_utime + used.ru_stime


def variants_of(program, parlaylib):
    """(name, arguments) of all that are compared with each other."""
    if program == "headers":
        empty = os.path.join(HERE, "headers")
        return [(name, [os.path.join(empty, name + ".cpp")])
                for name in ["takt", "algorithms", "tbb", "serial"]] + (
                    [("parlay", ["-I" + os.path.join(parlaylib, "include"), os.path.join(empty, "parlay.cpp")])]
                    if parlaylib else [])
    if program == "kcore":
        if not parlaylib:
            return []
        from_parlay = ["-I" + os.path.join(parlaylib, "include"), os.path.join(parlaylib, "examples", "kcore.cpp")]
        door = os.path.join(HERE, "..", "..", "doors", "parlay.hpp")
        return [("takt", ["-include", door] + from_parlay), ("parlay", from_parlay),
                ("serial", ["-DPARLAY_SEQUENTIAL"] + from_parlay)]
    found = []
    for system in SYSTEMS:
        source = os.path.join(HERE, program, system + ".cpp")
        if not os.path.exists(source) or (system == "parlay" and not parlaylib):
            continue
        found.append((system, (["-I" + os.path.join(parlaylib, "include")] if system == "parlay" else []) + [source]))
    if not found:
        fail(f"there is no program '{program}'")
    return found


def measure(compiler, flags, variants, runs, directory):
    times = {name: [] for name, _ in variants}
    for run in range(runs):
        for k in range(len(variants)):
            name, arguments = variants[(k + run) % len(variants)]
            command = [compiler] + flags + ["-c", "-o", os.path.join(directory, "object.o")] + arguments
            times[name].append(compile_once(command))
    return times


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", nargs="*", metavar="PROGRAM")
    options.add_argument("--compilers", default="g++,clang++-19")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--flags", default="-O3 -DNDEBUG")
    options.add_argument("--include", action="append", default=[],
                         help="directories with takt's headers, in place of this checkout's")
    options.add_argument("--parlaylib", help="a checkout of ParlayLib")
    wanted = options.parse_args()
    if wanted.runs < 1:
        fail("--runs must be at least 1")
    if wanted.parlaylib and not os.path.exists(os.path.join(wanted.parlaylib, "include", "parlay", "parallel.h")):
        fail(f"'{wanted.parlaylib}' is no checkout of ParlayLib")
    compilers = wanted.compilers.split(",")
    for compiler in compilers:
        if shutil.which(compiler) is None:
            fail(f"there is no compiler '{compiler}'")
    headers = wanted.include or [os.path.join(ROOT, "include"), os.path.join(ROOT, "abi")]
    programs = wanted.programs or ["headers", "ten_algorithms", "many_loops", "many_forks", "kcore"]
    flags = ["-std=c++20", "-DTAKT_STATIC"] + shlex.split(wanted.flags) + ["-I" + d for d in headers]
    compared = {program: variants_of(program, wanted.parlaylib) for program in programs}
    print(f"processor time of the compiler, seconds; {wanted.runs} runs by turns; {wanted.flags}")
    print(f"{'compiler':12} {'program':16} {'on':12} {'median':>8} {'least':>8}   takt / this, by rounds")
    with tempfile.TemporaryDirectory() as directory:
        for compiler in compilers:
            for program, variants in compared.items():
                if not variants:
                    print(f"{compiler:12} {program:16} left out: needs --parlaylib")
                    continue
                times = measure(compiler, flags, variants, wanted.runs, directory)
                first = times[variants[0][0]]
                for name, _ in variants:
                    ratios = [a / b for a, b in zip(first, times[name])]
                    print(f"{compiler:12} {program:16} {name:12} {statistics.median(times[name]):8.2f} "
                          f"{min(times[name]):8.2f}   {statistics.median(ratios):.2f} "
                          f"[{min(ratios):.2f} to {max(ratios):.2f}]", flush=True)


main()
