#!/usr/bin/env python3
"""How much memory four programs need in parallel, and how they end where it is limited.

usage: limits.py RUNNERS TAKT [--programs NAME,...] [--scale X] [--workers P,P,...] [--limit-workers P,P,...]
                 [--simulate P,P,...] [--runs N] [--table FILE] [--check]

RUNNERS is the folder of takt-bench-memory-*, TAKT the command, which watches the allocations of unchanged programs.

1. Without limits: resident peak and time over those of the serial program, medians of N runs by turns with the range. `none`
   is takt without a setting; `watched`, `hybrid` and `budget` are the same program under `takt run`, the budget 1.1 times
   what one worker reports at its peak, and `need` that budget with what one worker reports as `--memory-need`. And for each P of
   --limit-workers what is reported with that budget at most, over what one worker reports.
2. The same on simulated machines, for each P of --simulate: the peak of what is reported, and the time.
3. Under limits of 1.25 times the serial peak: in a memory cgroup, and of the address space (with 64 MB beside for stacks,
   threads and the watching library; `ulimit -s 1024`). Who ends, who is killed, and who fails as an allocation does.

--table: the decision tree's data, as covtype has them (make_decision_tree_of in programs.hpp).

--check: exit code 1 unless every answer is right, every run with the budget ends, with the need or without, and what is reported
stays within it. Exit code 2 for what cannot be run.
"""
import argparse
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from runner import HYBRID, Parser, under_takt_run

SIZES = {"strassen": 2048, "mergesort": 8_000_000, "decision_tree": 1_000_000, "pipeline": 32_000_000}
MEGA = 1 << 20
GATHERED = 128 << 10


def fail(line):
    print(f"limits.py: {line}", file=sys.stderr)
    sys.exit(2)


class Cgroup:
    """A memory cgroup of our own, below the one that we are in where that is allowed; v1 or v2."""

    def __init__(self):
        self.path = None
        for parent, limit, swap in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
                                    ("/sys/fs/cgroup", "memory.max", "memory.swap.max")):
            path = f"{parent}/takt-bench-{os.getpid()}"
            try:
                os.mkdir(path)
            except OSError:
                continue
            if os.path.exists(f"{path}/{limit}"):
                self.path, self.limit, self.swap, self.is_v1 = path, limit, swap, "limit_in" in limit
                return
            os.rmdir(path)

    def set(self, size):
        # What was cached for one run is not to count in the next.
        for name, value in (("memory.force_empty", "0"), (self.swap, "-1" if self.is_v1 else "0"), (self.limit, size),
                            (self.swap, size if self.is_v1 else "0")):
            try:
                with open(f"{self.path}/{name}", "w", encoding="utf-8") as file:
                    file.write(str(value))
            except OSError:
                if name == self.limit:
                    raise

    def enter(self):
        with open(f"{self.path}/cgroup.procs", "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))

    def close(self):
        if self.path is not None:
            os.rmdir(self.path)


class Result:
    def __init__(self, code, out, said):
        self.why = f"code {code}: {said.strip()[-300:]}"
        fields = out.split()
        self.ended = code == 0 and len(fields) == 4
        if self.ended:
            self.answer, self.seconds = fields[0], float(fields[1])
            self.resident, self.mapped = int(fields[2]) * 1024, int(fields[3]) * 1024
            self.how = "ends"
        elif code == -signal.SIGKILL:
            self.how = "KILLED"
        else:
            self.how = "FAILS"


class Bench:
    def __init__(self, options):
        self.options = options
        self.wrong = []
        self.cgroup = Cgroup()

    def command(self, system, name, workers, watched=None):
        """`watched`: settings, and options of `takt run`; None: not under that."""
        runner = f"{self.options.runners}/takt-bench-memory-{system}"
        own = [runner, name, str(self.size(name)), str(workers)]
        if self.options.table and name == "decision_tree":
            own.append(self.options.table)
        return own if watched is None else under_takt_run(self.options.takt, watched, own)

    def size(self, name):
        return max(1, int(SIZES[name] * self.options.scale))

    def has(self, system):
        return os.access(f"{self.options.runners}/takt-bench-memory-{system}", os.X_OK)

    def run(self, command, workers, settings=None, before=None):
        # The caller's, without its own settings: they would change what is measured.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("TAKT_", "OMP_", "MALLOC_"))}
        environment |= dict(TAKT_WORKERS=str(workers), OMP_NUM_THREADS=str(workers), **(settings or {}))
        try:
            done = subprocess.run(command, env=environment, preexec_fn=before, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            return Result(1, "", f"not within {self.options.timeout} seconds")
        return Result(done.returncode, done.stdout, done.stderr)

    def reported(self, name, workers, watched, settings=None):
        """@returns the most that was reported, and the run."""
        with tempfile.NamedTemporaryFile() as report:
            key = "TAKT_STATS" if "TAKT_SIM" not in (settings or {}) else None
            settings = dict(settings or {})
            if key:
                settings[key] = report.name
            else:
                settings["TAKT_SIM"] += f",out={report.name}"
            done = self.run(self.command("takt", name, workers, watched), workers, settings)
            if not done.ended:
                fail(f"{name} on {workers} workers did not end: {' '.join(watched)}, {done.why}")
            result = json.load(open(report.name, encoding="utf-8"))
        total = (result if key else result["stats"])["total"]
        return total["memory_peak_bytes"], done, result

    def expect(self, good, what):
        if not good:
            self.wrong.append(what)
            print(f"WRONG: {what}")

    def program(self, name):
        serial = self.run(self.command("serial", name, 1), 1)
        if not serial.ended:
            fail(f"the serial {name} did not end: {serial.why}")
        alone, _, _ = self.reported(name, 1, [])
        if alone == 0:
            fail(f"{name} {self.size(name)} reports nothing: --scale is too small")
        budget = int(1.1 * alone)
        print(f"\n{name} {self.size(name)}: serial {serial.seconds:.3f} s, {serial.resident / MEGA:.1f} MB resident; "
              f"one worker reports {alone / MEGA:.1f} MB")
        ways = {"none": ("takt", None), "watched": ("takt", ()), "hybrid": ("takt", (HYBRID,)),
                "budget": ("takt", ("--memory", str(budget))),
                "need": ("takt", ("--memory", str(budget), "--memory-need", str(alone))), "tbb": ("tbb", None), "omp": ("omp", None)}
        ways = {way: how for way, how in ways.items() if self.has(how[0])}
        self.without_limits(name, serial, ways)
        self.simulated(name, alone, budget)
        self.within_the_budget(name, alone, budget)
        self.limited(name, serial, ways)

    def within_the_budget(self, name, alone, budget):
        for workers in self.options.limit_workers:
            for way, need in (("budget", ()), ("need", ("--memory-need", str(alone)))):
                peaks = [self.reported(name, workers, ["--memory", str(budget), *need])[0] for _ in range(self.options.runs)]
                # Each worker gathers what is small.
                self.expect(max(peaks) <= budget + workers * GATHERED,
                            f"{name}, {way}, reports {max(peaks) / budget:.2f} of its budget, {workers} workers")
                print(f"  {workers:3} workers  {way}: reported at most {max(peaks) / alone:.2f}", flush=True)

    def without_limits(self, name, serial, ways):
        for workers in self.options.workers:
            runs = {way: [] for way in ("serial", *ways)}
            for _ in range(self.options.runs):
                runs["serial"].append(self.run(self.command("serial", name, 1), 1))
                for way, (system, watched) in ways.items():
                    done = self.run(self.command(system, name, workers, watched), workers)
                    self.expect(done.ended and done.answer == serial.answer, f"{name}, {way}, {workers} workers")
                    if done.ended:
                        runs[way].append(done)
            seconds = statistics.median(r.seconds for r in runs["serial"])
            peak = statistics.median(r.resident for r in runs["serial"])
            for way, results in runs.items():
                if not results:
                    continue
                peaks = sorted(r.resident / peak for r in results)
                times = sorted(r.seconds / seconds for r in results)
                print(f"  {workers:3} workers  {way:8} peak {statistics.median(peaks):5.2f} ({peaks[0]:.2f}-{peaks[-1]:.2f})"
                      f"  time {statistics.median(times):5.3f} ({times[0]:.3f}-{times[-1]:.3f})", flush=True)

    def simulated(self, name, alone, budget):
        for workers in self.options.simulate:
            line = f"  {workers:3} simulated"
            none = None
            for way, watched in (("none", ()), ("hybrid", (HYBRID,)),
                                 ("budget", ("--memory", str(budget))),
                                 ("need", ("--memory", str(budget), "--memory-need", str(alone)))):
                peak, _, result = self.reported(name, workers, watched, {"TAKT_SIM": f"workers={workers}"})
                seconds = result["seconds_in_calls"]
                none = none or seconds
                line += f"  {way}: reported {peak / alone:5.2f}, time {seconds / none:5.3f}"
            print(line, flush=True)

    def limited(self, name, serial, ways):
        room = int(1.25 * serial.resident)
        space = int(1.25 * serial.mapped) + 64 * MEGA

        def limit_space():
            resource.setrlimit(resource.RLIMIT_STACK, (MEGA, MEGA))
            resource.setrlimit(resource.RLIMIT_AS, (space, space))

        limits = [("address space", space, limit_space)]
        if self.cgroup.path is not None:
            self.cgroup.set(room)
            limits.insert(0, ("cgroup", room, self.cgroup.enter))
        else:
            print("  skipped: no memory cgroup can be made here")
        for kind, size, before in limits:
            for workers in self.options.limit_workers:
                line = f"  {kind} of {size / MEGA:.0f} MB, {workers} workers:"
                for way, (system, watched) in ways.items():
                    hows = []
                    for _ in range(self.options.runs):
                        done = self.run(self.command(system, name, workers, watched), workers, before=before)
                        hows.append(done.how)
                        if done.ended:
                            self.expect(done.answer == serial.answer, f"{name}, {way}, {workers} workers, {kind}")
                        if way in ("budget", "need"):
                            self.expect(done.ended, f"{name}, {way}, does not end within its budget, {workers} workers, {kind}")
                    line += f"  {way} " + ", ".join(f"{how} {hows.count(how)}" for how in sorted(set(hows)))
                print(line, flush=True)


def numbers(text):
    return [int(part) for part in text.split(",") if part]


def main():
    options = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("runners")
    options.add_argument("takt")
    options.add_argument("--programs", default=",".join(SIZES))
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--workers", type=numbers, default=[2, 8])
    options.add_argument("--limit-workers", type=numbers, default=[1, 2, 8, 64])
    options.add_argument("--simulate", type=numbers, default=[])
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--table", default="")
    options.add_argument("--timeout", type=float, default=300)
    options.add_argument("--check", action="store_true")
    wanted = options.parse_args()
    # `timeout` and the like: the cgroup does not stay behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    bench = Bench(wanted)
    names = wanted.programs.split(",")
    for name in names:
        if name not in SIZES:
            fail(f"no program '{name}': there are {', '.join(SIZES)}")
    for system in ("serial", "takt"):
        if not bench.has(system):
            fail(f"{wanted.runners} has no takt-bench-memory-{system}")
    try:
        for name in names:
            bench.program(name)
    finally:
        bench.cgroup.close()
    sys.exit(1 if wanted.check and bench.wrong else 0)


main()
