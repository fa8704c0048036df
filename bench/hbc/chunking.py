#!/usr/bin/env python3
"""Chunks sized by HBC's algorithm, by time, and not at all (HBC paper, section 6.6).

usage: chunking.py BUILD_DIR FIGURE [options]

  sizes   figures 10 and 11: two images of mandelbrot, one with few dear points and one with many
          cheap ones, and five of each in turn in one process, with chunks of 1, 2, 4 ... 4096
          iterations, HBC's and takt's (`time`), and these two with signals on (+) and off (-):
          time over that of the serial program
  rows    figure 12: what a point costs in each part of an image, and how many there are in a chunk
  target  figure 13: beats that a poll detected, of all there were, against the number of polls per
          beat that HBC's algorithm aims at; polls per beat; and time over serial

  --workers W          of `sizes`; default 1
  --simulated P        of `sizes`: on P virtual workers (docs/tools/scale.md), each run in a process of
                       its own
  --chunks C,...       of `sizes`: which of these
  --images DEAR,CHEAP  of `sizes`, each as ROWSxSTEPS, with twice as many columns
  --image ROWSxSTEPS   of `rows`; default 400x1000
  --programs P,...     of `target`; default spmv_powerlaw,mandelbrot,cf
  --size SIZE          of the programs of `target`
  --runs K             counted runs, after one that is not; default 5
  --markdown           the table in Markdown
  --json FILE          all numbers

BUILD_DIR/bench has the runners of hbc. Processes take turns; shown are ratios of medians, and in
brackets those of the fastest runs. Beats come every 100 microseconds, as in the paper. Without +
or -, signals are off where chunks are not by time: HBC has none. `rows` and `target` run on one
worker, without promotions, and count the polls of the last run. Every answer is checked. Exit code
2 for what cannot be run.
"""
import argparse
import bisect
import json
import os
import pathlib
import re
import statistics
import tempfile

from runs import (Parser, Results, Table, check_programs, fail, folder_of, positive, process_of,
                  ratios, shown)

SIZES = [str(2 ** k) for k in range(13)]
ADAPTED = ["hbc", "time", "hbc+", "time-"]
TARGETS = ["1", "2", "4", "8", "16"]
BEAT_US = 100
BEATS = {"TAKT_TRIGGER": "beat", "TAKT_BEAT_US": str(BEAT_US)}
# With one worker nobody asks for a task: all the polls, and no promotion.
POLLS = {"TAKT_TRIGGER": "request", "TAKT_BEAT_US": str(BEAT_US)}
BANDS = 16
IMAGES = "mandelbrot_images"


def with_chunks(settings, chunks):
    way = chunks.rstrip("+-")
    signals = chunks != "time-" and (way == "time" or chunks == "hbc+")
    return {**settings, "TAKT_CHUNKING": way, **({} if signals else {"TAKT_SIGNAL": "none"})}


def in_turns(serial, others, runs):
    """The ratios of the others, each over the same runs of the serial program."""
    seconds = [[] for _ in [serial, *others]]
    for run in range(runs + 1):
        for process, times in zip([serial, *others], seconds):
            elapsed = process.run()["seconds"]
            if run > 0:
                times.append(elapsed)
    return [ratios(times, seconds[0]) for times in seconds[1:]]


def end_all(processes):
    for process in processes:
        process.end()


class Simulated:
    """A process for each run, as the simulation reports once."""

    def __init__(self, start, workers):
        self.start = start
        self.workers = workers

    def run(self):
        with tempfile.TemporaryDirectory() as work:
            report = pathlib.Path(work) / "report"
            process = self.start({"TAKT_SIM": f"workers={self.workers},out={report}"})
            process.run()
            process.end()
            if not report.exists():
                fail("a simulation has written no report")
            return {"seconds": json.loads(report.read_text())["seconds_in_calls"]}

    def end(self):
        pass


def sizes(folder, wanted):
    """Figures 10 and 11."""
    chunks = wanted.chunks

    def takt_of(each, more):
        settings = with_chunks(BEATS, each)
        if wanted.simulated is None:
            return process_of(folder, "takt", IMAGES, settings, wanted.workers, more)
        return Simulated(lambda simulation: process_of(folder, "takt", IMAGES,
                                                       {**settings, **simulation}, 1, more),
                         wanted.simulated)

    dear, cheap = wanted.images
    inputs = {"dear": dear, "cheap": cheap, "in turn": ",".join([dear, cheap] * 5)}
    found = {}
    for name, images in inputs.items():
        more = ["--input", images]
        serial = process_of(folder, "serial", IMAGES, {}, more=more)
        takt = [takt_of(each, more) for each in chunks]
        found[name] = in_turns(serial, takt, wanted.runs)
        end_all([serial, *takt])
    table = Table(list(inputs), wanted.markdown, 5)
    for row, each in enumerate(chunks):
        table.row(each, [shown(found[name][row]) for name in inputs])
    fixed = [row for row, each in enumerate(chunks) if each not in ADAPTED]
    best = {name: chunks[min(fixed, key=lambda row: found[name][row]["median"])]
            for name in inputs if fixed}
    if best:
        print("best of the fixed sizes: " + ", ".join(f"{best[name]} ({name})" for name in inputs))
    return {"workers": wanted.simulated or wanted.workers,
            "simulated": wanted.simulated is not None, "inputs": inputs,
            "chunks": chunks, "over_serial": found, "best": best}


class Trace:
    """The polls of a run: when, in which row of the outermost loop, and the size of the chunk."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            unseen = int(file.readline().split()[1])
            looks = [tuple(map(int, line.split())) for line in file]
        if len(looks) < 2:
            fail("there were no polls: the input is too small")
        if unseen > len(looks) / 50:
            fail(f"{unseen} polls were not seen, beside {len(looks)} that were")
        self.ns, self.rows, self.chunks = zip(*looks)

    def beats(self):
        """How many fell due, and how many a poll detected: one that sees several detects one."""
        beat = BEAT_US * 1000
        numbers = [(ns - self.ns[0]) // beat for ns in self.ns]
        return numbers[-1], len(set(numbers)) - 1


def traced(folder, problem, settings, runs, more):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "trace")
        process = process_of(folder, "traced", problem, {**settings, "HBC_TRACE": path}, more=more)
        for _ in range(runs + 1):
            answer = process.run()
            if answer["tasks"] != 0:
                fail(f"{problem}: {answer['tasks']} tasks where there should be none")
        process.end()
        if not os.path.exists(path):
            fail(f"{problem}: there is no trace")
        return Trace(path)


def bands_of(trace, count):
    """Of each part of an image of so many rows: time, and polls."""
    ends = [count * (band + 1) // BANDS for band in range(BANDS)]
    ns = [0] * BANDS
    polls = [0] * BANDS
    for here, row, after in zip(trace.ns, trace.rows, trace.ns[1:]):
        band = bisect.bisect_right(ends, min(max(row, 1), count) - 1)
        ns[band] += after - here
        polls[band] += 1
    return ns, polls


def rows(folder, wanted):
    """Figure 12."""
    image = wanted.image
    count = int(image.partition("x")[0])
    if count < BANDS:
        fail(f"{image}: {BANDS} rows at least")
    bands = {}
    for chunks in ("hbc", "time"):
        trace = traced(folder, IMAGES, with_chunks(POLLS, chunks), wanted.runs, ["--input", image])
        ns, polls = bands_of(trace, count)
        bands[chunks] = []
        for band in range(BANDS):
            begin, end = count * band // BANDS, count * (band + 1) // BANDS
            points = 2 * count * (end - begin)
            seen = max(polls[band], 1)
            bands[chunks].append({"rows": [begin, end], "ns_per_point": ns[band] / points,
                                  "points_per_poll": points / seen,
                                  "us_between_polls": ns[band] / seen / 1000})
    heads = ["ns per point", "hbc: points", "us", "time: points", "us "]
    table = Table(heads, wanted.markdown, 9)
    for hbc, time in zip(bands["hbc"], bands["time"]):
        table.row(f"{hbc['rows'][0]}-{hbc['rows'][1] - 1}",
                  [f"{time['ns_per_point']:.0f}"] +
                  [text for way in (hbc, time) for text in
                   (f"{way['points_per_poll']:.0f}", f"{way['us_between_polls']:.0f}")])
    return {"image": image, "bands": bands}


def target(folder, wanted):
    """Figure 13."""
    ways = [f"hbc:{polls}" for polls in TARGETS] + ["time"]
    more = ["--size", str(wanted.size)] if wanted.size else []
    heads = ["detected", "polls a beat", "chunk", "over serial"]
    table = Table(heads, wanted.markdown, max(map(len, wanted.programs)) + 8)
    found = {}
    for program in wanted.programs:
        serial = process_of(folder, "serial", program, {}, more=more)
        takt = [process_of(folder, "takt", program, with_chunks(POLLS, way), more=more)
                for way in ways]
        times = in_turns(serial, takt, wanted.runs)
        end_all([serial, *takt])
        found[program] = []
        for way, over_serial in zip(ways, times):
            trace = traced(folder, program, with_chunks(POLLS, way), wanted.runs, more)
            due, detected = trace.beats()
            if due == 0:
                fail(f"{program}: no beat was due, the input is too small")
            # By time, loops have chunks of their own.
            chunk = None if way == "time" else statistics.median(trace.chunks)
            result = {"chunking": way, "due": due, "detected": detected, "chunk": chunk,
                      "polls": len(trace.ns), "over_serial": over_serial}
            found[program].append(result)
            table.row(f"{program}, {way}",
                      [f"{100 * detected / due:.1f}%", f"{len(trace.ns) / due:.1f}",
                       "" if chunk is None else f"{chunk:.0f}", shown(over_serial)])
    return {"programs": found}


FIGURES = {"sizes": (sizes, ("serial", "takt")), "rows": (rows, ("traced",)),
           "target": (target, ("serial", "takt", "traced"))}


def image_of(text):
    if not re.fullmatch("[0-9]+x[0-9]+", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not ROWSxSTEPS")
    return text


def images_of(text):
    images = text.split(",")
    if len(images) != 2:
        raise argparse.ArgumentTypeError(f"'{text}' is not two images, ROWSxSTEPS,ROWSxSTEPS")
    return [image_of(image) for image in images]


def chunks_of(text):
    chunks = text.split(",")
    for each in chunks:
        if each not in SIZES + ADAPTED:
            raise argparse.ArgumentTypeError(f"'{each}' is none of {', '.join(SIZES + ADAPTED)}")
    return chunks


def main():
    parser = Parser(usage="chunking.py BUILD_DIR sizes|rows|target [--workers W] "
                          "[--simulated P] [--chunks C,...] [--images DEAR,CHEAP] "
                          "[--image IMAGE] [--programs P,...] [--size SIZE] [--runs K] "
                          "[--markdown] [--json FILE]")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("figure", choices=FIGURES)
    parser.add_argument("--workers", type=positive, default=1)
    parser.add_argument("--simulated", type=positive)
    parser.add_argument("--chunks", type=chunks_of, default=SIZES + ADAPTED)
    parser.add_argument("--images", type=images_of, default=["64x40000", "2000x10"])
    parser.add_argument("--image", type=image_of, default="400x1000")
    parser.add_argument("--programs", type=lambda text: text.split(","),
                        default=["spmv_powerlaw", "mandelbrot", "cf"])
    parser.add_argument("--size", type=positive)
    parser.add_argument("--runs", type=positive, default=5)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    wanted = parser.parse_intermixed_args()
    check_programs(wanted.programs)
    if max(wanted.workers, wanted.simulated or 1) > 4096:
        fail("4096 workers at most")
    measure, runners = FIGURES[wanted.figure]
    folder = folder_of(wanted.build, runners)
    results = Results(wanted.json) if wanted.json else None
    found = measure(folder, wanted)
    if results:
        results.write({"figure": wanted.figure, "runs": wanted.runs, **found})


if __name__ == "__main__":
    main()
