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


def fail(message):
    print(f"predict.py: {message}", file=sys.stderr)
    sys.exit(2)


class Process:
    """One runner that is told when to run."""

    def __init__(self, command):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            fail(f"{command[0]}: {error.strerror}")
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            fail("the runner ended early")
        answer = json.loads(line)
        if "error" in answer:
            fail(answer["error"])
        return answer

    def run(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        answer = self.answer()
        if not answer["ok"]:
            fail("wrong answer")
        return answer["seconds"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


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
        name, _, rest = problem.partition(":")
        size, _, matrix = rest.partition(":")
        command = [wanted.runner, "--problem", name] + (["--size", size] if size else [])
        command += ["--input", matrix] if matrix else []
        one = Process(command + ["--workers", "1"])
        many = Process(command + ["--workers", str(wanted.workers)])
        one.run(), many.run()
        measured = [one.run() / many.run() for _ in range(wanted.runs)]
        one.end(), many.end()
        predicted = [simulated(command, 1, wanted.costs, 3) / simulated(command, wanted.workers, wanted.costs, 3)
                     for _ in range(wanted.runs)]
        real, virtual = statistics.median(measured), statistics.median(predicted)
        print(f"{problem:32} {real:9.2f} {min(measured):6.2f}-{max(measured):<6.2f} {virtual:10.2f} "
              f"{min(predicted):6.2f}-{max(predicted):<6.2f} {virtual / real:7.2f}", flush=True)


main()
