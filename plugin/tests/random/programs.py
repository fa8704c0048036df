#!/usr/bin/env python3
"""Random OpenMP programs in C and C++: without OpenMP, with Clang's own runtime and with takt they print the same. See README.md."""
import argparse
import pathlib
import random
import shutil
import sys

from generated import Generator, program
from tree import reduce
from trial import Trial

# Statements that a program with the planted error may still have: a region, a construct, a task, a call.
k_small = 4


def make_small(given, seed, cxx, cases, fault):
    """Makes the case that failed first small, and writes it to a file. @returns how many statements are left; None: alone it is right."""
    trial = Trial(given, seed, given.work / "small", cxx)
    # An error of order does not show each time; the planted one does.
    turns = 1 if given.twin else 8
    known = {}  # what a step takes may not be printed

    def fails(case):
        """In the same way, and not with Clang's own runtime, for which no error is planted."""
        text = program([case], cxx)
        if text not in known:
            known[text] = trial.has([case], fault, turns) and (given.twin or fault.symptom not in trial.faults_of_clang())
        return known[text]

    wanted = int(fault.symptom.split()[1]) if fault.symptom.startswith("case ") else None
    for case in cases:
        if wanted is not None and case.number != wanted or not fails(case):
            continue
        reduce(case, lambda: fails(case))
        small = given.work / f"small_{seed}.{'cpp' if cxx else 'c'}"
        small.write_text(program([case], cxx))
        print(f"{small}: {case.size()} statements; {trial.level}, {fault}", flush=True)
        return case.size()
    print(f"--seed {seed}: no case is wrong when it is alone")
    return None


def check(given, seed, counts):
    """@returns what is wrong, and to how many statements a program that is wrong was reduced."""
    cxx = given.language == "c++" or given.language == "both" and seed % 2 == 0
    numbers = range(given.cases) if given.only is None else [given.only]
    cases = [Generator(number, random.Random(f"{seed}/{number}"), cxx).make() for number in numbers]
    trial = Trial(given, seed, given.work, cxx)
    faults = trial.faults(cases, given.seconds)
    counts["converted"] += trial.remarks.count("remark: the parallel region runs") + trial.remarks.count("remark: the parallel loop became")
    counts["left"] += trial.remarks.count("region stays")
    counts["endless"] += trial.has_endless
    counts[trial.level] = counts.get(trial.level, 0) + 1
    small = None
    if not faults:
        return "", None
    of_clang = set() if given.twin or faults[0].what.startswith("without OpenMP") else trial.faults_of_clang()
    own = [fault for fault in faults if fault.symptom not in of_clang]
    said = [f"{trial.level}, {fault}" for fault in own[:6]] + ["Clang's own runtime is wrong, too"] * (len(own) < len(faults))
    counts["of Clang"] += not own
    if own and given.reduce:
        small = make_small(given, seed, cxx, cases, own[0])
    return "; ".join(said), small


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"programs.py: {message}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin", type=pathlib.Path, help="the folder that has taktcc and takt++")
    parser.add_argument("work", type=pathlib.Path, help="a folder for the programs")
    parser.add_argument("clang")
    parser.add_argument("clangxx")
    parser.add_argument("--programs", type=int, default=3)
    parser.add_argument("--cases", type=int, default=12, help="in each program, at most 40")
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next one has the next")
    parser.add_argument("--language", choices=["c", "c++", "both"], default="both", help="both: C++ where the seed is even")
    parser.add_argument("--runs", type=int, default=3, help="settings of workers and beat that each program gets, 1 to 3")
    parser.add_argument("--only", type=int, help="just this case")
    parser.add_argument("--runtime", type=pathlib.Path, help="the folder that has takt's libomp.so.5; nothing is converted, but for --half")
    parser.add_argument("--half", action="store_true",
                        help="in two files, one of which is not converted; with --runtime it runs on takt's runtime, too")
    parser.add_argument("--seconds", type=int, default=240, help="within which a program ends")
    parser.add_argument("--twin", action="store_true", help="an error is planted in what takt runs, and must be found")
    parser.add_argument("--reduce", action="store_true",
                        help="make a program that is wrong small; with --twin: it must become one with a few statements")
    given = parser.parse_args()
    if not 1 <= given.cases <= 40 or given.programs < 1 or not 1 <= given.runs <= 3:
        parser.error("1 to 40 cases, at least one program, and 1 to 3 runs of each")
    for driver in ("taktcc", "takt++"):
        if not (given.plugin / driver).is_file():
            parser.error(f"no {driver} in {given.plugin}")
    if given.runtime is not None and not (given.runtime / "libomp.so.5").exists():
        parser.error(f"no libomp.so.5 in {given.runtime}")
    for compiler in (given.clang, given.clangxx):
        if shutil.which(compiler) is None:
            parser.error(f"no {compiler}")
    counts = {"converted": 0, "left": 0, "of Clang": 0, "endless": 0}
    wrong = large = 0
    for seed in range(given.seed, given.seed + given.programs):
        failed, small = check(given, seed, counts)
        large += given.twin and given.reduce and (small is None or small > k_small)
        wrong += failed != ""
        if failed and not given.twin:
            sys.stdout.flush()
            print(f"--seed {seed} --cases {given.cases} --language {given.language}: {failed}", file=sys.stderr, flush=True)
    levels = ", ".join(f"{counts[level]} at {level}" for level in sorted(counts) if level.startswith("-O"))
    print(f"{given.programs} programs of {given.cases} cases from seed {given.seed}: {wrong} wrong, of which {counts['of Clang']} with Clang's own "
          f"runtime; {counts['converted']} regions and loops converted, {counts['left']} left; {counts['endless']} with endless bands; {levels}")
    bad = wrong != given.programs if given.twin else wrong > counts["of Clang"]
    sys.exit(1 if counts["converted"] == 0 and (given.runtime is None or given.half) or large or bad else 0)


if __name__ == "__main__":
    main()
