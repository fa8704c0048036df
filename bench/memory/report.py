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
import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "sim"), str(HERE.parent / "harness")]
import memory
from runner import Parser

SIZES = {"strassen": 1024, "mergesort": 2_000_000, "decision_tree": 200_000, "pipeline": 16_000_000}
BLOCK = 40_000_000


def fail(line):
    print(f"takt bench memory: {line}", file=sys.stderr)
    sys.exit(2)


class Door(Parser):
    def error(self, message):
        fail(message)


class Table:
    """A number for each row (workers) and column; the first column of `over` is what times are relative to."""

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

    def page(self, folder, name):
        out = [f"<h2>{html.escape(self.title)}</h2><p>{html.escape(self.note)}</p>"]
        if len(self.rows) > 1:
            picture = f"{name}.svg"
            curve(folder / picture, self.title, self.columns, self.rows)
            out.append((folder / picture).read_text(encoding="utf-8"))
        out.append("<table><tr><th>P</th>" + "".join(f"<th>{html.escape(c)}</th>" for c in self.columns) + "</tr>")
        for workers, values in self.rows:
            cells = "".join(f"<td>{self.value_format.format(v)}</td>" for v in values)
            out.append(f"<tr><th>{workers}</th>{cells}</tr>")
        return "\n".join(out) + "</table>\n"


def curve(path, title, columns, rows):
    """A line for each column over the number of workers, which are as far from each other as they come. An SVG."""
    most = max(v for _, values in rows for v in values) or 1
    left, top, width, height, line = 60, 40, 720, 260, 18
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" '
           f'height="{top + height + 50 + line * len(columns)}" font-family="sans-serif" font-size="13">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="22" font-weight="bold">{html.escape(title)}</text>',
           f'<path d="M{left} {top}V{top + height}H{left + width}" stroke="black" fill="none"/>',
           f'<text x="{left - 6}" y="{top + 5}" text-anchor="end">{most:.2f}</text>',
           f'<text x="{left - 6}" y="{top + height}" text-anchor="end">0</text>']
    at = [left + width * k / (len(rows) - 1) for k in range(len(rows))]
    for x, (workers, _) in zip(at, rows):
        out.append(f'<text x="{x:.1f}" y="{top + height + 18}" text-anchor="middle">{workers}</text>')
    for k, name in enumerate(columns):
        colour = memory.COLOURS[k % len(memory.COLOURS)]
        dashes = "" if k < len(memory.COLOURS) else ' stroke-dasharray="6 4"'
        points = " ".join(f"{x:.1f},{top + height * (1 - values[k] / most):.1f}" for x, (_, values) in zip(at, rows))
        y = top + height + 40 + line * k
        out += [f'<polyline points="{points}" stroke="{colour}" fill="none" stroke-width="1.5"{dashes}/>',
                f'<path d="M{left} {y - 4}h24" stroke="{colour}" stroke-width="3"{dashes}/>',
                f'<text x="{left + 32}" y="{y}">{html.escape(name)}</text>']
    path.write_text("\n".join(out) + "\n</svg>\n", encoding="utf-8")


def asyncdf(k):
    return f"asyncdf {k}", dict(TAKT_MEMORY_POLICY="asyncdf", TAKT_MEMORY_K=str(k))


def example(wanted, title, ways, folder, draws):
    """@returns two tables, and pictures of memory over time."""
    columns = [name for name, _ in ways]
    peaks = Table(f"{title}: peak", "Blocks of 40 MB that are reported at the same time.", columns, "{:.1f}")
    times = Table(f"{title}: time", "In parallel calls, over that of the first column.", columns, "{:.3f}")
    pictures = []
    for workers in wanted.workers:
        runs = [memory.mean(wanted, workers, **settings) for _, settings in ways]
        peaks.add(workers, [run[0] for run in runs])
        times.add(workers, [run[1] / runs[0][1] for run in runs])
        print(f"{title}, {workers} workers", file=sys.stderr, flush=True)
        if draws:
            path = folder / f"memory-{workers}.svg"
            memory.draw(path, f"Blocks reported over time, {workers} worker{'s' if workers != 1 else ''}",
                        [(name, run[3]) for (name, _), run in zip(ways, runs)], BLOCK)
            pictures.append(path.read_text(encoding="utf-8"))
    return peaks, times, pictures


def reported(wanted, name, workers, watched):
    with tempfile.NamedTemporaryFile() as out:
        environment = dict(os.environ, TAKT_SIM=f"workers={workers},out={out.name}")
        size = max(1, int(SIZES[name] * wanted.scale))
        command = [wanted.takt, "run", *watched, "--", f"{wanted.runners}/takt-bench-memory-takt", name, str(size), str(workers)]
        done = subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            fail(f"{' '.join(command)} ended with code {done.returncode}: {done.stderr.strip()[-200:]}")
        result = json.load(open(out.name, encoding="utf-8"))
    return result["stats"]["total"]["memory_peak_bytes"], result["seconds_in_calls"]


def programs(wanted):
    tables = []
    for name in wanted.programs:
        alone, seconds = reported(wanted, name, 1, ["--policy", "none"])
        if alone == 0:
            fail(f"{name} reports nothing: --scale is too small")
        ways = [("none", ["--policy", "none"]), ("hybrid", ["--policy", "hybrid"]), ("budget", ["--memory", str(int(1.1 * alone))])]
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


def numbers(text):
    return [int(part) for part in text.split(",") if part]


def arguments():
    options = Door(prog="takt bench memory", usage=argparse.SUPPRESS, description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--report", metavar="DIR", required=True)
    options.add_argument("--workers", type=numbers, default=[1, 2, 4, 8, 16, 32, 128])
    options.add_argument("--alpha", type=numbers, default=[256, 1024, 4096])
    options.add_argument("--beta", type=numbers, default=[0, 16])
    options.add_argument("--k", type=numbers, default=[1024, 65536, 1048576])
    options.add_argument("--budget", type=float, default=2.3)
    options.add_argument("--fib", type=int, default=30)
    options.add_argument("--eager-fib", type=int, default=18)
    options.add_argument("--tasks", type=int, default=25)
    options.add_argument("--programs", type=lambda text: [n for n in text.split(",") if n], default=list(SIZES))
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--seeds", type=int, default=1)
    # Where the door has found them.
    options.add_argument("--example", required=True, help=argparse.SUPPRESS)
    options.add_argument("--runners", required=True, help=argparse.SUPPRESS)
    options.add_argument("--takt", required=True, help=argparse.SUPPRESS)
    wanted = options.parse_args()
    for name in wanted.programs:
        if name not in SIZES:
            fail(f"no program '{name}': there are {', '.join(SIZES)}")
    if not wanted.workers or min(wanted.workers) < 1:
        fail("--workers wants numbers above 0")
    wanted.bytes, wanted.trigger = BLOCK, "lazy"
    return wanted


def main():
    wanted = arguments()
    folder = pathlib.Path(wanted.report)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{wanted.report}: {error.strerror}")
    ways = [("none", {})]
    ways += [(f"hybrid {a}, {b}", dict(TAKT_MEMORY_POLICY="hybrid", TAKT_MEMORY_ALPHA=str(a), TAKT_MEMORY_BETA=str(b)))
             for a in wanted.alpha for b in wanted.beta]
    ways += [asyncdf(k) for k in wanted.k]
    ways.append((f"budget {wanted.budget:g}", dict(TAKT_MEMORY=str(int(wanted.budget * BLOCK)))))
    peaks, times, pictures = example(wanted, f"fib({wanted.fib}) in {wanted.tasks} tasks", ways, folder, True)
    tables = [peaks, times]
    if wanted.eager_fib > 0:
        wanted.fib, wanted.trigger = wanted.eager_fib, "eager"
        eager = [("none", {})] + [asyncdf(k) for k in wanted.k]
        tables += example(wanted, f"Each fork a task, fib({wanted.fib})", eager, folder, False)[:2]
    tables += programs(wanted)
    for table in tables:
        print(table.text())
    style = ("body{font-family:sans-serif;max-width:60em;margin:2em auto}table{border-collapse:collapse}"
             "td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ccc}")
    page = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>takt bench memory</title><style>{style}</style></head>'
            "<body><h1>Memory on simulated machines</h1>"
            "<p>P workers. hybrid: alpha and beta in bytes; asyncdf: K in bytes; budget: in blocks, or 1.1 times what one worker reports."
            " The machine does not charge asyncdf for the list that all workers share.</p>"]
    page += [table.page(folder, f"table-{k}") for k, table in enumerate(tables)]
    page += ["<h2>Memory over time</h2>", *pictures, "</body></html>\n"]
    try:
        (folder / "index.html").write_text("\n".join(page), encoding="utf-8")
        results = [dict(title=t.title, columns=t.columns, rows=[dict(workers=w, values=v) for w, v in t.rows]) for t in tables]
        (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        fail(f"{wanted.report}: {error.strerror}")


if __name__ == "__main__":
    main()
