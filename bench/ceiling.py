#!/usr/bin/env python3
"""Measures how much faster P copies of a program get done on this machine than one after the other.

usage: ceiling.py RUNNER [--workers P] [--runs K] PROBLEM[:SIZE[:INPUT]]...

RUNNER is takt-bench-takt. Its program runs on one worker, alone and then in P processes at once;
shown is P times the time alone over the time of all, the median and the range of K pairs. No
scheduler is in the way: virtual CPUs that share a core, a cache or the memory show here, and a
speed-up on P workers should be held against this number. Exit code 2 for what cannot be run.
"""
import argparse
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "harness"))
from runner import Process, command_for, fail


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("runner")
    options.add_argument("problems", nargs="+")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--runs", type=int, default=7)
    wanted = options.parse_args()
    if wanted.workers < 1 or wanted.runs < 1:
        fail("--workers and --runs must be at least 1")
    print(f"{'problem':32} {'at once':>8} {'range':>13}")
    for problem in wanted.problems:
        command = command_for(wanted.runner, problem) + ["--workers", "1"]
        copies = [Process(command) for _ in range(wanted.workers)]
        for copy in copies:
            copy.run()
        gains = []
        for _ in range(wanted.runs):
            alone = copies[0].run()["seconds"]
            for copy in copies:
                copy.begin()
            slowest = max(copy.finish()["seconds"] for copy in copies)
            gains.append(wanted.workers * alone / slowest)
        for copy in copies:
            copy.end()
        print(f"{problem:32} {statistics.median(gains):8.2f} {min(gains):6.2f}-{max(gains):<6.2f}",
              flush=True)


main()
