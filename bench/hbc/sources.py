#!/usr/bin/env python3
"""Beats from polls, from timers and from a thread that signals (HBC paper, sections 6.4 and 6.5).

usage: sources.py BUILD_DIR FIGURE [--workers W] [--beat US] [--runs K] [--size SIZE] [--markdown]
       [--json FILE] [PROGRAM...]

  overhead  figure 7: time over serial on one worker, with nothing promoted: without beats; with
            polls in chunks sized by HBC's algorithm; and without polls, with interrupts
  speed     figure 9: serial time over time on W workers (default 2), with promotions; and of the
            interrupts those that were missed, and came more than 20 microseconds late, of 100

BUILD_DIR/bench has the runners of hbc, built with TAKT_LAB. The programs are the 13 that the paper
calls irregular, unless some are named. Beats come every 100 microseconds. Processes take turns; the
first run of each is not counted, K (default 5) are. Shown are ratios of medians, and in brackets
those of the fastest runs. Every answer is checked. Exit code 2 for what cannot be run.
"""
import json
import pathlib
import tempfile

from ablation import SIZES
from runs import (Parser, Results, Table, check_programs, fail, folder_of, mean_of, positive,
                  process_of, ratios, shown)

IRREGULAR = ("mandelbrot mandelbulb spmv_arrowhead spmv_powerlaw cg ttv ttm bfs cc pr pr_delta cf "
             "sssp").split()
SOURCES = ("timer", "ping")
# With one worker nobody asks for a task.
NOTHING_PROMOTED = {"TAKT_TRIGGER": "request"}
# There is hardly a poll.
LONG = {"TAKT_CHUNKING": "100000"}

OVERHEAD = {"no beats": {"TAKT_TRIGGER": "never", **LONG},
            "poll": {**NOTHING_PROMOTED, "TAKT_CHUNKING": "hbc"},
            **{source: {**NOTHING_PROMOTED, **LONG, "TAKT_BEAT_SOURCE": source}
               for source in SOURCES}}
# As takt is: polls, and a signal where none comes.
SPEED = {"poll": {"TAKT_TRIGGER": "beat"},
         **{source: {"TAKT_TRIGGER": "beat", "TAKT_BEAT_SOURCE": source} for source in SOURCES}}


def in_turns(folder, program, columns, workers, wanted, work):
    """The ratios of the columns over the serial program, and what each says at its end."""
    more = ["--size", str(wanted.size or SIZES[program])]
    serial = process_of(folder, "serial", program, {}, more=more)
    takt = []
    for name, settings in columns.items():
        said = {"TAKT_BEAT_US": str(wanted.beat), "TAKT_STATS": str(work / name)}
        takt.append(process_of(folder, "takt", program, {**settings, **said}, workers, more))
    seconds = [[] for _ in [serial, *takt]]
    for run in range(wanted.runs + 1):
        for process, times in zip([serial, *takt], seconds):
            elapsed = process.run()["seconds"]
            if run > 0:
                times.append(elapsed)
    for process in [serial, *takt]:
        process.end()
    totals = [json.loads((work / name).read_text())["total"] for name in columns]
    return [ratios(times, seconds[0]) for times in seconds[1:]], totals


def share(total, of):
    """In 100 of the beats that were due; None where none came."""
    due = total["beats_delivered"] + total["beats_missed"]
    return 100 * total[of] / due if due else None


def overhead(folder, wanted):
    table = Table(list(OVERHEAD), wanted.markdown, 16)
    found = {}
    for program in wanted.programs:
        with tempfile.TemporaryDirectory() as work:
            over_serial, totals = in_turns(folder, program, OVERHEAD, 1, wanted, pathlib.Path(work))
        for name, total in zip(OVERHEAD, totals):
            if total["promotions_loops"] != 0:
                fail(f"{program}, {name}: tasks where there should be none")
        found[program] = dict(zip(OVERHEAD, over_serial))
        table.row(program, map(shown, over_serial))
    table.row("geometric mean", [shown(mean_of([row[name] for row in found.values()]))
                                 for name in OVERHEAD])
    return {"columns": list(OVERHEAD), "programs": found}


def speed(folder, wanted):
    heads = [*SPEED, *(f"{source}: {what}" for source in SOURCES for what in ("missed", "late"))]
    table = Table(heads, wanted.markdown, 16)
    found = {}
    for program in wanted.programs:
        with tempfile.TemporaryDirectory() as work:
            over_serial, totals = in_turns(folder, program, SPEED, wanted.workers, wanted,
                                           pathlib.Path(work))
        speeds = [{key: 1 / ratio[key] for key in ratio} for ratio in over_serial]
        counts = {source: {what: share(total, of) for what, of in
                           (("missed", "beats_missed"), ("late", "beats_late_20us"))}
                  for source, total in zip(SPEED, totals) if source in SOURCES}
        found[program] = {"speed": dict(zip(SPEED, speeds)), "beats": counts}
        table.row(program, [*map(shown, speeds),
                            *("-" if percent is None else f"{percent:.0f}%"
                              for of_source in counts.values() for percent in of_source.values())])
    table.row("geometric mean", [shown(mean_of([row["speed"][name] for row in found.values()]))
                                 for name in SPEED] + [""] * (len(heads) - len(SPEED)))
    return {"workers": wanted.workers, "programs": found}


FIGURES = {"overhead": overhead, "speed": speed}


def main():
    parser = Parser(usage="sources.py BUILD_DIR overhead|speed [--workers W] [--beat US] [--runs K] "
                          "[--size SIZE] [--markdown] [--json FILE] [PROGRAM...]")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("figure", choices=FIGURES)
    parser.add_argument("--workers", type=positive, default=2)
    parser.add_argument("--beat", type=positive, default=100)
    parser.add_argument("--runs", type=positive, default=5)
    parser.add_argument("--size", type=positive)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", default=IRREGULAR)
    wanted = parser.parse_intermixed_args()
    check_programs(wanted.programs)
    folder = folder_of(wanted.build, ("serial", "takt"))
    results = Results(wanted.json) if wanted.json else None
    found = FIGURES[wanted.figure](folder, wanted)
    if results:
        results.write({"figure": wanted.figure, "beat_us": wanted.beat, "runs": wanted.runs, **found})


if __name__ == "__main__":
    main()
