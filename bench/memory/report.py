#!/usr/bin/env python3
"""How much memory schedules need, on simulated machines, as one page.

usage: takt bench memory --report DIR [--workers P,P,...] [--alpha A,A,...] [--beta B,B,...] [--k K,K,...] [--budget X]
                         [--fib N] [--eager-fib N] [--tasks N] [--programs NAME,...] [--scale X] [--seeds N]

1. The example of the paper on space-efficient Cilk (Hickey and Quentmeyer, figures 4 and 5): N tasks that each hold a block of
   40 MB while fib(N) runs; for each number of workers the peak, in blocks, and the time in calls over that of none. none,
   hybrid with each alpha and beta, asyncdf with each K, and a budget of X blocks. Deterministic: the same each time.
2. The same where each fork is a task (trigger eager), with shorter tasks, as such a machine is slow: none and asyncdf.
3. What is reported over time, for each number of workers.
4. Four programs that allocate: Strassen's multiplication, merge sort, a decision tree, a pipeline; unchanged, on simulated machines
   whose cores take the time that the code takes here, so times differ from run to run. The peak of what is reported and the
   time, over those of one worker: none, hybrid, and a budget of 1.1 times what one worker reports. `--programs ''`: none.

DIR gets index.html, results.json, and the pictures as files. What programs need under limits that kill: bench/memory/limits.py. Exit
code 2 for what cannot be run.
"""
import argparse
import errno
import html
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "sim"), str(HERE.parent / "harness")]
import memory
from runner import HYBRID, Parser, under_takt_run

SIZES = {"strassen": 1024, "mergesort": 2_000_000, "decision_tree": 200_000, "pipeline": 16_000_000}
BLOCK = 40_000_000


def fail(line):
    print(f"takt bench memory: {line}", file=sys.stderr)
    sys.exit(2)


class Door(Parser):
    def error(self, message):
        fail(message)


class Table:
    """A number for each row (workers) and column."""

    def __init__(self, title, note, columns, value_format):
        self.title, self.note, self.columns, self.value_format = title, note, columns, value_format
        self.rows = []

    def add(self, workers, values):
        self.rows.append((workers, values))

    def text(self):
        width = max(10, *(len(c) for c in self.columns)) + 2
        lines = [self.title, f"{'P':>5}" + "".join(f"{c:>{width}}" for c in self.columns)]
        for workers, values in self.rows:
            lines.append(f"{workers:>5}" + "".join(f"{self.value_format.format(v):>{width}}" for v in values))
        return "\n".join(lines) + "\n"

    def page(self):
        out = [f"<h2>{html.escape(self.title)}</h2><p>{html.escape(self.note)}</p>"]
        out += [picture for picture in (self.picture(),) if picture]
        out.append("<table><tr><th>P</th>" + "".join(f"<th>{html.escape(c)}</th>" for c in self.columns) + "</tr>")
        for workers, values in self.rows:
            cells = "".join(f"<td>{self.value_format.format(v)}</td>" for v in values)
            out.append(f"<tr><th>{workers}</th>{cells}</tr>")
        return "\n".join(out) + "</table>\n"

    def picture(self):
        """A line for each column over the number of workers, which are as far from each other as they come. @returns an SVG, or ''."""
        if len(self.rows) < 2:
            return ""
        most = max(v for _, values in self.rows for v in values) or 1
        at = [k / (len(self.rows) - 1) for k in range(len(self.rows))]
        curves = [(name, [(x, values[k] / most) for x, (_, values) in zip(at, self.rows)])
                  for k, name in enumerate(self.columns)]
        return memory.picture(self.title, curves, f"{most:.2f}",
                              [(x, "middle", str(workers)) for x, (workers, _) in zip(at, self.rows)])


def asyncdf(k):
    return f"asyncdf {k}", dict(TAKT_POLICY="asyncdf", TAKT_MEMORY_K=str(k))


def example(wanted, title, ways):
    """@returns two tables, and pictures of memory over time by number of workers."""
    columns = [name for name, _ in ways]
    peaks = Table(f"{title}: peak", "Blocks of 40 MB that are reported at the same time.", columns, "{:.1f}")
    times = Table(f"{title}: time", "In parallel calls, over that of the first column.", columns, "{:.3f}")
    pictures = {}
    for workers in wanted.workers:
        runs = [memory.mean(wanted, workers, **settings) for _, settings in ways]
        peaks.add(workers, [run[0] for run in runs])
        times.add(workers, [run[1] / runs[0][1] for run in runs])
        print(f"{title}, {workers} workers", file=sys.stderr, flush=True)
        pictures[workers] = memory.over_time(f"Blocks reported over time, {workers} worker{'s' if workers != 1 else ''}",
                                             [(name, run[3]) for (name, _), run in zip(ways, runs)], BLOCK)
    return peaks, times, pictures


def reported(wanted, name, workers, watched):
    with tempfile.NamedTemporaryFile() as out:
        size = max(1, int(SIZES[name] * wanted.scale))
        command = under_takt_run(wanted.takt, watched, [f"{wanted.runners}/takt-bench-memory-takt", name, str(size), str(workers)])
        done = subprocess.run(command, env=memory.environment(TAKT_SIM=f"workers={workers},out={out.name}"), check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise memory.Failed(f"{' '.join(command)} ended with code {done.returncode}: {' '.join(done.stderr.split())[-200:]}")
        result = json.load(open(out.name, encoding="utf-8"))
    return result["stats"]["total"]["memory_peak_bytes"], result["seconds_in_calls"]


def programs(wanted):
    tables = []
    for name in wanted.programs:
        alone, seconds = reported(wanted, name, 1, [])
        if alone == 0:
            raise memory.Failed(f"{name} reports nothing: --scale is too small")
        ways = [("none", []), ("hybrid", [HYBRID]), ("budget", ["--memory", str(int(1.1 * alone))])]
        columns = [way for way, _ in ways]
        peaks = Table(f"{name}: peak", f"Over what one worker reports, {alone / 1e6:.1f} MB.", columns, "{:.2f}")
        times = Table(f"{name}: time", "In parallel calls, over that of one worker.", columns, "{:.3f}")
        for workers in wanted.workers:
            if workers == 1:
                continue
            runs = [reported(wanted, name, workers, watched) for _, watched in ways]
            peaks.add(workers, [peak / alone for peak, _ in runs])
            times.add(workers, [time / seconds for _, time in runs])
        print(f"{name}", file=sys.stderr, flush=True)
        tables += [peaks, times]
    return tables


def whole(least):
    """A number from there on that others can count with."""
    def number(text):
        value = int(text)
        if not least <= value < 1 << 40:
            raise ValueError
        return value
    number.__name__ = f"number from {least} on"
    return number


def wholes(least):
    def numbers(text):
        return [whole(least)(part) for part in text.split(",") if part]
    numbers.__name__ = f"list of numbers from {least} on"
    return numbers


def share(text):
    value = float(text)
    if not (math.isfinite(value) and 0 < value < 1e6):
        raise ValueError
    return value


share.__name__ = "number above 0 and below 1e6"


def arguments():
    options = Door(prog="takt bench memory", usage=argparse.SUPPRESS, description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--report", metavar="DIR", required=True)
    options.add_argument("--workers", type=wholes(1), default=[1, 2, 4, 8, 16, 32, 128])
    options.add_argument("--alpha", type=wholes(1), default=[256, 1024, 4096])
    options.add_argument("--beta", type=wholes(0), default=[0, 16])
    options.add_argument("--k", type=wholes(1), default=[1024, 65536, 1048576])
    options.add_argument("--budget", type=share, default=2.3)
    options.add_argument("--fib", type=whole(1), default=30)
    options.add_argument("--eager-fib", type=whole(0), default=18)
    options.add_argument("--tasks", type=whole(1), default=25)
    options.add_argument("--programs", type=lambda text: [n for n in text.split(",") if n], default=list(SIZES))
    options.add_argument("--scale", type=share, default=1.0)
    options.add_argument("--seeds", type=whole(1), default=1)
    # Where the door has found them.
    options.add_argument("--example", required=True, help=argparse.SUPPRESS)
    options.add_argument("--runners", required=True, help=argparse.SUPPRESS)
    options.add_argument("--takt", required=True, help=argparse.SUPPRESS)
    wanted = options.parse_args()
    for name in wanted.programs:
        if name not in SIZES:
            fail(f"no program '{name}': there are {', '.join(SIZES)}")
    if not wanted.workers:
        fail("--workers: there are none")
    wanted.bytes, wanted.trigger = BLOCK, "lazy"
    return wanted


def main():
    wanted = arguments()
    folder = pathlib.Path(wanted.report)
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        fail(f"{wanted.report}: {os.strerror(errno.EACCES)}")
    ways = [("none", {})]
    ways += [(f"hybrid {a}, {b}", dict(TAKT_HYBRID=f"{a}:{b}"))
             for a in wanted.alpha for b in wanted.beta]
    ways += [asyncdf(k) for k in wanted.k]
    ways.append((f"budget {wanted.budget:g}", dict(TAKT_MEMORY=str(int(wanted.budget * BLOCK)))))
    peaks, times, pictures = example(wanted, f"fib({wanted.fib}) in {wanted.tasks} tasks", ways)
    tables = [peaks, times]
    if wanted.eager_fib > 0:
        wanted.fib, wanted.trigger = wanted.eager_fib, "eager"
        eager = [("none", {})] + [asyncdf(k) for k in wanted.k]
        tables += example(wanted, f"Each fork a task, fib({wanted.fib})", eager)[:2]
    tables += programs(wanted)
    for table in tables:
        print(table.text())
    style = ("body{font-family:sans-serif;max-width:60em;margin:2em auto}table{border-collapse:collapse}"
             "td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ccc}")
    page = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>takt bench memory</title><style>{style}</style></head>'
            "<body><h1>Memory on simulated machines</h1>"
            "<p>P workers. hybrid: alpha and beta in bytes; asyncdf: K in bytes; budget: in blocks, or 1.1 times what one worker reports."
            " The machine does not charge asyncdf for the list that all workers share.</p>"]
    page += [table.page() for table in tables]
    page += ["<h2>Memory over time</h2>", *pictures.values(), "</body></html>\n"]
    results = [dict(title=t.title, columns=t.columns, rows=[dict(workers=w, values=v) for w, v in t.rows]) for t in tables]
    files = {"index.html": "\n".join(page), "results.json": json.dumps(results, indent=1) + "\n"}
    files |= {f"memory-{workers}.svg": picture for workers, picture in pictures.items()}
    files |= {f"table-{k}.svg": table.picture() for k, table in enumerate(tables) if table.picture()}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except memory.Failed as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror}")
    except KeyboardInterrupt:
        print("takt bench memory: stopped, and nothing is written", file=sys.stderr)
        sys.exit(130)
