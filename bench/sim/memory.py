#!/usr/bin/env python3
"""How much memory programs report at their peak, and how long they take, on simulated machines.

usage: memory.py EXAMPLE [--workers P,P,...] [--tasks N] [--bytes N] [--fib N] [--alpha A,A,...] [--beta B,B,...]
                 [--budget BYTES] [--seeds K]

EXAMPLE is takt-bench-memory-example. Each line: the mean over K seeds of the peak, in blocks of one task, and of the time
in parallel calls; and both again for hybrid with each alpha and beta, the time relative to none. The runs are deterministic: the same each time. Exit code 2 for what cannot be run.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def simulate(wanted, workers, seed, **settings):
    """@returns the peak in blocks, and seconds in calls."""
    with tempfile.NamedTemporaryFile() as report:
        request = f"workers={workers},deterministic=1,seed={seed},out={report.name}"
        environment = dict(os.environ, TAKT_SIM=request, **settings)
        command = [wanted.example, str(wanted.tasks), str(wanted.bytes), str(wanted.fib)]
        done = subprocess.run(command, env=environment, check=False)
        if done.returncode != 0:
            print(f"memory.py: {' '.join(command)} ended with code {done.returncode}", file=sys.stderr)
            sys.exit(2)
        result = json.load(open(report.name, encoding="utf-8"))
    total = result["stats"]["total"]
    return total["memory_peak_bytes"] / wanted.bytes, result["seconds_in_calls"], total["stacks_peak"]


def mean(wanted, workers, **settings):
    runs = [simulate(wanted, workers, seed, **settings) for seed in range(1, wanted.seeds + 1)]
    return [statistics.mean(run[k] for run in runs) for k in range(3)]


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("example")
    options.add_argument("--workers", type=numbers, default=[1, 2, 4, 8, 16, 32, 128])
    options.add_argument("--tasks", type=int, default=25)
    options.add_argument("--bytes", type=int, default=40_000_000)
    options.add_argument("--fib", type=int, default=30)
    options.add_argument("--alpha", type=numbers, default=[1024])
    options.add_argument("--beta", type=numbers, default=[16])
    options.add_argument("--budget", default="")
    options.add_argument("--seeds", type=int, default=3)
    wanted = options.parse_args()
    hows = [(f"a={a} b={b}", dict(TAKT_MEMORY_POLICY="hybrid", TAKT_MEMORY_ALPHA=str(a), TAKT_MEMORY_BETA=str(b)))
            for a in wanted.alpha for b in wanted.beta]
    if wanted.budget:
        hows.append((f"budget {wanted.budget}", dict(TAKT_MEMORY=wanted.budget)))
    print(f"{'P':>4}  {'none: blocks':>12} {'ms':>9}" + "".join(f"  {name:>24}" for name, _ in hows))
    for workers in wanted.workers:
        peak, seconds, _ = mean(wanted, workers)
        line = f"{workers:4}  {peak:12.1f} {1e3 * seconds:9.2f}"
        for _, settings in hows:
            with_it, time, stacks = mean(wanted, workers, **settings)
            line += f"  {with_it:8.1f} {time / seconds:6.3f} {stacks:8.0f}"
        print(line, flush=True)


main()
