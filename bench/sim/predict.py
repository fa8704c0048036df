#!/usr/bin/env python3
"""Compares the speed-up that the simulated machine predicts with the one that this machine has.

usage: predict.py RUNNER [--workers P] [--runs K] [--costs KEY=VALUE,...] PROBLEM[:SIZE[:INPUT]]...

RUNNER is takt-bench-takt. For each problem, processes with one and with P workers take turns, K runs each, and so do
simulations of both; medians of time(1) / time(P). Needs P idle CPUs. Exit code 2 for what cannot be run.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
from runner import Process, command_for, fail


def simulated(command, workers, costs, runs):
    """Virtual seconds in parallel calls of one run, the first one left out."""
    seconds = []
    for count in (1, 1 + runs):
        with tempfile.NamedTemporaryFile() as report:
            request = f"workers={workers}," + (costs + "," if costs else "") + f"out={report.name}"
            done = subprocess.run(command, input="run\n" * count, stdout=subprocess.DEVNULL, text=True,
                                  env=dict(os.environ, TAKT_SIM=request), check=False)
            if done.returncode != 0:
                fail(f"a simulation ended with code {done.returncode}")
            seconds.append(json.load(open(report.name, encoding="utf-8"))["seconds_in_calls"])
    return (seconds[1] - seconds[0]) / runs


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("runner")
    options.add_argument("problems", nargs="+")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--costs", default="", help="keys of TAKT_SIM, as takt scale prints them")
    wanted = options.parse_args()
    print(f"{'problem':32} {'measured':>9} {'spread':>13} {'predicted':>10} {'spread':>13} {'ratio':>7}")
    for problem in wanted.problems:
        command = command_for(wanted.runner, problem)
        one = Process(command + ["--workers", "1"])
        many = Process(command + ["--workers", str(wanted.workers)])
        one.run(), many.run()
        measured = [one.run()["seconds"] / many.run()["seconds"] for _ in range(wanted.runs)]
        one.end(), many.end()
        predicted = [simulated(command, 1, wanted.costs, 3) / simulated(command, wanted.workers, wanted.costs, 3)
                     for _ in range(wanted.runs)]
        real, virtual = statistics.median(measured), statistics.median(predicted)
        print(f"{problem:32} {real:9.2f} {min(measured):6.2f}-{max(measured):<6.2f} {virtual:10.2f} "
              f"{min(predicted):6.2f}-{max(predicted):<6.2f} {virtual / real:7.2f}", flush=True)


main()
