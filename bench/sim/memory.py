#!/usr/bin/env python3
"""How much memory programs report at their peak, and how long they take, on simulated machines.

usage: memory.py EXAMPLE [--workers P,P,...] [--tasks N] [--bytes N] [--fib N] [--alpha A,A,...] [--beta B,B,...]
                 [--k K,K,...] [--trigger TRIGGER] [--eager] [--budget BYTES] [--seeds K] [--draw DIR]

EXAMPLE is takt-bench-memory-example. Each line: the mean over K seeds of the peak, in blocks of one task, and of the time
in parallel calls; both again, the time relative to none, for hybrid with each alpha and beta, and for asyncdf with each K; with --eager
also for none and asyncdf with trigger eager, relative to none with the other trigger; and with a budget. The third number of a column is stacks. The
machine does not charge asyncdf for the list that all workers share. The runs are deterministic: the same each time. Exit code 2 for what
cannot be run.

With --draw, DIR/memory-P.svg has the blocks reported over time for each column, with seed 1.
"""
import argparse
import html
import json
import os
import statistics
import subprocess
import sys
import tempfile


class Failed(Exception):
    """What cannot be run, as one line."""


def environment(**settings):
    """The caller's, without what it says of memory itself."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("TAKT_MEMORY", "TAKT_HYBRID", "TAKT_POLICY"))} | settings


def simulate(wanted, workers, seed, **settings):
    """@returns the peak in blocks, seconds in calls, stacks; and [[seconds, bytes],...]."""
    with tempfile.NamedTemporaryFile() as report:
        request = f"workers={workers},deterministic=1,seed={seed},out={report.name}"
        command = [wanted.example, str(wanted.tasks), str(wanted.bytes), str(wanted.fib)]
        try:
            done = subprocess.run(command, env=environment(**{"TAKT_TRIGGER": wanted.trigger, **settings}, TAKT_SIM=request),
                                  check=False, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise Failed(f"{wanted.example}: {error.strerror}") from None
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)} ended with code {done.returncode}: {' '.join(done.stderr.split())[-200:]}")
        result = json.load(open(report.name, encoding="utf-8"))
    total = result["stats"]["total"]
    return total["memory_peak_bytes"] / wanted.bytes, result["seconds_in_calls"], total["stacks_peak"], result.get("reported", [])


def mean(wanted, workers, **settings):
    runs = [simulate(wanted, workers, seed, **settings) for seed in range(1, wanted.seeds + 1)]
    return [statistics.mean(run[k] for run in runs) for k in range(3)] + [runs[0][3]]


COLOURS = ["#444444", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933"]


def picture(title, curves, most, along):
    """`curves` are (name, [(x, y),...]), x from 0 to 1 and y to `most`, a text; `along` are (x, anchor, text). @returns an SVG."""
    left, top, width, height, line = 60, 40, 720, 260, 18
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" '
           f'height="{top + height + 50 + line * len(curves)}" font-family="sans-serif" font-size="13">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="22" font-weight="bold">{html.escape(title)}</text>',
           f'<path d="M{left} {top}V{top + height}H{left + width}" stroke="black" fill="none"/>',
           f'<text x="{left - 6}" y="{top + 5}" text-anchor="end">{most}</text>',
           f'<text x="{left - 6}" y="{top + height}" text-anchor="end">0</text>']
    out += [f'<text x="{left + width * x:.1f}" y="{top + height + 18}" text-anchor="{anchor}">{text}</text>'
            for x, anchor, text in along]
    for k, (name, points) in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        dashes = "" if k < len(COLOURS) else ' stroke-dasharray="6 4"'
        line_of = " ".join(f"{left + width * x:.1f},{top + height * (1 - y):.1f}" for x, y in points)
        y = top + height + 40 + line * k
        out += [f'<polyline points="{line_of}" stroke="{colour}" fill="none" stroke-width="1.5"{dashes}/>',
                f'<path d="M{left} {y - 4}h24" stroke="{colour}" stroke-width="3"{dashes}/>',
                f'<text x="{left + 32}" y="{y}">{html.escape(name)}</text>']
    return "\n".join(out) + "\n</svg>\n"


def over_time(title, curves, block):
    """Steps: `curves` are (name, [[seconds, bytes],...]). @returns an SVG."""
    end = max((points[-1][0] for _, points in curves if points), default=0) or 1
    most = max((b for _, points in curves for _, b in points), default=0) / block or 1
    steps = []
    for name, points in curves:
        at = [(0, 0)]
        for seconds, size in points:
            at += [(seconds / end, at[-1][1]), (seconds / end, size / block / most)]
        steps.append((name, at))
    return picture(title, steps, f"{most:.1f}", [(1, "end", f"{1e3 * end:.1f} ms")])


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
    options.add_argument("--k", type=numbers, default=[])
    options.add_argument("--trigger", default="lazy")
    options.add_argument("--eager", action="store_true")
    options.add_argument("--budget", default="")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--draw", metavar="DIR")
    wanted = options.parse_args()
    if wanted.draw:
        try:
            os.makedirs(wanted.draw, exist_ok=True)
        except OSError as error:
            print(f"memory.py: {wanted.draw}: {error.strerror}", file=sys.stderr)
            sys.exit(2)
    hows = [(f"a={a} b={b}", dict(TAKT_HYBRID=f"{a}:{b}"))
            for a in wanted.alpha for b in wanted.beta]
    asyncdf = [(f"asyncdf k={k}", dict(TAKT_POLICY="asyncdf", TAKT_MEMORY_K=str(k))) for k in wanted.k]
    hows += asyncdf
    if wanted.eager:
        hows.append(("none, eager", dict(TAKT_TRIGGER="eager")))
        hows += [(f"{name}, eager", dict(settings, TAKT_TRIGGER="eager")) for name, settings in asyncdf]
    if wanted.budget:
        hows.append((f"budget {wanted.budget}", dict(TAKT_MEMORY=wanted.budget)))
    print(f"{'P':>4}  {'none: blocks':>12} {'ms':>9}" + "".join(f"  {name:>24}" for name, _ in hows))
    for workers in wanted.workers:
        peak, seconds, _, points = mean(wanted, workers)
        curves = [("none", points)]
        line = f"{workers:4}  {peak:12.1f} {1e3 * seconds:9.2f}"
        for name, settings in hows:
            with_it, time, stacks, points = mean(wanted, workers, **settings)
            curves.append((name, points))
            line += f"  {with_it:8.1f} {time / seconds:6.3f} {stacks:8.0f}"
        print(line, flush=True)
        if wanted.draw:
            title = f"Blocks reported, {workers} worker{'s' if workers != 1 else ''}"
            with open(os.path.join(wanted.draw, f"memory-{workers}.svg"), "w", encoding="utf-8") as file:
                file.write(over_time(title, curves, wanted.bytes))


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as error:
        print(f"memory.py: {error}", file=sys.stderr)
        sys.exit(2)
